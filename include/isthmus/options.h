#pragma once

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace isthmus {

/// Options by name, each value in its plain text form ("0.1", "primal", "20,50,100", "true", "auto").
using OptionMap = std::map<std::string, std::string>;

/// The text of a value that is left to the method; in an options struct an empty std::optional.
inline constexpr std::string_view kAutomatic = "auto";

enum class OptionType { Integer, Real, Flag, Choice, IntegerList };

/// One option as every front end shows it: CLI flags, JSON config, Python keywords, docs tables.
struct OptionSpec {
  std::string name;
  OptionType type = OptionType::Real;
  std::string default_value;
  std::string range;  ///< for people: "1 … ", "> 0", "primal | linear"
  std::string help;   ///< what it does and why the default is what it is
  std::vector<std::string> choices;
  bool automatic = false;  ///< may be left to the method, by the text "auto"
};

/// The lower bound of a number that must be above 0.
inline constexpr double kAboveZero = std::numeric_limits<double>::denorm_min();

/// Inclusive bounds of a number.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

/// Walks over the options of a method. Each options struct has one function
///     void describe(OptionVisitor& visit, JdaOptions& o);
/// that names every member once; defaults are what the struct holds. From it come the specs, the parsing
/// with range checks, and the values written into a model. A member that is a std::optional may be left to
/// the method.
class OptionVisitor {
 public:
  virtual ~OptionVisitor() = default;

  virtual void integer(std::string_view name, int& value, Range range, std::string_view help) = 0;
  virtual void integer(std::string_view name, std::optional<int>& value, Range range,
                       std::string_view help) = 0;
  virtual void real(std::string_view name, double& value, Range range, std::string_view help) = 0;
  virtual void real(std::string_view name, std::optional<double>& value, Range range,
                    std::string_view help) = 0;
  virtual void flag(std::string_view name, bool& value, std::string_view help) = 0;
  virtual void integer_list(std::string_view name, std::vector<int>& value, Range each,
                            std::string_view help) = 0;

  /// An enum by the names of its values, e.g. {{"primal", Kernel::Primal}, {"linear", Kernel::Linear}}.
  template <class Enum>
  requires std::is_enum_v<Enum>
  void choice(std::string_view name, Enum& value, const std::vector<std::pair<std::string, Enum>>& names,
              std::string_view help) {
    std::optional<Enum> chosen = value;
    choice_of(name, chosen, names, false, help);
    value = *chosen;
  }
  template <class Enum>
  void choice(std::string_view name, std::optional<Enum>& value,
              const std::vector<std::pair<std::string, Enum>>& names, std::string_view help) {
    choice_of(name, value, names, true, help);
  }

 protected:
  /// Returns the index of the chosen word; none, where `automatic`, for what is left to the method.
  virtual std::optional<std::size_t> choose(std::string_view name, std::optional<std::size_t> current,
                                            bool automatic, const std::vector<std::string>& words,
                                            std::string_view help) = 0;

 private:
  template <class Enum>
  void choice_of(std::string_view name, std::optional<Enum>& value,
                 const std::vector<std::pair<std::string, Enum>>& names, bool automatic,
                 std::string_view help) {
    std::vector<std::string> words;
    std::optional<std::size_t> at;
    for (std::size_t i = 0; i < names.size(); ++i) {
      words.push_back(names[i].first);
      if (names[i].second == value) at = i;
    }
    const auto chosen = choose(name, at, automatic, words, help);
    value = chosen ? std::optional(names[*chosen].second) : std::nullopt;
  }
};

/// The word of `candidates` closest to `word`, for "did you mean"; empty when none is close.
std::string closest_word(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace isthmus
