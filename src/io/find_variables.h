#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/array_file.h"

namespace isthmus {

/// Which arrays of a file are the samples, and which way they lie.
struct VariableChoice {
  std::size_t features = 0;
  std::optional<std::size_t> labels;
  bool samples_by_columns = false;
  std::vector<std::string> notes;
};

/// Takes what is named, finds out the rest by name and length. Throws IoError that lists the variables where
/// it cannot tell.
VariableChoice find_variables(const ArrayFile& file, const ReadOptions& options);

/// The vector of that name, or the only one that can hold labels.
std::size_t find_label_vector(const ArrayFile& file, const std::string& name);

/// label, labels, class, target, y, in any case: a CSV column that is taken for the labels.
bool is_label_word(std::string_view word);
/// id, index, in any case, and what pandas calls an index it does not know: a CSV column that is taken for
/// ids.
bool is_id_word(std::string_view word);

}  // namespace isthmus
