#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/text.h"
#include "io/array_file.h"
#include "io/bounded_json.h"
#include "io/formats.h"
#include "io/safetensors.h"
#include "io/safetensors_header.h"
#include "isthmus/errors.h"

namespace isthmus {
namespace {

// Metadata, as a tensor holds no text: the classes by id, where labels are no integers, and what the features
// and the samples are called.
constexpr const char* kClassesKey = "classes";
constexpr const char* kFeatureNamesKey = "feature_names";
constexpr const char* kSampleIdsKey = "sample_ids";

class SafetensorsFile : public ArrayFile {
 public:
  explicit SafetensorsFile(const std::filesystem::path& file_path)
      : file_(std::make_shared<InputFile>(file_path)) {
    path = file_path;
    format = "safetensors";
    header_ = read_safetensors_header(*file_);
    for (const TensorEntry& tensor : header_.tensors) {
      const bool other = tensor.layout.element == Element::Other;
      ArrayInfo info;
      info.name = tensor.name;
      info.layout = tensor.layout;
      info.type = other ? tensor.dtype : element_name(tensor.layout.element);
      info.shape = tensor.shape;
      arrays.push_back(info);
    }
  }

  ByteStream open(std::size_t array) const override {
    return [file = file_, at = header_.tensors[array].offset](char* to, std::size_t count) mutable {
      file->read(at, to, count);
      at += count;
    };
  }

  std::optional<MappedArray> map(std::size_t array) const override {
    return map_array(*file_, header_.tensors[array].offset, arrays[array].layout);
  }

  std::vector<std::string> words(std::size_t array) const override {
    std::vector<std::string> ids = ArrayFile::words(array);
    const auto metadata = header_.metadata.find(kClassesKey);
    if (arrays[array].name != "labels" || metadata == header_.metadata.end()) return ids;
    const auto names = parse_json<nlohmann::json>(
        metadata->second, fmt::format("{}: the metadata '{}'", path.string(), kClassesKey), 1);
    for (std::string& id : ids) {
      std::size_t at = 0;
      const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), at);
      if (error != std::errc() || end != id.data() + id.size() || !names.is_array() || at >= names.size() ||
          !names[at].is_string()) {
        throw IoError(
            fmt::format("{}: tensor 'labels' holds {}, but the metadata '{}' gives no name for it; a list of "
                        "names, one for each id from 0, is expected",
                        path.string(), id, kClassesKey));
      }
      id = names[at].get<std::string>();
    }
    return ids;
  }

  std::vector<std::string> feature_names(std::size_t array) const override {
    return names(kFeatureNamesKey, array);
  }
  std::vector<std::string> sample_ids(std::size_t array) const override {
    return names(kSampleIdsKey, array);
  }

 private:
  /// A JSON list of names, for the tensor "features".
  std::vector<std::string> names(const char* key, std::size_t array) const {
    const auto metadata = header_.metadata.find(key);
    if (arrays[array].name != "features" || metadata == header_.metadata.end()) return {};
    const auto list = parse_json<nlohmann::json>(metadata->second,
                                                 fmt::format("{}: the metadata '{}'", path.string(), key), 1);
    std::vector<std::string> words;
    for (const auto& word : list) {
      if (word.is_string()) words.push_back(word.get<std::string>());
    }
    if (!list.is_array() || words.size() != list.size()) {
      throw IoError(fmt::format("{}: the metadata '{}' are no list of names", path.string(), key));
    }
    return words;
  }

  std::shared_ptr<InputFile> file_;
  SafetensorsHeader header_;
};

void add_names(TensorFile& content, const char* key, const std::vector<std::string>& names,
               const std::filesystem::path& path) {
  if (names.empty()) return;
  if (!std::all_of(names.begin(), names.end(), is_utf8)) {
    throw InvalidArgument(
        fmt::format("{}: a name in '{}' is not UTF-8; safetensors hold no other text", path.string(), key));
  }
  content.metadata[key] = nlohmann::json(names).dump();
}

}  // namespace

std::unique_ptr<ArrayFile> open_safetensors(const std::filesystem::path& path) {
  return std::make_unique<SafetensorsFile>(path);
}

void write_safetensors(const std::filesystem::path& path, const Domain& domain) {
  TensorFile content;
  content.matrices["features"] = domain.features.view();
  if (domain.labels) {
    const ClassNames& classes = domain.labels->classes;
    std::vector<std::int64_t> values(static_cast<std::size_t>(classes.size()));
    for (std::size_t id = 0; id < values.size(); ++id) {
      const std::string& name = classes.all()[id];
      values[id] = static_cast<std::int64_t>(id);
      if (classes.integers()) std::from_chars(name.data(), name.data() + name.size(), values[id]);
    }
    if (!classes.integers()) add_names(content, kClassesKey, classes.all(), path);
    std::vector<std::int64_t>& labels = content.integers["labels"];
    for (const int id : domain.labels->ids) labels.push_back(values[static_cast<std::size_t>(id)]);
  }
  add_names(content, kFeatureNamesKey, domain.feature_names, path);
  add_names(content, kSampleIdsKey, domain.sample_ids, path);
  write_tensor_file(path, content);
}

}  // namespace isthmus
