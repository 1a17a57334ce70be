#include "io/csv_cursor.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "core/text.h"
#include "isthmus/errors.h"

namespace isthmus {

CsvCursor::CsvCursor(std::string_view text, char separator, std::string path)
    : begin_(text.data()),
      at_(text.data()),
      end_(text.data() + text.size()),
      separator_(separator),
      path_(std::move(path)) {}

bool CsvCursor::next_record() {
  while (at_ != end_) {
    const char* first = at_;
    while (first != end_ && (*first == ' ' || (*first == '\t' && separator_ != '\t'))) ++first;
    if (first != end_ && *first != '\n' && *first != '\r') break;
    at_ = first;
    if (at_ != end_) finish_cell();
  }
  if (separator_ == ' ') skip_blanks();
  record_line_ = line_;
  more_ = at_ != end_;
  return more_;
}

void CsvCursor::finish_cell() {
  more_ = at_ != end_ && *at_ == separator_;
  if (at_ == end_) return;
  const char last = *at_++;
  if (more_ && separator_ == ' ') {
    skip_blanks();
    if (at_ == end_ || *at_ == '\n' || *at_ == '\r') finish_cell();
    return;
  }
  if (more_) return;
  if (last == '\r' && at_ != end_ && *at_ == '\n') ++at_;
  ++line_;
}

void CsvCursor::skip_blanks() {
  while (at_ != end_ && *at_ == ' ') ++at_;
}

CsvCursor::Cell CsvCursor::next() {
  const char* first = at_;
  while (first != end_ && *first == ' ') ++first;
  if (first != end_ && *first == '"') {
    at_ = first;
    return quoted();
  }
  first = at_;
  while (!ends_cell(at_)) ++at_;
  const std::string_view text(first, static_cast<std::size_t>(at_ - first));
  finish_cell();
  return {trimmed(text), false};
}

CsvCursor::Cell CsvCursor::quoted() {
  const std::size_t first_line = line_;
  unescaped_.clear();
  for (++at_; at_ != end_; ++at_) {
    if (*at_ == '"') {
      if (at_ + 1 == end_ || at_[1] != '"') break;
      ++at_;
    } else if (*at_ == '\n') {
      ++line_;
    }
    unescaped_ += *at_;
  }
  if (at_ == end_) fail(first_line, "a quoted cell begins here and does not end; close it with \"");
  ++at_;
  while (at_ != end_ && *at_ == ' ') ++at_;
  if (!ends_cell(at_))
    fail(line_, "text follows a closing quote; write a quote inside a quoted cell twice (\"\")");
  finish_cell();
  return {unescaped_, true};
}

bool CsvCursor::next_plain_number(double& value) {
  const auto [end, error] = std::from_chars(at_, end_, value);
  if (error != std::errc() || !ends_cell(end)) return false;
  at_ = end;
  finish_cell();
  return true;
}

void CsvCursor::fail(std::size_t line, const char* what) const {
  throw IoError(fmt::format("{}: line {}: {}", path_, line, what));
}

}  // namespace isthmus
