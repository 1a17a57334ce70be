#include <dlfcn.h>
#include <fmt/format.h>

#include <string_view>

#include "io/format_readers.h"
#include "isthmus/errors.h"

namespace isthmus {
namespace {

/// Beside the library that this code is in, wherever that was installed or moved to.
std::filesystem::path module_path() {
  Dl_info library{};
  if (dladdr(reinterpret_cast<const void*>(&format_readers), &library) == 0) return ISTHMUS_FORMATS_MODULE;
  return std::filesystem::path(library.dli_fname).replace_filename(ISTHMUS_FORMATS_MODULE);
}

const FormatReaders& load_readers() {
  const std::filesystem::path path = module_path();
  // It stays loaded: open files look into it.
  void* const module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  const void* const found = module == nullptr ? nullptr : dlsym(module, "isthmus_format_readers");
  if (found == nullptr) {
    throw IoError(fmt::format(
        "MAT and NPZ files are read by {}, which cannot be loaded ({}); install it beside libisthmus",
        path.string(), dlerror()));
  }
  const auto& readers = *static_cast<const FormatReaders*>(found);
  if (std::string_view(readers.version) != ISTHMUS_VERSION) {
    throw IoError(fmt::format("{} is of version {} and libisthmus of {}; install both from one build",
                              path.string(), readers.version, ISTHMUS_VERSION));
  }
  return readers;
}

}  // namespace

const FormatReaders& format_readers() {
  static const FormatReaders& readers = load_readers();
  return readers;
}

}  // namespace isthmus
