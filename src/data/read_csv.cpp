#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <set>

#include "data/array_file.h"
#include "data/csv_cursor.h"
#include "data/find_variables.h"
#include "data/formats.h"
#include "data/input_file.h"
#include "data/text.h"
#include "isthmus/errors.h"

namespace isthmus {
namespace {

using Record = std::vector<std::string>;

bool is_numeric(std::string_view cell) {
  return is_missing(cell) || parse_number(cell).has_value();
}

/// At most 40 bytes of a cell, for a message.
std::string excerpt(std::string_view cell) {
  std::size_t length = std::min<std::size_t>(cell.size(), 40);
  while (length > 0 && length < cell.size() && (static_cast<unsigned char>(cell[length]) & 0xc0) == 0x80)
    --length;
  return std::string(cell.substr(0, length)) + (length < cell.size() ? "…" : "");
}

/// A text table, understood as far as its first two records tell.
struct Table {
  std::string path;
  std::string text;
  char separator = ',';
  Record names;  ///< of the header, or empty
  std::size_t columns = 0;
  std::optional<std::size_t> labels;
  CsvCursor::Mark samples;  ///< where the first sample begins

  [[noreturn]] void fail(const std::string& what) const { throw IoError(fmt::format("{}: {}", path, what)); }
  std::string column_name(std::size_t column) const {
    return names.empty() ? fmt::format("column {}", column + 1)
                         : fmt::format("column {} ('{}')", column + 1, excerpt(names[column]));
  }
};

/// The text of a table, without a byte order mark.
std::string checked_text(std::string text, const std::filesystem::path& path) {
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) {
    throw IoError(fmt::format("{}: is UTF-16 text; save it as UTF-8", path.string()));
  }
  if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);
  const std::size_t zero = text.find('\0');
  if (zero != std::string::npos) {
    throw IoError(
        fmt::format("{}: holds a zero byte at byte {}; a text table is expected", path.string(), zero + 1));
  }
  return text;
}

/// Tab before semicolon before comma: a semicolon file may have decimal commas, a tab file anything. Blanks
/// separate where the first line is nothing but numbers between them.
char find_separator(const std::filesystem::path& path, std::string_view text) {
  if (lower_case(path.extension().string()) == ".tsv") return '\t';
  text.remove_prefix(std::min(text.find_first_not_of("\r\n"), text.size()));
  const std::string_view line = text.substr(0, text.find_first_of("\r\n"));
  std::string seen;
  bool inside = false;
  for (const char c : line) {
    if (c == '"') inside = !inside;
    if (!inside) seen += c;
  }
  for (const char separator : {'\t', ';', ','}) {
    if (seen.find(separator) != std::string::npos) return separator;
  }
  CsvCursor words(line, ' ', path.string());
  std::size_t count = 0;
  bool numbers = words.next_record();
  for (double value = 0; numbers && words.more(); ++count) numbers = words.next_plain_number(value);
  return numbers && count > 1 ? ' ' : ',';
}

Record read_record(CsvCursor& cursor) {
  Record record;
  while (cursor.more()) record.emplace_back(cursor.next().text);
  return record;
}

std::optional<int> column_number(const std::string& labels) {
  int number = 0;
  const auto [end, error] = std::from_chars(labels.data(), labels.data() + labels.size(), number);
  if (labels.empty() || error != std::errc() || end != labels.data() + labels.size()) return std::nullopt;
  return number;
}

/// 1-based, negative from the end.
std::size_t numbered_column(const Table& table, int number) {
  const int columns = static_cast<int>(table.columns);
  const int column = number < 0 ? columns + number : number - 1;
  if (number == 0 || column < 0 || column >= columns) {
    table.fail(fmt::format(
        "there is no column {} for the labels; columns are numbered 1 to {}, or -1 to -{} from the end",
        number, columns, columns));
  }
  return static_cast<std::size_t>(column);
}

