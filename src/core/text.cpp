#include "core/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "isthmus/options.h"

namespace isthmus {
namespace {

/// What from_chars refuses as out of range: infinite or zero, told by the decimal exponent.
double beyond_range(std::string_view text) {
  const bool negative = text.starts_with('-');
  const std::size_t mark = text.find_first_of("eE");
  bool small = text.find_first_of("123456789") > text.find('.');
  if (mark != std::string_view::npos) small = text.substr(mark + 1).starts_with('-');
  const double size = small ? 0.0 : std::numeric_limits<double>::infinity();
  return negative ? -size : size;
}

/// Bytes of the character that the text begins with; 0 where it is no UTF-8.
std::size_t utf8_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = lead < 0x80   ? 1
                             : lead < 0xc2 ? 0
                             : lead < 0xe0 ? 2
                             : lead < 0xf0 ? 3
                             : lead < 0xf5 ? 4
                                           : 0;
  if (length > text.size()) return 0;
  for (std::size_t k = 1; k < length; ++k) {
    if ((static_cast<unsigned char>(text[k]) & 0xc0) != 0x80) return 0;
  }
  const auto second = length > 1 ? static_cast<unsigned char>(text[1]) : 0;
  const bool beyond = (lead == 0xe0 && second < 0xa0) || (lead == 0xed && second > 0x9f) ||
                      (lead == 0xf0 && second < 0x90) || (lead == 0xf4 && second > 0x8f);
  return beyond ? 0 : length;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return lower;
}

bool is_missing(std::string_view cell) {
  const std::string_view text = trimmed(cell);
  if (text.size() > 3) return false;
  const std::string word = lower_case(text);
  return word.empty() || word == "na" || word == "nan";
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string printable(std::string_view text, LineEnds line_ends) {
  std::string shown;
  while (!text.empty()) {
    const auto byte = static_cast<unsigned char>(text.front());
    const std::size_t length = utf8_length(text);
    const bool c1 = length == 2 && byte == 0xc2 && static_cast<unsigned char>(text[1]) < 0xa0;
    if (c1) {
      shown += fmt::format("\\u00{:02x}", static_cast<unsigned char>(text[1]));
    } else if (byte == '\n') {
      shown += line_ends == LineEnds::Kept ? "\n" : "\\n";
    } else if (byte == '\t') {
      shown += "\\t";
    } else if (byte == '\r') {
      shown += "\\r";
    } else if (byte < 0x20 || byte == 0x7f || length == 0) {
      shown += fmt::format("\\x{:02x}", byte);
    } else {
      shown += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return shown;
}

std::vector<std::uint32_t> code_points(std::string_view utf8) {
  std::vector<std::uint32_t> points;
  for (const char c : utf8) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xc0) == 0x80 && !points.empty()) {
      points.back() = points.back() << 6 | (byte & 0x3fU);
    } else {
      points.push_back(byte < 0x80   ? byte
                       : byte < 0xe0 ? byte & 0x1fU
                       : byte < 0xf0 ? byte & 0x0fU
                                     : byte & 0x07U);
    }
  }
  return points;
}

void append_utf8(std::string& text, std::uint32_t point) {
  if (point > 0x10ffff || (point >= 0xd800 && point < 0xe000)) point = 0xfffd;
  if (point < 0x80) {
    text += static_cast<char>(point);
  } else if (point < 0x800) {
    text += static_cast<char>(0xc0 | (point >> 6));
    text += static_cast<char>(0x80 | (point & 0x3f));
  } else if (point < 0x10000) {
    text += static_cast<char>(0xe0 | (point >> 12));
    text += static_cast<char>(0x80 | ((point >> 6) & 0x3f));
    text += static_cast<char>(0x80 | (point & 0x3f));
  } else {
    text += static_cast<char>(0xf0 | (point >> 18));
    text += static_cast<char>(0x80 | ((point >> 12) & 0x3f));
    text += static_cast<char>(0x80 | ((point >> 6) & 0x3f));
    text += static_cast<char>(0x80 | (point & 0x3f));
  }
}

std::optional<double> parse_number(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  double value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (end != last || error == std::errc::invalid_argument) return std::nullopt;
  return error == std::errc::result_out_of_range ? beyond_range(text) : value;
}

std::vector<std::string> split_words(std::string_view list, char separator) {
  std::vector<std::string> words;
  while (true) {
    const auto end = list.find(separator);
    const std::string_view word = trimmed(list.substr(0, end));
    if (!word.empty()) words.emplace_back(word);
    if (end == std::string_view::npos) return words;
    list.remove_prefix(end + 1);
  }
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string near = closest_word(word, candidates);
  return near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near);
}

std::string csv_cell(const std::string& word, char separator) {
  const bool plain = word.find_first_of("\"\r\n") == std::string::npos &&
                     word.find(separator) == std::string::npos && trimmed(word) == word;
  if (plain) return word;
  std::string quoted = "\"";
  for (const char c : word) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

char separator_for(const std::filesystem::path& path) {
  return lower_case(path.extension().string()) == ".tsv" ? '\t' : ',';
}

}  // namespace isthmus
