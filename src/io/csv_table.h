#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/csv_cursor.h"
#include "isthmus/data.h"

namespace isthmus {

/// What a column of a text table is for.
enum class ColumnRole : unsigned char { Feature, Label, Id, LeftOut };

/// A text table, understood but for its numbers: separator, header, and what each column is for.
struct CsvTable {
  std::string path;
  std::string text;
  char separator = ',';
  std::vector<std::string> names;  ///< of the header, or empty
  std::vector<ColumnRole> roles;   ///< one a column
  CsvCursor::Mark samples;         ///< where the first sample begins
  std::vector<std::string> notes;  ///< what was found out
  std::vector<std::string> absent;

  std::size_t columns() const { return roles.size(); }
  /// The column of a role that at most one has.
  std::optional<std::size_t> find(ColumnRole role) const;
  /// "column 2 ('b')".
  std::string column_name(std::size_t column) const;
  [[noreturn]] void fail(const std::string& what) const;
};

/// `text` is what the file holds, `name` what messages call it.
CsvTable open_csv(std::string text, const std::string& name, const ReadOptions& options);
/// A table of which only the labels are wanted, in the named column or the only one that may be it.
CsvTable open_label_csv(std::string text, const std::string& name, const std::string& column);

/// At most 40 bytes of a cell, for a message.
std::string excerpt(std::string_view cell);

}  // namespace isthmus
