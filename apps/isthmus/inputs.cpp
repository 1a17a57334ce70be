#include "inputs.h"

#include <fmt/format.h>

#include <filesystem>

#include "console.h"

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

isthmus::Domain read_samples(const std::string& samples, const std::string& labels,
                             const CommonFlags& common) {
  const FileArgument from = split_variable(samples);
  const FileArgument label_file = split_variable(labels);
  const bool own_file = !labels.empty() && is_file(label_file.path);
  isthmus::ReadOptions options;
  options.features = from.variable;
  options.without_labels = labels == "none" || own_file;
  if (!options.without_labels) options.labels = labels;
  isthmus::Dataset dataset = isthmus::read_dataset(from.path, options);
  for (const std::string& note : dataset.notes) print_note(fmt::format("{}: {}", from.path, note), common);
  if (own_file) dataset.domain.labels = isthmus::read_labels(label_file.path, label_file.variable);
  return std::move(dataset.domain);
}
