#include "isthmus/options.h"

#include <gtest/gtest.h>

#include "core/options_io.h"
#include "isthmus/errors.h"

namespace isthmus {
namespace {

enum class Shape { Round, Square };

struct Sample {
  int count = 3;
  double weight = 0.1;
  bool loud = false;
  Shape shape = Shape::Square;
  std::vector<int> sizes{20, 50};
};

void describe(OptionVisitor& visit, Sample& o) {
  visit.integer("count", o.count, {.low = 1, .high = 9}, "how many");
  visit.real("weight", o.weight, {.low = 0}, "how much");
  visit.flag("loud", o.loud, "whether");
  visit.choice("shape", o.shape, {{"round", Shape::Round}, {"square", Shape::Square}}, "which");
  visit.integer_list("sizes", o.sizes, {.low = 1}, "several");
}

Sample assigned(const OptionMap& values) {
  Sample sample;
  assign_options([&](OptionVisitor& visit) { describe(visit, sample); }, values, "the sample");
  return sample;
}

std::string refusal(const OptionMap& values) {
  try {
    assigned(values);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Options, SpecsHoldTheDefaultsOfTheStruct) {
  Sample sample;
  const auto specs = option_specs([&](OptionVisitor& visit) { describe(visit, sample); });
  ASSERT_EQ(specs.size(), 5U);
  EXPECT_EQ(specs[0].default_value, "3");
  EXPECT_EQ(specs[0].range, "1 … 9");
  EXPECT_EQ(specs[1].default_value, "0.1");
  EXPECT_EQ(specs[3].default_value, "square");
  EXPECT_EQ(specs[3].choices, (std::vector<std::string>{"round", "square"}));
  EXPECT_EQ(specs[4].default_value, "20,50");
}

TEST(Options, AssignParsesEveryType) {
  const Sample sample = assigned(
      {{"count", "9"}, {"weight", "1e-3"}, {"loud", "true"}, {"shape", "round"}, {"sizes", "1,2,3"}});
  EXPECT_EQ(sample.count, 9);
  EXPECT_EQ(sample.weight, 1e-3);
  EXPECT_TRUE(sample.loud);
  EXPECT_EQ(sample.shape, Shape::Round);
  EXPECT_EQ(sample.sizes, (std::vector<int>{1, 2, 3}));
}

TEST(Options, ValuesReadBackExactly) {
  Sample sample;
  sample.weight = 0.1 + 0.2;
  const OptionMap values = option_values([&](OptionVisitor& visit) { describe(visit, sample); });
  EXPECT_EQ(assigned(values).weight, sample.weight);
}

TEST(Options, RefusalsNameOptionValueAndBound) {
  EXPECT_EQ(refusal({{"count", "10"}}),
            "option 'count' of the sample is '10'; expected a whole number 1 … 9");
  EXPECT_EQ(refusal({{"count", "2.5"}}), "option 'count' of the sample is '2.5'; expected a whole number");
  EXPECT_EQ(refusal({{"weight", "-1"}}), "option 'weight' of the sample is '-1'; expected a number ≥ 0");
  EXPECT_EQ(refusal({{"weight", "nan"}}), "option 'weight' of the sample is 'nan'; expected a number");
  EXPECT_EQ(refusal({{"shape", "oval"}}),
            "option 'shape' of the sample is 'oval'; expected one of round, square");
  EXPECT_EQ(refusal({{"sizes", "1,,2"}}), "option 'sizes' of the sample is ''; expected a whole number");
}

struct Left {
  std::optional<int> count;
  std::optional<double> weight;
  std::optional<Shape> shape;
};

void describe(OptionVisitor& visit, Left& o) {
  visit.integer("count", o.count, {.low = 1}, "how many");
  visit.real("weight", o.weight, {.low = kAboveZero}, "how much");
  visit.choice("shape", o.shape, {{"round", Shape::Round}, {"square", Shape::Square}}, "which");
}

TEST(Options, WhatIsLeftToTheMethodIsAutoInText) {
  Left left;
  const auto walk = [&](OptionVisitor& visit) { describe(visit, left); };
  const OptionMap automatic{{"count", "auto"}, {"weight", "auto"}, {"shape", "auto"}};
  EXPECT_EQ(values_of(left), automatic);
  for (const OptionSpec& spec : option_specs(walk)) EXPECT_TRUE(spec.automatic) << spec.name;
  EXPECT_EQ(option_specs(walk)[1].range, "> 0");
  EXPECT_EQ(option_specs(walk)[2].choices, (std::vector<std::string>{"round", "square"}));

  const OptionMap set{{"count", "2"}, {"weight", "0.5"}, {"shape", "square"}};
  assign_options(walk, set, "the sample");
  EXPECT_EQ(left.count, 2);
  EXPECT_EQ(left.weight, 0.5);
  EXPECT_EQ(left.shape, Shape::Square);
  EXPECT_EQ(values_of(left), set);
  assign_options(walk, automatic, "the sample");
  EXPECT_FALSE(left.count || left.weight || left.shape);
}

TEST(Options, ZeroIsANumberAndNotLeftToTheMethod) {
  Left left;
  const auto refused = [&](const OptionMap& values) {
    try {
      assign_options([&](OptionVisitor& visit) { describe(visit, left); }, values, "the sample");
    } catch (const InvalidArgument& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(refused({{"count", "0"}}),
            "option 'count' of the sample is '0'; expected a whole number ≥ 1, or auto");
  EXPECT_EQ(refused({{"weight", "0"}}),
            "option 'weight' of the sample is '0'; expected a number > 0, or auto");
  EXPECT_EQ(refused({{"shape", "oval"}}),
            "option 'shape' of the sample is 'oval'; expected one of round, square, or auto");
  EXPECT_NE(refusal({{"count", "auto"}}), "accepted") << "not every option can be left to the method";
}

TEST(Options, AnUnknownNameGetsADidYouMean) {
  EXPECT_NE(refusal({{"wieght", "1"}}).find("did you mean 'weight'?"), std::string::npos);
}

TEST(ClosestWord, FindsSlipsAndRefusesGuesses) {
  const std::vector<std::string> words{"jda", "cdda", "rsa-cdda", "pca"};
  EXPECT_EQ(closest_word("jad", words), "jda");
  EXPECT_EQ(closest_word("rsacdda", words), "rsa-cdda");
  EXPECT_EQ(closest_word("xyzzy", words), "");
}

}  // namespace
}  // namespace isthmus
