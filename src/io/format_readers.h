#pragma once

#include "io/array_file.h"

namespace isthmus {

/// The readers that stand on libraries with much behind them (matio on HDF5 and that on libcurl, libzip on
/// OpenSSL). A static libisthmus has them linked in. A shared one loads them at the first use from a module
/// beside it, so that its users link none of those libraries.
struct FormatReaders {
  const char* version;  ///< of the library they were built with
  std::unique_ptr<ArrayFile> (*open_mat)(const std::filesystem::path&);
  std::unique_ptr<ArrayFile> (*open_npz)(const std::filesystem::path&);
};

/// Throws IoError where the module cannot be loaded.
const FormatReaders& format_readers();

}  // namespace isthmus

/// What the module is asked for.
extern "C" const isthmus::FormatReaders isthmus_format_readers;
