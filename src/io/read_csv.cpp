#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <set>

#include "core/text.h"
#include "io/array_file.h"
#include "io/csv_table.h"
#include "io/find_variables.h"
#include "io/formats.h"
#include "io/input_file.h"
#include "isthmus/errors.h"

namespace isthmus {
namespace {

[[noreturn]] void fail_on_number(const CsvTable& table, std::size_t line, std::size_t column,
                                 std::string_view cell) {
  std::string hint =
      "write numbers with a point, missing values as NA; a column of text is left out by --drop, or names "
      "the samples by --id";
  if (!table.find(ColumnRole::Label)) hint += "; if it holds the labels, name it";
  table.fail(fmt::format("line {}, {}: '{}' is no number; {}", line, table.column_name(column), excerpt(cell),
                         hint));
}

double read_number(const CsvTable& table, CsvCursor& cursor, std::size_t column) {
  double value = 0;
  if (cursor.next_plain_number(value)) return value;
  const std::string_view cell = cursor.next().text;
  if (is_missing(cell)) return std::numeric_limits<double>::quiet_NaN();
  const auto number = parse_number(trimmed(cell));
  if (!number) fail_on_number(table, cursor.line(), column, cell);
  return *number;
}

struct Rows {
  Matrix values;
  std::vector<std::string> words;
  std::vector<std::string> ids;
  std::size_t unlabelled = 0;       // samples without a word
  std::size_t unlabelled_line = 0;  // of the first one
};

[[noreturn]] void fail_on_length(const CsvTable& table, std::size_t line, std::size_t cells) {
  table.fail(fmt::format("line {}: has {} cell{}{}, expected {} as in the first line; fill in or remove it",
                         line, cells, cells == 1 ? "" : "s", cells > table.columns() ? " or more" : "",
                         table.columns()));
}

/// Reads the next record; the values of its features go to `value`, unless that is null.
void read_row(const CsvTable& table, CsvCursor& cursor, Rows& rows, double* value) {
  for (std::size_t column = 0; column < table.columns(); ++column) {
    if (!cursor.more()) fail_on_length(table, cursor.line(), column);
    const ColumnRole role = table.roles[column];
    if (role == ColumnRole::Feature && value != nullptr) {
      *value++ = read_number(table, cursor, column);
      continue;
    }
    const std::string_view cell = cursor.next().text;
    if (role == ColumnRole::Id) rows.ids.emplace_back(cell);
    if (role == ColumnRole::Label) {
      rows.words.emplace_back(cell);
      if (is_missing(cell) && rows.unlabelled++ == 0) rows.unlabelled_line = cursor.line();
    }
  }
  if (cursor.more()) fail_on_length(table, cursor.line(), table.columns() + 1);
}

/// Reads every record; without `numbers` the features are passed over.
Rows read_rows(const CsvTable& table, bool numbers) {
  CsvCursor cursor(table.text, table.separator, table.path);
  cursor.go_to(table.samples);
  const Index dimension = std::count(table.roles.begin(), table.roles.end(), ColumnRole::Feature);
  // A record has at least a byte a cell, so that the file's length bounds the memory.
  const auto most = static_cast<Index>(table.text.size() / table.columns() + 1);
  Rows rows;
  Index count = 0;
  for (; cursor.next_record(); ++count) {
    if (numbers && count == rows.values.cols()) {
      rows.values.conservativeResize(dimension, std::min(most, std::max<Index>(64, 2 * count)));
    }
    read_row(table, cursor, rows, numbers ? rows.values.data() + count * dimension : nullptr);
  }
  if (numbers) rows.values.conservativeResize(dimension, count);
  return rows;
}

/// Takes the words for labels: every sample has one, or none has and there are no labels.
std::optional<Labels> take_labels(const CsvTable& table, Rows& rows) {
  if (rows.unlabelled == rows.words.size()) return std::nullopt;
  if (rows.unlabelled > 0) {
    table.fail(
        fmt::format("line {}, {}: the label is missing; give every sample a label, or read without labels",
                    rows.unlabelled_line, table.column_name(*table.find(ColumnRole::Label))));
  }
  return make_labels(std::move(rows.words), table.path);
}

/// What the header calls the features; nothing where it does not.
std::vector<std::string> feature_names(const CsvTable& table) {
  std::vector<std::string> names;
  bool some = false;
  for (std::size_t i = 0; i < table.names.size(); ++i) {
    if (table.roles[i] != ColumnRole::Feature) continue;
    names.push_back(table.names[i]);
    some = some || !names.back().empty();
    if (!is_utf8(names.back())) {
      table.fail(fmt::format("the name of column {} is not UTF-8 text; save the file in UTF-8", i + 1));
    }
  }
  return some ? names : std::vector<std::string>();
}

/// "left out: column 2 ('b'), column 4 ('d') and 3 more".
void note_left_out(const CsvTable& table, std::vector<std::string>& notes) {
  constexpr std::size_t kShown = 5;
  std::vector<std::string> shown;
  std::size_t count = 0;
  for (std::size_t i = 0; i < table.columns(); ++i) {
    if (table.roles[i] == ColumnRole::LeftOut && count++ < kShown) shown.push_back(table.column_name(i));
  }
  if (count == 0) return;
  notes.push_back(fmt::format("left out: {}{}", fmt::join(shown, ", "),
                              count > kShown ? fmt::format(" and {} more", count - kShown) : ""));
}

std::vector<std::string> describe(const CsvTable& table, const Domain& domain, const ReadOptions& options) {
  std::vector<std::string> notes{
      fmt::format("features: {} columns ({} samples)", domain.features.dimension(), domain.features.count())};
  if (!table.names.empty()) notes.emplace_back("header: the first line names the columns");
  notes.insert(notes.end(), table.notes.begin(), table.notes.end());
  note_left_out(table, notes);
  const auto labels = table.find(ColumnRole::Label);
  if (domain.labels) {
    notes.push_back(
        fmt::format("labels: {} ({} classes)", table.column_name(*labels), domain.labels->classes.size()));
  } else if (labels) {
    notes.push_back(
        fmt::format("{} is left out: {}", table.column_name(*labels),
                    options.without_labels ? "labels are not wanted" : "it is empty in every sample"));
  }
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < table.names.size(); ++i) {
    if (!table.names[i].empty() && !seen.insert(table.names[i]).second) {
      notes.push_back(fmt::format("{} has the name of a column before it", table.column_name(i)));
    }
    const bool unasked = table.roles[i] == ColumnRole::Feature && options.feature_columns.empty();
    if (unasked && (is_label_word(table.names[i]) || is_id_word(table.names[i]))) {
      notes.push_back(fmt::format("{} is read as a feature", table.column_name(i)));
    }
  }
  return notes;
}

}  // namespace

