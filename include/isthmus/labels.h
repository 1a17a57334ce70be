#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace isthmus {

/// The id of a label that is none of the known classes (a target label used for scoring only).
inline constexpr int kUnknownClass = -1;

/// Distinct class names. A class is known by its position, its id.
class ClassNames {
 public:
  ClassNames() = default;
  /// Keeps the order: the first name is that of class 0. Throws InvalidArgument on a name that comes twice.
  explicit ClassNames(std::vector<std::string> names);
  /// Takes names with repetitions, and sorts them: by value when every name is an integer, bytewise
  /// otherwise.
  static ClassNames sorted(std::vector<std::string> names);

  int size() const { return static_cast<int>(names_.size()); }
  const std::string& operator[](int id) const { return names_[static_cast<std::size_t>(id)]; }
  const std::vector<std::string>& all() const { return names_; }
  /// True when every name is an integer ("-1", "3"); such labels are written as numbers.
  bool integers() const { return integers_; }
  std::optional<int> find(std::string_view name) const;

  bool operator==(const ClassNames&) const = default;

 private:
  std::vector<std::string> names_;
  std::vector<int> by_name_;  ///< ids in bytewise order of their names
  bool integers_ = false;
};

/// One class id per sample, and what the ids mean.
struct Labels {
  ClassNames classes;
  std::vector<int> ids;
};

/// Finds the classes, in sorted order, and encodes the labels. When every label is a whole number ("1",
/// "1.0", "+1", "1e0") it is written in its plain form first, so that files that disagree only in spelling
/// agree in classes.
Labels encode_labels(std::vector<std::string> names);

/// Encodes labels by known classes; kUnknownClass for any other name.
std::vector<int> encode_labels(const Labels& labels, const ClassNames& classes);

}  // namespace isthmus
