#include "io/bounded_json.h"

#include <fmt/format.h>

#include <limits>
#include <set>
#include <type_traits>

#include "isthmus/errors.h"

namespace isthmus {
namespace {

using nlohmann::json;

/// Walks through JSON without keeping it, and throws at what must not be kept. The walk itself needs no stack
/// beyond the limit, of text none at all.
class LimitCheck : public json::json_sax_t {
 public:
  LimitCheck(const std::string& where, int max_depth, std::size_t max_names)
      : where_(where), max_depth_(max_depth), max_names_(max_names) {}

  bool null() override { return true; }
  bool boolean(bool /*value*/) override { return true; }
  bool number_integer(json::number_integer_t /*value*/) override { return true; }
  bool number_unsigned(json::number_unsigned_t /*value*/) override { return true; }
  bool number_float(json::number_float_t /*value*/, const json::string_t& /*text*/) override { return true; }
  bool string(json::string_t& /*value*/) override { return true; }
  bool binary(json::binary_t& /*value*/) override { return true; }
  bool start_object(std::size_t /*size*/) override { return enter(); }
  bool start_array(std::size_t /*size*/) override { return enter(); }
  bool end_object() override { return leave(); }
  bool end_array() override { return leave(); }
  bool key(json::string_t& name) override {
    std::set<std::string>& names = names_.back();
    if (!names.insert(name).second)
      throw IoError(fmt::format("{}: the name '{}' is there twice; every name must be unique", where_, name));
    if (names.size() > max_names_)
      throw IoError(fmt::format("{} has an object of more than {} names", where_, max_names_));
    return true;
  }
  /// What is no JSON is told by the parse that follows.
  bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                   const json::exception& /*problem*/) override {
    return false;
  }

 private:
  bool enter() {
    names_.emplace_back();
    if (names_.size() > static_cast<std::size_t>(max_depth_))
      throw IoError(fmt::format("{} is nested deeper than {}", where_, max_depth_));
    return true;
  }
  bool leave() {
    names_.pop_back();
    return true;
  }

  const std::string& where_;
  int max_depth_;
  std::size_t max_names_;
  std::vector<std::set<std::string>> names_;  ///< of the objects and arrays that are open
};

template <class Parse>
auto explained(const std::string& where, const Parse& parse) {
  try {
    return parse();
  } catch (const json::out_of_range& error) {
    throw IoError(fmt::format("{} holds a number that is too large: {}", where, error.what()));
  } catch (const json::exception& error) {
    throw IoError(fmt::format("{} is no valid JSON: {}", where, error.what()));
  }
}

}  // namespace

template <class Json>
Json parse_json(std::string_view text, const std::string& where, int max_depth) {
  // Where names are kept in their order, each new one is compared with all before it.
  constexpr std::size_t kMaxNames =
      std::is_same_v<Json, json> ? std::numeric_limits<std::size_t>::max() : 10'000;
  LimitCheck check(where, max_depth, kMaxNames);
  json::sax_parse(text, &check);
  return explained(where, [&] { return Json::parse(text); });
}

template json parse_json<json>(std::string_view, const std::string&, int);
template nlohmann::ordered_json parse_json<nlohmann::ordered_json>(std::string_view, const std::string&, int);

json parse_cbor(const std::vector<std::uint8_t>& bytes, const std::string& where, int max_depth) {
  LimitCheck check(where, max_depth, std::numeric_limits<std::size_t>::max());
  json::sax_parse(bytes, &check, json::input_format_t::cbor);
  return explained(where, [&] { return json::from_cbor(bytes); });
}

}  // namespace isthmus
