#include "io/csv_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <set>

#include "core/text.h"
#include "io/find_variables.h"
#include "isthmus/errors.h"

namespace isthmus {
namespace {

using Record = std::vector<std::string>;
using Role = ColumnRole;

/// From so many samples on, a first column of whole numbers in rising order is taken for ids: a feature is in
/// order by chance once in 10! tables.
constexpr std::size_t kRisingIds = 10;
/// From so many on it is worth a word.
constexpr std::size_t kRisingNoted = 3;

// What a column is wanted for, in messages.
constexpr std::string_view kForLabels = "for the labels";
constexpr std::string_view kForIds = "for the ids";
constexpr std::string_view kForLeavingOut = "to leave out";
constexpr std::string_view kForFeatures = "for the features";

bool is_numeric(std::string_view cell) {
  return is_missing(cell) || parse_number(cell).has_value();
}

/// The text of a table, without a byte order mark.
std::string checked_text(std::string text, const std::string& name) {
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) {
    throw IoError(fmt::format("{}: is UTF-16 text; save it as UTF-8", name));
  }
  if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);
  const std::size_t zero = text.find('\0');
  if (zero != std::string::npos) {
    throw IoError(fmt::format("{}: holds a zero byte at byte {}; a text table is expected", name, zero + 1));
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

/// The first two records, which tell whether there is a header.
struct Beginning {
  Record first, second;
  CsvCursor::Mark after_first;
};

CsvTable start_table(std::string text, const std::string& name, Beginning& beginning) {
  CsvTable table;
  table.path = name;
  table.text = checked_text(std::move(text), name);
  table.separator = find_separator(name, table.text);
  CsvCursor cursor(table.text, table.separator, table.path);
  if (!cursor.next_record()) table.fail("the file holds blank lines only; expected samples");
  beginning.first = read_record(cursor);
  beginning.after_first = cursor.mark();
  cursor.next_record();
  beginning.second = read_record(cursor);
  table.roles.assign(beginning.first.size(), Role::Feature);
  return table;
}

void take_header(CsvTable& table, Beginning beginning) {
  if (beginning.second.empty()) table.fail("there is a header line and no samples; expected at least 1");
  table.names = std::move(beginning.first);
  table.samples = beginning.after_first;
}

std::optional<int> column_number(const std::string& word) {
  int number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (word.empty() || error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return number;
}

/// 1-based, negative from the end. `use` is what the column is wanted for: "for the labels".
std::size_t numbered_column(const CsvTable& table, int number, std::string_view use) {
  const int columns = static_cast<int>(table.columns());
  const int column = number < 0 ? columns + number : number - 1;
  if (number == 0 || column < 0 || column >= columns) {
    table.fail(
        fmt::format("there is no column {} {}; columns are numbered 1 to {}, or -1 to -{} from the end",
                    number, use, columns, columns));
  }
  return static_cast<std::size_t>(column);
}

std::size_t find_column(const CsvTable& table, const std::string& word, std::string_view use) {
  if (const auto number = column_number(word)) return numbered_column(table, *number, use);
  const auto at = std::find(table.names.begin(), table.names.end(), word);
  if (at == table.names.end() && table.names.empty()) {
    table.fail(fmt::format(
        "there is no header line, so no column is called '{}'; give the column {} by number, 1 to {}", word,
        use, table.columns()));
  }
  if (at == table.names.end()) {
    table.fail(fmt::format("no column is called '{}'{}", word, did_you_mean(word, table.names)));
  }
  if (std::find(at + 1, table.names.end(), word) != table.names.end()) {
    table.fail(fmt::format("two columns are called '{}'; give the column {} by number", word, use));
  }
  return static_cast<std::size_t>(at - table.names.begin());
}

/// Whether a word names a column that is not there, where that is allowed.
bool is_absent(const CsvTable& table, const std::string& word, const ReadOptions& options) {
  return options.may_be_absent && !column_number(word) &&
         std::find(table.names.begin(), table.names.end(), word) == table.names.end();
}

/// The columns a user spoke of.
class ToldColumns {
 public:
  explicit ToldColumns(CsvTable& table) : table_(table), told_(table.columns(), nullptr) {}

  void set(std::size_t column, Role role, const char* as) {
    if (told_[column] != nullptr && table_.roles[column] != role) {
      table_.fail(
          fmt::format("{} is named both as {} and as {}", table_.column_name(column), told_[column], as));
    }
    told_[column] = as;
    table_.roles[column] = role;
  }
  bool operator[](std::size_t column) const { return told_[column] != nullptr; }

 private:
  CsvTable& table_;
  std::vector<const char*> told_;
};

/// The first record is a header when a word stands where a number follows, when it is all words, or when it
/// has the name of a column that is asked for or of labels. Columns given by number say nothing, they may
/// hold words.
bool is_header(const Beginning& beginning, const std::set<std::string_view>& asked_for,
               const std::set<std::size_t>& silent) {
  const Record& first = beginning.first;
  bool all_words = true;
  bool counts = first.size() > 1 && first[0].empty();  // as pandas heads an index and columns without names
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (i > 0) counts = counts && first[i] == std::to_string(i - 1);
    if (silent.contains(i)) continue;
    if (asked_for.contains(first[i])) return true;
    // Not a lone "y" among numbers: that may be the answer yes.
    if (is_label_word(first[i]) && first[i].size() > 1) return true;
    if (is_numeric(first[i])) {
      all_words = all_words && is_missing(first[i]);
      continue;
    }
    if (i < beginning.second.size() && is_numeric(beginning.second[i])) return true;
  }
  return counts || (all_words && first.size() > silent.size());
}

/// Where labels are not wanted a column called 'y' may as well be a coordinate.
void guess_labels(CsvTable& table, const ToldColumns& told, bool wanted) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < table.names.size(); ++i) {
    if (told[i] || !is_label_word(table.names[i]) || (!wanted && table.names[i].size() == 1)) continue;
    if (found) {
      table.fail(
          fmt::format("columns {} ('{}') and {} ('{}') could both be the labels; name the label column",
                      *found + 1, table.names[*found], i + 1, table.names[i]));
    }
    found = i;
  }
  if (found) table.roles[*found] = Role::Label;
}