/// The first record is a header when a word stands where a number follows, when it is all words, or when it
/// names the labels. A label column given by number says nothing: its labels may be words.
bool is_header(const Record& first, const Record& second, const std::string& labels,
               std::optional<std::size_t> numbered) {
  bool all_words = true;
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (i == numbered) continue;
    if (!labels.empty() && !numbered && first[i] == labels) return true;
    // Not a lone "y" among numbers: that may be the answer yes.
    if (is_label_word(first[i]) && first[i].size() > 1) return true;
    if (is_numeric(first[i])) {
      all_words = all_words && is_missing(first[i]);
      continue;
    }
    if (i < second.size() && is_numeric(second[i])) return true;
  }
  return all_words && first.size() > (numbered ? 1U : 0U);
}

std::size_t named_column(const Table& table, const std::string& name) {
  if (table.names.empty()) {
    table.fail(fmt::format(
        "there is no header line, so no column is called '{}'; give the label column by number, 1 to {}",
        name, table.columns));
  }
  const auto at = std::find(table.names.begin(), table.names.end(), name);
  if (at == table.names.end()) {
    table.fail(fmt::format("no column is called '{}'{}", name, did_you_mean(name, table.names)));
  }
  if (std::find(at + 1, table.names.end(), name) != table.names.end()) {
    table.fail(fmt::format("two columns are called '{}'; give the label column by number", name));
  }
  return static_cast<std::size_t>(at - table.names.begin());
}

/// Where labels are not wanted a column called 'y' may as well be a coordinate.
std::optional<std::size_t> guessed_column(const Table& table, bool wanted) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < table.names.size(); ++i) {
    if (!is_label_word(table.names[i]) || (!wanted && table.names[i].size() == 1)) continue;
    if (found) {
      table.fail(
          fmt::format("columns {} ('{}') and {} ('{}') could both be the labels; name the label column",
                      *found + 1, table.names[*found], i + 1, table.names[i]));
    }
    found = i;
  }
  return found;
}

/// Reads the first records and finds out header and label column. In a file of labels the only column may
/// hold words from the first line on.
Table open_table(std::string text, const std::filesystem::path& path, const std::string& labels, bool wanted,
                 bool label_file) {
  Table table;
  table.path = path.string();
  table.text = checked_text(std::move(text), path);
  table.separator = find_separator(path, table.text);
  CsvCursor cursor(table.text, table.separator, table.path);
  if (!cursor.next_record()) table.fail("the file holds blank lines only; expected samples");
  const Record first = read_record(cursor);
  const CsvCursor::Mark after_first = cursor.mark();
  const bool has_second = cursor.next_record();
  const Record second = read_record(cursor);
  table.columns = first.size();

  const auto number = column_number(labels);
  if (number) table.labels = numbered_column(table, *number);
  const bool only_labels = label_file && first.size() == 1;
  if (only_labels ? is_label_word(first[0]) || first[0] == labels
                  : is_header(first, second, labels, table.labels)) {
    table.names = first;
    table.samples = after_first;
    if (!has_second) table.fail("there is a header line and no samples; expected at least 1");
  }
  if (!number && !labels.empty()) table.labels = named_column(table, labels);
  if (labels.empty()) table.labels = guessed_column(table, wanted);
  return table;
}

[[noreturn]] void fail_on_number(const Table& table, std::size_t line, std::size_t column,
                                 std::string_view cell) {
  std::string hint = "write numbers with a point, missing values as NA";
  if (!table.labels) hint += "; if the column holds the labels, name it";
  table.fail(fmt::format("line {}, {}: '{}' is no number; {}", line, table.column_name(column), excerpt(cell),
                         hint));
}

double read_number(const Table& table, CsvCursor& cursor, std::size_t column) {
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
  std::size_t unlabelled = 0;       // samples without a word
  std::size_t unlabelled_line = 0;  // of the first one
};

[[noreturn]] void fail_on_length(const Table& table, std::size_t line, std::size_t cells) {
  table.fail(fmt::format("line {}: has {} cell{}{}, expected {} as in the first line; fill in or remove it",
                         line, cells, cells == 1 ? "" : "s", cells > table.columns ? " or more" : "",
                         table.columns));
}

