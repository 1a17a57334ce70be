#include "io/find_variables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "core/text.h"
#include "isthmus/errors.h"

namespace isthmus {
namespace {

// In the order in which a word is taken for the role: "y_target" is the y of the target.
constexpr std::array<std::string_view, 8> kFeatureWords{"x",    "fts",   "features", "feature",
                                                        "feat", "feats", "fea",      "data"};
constexpr std::array<std::string_view, 11> kLabelWords{"y",     "labels", "label",   "lab",    "gnd",    "gt",
                                                       "truth", "class",  "classes", "target", "targets"};

/// A name without the word that tells its role: "X_src" and "Y_src" are both about "src".
struct Kinship {
  bool has_role = false;
  std::string about;
};

std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words(1);
  for (const char c : lower_case(name)) {
    if (c == '_' || c == '-' || c == '.' || c == ' ' || c == '/') {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}

template <std::size_t N>
Kinship kinship(std::string_view name, const std::array<std::string_view, N>& roles) {
  std::vector<std::string> words = words_of(name);
  for (const std::string_view role : roles) {
    const auto at = std::find(words.begin(), words.end(), role);
    if (at == words.end()) continue;
    words.erase(at);
    return {true, fmt::format("{}", fmt::join(words, "_"))};
  }
  // "Xs" and "Ys", as the papers write them.
  if (!words.front().empty() && words.front().substr(0, 1) == roles.front()) {
    words.front().erase(0, 1);
    return {true, fmt::format("{}", fmt::join(words, "_"))};
  }
  return {false, fmt::format("{}", fmt::join(words, "_"))};
}

std::string list_variables(const ArrayFile& file) {
  std::vector<std::string> items;
  for (const ArrayInfo& info : file.arrays) items.push_back(info.describe());
  return items.empty() ? "none" : fmt::format("{}", fmt::join(items, ", "));
}

[[noreturn]] void fail(const ArrayFile& file, const std::string& what) {
  throw IoError(fmt::format("{}: {}; the file holds: {}", file.path.string(), what, list_variables(file)));
}

std::size_t find_by_name(const ArrayFile& file, const std::string& name) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < file.arrays.size(); ++i) {
    if (file.arrays[i].name == name) return i;
    names.push_back(file.arrays[i].name);
  }
  fail(file, fmt::format("there is no variable '{}'{}", name, did_you_mean(name, names)));
}

bool is_matrix(const ArrayInfo& info) {
  return is_number(info.layout.element) && (info.shape.size() == 1 || info.shape.size() == 2);
}

std::size_t find_named_features(const ArrayFile& file, const std::string& name) {
  const std::size_t found = find_by_name(file, name);
  if (!is_matrix(file.arrays[found])) {
    fail(file, fmt::format("variable {} cannot be the features; a matrix of numbers is expected",
                           file.arrays[found].describe()));
  }
  return found;
}

std::size_t find_named_labels(const ArrayFile& file, const std::string& name) {
  const std::size_t found = find_by_name(file, name);
  if (!file.arrays[found].vector_length()) {
    fail(file, fmt::format("variable {} cannot be the labels; a vector is expected",
                           file.arrays[found].describe()));
  }
  return found;
}

/// Keeps the candidates that satisfy the predicate, unless none does.
template <class Predicate>
void prefer(std::vector<std::size_t>& candidates, Predicate&& predicate) {
  std::vector<std::size_t> kept;
  std::copy_if(candidates.begin(), candidates.end(), std::back_inserter(kept), predicate);
  if (!kept.empty()) candidates = std::move(kept);
}

std::size_t guess_features(const ArrayFile& file, std::optional<std::size_t> labels) {
  std::vector<std::size_t> candidates;
  for (std::size_t i = 0; i < file.arrays.size(); ++i) {
    if (is_matrix(file.arrays[i]) && i != labels) candidates.push_back(i);
  }
  if (candidates.empty()) fail(file, "no matrix of numbers is there to be the features");
  prefer(candidates, [&](std::size_t i) { return !file.arrays[i].vector_length(); });
  prefer(candidates, [&](std::size_t i) { return !kinship(file.arrays[i].name, kLabelWords).has_role; });
  if (labels) {
    const Index length = *file.arrays[*labels].vector_length();
    prefer(candidates, [&](std::size_t i) {
      return file.arrays[i].rows() == length || file.arrays[i].columns() == length;
    });
    const Kinship wanted = kinship(file.arrays[*labels].name, kLabelWords);
    if (candidates.size() > 1) {
      prefer(candidates, [&](std::size_t i) {
        return kinship(file.arrays[i].name, kFeatureWords).about == wanted.about;
      });
    }
  }
  if (candidates.size() > 1) {
    std::vector<std::string> names;
    names.reserve(candidates.size());
    for (const std::size_t i : candidates) names.push_back("'" + file.arrays[i].name + "'");
    fail(file,
         fmt::format("{} could all be the features; name the variable to read", fmt::join(names, ", ")));
  }
  return candidates.front();
}

bool length_fits(const ArrayFile& file, const ArrayInfo& features, Index length, SampleAxis axis) {
  const bool rows = axis != SampleAxis::Columns && features.rows() == length;
  const bool columns = (axis == SampleAxis::Columns || (axis == SampleAxis::FoundOut && file.either_axis)) &&
                       features.columns() == length;
  return rows || columns;
}

std::optional<std::size_t> guess_labels(const ArrayFile& file, std::size_t features,
                                        const ReadOptions& options, std::vector<std::string>& notes) {
  const ArrayInfo& samples = file.arrays[features];
  const std::string about = kinship(samples.name, kFeatureWords).about;
  std::vector<std::size_t> kin;
  std::vector<std::size_t> general;
  for (std::size_t i = 0; i < file.arrays.size(); ++i) {
    const ArrayInfo& info = file.arrays[i];
    const Kinship label = kinship(info.name, kLabelWords);
    if (i == features || !label.has_role || !info.vector_length()) continue;
    if (label.about != about && !label.about.empty()) continue;
    if (!length_fits(file, samples, *info.vector_length(), options.samples)) {
      notes.push_back(fmt::format(
          "variable {} is not taken for the labels: its length is not that of the samples", info.describe()));
      continue;
    }
    (label.about == about ? kin : general).push_back(i);
  }
  const std::vector<std::size_t>& found = kin.empty() ? general : kin;
  if (found.empty()) return std::nullopt;
  const bool same_length = std::all_of(found.begin(), found.end(), [&](std::size_t i) {
    return file.arrays[i].vector_length() == file.arrays[found.front()].vector_length();
  });
  if (found.size() == 1 || (options.without_labels && same_length)) return found.front();
  fail(file, fmt::format("both '{}' and '{}' could be the labels of '{}'; name the variable to read",
                         file.arrays[found[0]].name, file.arrays[found[1]].name, samples.name));
}

bool find_axis(const ArrayFile& file, const ArrayInfo& features, const ArrayInfo* labels, SampleAxis axis,
               std::vector<std::string>& notes) {
  if (axis != SampleAxis::FoundOut) return axis == SampleAxis::Columns;
  if (!file.either_axis) return false;
  if (labels == nullptr) {
    notes.push_back("samples: taken by rows, there is no label vector whose length would tell");
    return false;
  }
  if (features.rows() == features.columns()) {
    fail(file, fmt::format(
                   "variable {} is square, so the {} labels do not tell whether its rows or its columns are "
                   "the samples; say which",
                   features.describe(), features.rows()));
  }
  const bool by_columns = features.columns() == *labels->vector_length();
  notes.push_back(
      fmt::format("samples: by {}, as many as '{}' is long", by_columns ? "columns" : "rows", labels->name));
  return by_columns;
}

}  // namespace

