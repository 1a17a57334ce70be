#include "io/formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "core/text.h"
#include "io/array_file.h"
#include "io/format_readers.h"
#include "io/input_file.h"
#include "io/summary.h"
#include "isthmus/errors.h"

namespace isthmus {
namespace {

namespace fs = std::filesystem;

std::unique_ptr<ArrayFile> open_mat(const fs::path& path) {
  return format_readers().open_mat(path);
}
std::unique_ptr<ArrayFile> open_npz(const fs::path& path) {
  return format_readers().open_npz(path);
}

template <auto open>
Dataset read_with(const fs::path& path, const ReadOptions& options) {
  return read_arrays(*open(path), options);
}
template <auto open>
Labels labels_with(const fs::path& path, const std::string& variable) {
  return read_array_labels(*open(path), variable);
}
template <auto open>
std::vector<VariableSummary> summarise_with(const fs::path& path) {
  return summarise_arrays(*open(path));
}

std::vector<VariableSummary> summarise_table(const Domain& domain) {
  const auto values = domain.features.view();
  std::vector<VariableSummary> summaries{
      empty_summary("features", "float64", {values.cols(), values.rows()})};
  add_values(summaries[0], {values.data(), static_cast<std::size_t>(values.size())});
  if (domain.labels) {
    const ClassNames& classes = domain.labels->classes;
    summaries.push_back(empty_summary("labels", classes.integers() ? "int64" : "text", {values.cols()}));
    if (classes.integers()) {
      summaries[1].minimum = *parse_number(classes.all().front());
      summaries[1].maximum = *parse_number(classes.all().back());
    }
  }
  return summaries;
}

template <auto open>
Format array_format(std::string_view name, std::string_view extension, std::string_view magic,
                    void (*write)(const fs::path&, const Domain&) = nullptr) {
  return {name, {extension}, magic, read_with<open>, labels_with<open>, summarise_with<open>, write};
}

std::string list_extensions(bool only_written) {
  std::vector<std::string_view> extensions;
  for (const Format& format : formats()) {
    if (only_written && format.write == nullptr) continue;
    extensions.insert(extensions.end(), format.extensions.begin(), format.extensions.end());
  }
  return fmt::format("{}", fmt::join(extensions, ", "));
}

const Format* by_extension(const fs::path& path) {
  const std::string extension = lower_case(path.extension().string());
  for (const Format& format : formats()) {
    if (std::find(format.extensions.begin(), format.extensions.end(), extension) != format.extensions.end()) {
      return &format;
    }
  }
  return nullptr;
}

const Format* by_content(const fs::path& path) {
  const std::string head = InputFile(path).head(64);
  for (const Format& format : formats()) {
    if (!format.magic.empty() && head.starts_with(format.magic)) return &format;
  }
  return nullptr;
}

/// The format of a file to read. A file that begins like another format than its name says is named so:
/// reading it as what it is not would give a puzzling message.
const Format& find_format(const fs::path& path) {
  const Format* const content = by_content(path);
  const Format* const named = by_extension(path);
  if (named == nullptr && content == nullptr) {
    throw IoError(fmt::format("{}: unknown kind of file '{}'; known are {}", path.string(),
                              path.extension().string(), list_extensions(false)));
  }
  if (named != nullptr && content != nullptr && named != content) {
    throw IoError(fmt::format("{}: is called {} but holds {} data; rename it to {}", path.string(),
                              path.extension().string(), content->name, content->extensions.front()));
  }
  return named != nullptr ? *named : *content;
}

}  // namespace

std::span<const Format> formats() {
  static const std::array<Format, 6> kFormats{{
      {"csv", {".csv", ".tsv", ".txt"}, "", read_csv, read_csv_labels, nullptr, write_csv},
      array_format<open_npy>("npy", ".npy", "\x93NUMPY", write_npy),
      array_format<open_npz>("npz", ".npz", "PK\x03\x04"),
      array_format<open_mat>("mat", ".mat", "MATLAB "),
      {"libsvm", {".libsvm", ".svm", ".svmlight"}, "", read_libsvm, read_libsvm_labels, nullptr, nullptr},
      array_format<open_safetensors>("safetensors", ".safetensors", "", write_safetensors),
  }};
  return kFormats;
}

Dataset read_dataset(const fs::path& path, const ReadOptions& options) {
  return find_format(path).read(path, options);
}

Labels read_labels(const fs::path& path, const std::string& variable) {
  return find_format(path).read_labels(path, variable);
}

FileSummary inspect_file(const fs::path& path, const ReadOptions& options) {
  const Format& format = find_format(path);
  FileSummary summary;
  summary.format = format.name;
  summary.bytes = InputFile(path).size();
  try {
    if (format.summarise != nullptr) summary.variables = format.summarise(path);
    summary.dataset = format.read(path, options);
    if (format.summarise == nullptr) summary.variables = summarise_table(summary.dataset->domain);
  } catch (const Error& error) {
    summary.problem = error.what();
  }
  return summary;
}

void write_dataset(const fs::path& path, const Domain& domain) {
  const Format* const format = by_extension(path);
  if (format == nullptr || format->write == nullptr) {
    throw InvalidArgument(fmt::format("{}: cannot write '{}' files; the extension must be one of {}",
                                      path.string(), path.extension().string(), list_extensions(true)));
  }
  if (domain.features.count() == 0 || domain.features.dimension() == 0) {
    throw InvalidArgument(fmt::format("{}: there is nothing to write: {} samples of {} features",
                                      path.string(), domain.features.count(), domain.features.dimension()));
  }
  if (domain.labels) {
    const Labels& labels = *domain.labels;
    if (static_cast<Index>(labels.ids.size()) != domain.features.count()) {
      throw InvalidArgument(fmt::format("{}: {} labels for {} samples; one a sample is needed", path.string(),
                                        labels.ids.size(), domain.features.count()));
    }
    const bool known = std::all_of(labels.ids.begin(), labels.ids.end(),
                                   [&](int id) { return id >= 0 && id < labels.classes.size(); });
    if (!known) throw InvalidArgument(fmt::format("{}: a label is none of the classes", path.string()));
  }
  const auto require_as_many = [&](const std::vector<std::string>& names, const char* what, Index count) {
    if (names.empty() || static_cast<Index>(names.size()) == count) return;
    throw InvalidArgument(fmt::format("{}: {} {} for {} of them", path.string(), names.size(), what, count));
  };
  require_as_many(domain.feature_names, "names of features", domain.features.dimension());
  require_as_many(domain.sample_ids, "ids of samples", domain.features.count());
  format->write(path, domain);
}

}  // namespace isthmus
