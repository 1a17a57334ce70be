#include "io/array_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <utility>

#include "core/text.h"
#include "io/find_variables.h"
#include "io/summary.h"
#include "isthmus/errors.h"

namespace isthmus {
namespace {

/// make(), or an error that says how much memory it wanted.
template <class Make>
auto allocate(const ArrayFile& file, const ArrayInfo& info, std::uint64_t bytes, Make&& make) {
  try {
    return make();
  } catch (const std::bad_alloc&) {
    throw IoError(fmt::format("{}: variable {} needs {:.1f} GiB of memory, more than there is",
                              file.path.string(), info.describe(), static_cast<double>(bytes) / (1 << 30)));
  }
}

/// Doubles as features by samples.
Matrix read_doubles(const ArrayFile& file, std::size_t array, Index dimension, Index samples, bool turned) {
  const ArrayInfo& info = file.arrays[array];
  const auto count = static_cast<std::uint64_t>(samples * dimension);
  // Opened before memory is asked for: a sparse array's size is checked only then.
  const ByteStream stream = file.open(array);
  return allocate(file, info, count * sizeof(double), [&] {
    Matrix stored(turned ? samples : dimension, turned ? dimension : samples);
    read_numbers(stream, info.layout, count, stored.data());
    return turned ? Matrix(stored.transpose()) : stored;
  });
}

/// Elements as they are stored, in `data` that `owner` keeps.
StoredFeatures as_stored(const Layout& layout, Index dimension, Index samples, bool turned,
                         const std::byte* data, std::shared_ptr<const void> owner) {
  const auto item = static_cast<std::ptrdiff_t>(layout.item_bytes);
  StoredFeatures stored{data, dimension, samples, turned ? item * samples : item,
                        turned ? item : item * dimension};
  const bool aligned = reinterpret_cast<std::uintptr_t>(data) % alignof(double) == 0;
  stored.load = load_elements(layout, aligned);
  stored.owner = std::move(owner);
  return stored;
}

FeatureMatrix map_features(const MappedArray& mapped, Index dimension, Index samples, bool turned) {
  StoredFeatures stored = as_stored(mapped.layout, dimension, samples, turned, mapped.data, mapped.file);
  stored.forget = [](const void* file, const std::byte* from, std::size_t bytes) {
    static_cast<const MappedFile*>(file)->forget(from, bytes);
  };
  return FeatureMatrix(std::move(stored));
}

/// The array as features by samples: mapped, or read as it is stored.
FeatureMatrix read_features(const ArrayFile& file, std::size_t array, bool samples_by_columns,
                            std::uint64_t map_from) {
  const ArrayInfo& info = file.arrays[array];
  const Index samples = samples_by_columns ? info.columns() : info.rows();
  const Index dimension = samples_by_columns ? info.rows() : info.columns();
  if (samples == 0 || dimension == 0) {
    throw IoError(fmt::format("{}: variable {} has {} samples of {} features; at least 1 of each is expected",
                              file.path.string(), info.describe(), samples, dimension));
  }
  const bool turned = info.fortran_order != samples_by_columns;
  const std::uint64_t bytes = static_cast<std::uint64_t>(samples * dimension) * info.layout.item_bytes;
  if (bytes >= map_from) {
    if (const std::optional<MappedArray> mapped = file.map(array)) {
      return map_features(*mapped, dimension, samples, turned);
    }
  }
  if (load_elements(info.layout) == nullptr) return read_doubles(file, array, dimension, samples, turned);
  const ByteStream stream = file.open(array);
  const auto values = allocate(file, info, bytes, [&] {
    return std::make_shared<std::vector<std::byte>>(static_cast<std::size_t>(bytes));
  });
  stream(reinterpret_cast<char*>(values->data()), values->size());
  return FeatureMatrix(as_stored(info.layout, dimension, samples, turned, values->data(), values));
}

VariableSummary summarise(const ArrayFile& file, std::size_t array) {
  constexpr std::uint64_t kBlock = 1 << 16;
  const ArrayInfo& info = file.arrays[array];
  VariableSummary summary = empty_summary(info.name, info.type, info.shape);
  if (!is_number(info.layout.element)) return summary;
  const ByteStream stream = file.open(array);
  std::vector<double> block(kBlock);
  for (std::uint64_t left = *element_count(info.shape); left > 0;) {
    const std::uint64_t count = std::min(left, kBlock);
    read_numbers(stream, info.layout, count, block.data());
    add_values(summary, {block.data(), static_cast<std::size_t>(count)});
    left -= count;
  }
  return summary;
}

}  // namespace

std::string ArrayInfo::describe() const {
  return fmt::format("'{}' ({} {})", name, type,
                     shape.empty() ? "scalar" : fmt::format("{}", fmt::join(shape, "×")));
}

std::optional<Index> ArrayInfo::vector_length() const {
  if (layout.element == Element::Other) return std::nullopt;
  if (shape.size() == 1) return shape[0];
  if (shape.size() != 2) return std::nullopt;
  if (rows_are_words || shape[1] == 1) return shape[0];
  if (shape[0] == 1) return shape[1];
  return std::nullopt;
}

std::vector<std::string> ArrayFile::words(std::size_t array) const {
  const ArrayInfo& info = arrays[array];
  require_room(info, sizeof(std::string) + info.layout.item_bytes);
  return read_words(open(array), info.layout, *element_count(info.shape));
}

void ArrayFile::require_room(const ArrayInfo& info, std::uint64_t item_bytes) const {
  const std::uint64_t count = element_count(info.shape).value_or(~std::uint64_t{0});
  if (count <= most_bytes / item_bytes) return;
  throw IoError(fmt::format(
      "{}: variable {} would fill {:.1f} GiB of memory, more than a file of this size may unpack to; save it "
      "as NPY or safetensors",
      path.string(), info.describe(),
      static_cast<double>(count) * static_cast<double>(item_bytes) / (1 << 30)));
}

std::vector<std::string> absent_columns(const std::filesystem::path& path, const ReadOptions& options) {
  std::vector<std::string> named = options.drop;
  if (!options.id.empty()) named.push_back(options.id);
  if (options.may_be_absent && options.feature_columns.empty()) return named;
  named.insert(named.end(), options.feature_columns.begin(), options.feature_columns.end());
  if (named.empty()) return named;
  throw IoError(
      fmt::format("{}: has no column '{}': columns are named in text tables (.csv, .tsv), here the variable "
                  "with the features",
                  path.string(), named.back()));
}

Dataset read_arrays(const ArrayFile& file, const ReadOptions& options) {
  std::vector<std::string> absent = absent_columns(file.path, options);
  VariableChoice choice = find_variables(file, options);
  file.require_room(file.arrays[choice.features], sizeof(double));
  Dataset dataset;
  dataset.format = file.format;
  dataset.notes = std::move(choice.notes);
  dataset.absent = std::move(absent);
  dataset.domain.features = read_features(file, choice.features, choice.samples_by_columns, options.map_from);
  const auto as_many = [&](std::vector<std::string> names, const char* what, Index count) {
    if (names.empty() || static_cast<Index>(names.size()) == count) return names;
    throw IoError(fmt::format("{}: has {} {} for {} of them", file.path.string(), names.size(), what, count));
  };
  const FeatureMatrix& features = dataset.domain.features;
  dataset.domain.feature_names =
      as_many(file.feature_names(choice.features), "names of features", features.dimension());
  if (!options.without_ids)
    dataset.domain.sample_ids = as_many(file.sample_ids(choice.features), "ids of samples", features.count());
  if (choice.labels) {
    const ArrayInfo& info = file.arrays[*choice.labels];
    dataset.domain.labels = make_labels(file.words(*choice.labels),
                                        fmt::format("{}: variable '{}'", file.path.string(), info.name));
    dataset.notes.push_back(
        fmt::format("labels: variable '{}' ({} classes)", info.name, dataset.domain.labels->classes.size()));
  }
  return dataset;
}

Labels read_array_labels(const ArrayFile& file, const std::string& variable) {
  const std::size_t array = find_label_vector(file, variable);
  return make_labels(file.words(array),
                     fmt::format("{}: variable '{}'", file.path.string(), file.arrays[array].name));
}

std::vector<VariableSummary> summarise_arrays(const ArrayFile& file) {
  std::vector<VariableSummary> summaries;
  for (std::size_t array = 0; array < file.arrays.size(); ++array)
    summaries.push_back(summarise(file, array));
  return summaries;
}

Labels make_labels(std::vector<std::string> words, const std::string& where) {
  if (words.empty()) throw IoError(fmt::format("{}: holds no labels; one a sample is expected", where));
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (is_missing(words[i])) {
      throw IoError(
          fmt::format("{}: the label of sample {} is missing ('{}'); give every sample a label, or read "
                      "without labels",
                      where, i + 1, words[i]));
    }
  }
  Labels labels = encode_labels(std::move(words));
  for (const std::string& name : labels.classes.all()) {
    if (!is_utf8(name)) {
      throw IoError(fmt::format("{}: a label is not UTF-8 text; save the file in UTF-8", where));
    }
  }
  return labels;
}

}  // namespace isthmus