VariableChoice find_variables(const ArrayFile& file, const ReadOptions& options) {
  VariableChoice choice;
  if (!options.labels.empty()) choice.labels = find_named_labels(file, options.labels);
  choice.features = options.features.empty() ? guess_features(file, choice.labels)
                                             : find_named_features(file, options.features);
  const ArrayInfo& features = file.arrays[choice.features];
  if (choice.labels) {
    const ArrayInfo& labels = file.arrays[*choice.labels];
    if (!length_fits(file, features, *labels.vector_length(), options.samples)) {
      fail(file, fmt::format("the labels {} are not as many as the samples of {}", labels.describe(),
                             features.describe()));
    }
  } else {
    // Also without labels wanted: their length tells which way the samples lie.
    choice.labels = guess_labels(file, choice.features, options, choice.notes);
  }
  choice.samples_by_columns = find_axis(
      file, features, choice.labels ? &file.arrays[*choice.labels] : nullptr, options.samples, choice.notes);
  if (options.without_labels) choice.labels.reset();
  const Index samples = choice.samples_by_columns ? features.columns() : features.rows();
  const Index dimension = choice.samples_by_columns ? features.rows() : features.columns();
  choice.notes.insert(
      choice.notes.begin(),
      fmt::format("features: {} ({} samples × {})",
                  features.name.empty() ? "the array" : fmt::format("variable '{}'", features.name), samples,
                  dimension));
  return choice;
}

std::size_t find_label_vector(const ArrayFile& file, const std::string& name) {
  if (!name.empty()) return find_named_labels(file, name);
  std::vector<std::size_t> candidates;
  for (std::size_t i = 0; i < file.arrays.size(); ++i) {
    if (file.arrays[i].vector_length()) candidates.push_back(i);
  }
  if (candidates.empty()) fail(file, "no vector is there to be the labels");
  prefer(candidates, [&](std::size_t i) { return kinship(file.arrays[i].name, kLabelWords).has_role; });
  if (candidates.size() > 1) {
    fail(file, fmt::format("both '{}' and '{}' could be the labels; name the variable to read",
                           file.arrays[candidates[0]].name, file.arrays[candidates[1]].name));
  }
  return candidates.front();
}

bool is_label_word(std::string_view word) {
  const std::string lower = lower_case(trimmed(word));
  return lower == "label" || lower == "labels" || lower == "class" || lower == "target" || lower == "y";
}

bool is_id_word(std::string_view word) {
  const std::string lower = lower_case(trimmed(word));
  return lower == "id" || lower == "index" || lower == "unnamed: 0";
}

}  // namespace isthmus