Dataset read_csv(const std::filesystem::path& path, const ReadOptions& options) {
  return read_csv_text(InputFile(path).read_all(), path.string(), options);
}

Dataset read_csv_text(std::string text, const std::string& name, const ReadOptions& options) {
  if (!options.features.empty() || options.samples == SampleAxis::Columns) {
    throw IoError(fmt::format("{}: a text table has no variables and holds samples by rows; leave '{}' out",
                              name, options.features.empty() ? "by columns" : options.features));
  }
  CsvTable table = open_csv(std::move(text), name, options);
  if (!table.find(ColumnRole::Feature)) {
    table.fail(table.columns() == 1
                   ? "its only column holds no feature, but labels or ids; expected features too"
                   : "no column is left for the features; expected at least 1");
  }
  Rows rows = read_rows(table, true);
  Dataset dataset;
  dataset.format = "csv";
  dataset.domain.features = std::move(rows.values);
  dataset.domain.feature_names = feature_names(table);
  if (!options.without_labels) dataset.domain.labels = take_labels(table, rows);
  if (!std::all_of(rows.ids.begin(), rows.ids.end(), is_utf8)) {
    table.fail("an id is not UTF-8 text; save the file in UTF-8");
  }
  dataset.domain.sample_ids = std::move(rows.ids);
  dataset.notes = describe(table, dataset.domain, options);
  dataset.absent = std::move(table.absent);
  return dataset;
}

Labels read_csv_labels(const std::filesystem::path& path, const std::string& column) {
  const CsvTable table = open_label_csv(InputFile(path).read_all(), path.string(), column);
  Rows rows = read_rows(table, false);
  std::optional<Labels> labels = take_labels(table, rows);
  if (!labels) {
    table.fail(fmt::format("{} holds no label", table.column_name(*table.find(ColumnRole::Label))));
  }
  return *std::move(labels);
}

}  // namespace isthmus
