#include "io/bounded_json.h"

#include <gtest/gtest.h>

#include "isthmus/errors.h"

namespace isthmus {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

std::string nested(int depth) {
  return std::string(static_cast<std::size_t>(depth), '[') +
         std::string(static_cast<std::size_t>(depth), ']');
}

template <class Json>
std::string problem(const std::string& text, int max_depth = kMaxJsonDepth) {
  try {
    parse_json<Json>(text, "f: the file", max_depth);
  } catch (const IoError& error) {
    return error.what();
  }
  return "";
}

TEST(BoundedJson, TakesWhatIsWithinTheLimits) {
  EXPECT_EQ(parse_json<ordered_json>(R"({"b": [1, {"c": null}], "a": "x"})", "f").dump(),
            R"({"b":[1,{"c":null}],"a":"x"})");
  EXPECT_EQ(problem<json>(nested(64)), "");
  EXPECT_EQ(problem<json>(R"([{"a": 1}, {"a": 2}])"), "") << "one name in two objects";
}

TEST(BoundedJson, RefusesDeepNestingOfAnySize) {
  for (const int depth : {65, 1000, 1'000'000}) {
    EXPECT_EQ(problem<json>(nested(depth)), "f: the file is nested deeper than 64");
    EXPECT_EQ(problem<ordered_json>(nested(depth)), "f: the file is nested deeper than 64");
  }
  EXPECT_EQ(problem<json>(R"({"a": {"b": {}}})", 2), "f: the file is nested deeper than 2");
  EXPECT_EQ(problem<json>(std::string(1'000'000, '[')), "f: the file is nested deeper than 64")
      << "never closed";
}

TEST(BoundedJson, RefusesDeepCborWithoutDescendingIntoIt) {
  std::vector<std::uint8_t> bytes(1'000'000, 0x81);  // an array of one, again and again
  bytes.push_back(0xf6);
  EXPECT_THROW(parse_cbor(bytes, "f"), IoError);
  EXPECT_THROW(parse_cbor({0x81}, "f"), IoError) << "cut short";
  EXPECT_EQ(parse_cbor(json::to_cbor({{"a", {1, 2}}}), "f"), json({{"a", {1, 2}}}));
}

TEST(BoundedJson, RefusesTwoMeaningsAndTooManyNames) {
  EXPECT_NE(problem<json>(R"({"a": 1, "a": 2})").find("f: the file: the name 'a' is there twice"),
            std::string::npos);
  EXPECT_NE(problem<ordered_json>(R"([{"b": {"a": 1, "a": 2}}])").find("'a' is there twice"),
            std::string::npos);
  std::string names = "{";
  for (int i = 0; i < 10'001; ++i) names += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\": 0";
  names += "}";
  EXPECT_NE(problem<ordered_json>(names).find("more than 10000 names"), std::string::npos);
  EXPECT_EQ(problem<json>(names), "") << "sorted, they cost no time";
}

TEST(BoundedJson, SaysWhatIsNoJson) {
  EXPECT_NE(problem<json>(R"({"a": )").find("f: the file is no valid JSON"), std::string::npos);
  EXPECT_NE(problem<ordered_json>("").find("f: the file is no valid JSON"), std::string::npos);
  EXPECT_NE(problem<json>("[1e999]").find("a number that is too large"), std::string::npos);
}

}  // namespace
}  // namespace isthmus