/// How many samples there are if the column holds whole numbers in rising order, else 0.
std::size_t count_rising(const CsvTable& table, std::size_t column) {
  CsvCursor cursor(table.text, table.separator, table.path);
  cursor.go_to(table.samples);
  std::size_t count = 0;
  double last = -std::numeric_limits<double>::infinity();
  for (; cursor.next_record(); ++count) {
    for (std::size_t i = 0; i < column && cursor.more(); ++i) cursor.next();
    if (!cursor.more()) return 0;
    const std::optional<double> value = parse_number(trimmed(cursor.next().text));
    if (!value || !std::isfinite(*value) || *value != std::floor(*value) || *value <= last) return 0;
    last = *value;
    while (cursor.more()) cursor.next();
  }
  return count;
}

/// A first column that numbers or names the samples is no feature: it would tell every sample apart, and the
/// domains too. `chosen`: the features are told already, so that it is none in any case.
void guess_ids(CsvTable& table, const ToldColumns& told, bool chosen) {
  std::size_t first = 0;
  while (first < table.columns() && (told[first] || table.roles[first] != Role::Feature)) ++first;
  if (first == table.columns()) return;
  const auto take = [&](std::string_view reason) {
    table.roles[first] = Role::Id;
    table.notes.push_back(fmt::format("ids: {}, {}; if it is a feature, say so (--id none, or --features)",
                                      table.column_name(first), reason));
  };
  if (!table.names.empty() && table.names[first].empty()) return take("for it has no name");
  if (!table.names.empty() && is_id_word(table.names[first])) return take("for its name");
  if (std::count(table.roles.begin(), table.roles.end(), Role::Feature) == 1) return;
  const std::size_t rising = count_rising(table, first);
  if (rising >= kRisingIds) return take("for its whole numbers in rising order");
  if (rising >= kRisingNoted && !chosen) {
    table.notes.push_back(
        fmt::format("{} holds whole numbers in rising order and is read as a feature; if it numbers the "
                    "samples, name it (--id)",
                    table.column_name(first)));
  }
}

