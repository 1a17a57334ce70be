#pragma once

#include <string>
#include <vector>

namespace isthmus {

/// A plain text table: columns as wide as their widest cell, two spaces between, a rule under the header.
/// Cells are shown as one line of text, whatever they hold (printable, data/text.h).
class TextTable {
 public:
  enum class Align { Left, Right };

  /// Columns without an alignment are aligned right.
  explicit TextTable(std::vector<std::string> header, std::vector<Align> align = {});

  /// Missing cells are empty.
  void add_row(std::vector<std::string> cells);
  void add_rule();
  std::string to_string() const;

 private:
  std::vector<std::vector<std::string>> rows_;  ///< header first; an empty row is a rule
  std::vector<Align> align_;
};

/// Characters a UTF-8 text takes on a terminal (code points; there are no wide ones in our tables).
std::size_t display_width(const std::string& text);

}  // namespace isthmus
