#pragma once

#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace isthmus {

/// Options by name, each value in its plain text form ("0.1", "primal", "20,50,100", "true").
using OptionMap = std::map<std::string, std::string>;

enum class OptionType { Integer, Real, Flag, Choice, IntegerList };

/// One option as every front end shows it: CLI flags, JSON config, Python keywords, docs tables.
struct OptionSpec {
  std::string name;
  OptionType type = OptionType::Real;
  std::string default_value;
  std::string range;  ///< for people: "1 … ", "> 0", "primal | linear"
  std::string help;   ///< what it does and why the default is what it is
  std::vector<std::string> choices;
};

/// Inclusive bounds of a number.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

/// Walks over the options of a method. Each options struct has one function
///     void describe(OptionVisitor& visit, JdaOptions& o);
/// that names every member once; defaults are what the struct holds. From it come the specs, the parsing
/// with range checks, and the values written into a model.
class OptionVisitor {
 public:
  virtual ~OptionVisitor() = default;

  virtual void integer(std::string_view name, int& value, Range range, std::string_view help) = 0;
  virtual void real(std::string_view name, double& value, Range range, std::string_view help) = 0;
  virtual void flag(std::string_view name, bool& value, std::string_view help) = 0;
  virtual void integer_list(std::string_view name, std::vector<int>& value, Range each,
                            std::string_view help) = 0;

  /// An enum by the names of its values, e.g. {{"primal", Kernel::Primal}, {"linear", Kernel::Linear}}.
  template <class Enum>
  void choice(std::string_view name, Enum& value, const std::vector<std::pair<std::string, Enum>>& names,
              std::string_view help) {
    std::vector<std::string> words;
    std::size_t at = 0;
    for (std::size_t i = 0; i < names.size(); ++i) {
      words.push_back(names[i].first);
      if (names[i].second == value) at = i;
    }
    value = names[choose(name, at, words, help)].second;
  }

 protected:
  /// Returns the index of the chosen word.
  virtual std::size_t choose(std::string_view name, std::size_t current,
                             const std::vector<std::string>& words, std::string_view help) = 0;
};

/// The word of `candidates` closest to `word`, for "did you mean"; empty when none is close.
std::string closest_word(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace isthmus
