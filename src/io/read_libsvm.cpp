#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <new>

#include "core/text.h"
#include "io/array_file.h"
#include "io/formats.h"
#include "io/input_file.h"
#include "io/limits.h"
#include "isthmus/errors.h"

namespace isthmus {
namespace {

/// Sparse rows as read: `starts[i]` is where sample i begins in `indices` and `values`.
struct SparseRows {
  std::vector<std::string> words;
  std::vector<std::size_t> starts;
  std::vector<Index> indices;  ///< from 1
  std::vector<double> values;
  Index dimension = 0;
};

class LibsvmParser {
 public:
  explicit LibsvmParser(const std::filesystem::path& path) : path_(path.string()) {}

  SparseRows parse(std::string_view text) {
    while (!text.empty()) {
      ++line_;
      const std::size_t end = std::min(text.find('\n'), text.size());
      std::string_view row = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      row = row.substr(0, row.find('#'));
      if (row.ends_with('\r')) row.remove_suffix(1);
      if (!trimmed(row).empty()) parse_row(row);
    }
    rows_.starts.push_back(rows_.indices.size());
    if (rows_.words.empty()) throw IoError(fmt::format("{}: holds no samples; expected at least 1", path_));
    if (rows_.dimension == 0)
      throw IoError(fmt::format("{}: no sample has a feature; expected index:value", path_));
    return std::move(rows_);
  }

 private:
  static std::string_view next_word(std::string_view& row) {
    row = row.substr(std::min(row.find_first_not_of(" \t"), row.size()));
    const std::size_t end = std::min(row.find_first_of(" \t"), row.size());
    const std::string_view word = row.substr(0, end);
    row.remove_prefix(end);
    return word;
  }

  void parse_row(std::string_view row) {
    const std::string_view label = next_word(row);
    if (!parse_number(label)) {
      fail(label, "does not begin with the label, a number; expected 'label index:value …'");
    }
    rows_.words.emplace_back(label);
    rows_.starts.push_back(rows_.indices.size());
    Index last = 0;
    for (std::string_view word = next_word(row); !word.empty(); word = next_word(row)) {
      if (word.starts_with("qid:")) continue;
      last = parse_entry(word, last);
    }
    rows_.dimension = std::max(rows_.dimension, last);
  }

  Index parse_entry(std::string_view word, Index last) {
    Index index = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), index);
    const auto digits = static_cast<std::size_t>(end - word.data());
    if (error != std::errc() || digits >= word.size() || word[digits] != ':') fail(word, "is no index:value");
    if (index < 1) fail(word, "has an index below 1; indices are counted from 1 (write the file one-based)");
    if (index <= last)
      fail(word, "has an index not above the one before it; indices must rise, each at most once");
    const std::string_view text = word.substr(digits + 1);
    const auto value = parse_number(text);
    if (!value) fail(word, "has a value that is no number");
    rows_.indices.push_back(index);
    rows_.values.push_back(*value);
    return index;
  }

  [[noreturn]] void fail(std::string_view word, const char* what) const {
    throw IoError(fmt::format("{}: line {}: '{}' {}", path_, line_, word.substr(0, 40), what));
  }

  std::string path_;
  std::size_t line_ = 0;
  SparseRows rows_;
};

SparseRows read_rows(const std::filesystem::path& path) {
  const std::string text = InputFile(path).read_all();
  const std::size_t zero = text.find('\0');
  if (zero != std::string::npos) {
    throw IoError(
        fmt::format("{}: holds a zero byte at byte {}; LIBSVM text is expected", path.string(), zero + 1));
  }
  SparseRows rows = LibsvmParser(path).parse(text);
  const double bytes = 8.0 * static_cast<double>(rows.dimension) * static_cast<double>(rows.words.size());
  if (bytes > static_cast<double>(max_dense_bytes(text.size()))) {
    throw IoError(fmt::format(
        "{}: the largest index is {}, so that {} samples would fill {:.1f} GiB, more than a file of "
        "{} bytes may; remove features that are hardly used",
        path.string(), rows.dimension, rows.words.size(), bytes / (1 << 30), text.size()));
  }
  return rows;
}

}  // namespace

Dataset read_libsvm(const std::filesystem::path& path, const ReadOptions& options) {
  if (!options.features.empty() || !options.labels.empty() || options.samples == SampleAxis::Columns) {
    throw IoError(fmt::format("{}: a LIBSVM file has no variables or columns to name; leave the names out",
                              path.string()));
  }
  std::vector<std::string> absent = absent_columns(path, options);
  SparseRows rows = read_rows(path);
  const auto count = static_cast<Index>(rows.words.size());
  Matrix values = Matrix::Zero(rows.dimension, count);
  for (Index sample = 0; sample < count; ++sample) {
    for (std::size_t k = rows.starts[static_cast<std::size_t>(sample)];
         k < rows.starts[static_cast<std::size_t>(sample) + 1]; ++k) {
      values(rows.indices[k] - 1, sample) = rows.values[k];
    }
  }
  Dataset dataset;
  dataset.format = "libsvm";
  dataset.absent = std::move(absent);
  dataset.notes.push_back(fmt::format("features: largest index {} ({} samples)", rows.dimension, count));
  dataset.domain.features = std::move(values);
  if (!options.without_labels) {
    dataset.domain.labels = make_labels(std::move(rows.words), path.string());
    dataset.notes.push_back(
        fmt::format("labels: first word of each line ({} classes)", dataset.domain.labels->classes.size()));
  }
  return dataset;
}

Labels read_libsvm_labels(const std::filesystem::path& path, const std::string& variable) {
  if (!variable.empty()) {
    throw IoError(
        fmt::format("{}: a LIBSVM file has no variable '{}'; leave the name out", path.string(), variable));
  }
  return make_labels(read_rows(path).words, path.string());
}

}  // namespace isthmus
