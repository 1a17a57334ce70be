#include "bench/method_spec.h"

#include <gtest/gtest.h>

#include "core/text.h"
#include "isthmus/errors.h"

namespace isthmus {
namespace {

TEST(MethodSpec, ListsMethodsWithOptions) {
  const auto specs = parse_method_list("nn, pca:components=20,nn");
  ASSERT_EQ(specs.size(), 3U);
  EXPECT_EQ(specs[0].name, "nn");
  EXPECT_EQ(specs[1].name, "pca");
  EXPECT_EQ(specs[1].options, (OptionMap{{"components", "20"}}));
  EXPECT_EQ(specs[2].text(), "nn");
}

TEST(MethodSpec, ACommaBeforeADigitContinuesAList) {
  const auto specs = parse_method_list("pca:components=20,50,100,nn");
  ASSERT_EQ(specs.size(), 2U);
  EXPECT_EQ(specs[0].options.at("components"), "20,50,100");
}

TEST(MethodSpec, TextReadsBack) {
  const auto specs = parse_method_list("pca:components=20");
  EXPECT_EQ(parse_method_list(specs[0].text())[0].options, specs[0].options);
}

TEST(MethodSpec, RefusesUnknownMethodsAndOptions) {
  EXPECT_THROW(parse_method_list(""), InvalidArgument);
  EXPECT_THROW(parse_method_list("pcaa"), InvalidArgument);
  EXPECT_THROW(parse_method_list("pca:componets=3"), InvalidArgument);
  EXPECT_THROW(parse_method_list("pca:components"), InvalidArgument);
  EXPECT_THROW(parse_method_list("pca:=3"), InvalidArgument);
}

TEST(Words, AreSplitTrimmedAndNeverEmpty) {
  EXPECT_EQ(split_words(" a, b ,,c", ','), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_TRUE(split_words("", ',').empty());
}

}  // namespace
}  // namespace isthmus
