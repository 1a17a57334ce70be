#include "bench/sample_names.h"

#include <optional>

#include "io/checksum.h"
#include "io/formats.h"
#include "isthmus/errors.h"

namespace isthmus {
namespace {

bool is_file(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored) && !std::filesystem::is_directory(path, ignored);
}

}  // namespace

FileArgument split_variable(const std::string& argument) {
  const auto colon = argument.rfind(':');
  if (colon != std::string::npos && !is_file(argument) && is_file(argument.substr(0, colon))) {
    return {argument.substr(0, colon), argument.substr(colon + 1)};
  }
  return {argument, ""};
}

std::string samples_content(const SamplesName& name, const std::filesystem::path& folder,
                            const Execution& run) {
  std::string sums;
  for (const std::string& part : {name.samples, name.labels}) {
    const std::string path = split_variable((folder / part).string()).path;
    if (part.empty() || !is_file(path)) continue;
    try {
      sums += (sums.empty() ? "" : " ") + sha256_file(path, run);
    } catch (const IoError&) {
      // Whoever reads the samples will say what is wrong with the file.
    }
  }
  return sums;
}

namespace {

/// How samples that a user named are read: labels from the same file, or from one of their own.
struct Reading {
  FileArgument samples;
  ReadOptions options = {};
  std::optional<FileArgument> labels = {};
};

Reading plan_reading(const SamplesName& name, const std::filesystem::path& folder, ReadOptions options) {
  Reading reading{split_variable((folder / name.samples).string()), std::move(options)};
  const FileArgument labels = split_variable((folder / name.labels).string());
  if (!name.labels.empty() && is_file(labels.path)) reading.labels = labels;
  reading.options.features = reading.samples.variable;
  reading.options.without_labels = name.labels == "none" || reading.labels;
  if (!reading.options.without_labels) reading.options.labels = name.labels;
  return reading;
}

Dataset with_labels(Dataset dataset, const Reading& reading) {
  if (reading.labels) dataset.domain.labels = read_labels(reading.labels->path, reading.labels->variable);
  return dataset;
}

}  // namespace

Dataset read_samples(const SamplesName& name, const std::filesystem::path& folder, ReadOptions options) {
  const Reading reading = plan_reading(name, folder, std::move(options));
  return with_labels(read_dataset(reading.samples.path, reading.options), reading);
}

Dataset read_samples_text(std::string csv, const SamplesName& name, ReadOptions options) {
  const Reading reading = plan_reading(name, {}, std::move(options));
  return with_labels(read_csv_text(std::move(csv), name.samples, reading.options), reading);
}

std::vector<std::string> sample_files(const SamplesName& name, const std::filesystem::path& folder) {
  const Reading reading = plan_reading(name, folder, {});
  std::vector<std::string> files{reading.samples.path};
  if (reading.labels) files.push_back(reading.labels->path);
  return files;
}

}  // namespace isthmus