/// Reads every record; without `numbers` only the label column is looked at.
Rows read_rows(const Table& table, bool numbers) {
  CsvCursor cursor(table.text, table.separator, table.path);
  cursor.go_to(table.samples);
  const Index dimension = static_cast<Index>(table.columns) - (table.labels ? 1 : 0);
  // A record has at least a byte a cell, so that the file's length bounds the memory.
  const auto most = static_cast<Index>(table.text.size() / table.columns + 1);
  Rows rows;
  Index count = 0;
  while (cursor.next_record()) {
    if (numbers && count == rows.values.cols()) {
      rows.values.conservativeResize(dimension, std::min(most, std::max<Index>(64, 2 * count)));
    }
    double* value = numbers ? rows.values.data() + count * dimension : nullptr;
    for (std::size_t column = 0; column < table.columns; ++column) {
      if (!cursor.more()) fail_on_length(table, cursor.line(), column);
      if (column == table.labels) {
        rows.words.emplace_back(cursor.next().text);
        if (is_missing(rows.words.back()) && rows.unlabelled++ == 0) rows.unlabelled_line = cursor.line();
      } else if (numbers) {
        *value++ = read_number(table, cursor, column);
      } else {
        cursor.next();
      }
    }
    if (cursor.more()) fail_on_length(table, cursor.line(), table.columns + 1);
    ++count;
  }
  if (numbers) rows.values.conservativeResize(dimension, count);
  return rows;
}

/// Takes the words for labels: every sample has one, or none has and there are no labels.
std::optional<Labels> take_labels(const Table& table, Rows& rows) {
  if (rows.unlabelled == rows.words.size()) return std::nullopt;
  if (rows.unlabelled > 0) {
    table.fail(
        fmt::format("line {}, {}: the label is missing; give every sample a label, or read without labels",
                    rows.unlabelled_line, table.column_name(*table.labels)));
  }
  return make_labels(std::move(rows.words), table.path);
}

std::vector<std::string> describe(const Table& table, const Domain& domain, bool wanted) {
  std::vector<std::string> notes{
      fmt::format("features: {} columns ({} samples)", domain.features.dimension(), domain.features.count())};
  if (!table.names.empty()) notes.emplace_back("header: the first line names the columns");
  if (domain.labels) {
    notes.push_back(fmt::format("labels: {} ({} classes)", table.column_name(*table.labels),
                                domain.labels->classes.size()));
  } else if (table.labels) {
    notes.push_back(fmt::format("{} is left out: {}", table.column_name(*table.labels),
                                wanted ? "it is empty in every sample" : "labels are not wanted"));
  }
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < table.names.size(); ++i) {
    if (!table.names[i].empty() && !seen.insert(table.names[i]).second) {
      notes.push_back(fmt::format("{} has the name of a column before it", table.column_name(i)));
    }
    if (i != table.labels && is_label_word(table.names[i])) {
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
  const Table table = open_table(std::move(text), name, options.labels, !options.without_labels, false);
  if (table.labels && table.columns == 1)
    table.fail("its only column holds the labels; expected features as well");
  Rows rows = read_rows(table, true);
  Dataset dataset;
  dataset.format = "csv";
  dataset.domain.features = std::move(rows.values);
  if (table.labels && !options.without_labels) dataset.domain.labels = take_labels(table, rows);
  dataset.notes = describe(table, dataset.domain, !options.without_labels);
  return dataset;
}

Labels read_csv_labels(const std::filesystem::path& path, const std::string& column) {
  Table table = open_table(InputFile(path).read_all(), path, column, true, true);
  if (!table.labels) {
    if (table.columns > 1) {
      table.fail(fmt::format("has {} columns and none is called label; name the column with the labels",
                             table.columns));
    }
    table.labels = 0;
  }
  Rows rows = read_rows(table, false);
  std::optional<Labels> labels = take_labels(table, rows);
  if (!labels) table.fail(fmt::format("{} holds no label", table.column_name(*table.labels)));
  return *std::move(labels);
}

}  // namespace isthmus
