#include <fmt/format.h>

#include <charconv>

#include "data/atomic_file.h"
#include "data/formats.h"
#include "data/text.h"

namespace isthmus {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;

/// The shortest form that reads back as the same double.
void append_number(std::string& text, double value) {
  char digits[32];
  const auto [end, error] = std::to_chars(std::begin(digits), std::end(digits), value);
  text.append(std::begin(digits), end);
}

}  // namespace

void write_csv(const std::filesystem::path& path, const Domain& domain) {
  const char separator = lower_case(path.extension().string()) == ".tsv" ? '\t' : ',';
  const auto values = domain.features.view();
  std::vector<std::string> class_cells;
  if (domain.labels) {
    for (const std::string& name : domain.labels->classes.all())
      class_cells.push_back(csv_cell(name, separator));
  }
  AtomicFile file(path);
  std::string text;
  for (Index i = 0; i < values.rows(); ++i) {
    if (i > 0) text += separator;
    text += fmt::format("f{}", i + 1);
  }
  if (domain.labels) text += fmt::format("{}label", separator);
  text += '\n';
  for (Index sample = 0; sample < values.cols(); ++sample) {
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
      file.write(text);
      text.clear();
    }
  }
  file.write(text);
  file.commit();
}

}  // namespace isthmus
