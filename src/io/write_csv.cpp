#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/text.h"
#include "io/atomic_file.h"
#include "io/formats.h"

namespace isthmus {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;

/// The shortest form that reads back as the same double.
void append_number(std::string& text, double value) {
  char digits[32];
  const auto [end, error] = std::to_chars(std::begin(digits), std::end(digits), value);
  text.append(std::begin(digits), end);
}

/// Names of columns, such that the line is read as a header again.
std::vector<std::string> column_names(const Domain& domain) {
  const auto is_number = [](const std::string& name) { return is_missing(name) || parse_number(name); };
  std::vector<std::string> names = domain.feature_names;
  const bool told = domain.labels || !domain.sample_ids.empty();
  if (!told && std::all_of(names.begin(), names.end(), is_number)) names.clear();
  names.resize(static_cast<std::size_t>(domain.features.dimension()));
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty()) names[i] = fmt::format("f{}", i + 1);
  }
  return names;
}

std::string csv_header(const Domain& domain, char separator) {
  std::string text;
  if (!domain.sample_ids.empty()) text += fmt::format("id{}", separator);
  const std::vector<std::string> names = column_names(domain);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += separator;
    text += csv_cell(names[i], separator);
  }
  return text + (domain.labels ? fmt::format("{}label\n", separator) : "\n");
}

/// Hands on the table piece by piece.
template <class Write>
void format_csv(const Domain& domain, char separator, const Write& write) {
  const auto values = domain.features.view();
  std::vector<std::string> class_cells;
  if (domain.labels) {
    for (const std::string& name : domain.labels->classes.all())
      class_cells.push_back(csv_cell(name, separator));
  }
  std::string text = csv_header(domain, separator);
  for (Index sample = 0; sample < values.cols(); ++sample) {
    if (!domain.sample_ids.empty()) {
      text += csv_cell(domain.sample_ids[static_cast<std::size_t>(sample)], separator);
      text += separator;
    }
    for (Index i = 0; i < values.rows(); ++i) {
      if (i > 0) text += separator;
      append_number(text, values(i, sample));
    }
    if (domain.labels) {
      text += separator;
      text += class_cells[static_cast<std::size_t>(domain.labels->ids[static_cast<std::size_t>(sample)])];
    }
    text += '\n';
    if (text.size() >= kBufferBytes) {
      write(text);
      text.clear();
    }
  }
  write(text);
}

}  // namespace

void write_csv(const std::filesystem::path& path, const Domain& domain) {
  AtomicFile file(path);
  format_csv(domain, separator_for(path), [&](const std::string& text) { file.write(text); });
  file.commit();
}

std::string csv_text(const Domain& domain) {
  std::string all;
  format_csv(domain, ',', [&](const std::string& text) { all += text; });
  return all;
}

}  // namespace isthmus
