#include "eval/samples.h"

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

Dataset read_samples(const SamplesName& name, const std::filesystem::path& folder) {
  const FileArgument from = split_variable((folder / name.samples).string());
  const FileArgument label_file = split_variable((folder / name.labels).string());
  const bool own_file = !name.labels.empty() && is_file(label_file.path);
  ReadOptions options;
  options.features = from.variable;
  options.without_labels = name.labels == "none" || own_file;
  if (!options.without_labels) options.labels = name.labels;
  Dataset dataset = read_dataset(from.path, options);
  if (own_file) dataset.domain.labels = read_labels(label_file.path, label_file.variable);
  return dataset;
}

}  // namespace isthmus
