#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace isthmus {

/// Without blanks at both ends.
std::string_view trimmed(std::string_view text);
std::string lower_case(std::string_view text);
/// Empty, "NA" or "NaN" in any case.
bool is_missing(std::string_view cell);
bool is_utf8(std::string_view text);
/// What printable() makes of line ends.
enum class LineEnds { Escaped, Kept };
/// Text that a terminal shows and does not obey: control characters (C0, DEL, C1) and bytes that are no UTF-8
/// become escapes, such as \x1b, \n and \u009b.
std::string printable(std::string_view text, LineEnds line_ends = LineEnds::Escaped);
/// The code points of UTF-8 text.
std::vector<std::uint32_t> code_points(std::string_view utf8);
/// Adds a code point; what is none becomes U+FFFD.
void append_utf8(std::string& text, std::uint32_t point);

/// A number in plain C form, whatever the locale: "1", "+2.5", "-1e-3", "inf". What is too large for a double
/// is infinite, what is too small is 0. Nothing for anything else.
std::optional<double> parse_number(std::string_view text);

/// A cell of a text table, quoted where a reader would otherwise see something else.
std::string csv_cell(const std::string& word, char separator = ',');

/// What parts the cells of a text table of that name: tabs in .tsv, otherwise commas.
char separator_for(const std::filesystem::path& path);

/// Splits a list at `separator`; spaces around a word do not count, empty words are left out.
std::vector<std::string> split_words(std::string_view list, char separator);

/// " (did you mean 'x'?)" or nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace isthmus
