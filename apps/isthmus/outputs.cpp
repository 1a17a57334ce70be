#include "outputs.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>

#include "bench/sample_names.h"
#include "console.h"
#include "core/text.h"
#include "io/atomic_file.h"
#include "io/formats.h"
#include "isthmus/errors.h"

using isthmus::InvalidArgument;

namespace {

bool is_null_device(const struct stat& status) {
  struct stat null = {};
  return S_ISCHR(status.st_mode) && ::stat("/dev/null", &null) == 0 && status.st_rdev == null.st_rdev;
}

/// Of a file name; those of other programs that a user may hope for are among them.
bool is_no_text_table(std::string_view ending) {
  for (const isthmus::Format& format : isthmus::formats()) {
    const bool named =
        std::find(format.extensions.begin(), format.extensions.end(), ending) != format.extensions.end();
    if (named) return format.name != "csv";
  }
  constexpr std::array<std::string_view, 8> unknown{".parquet", ".feather", ".arrow", ".xlsx",
                                                    ".h5",      ".json",    ".html",  ".gz"};
  return std::find(unknown.begin(), unknown.end(), ending) != unknown.end();
}

[[noreturn]] void refuse_overwriting(const std::string& input, const std::string& output) {
  const std::string names =
      input == output ? input + " is" : fmt::format("{} and {} are one file,", input, output);
  throw InvalidArgument(
      fmt::format("{} both read and written by this command; give the output a file of its own", names));
}

}  // namespace

Outputs::Outputs(const CommonFlags& common) : json_(common.json) {
  if (!common.config.empty()) reads(common.config);
}

Outputs::Place Outputs::place_of(const std::string& path, int standard_stream) {
  Place place{path};
  struct stat status = {};
  const bool is_stream = path == kStandardStream;
  if ((is_stream ? ::fstat(standard_stream, &status) : ::stat(path.c_str(), &status)) == 0) {
    place.keeps_data = S_ISREG(status.st_mode) || S_ISBLK(status.st_mode);
    place.takes_all = is_null_device(status);
  } else if (!is_stream) {
    const std::filesystem::path target = isthmus::behind_links(path);
    const std::filesystem::path folder = target.has_parent_path() ? target.parent_path() : ".";
    place.name = target.filename().string();
    if (::stat(folder.c_str(), &status) != 0) return place;  // whoever opens the file will say so
  }
  place.device = status.st_dev;
  place.inode = status.st_ino;
  return place;
}

void Outputs::reads(const std::string& path) {
  const Place input = place_of(path, STDIN_FILENO);
  if (path == kStandardStream && std::any_of(inputs_.begin(), inputs_.end(), [](const Place& other) {
        return other.path == kStandardStream;
      })) {
    throw InvalidArgument(
        "standard input (-) is named for two inputs and can be read once; save one to a file");
  }
  for (const Place& output : planned_) {
    if (input.keeps_data && input.is(output)) refuse_overwriting(input.path, output.path);
  }
  inputs_.push_back(input);
}

void Outputs::reads_samples(const std::string& samples, const std::string& labels) {
  for (const std::string& file : isthmus::sample_files({samples, labels})) reads(file);
}

void Outputs::plan(const std::string& path) {
  if (path.empty()) return;
  Place output = place_of(path, STDOUT_FILENO);
  for (const Place& input : inputs_) {
    if (input.keeps_data && input.is(output)) refuse_overwriting(input.path, path);
  }
  for (const Place& other : planned_) {
    if (other.takes_all || !other.is(output)) continue;
    throw InvalidArgument(
        other.path == path
            ? fmt::format("two outputs go to {}; give each its own file", path)
            : fmt::format("two outputs go to one file, {} and {}; give each its own", other.path, path));
  }
  planned_.push_back(std::move(output));
  if (path == kStandardStream) {
    if (json_)
      throw InvalidArgument("--json and an output both go to standard output; give the output a file");
    make_output_a_file();
  } else {
    const isthmus::AtomicFile probe(path);
  }
}

void Outputs::plan_labels(const std::string& path) {
  plan(path);
  const std::string ending = isthmus::lower_case(std::filesystem::path(path).extension().string());
  if (!is_no_text_table(ending)) return;
  throw InvalidArgument(fmt::format(
      "{}: labels are written as a text table, which is no {} file; name it .csv or .tsv", path, ending));
}

void Outputs::plan_file(const std::string& path) {
  if (path == kStandardStream) {
    throw InvalidArgument("-: a model or a log must be a file; give its name (for a file called -: ./-)");
  }
  plan(path);
}

void Outputs::set(const std::string& path, std::string text) {
  if (!path.empty()) texts_.emplace_back(path, std::move(text));
}

void Outputs::set(const std::string& path, std::function<void(const std::filesystem::path&)> write) {
  if (!path.empty()) library_file_ = [path, write = std::move(write)] { write(path); };
}

void Outputs::commit() const {
  std::vector<std::unique_ptr<isthmus::AtomicFile>> files;
  for (const auto& [path, text] : texts_) {
    if (path == kStandardStream) continue;
    files.push_back(std::make_unique<isthmus::AtomicFile>(path));
    files.back()->write(text);
    files.back()->prepare();
  }
  for (const auto& [path, text] : texts_) {
    if (path == kStandardStream) print_bytes(text);
  }
  flush_output();
  // The last that may lack space; what follows are renames.
  if (library_file_) library_file_();
  for (const auto& file : files) file->commit();
}
