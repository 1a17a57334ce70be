#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace isthmus {

/// Walks over the cells of a text table: LF, CRLF or CR ends a record; a quoted cell may hold separators,
/// line ends and doubled quotes. Throws IoError with the line on a broken quote.
class CsvCursor {
 public:
  /// The text stays with the caller.
  CsvCursor(std::string_view text, char separator, std::string path);

  struct Cell {
    std::string_view text;  ///< valid until the next call; without quotes, blanks trimmed unless quoted
    bool quoted = false;
  };

  /// Goes on to the next record that is not blank; false at the end.
  bool next_record();
  /// True when the record has another cell.
  bool more() const { return more_; }
  Cell next();
  /// The next cell as a number where it is a plain one, which costs one pass; false (and nothing is taken)
  /// otherwise.
  bool next_plain_number(double& value);

  std::size_t line() const { return record_line_; }  ///< of the current record, from 1

  /// A place between records to come back to.
  struct Mark {
    std::size_t position = 0;
    std::size_t line = 1;
  };
  Mark mark() const { return {static_cast<std::size_t>(at_ - begin_), line_}; }
  void go_to(Mark mark) {
    at_ = begin_ + mark.position;
    line_ = mark.line;
  }

 private:
  bool ends_cell(const char* at) const {
    return at == end_ || *at == separator_ || *at == '\n' || *at == '\r';
  }
  void finish_cell();
  void skip_blanks();
  Cell quoted();
  [[noreturn]] void fail(std::size_t line, const char* what) const;

  const char* begin_;
  const char* at_;
  const char* end_;
  char separator_;
  bool more_ = false;
  std::size_t line_ = 1;
  std::size_t record_line_ = 1;
  std::string path_;
  std::string unescaped_;
};

}  // namespace isthmus