void tell_columns(CsvTable& table, ToldColumns& told, const ReadOptions& options) {
  if (!options.labels.empty()) {
    told.set(find_column(table, options.labels, kForLabels), Role::Label, "the labels");
  }
  if (!options.id.empty()) {
    if (is_absent(table, options.id, options)) {
      table.absent.push_back(options.id);
    } else {
      const std::size_t column = find_column(table, options.id, kForIds);
      told.set(column, Role::Id, "the ids");
      table.notes.push_back(fmt::format("ids: {}", table.column_name(column)));
    }
  }
  for (const std::string& word : options.drop) {
    if (is_absent(table, word, options)) {
      table.absent.push_back(word);
    } else {
      told.set(find_column(table, word, kForLeavingOut), Role::LeftOut, "one to leave out");
    }
  }
  for (const std::string& word : options.feature_columns) {
    told.set(find_column(table, word, kForFeatures), Role::Feature, "a feature");
  }
}

}  // namespace

std::optional<std::size_t> CsvTable::find(ColumnRole role) const {
  const auto at = std::find(roles.begin(), roles.end(), role);
  if (at == roles.end()) return std::nullopt;
  return static_cast<std::size_t>(at - roles.begin());
}

std::string CsvTable::column_name(std::size_t column) const {
  return names.empty() ? fmt::format("column {}", column + 1)
                       : fmt::format("column {} ('{}')", column + 1, excerpt(names[column]));
}

void CsvTable::fail(const std::string& what) const {
  throw IoError(fmt::format("{}: {}", path, what));
}

std::string excerpt(std::string_view cell) {
  std::size_t length = std::min<std::size_t>(cell.size(), 40);
  while (length > 0 && length < cell.size() && (static_cast<unsigned char>(cell[length]) & 0xc0) == 0x80)
    --length;
  return std::string(cell.substr(0, length)) + (length < cell.size() ? "…" : "");
}

CsvTable open_csv(std::string text, const std::string& name, const ReadOptions& options) {
  Beginning beginning;
  CsvTable table = start_table(std::move(text), name, beginning);
  std::set<std::string_view> asked_for;
  std::set<std::size_t> silent;
  const auto ask = [&](const std::string& word, std::string_view use) {
    const auto number = column_number(word);
    if (number) silent.insert(numbered_column(table, *number, use));
    if (!number && !word.empty()) asked_for.insert(word);
  };
  ask(options.labels, kForLabels);
  ask(options.id, kForIds);
  for (const std::string& word : options.drop) ask(word, kForLeavingOut);
  for (const std::string& word : options.feature_columns) {
    if (!column_number(word)) asked_for.insert(word);
  }
  if (is_header(beginning, asked_for, silent)) take_header(table, std::move(beginning));

  ToldColumns told(table);
  tell_columns(table, told, options);
  if (options.labels.empty()) guess_labels(table, told, !options.without_labels);
  const bool chosen = !options.feature_columns.empty();
  if (!options.without_ids && !table.find(Role::Id)) guess_ids(table, told, chosen);
  for (std::size_t i = 0; chosen && i < table.columns(); ++i) {
    if (!told[i] && table.roles[i] == Role::Feature) table.roles[i] = Role::LeftOut;
  }
  return table;
}

CsvTable open_label_csv(std::string text, const std::string& name, const std::string& column) {
  Beginning beginning;
  CsvTable table = start_table(std::move(text), name, beginning);
  const auto number = column_number(column);
  std::set<std::size_t> silent;
  std::set<std::string_view> asked_for;
  if (number) silent.insert(numbered_column(table, *number, kForLabels));
  if (!number && !column.empty()) asked_for.insert(column);
  // The only column may hold words from the first line on.
  const bool header = beginning.first.size() == 1
                          ? is_label_word(beginning.first[0]) || beginning.first[0] == column
                          : is_header(beginning, asked_for, silent);
  if (header) take_header(table, std::move(beginning));
  ToldColumns told(table);
  if (!column.empty()) told.set(find_column(table, column, kForLabels), Role::Label, "the labels");
  if (column.empty()) guess_labels(table, told, true);
  if (!table.find(Role::Label)) {
    if (table.columns() > 1) {
      table.fail(fmt::format("has {} columns and none is called label; name the column with the labels",
                             table.columns()));
    }
    table.roles[0] = Role::Label;
  }
  return table;
}

}  // namespace isthmus
