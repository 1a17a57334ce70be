#include "isthmus/labels.h"

#include <gtest/gtest.h>

#include "isthmus/errors.h"

namespace isthmus {
namespace {

using Names = std::vector<std::string>;

TEST(Labels, IntegersAreSortedByValue) {
  const Labels labels = encode_labels({"10", "2", "-1", "2"});
  EXPECT_EQ(labels.classes.all(), (Names{"-1", "2", "10"}));
  EXPECT_EQ(labels.ids, (std::vector<int>{2, 1, 0, 1}));
  EXPECT_TRUE(labels.classes.integers());
}

TEST(Labels, StringsAreSortedBytewise) {
  const Labels labels = encode_labels({"cup", "Bike", "10", "cup"});
  EXPECT_EQ(labels.classes.all(), (Names{"10", "Bike", "cup"}));
  EXPECT_EQ(labels.ids, (std::vector<int>{2, 1, 0, 2}));
  EXPECT_FALSE(labels.classes.integers());
}

TEST(Labels, SpellingsOfOneIntegerAreOneClass) {
  const Labels labels = encode_labels({"1", "1.0", "+1", "1e0", "2"});
  EXPECT_EQ(labels.classes.all(), (Names{"1", "2"}));
  EXPECT_EQ(labels.ids, (std::vector<int>{0, 0, 0, 0, 1}));
}

TEST(Labels, AFractionKeepsEverySpellingAsItIs) {
  const Labels labels = encode_labels({"1.0", "2.5"});
  EXPECT_EQ(labels.classes.all(), (Names{"1.0", "2.5"}));
}

TEST(Labels, IntegersBeyondADoubleStayExact) {
  const Labels labels = encode_labels({"9007199254740993", "9007199254740992"});
  EXPECT_EQ(labels.classes.all(), (Names{"9007199254740992", "9007199254740993"}));
}

TEST(Labels, IdsKeepTheMeaningThatTheGivenNamesHave) {
  const Labels labels{ClassNames({"walk", "run", "sit"}), {0, 1, 2, 0}};
  EXPECT_EQ(labels.classes.all(), (Names{"walk", "run", "sit"}));
  EXPECT_EQ(labels.classes.find("walk"), 0);
  EXPECT_EQ(labels.classes.find("run"), 1);
  EXPECT_EQ(labels.classes.find("sit"), 2);
  EXPECT_EQ(labels.classes.find("stand"), std::nullopt);
  // Under the classes of a file, which are sorted: run, sit, walk.
  EXPECT_EQ(encode_labels(labels, encode_labels({"sit", "walk", "run"}).classes),
            (std::vector<int>{2, 0, 1, 2}));
  EXPECT_EQ(ClassNames({"10", "9"}).all(), (Names{"10", "9"}));
  EXPECT_TRUE(ClassNames({"10", "9"}).integers());
}

TEST(Labels, ANameThatTwoClassesHaveIsRefused) {
  EXPECT_THROW(ClassNames({"walk", "run", "walk"}), InvalidArgument);
  EXPECT_EQ(ClassNames::sorted({"walk", "run", "walk"}).all(), (Names{"run", "walk"}));
}

TEST(Labels, OtherClassesBecomeUnknownWhenEncodedByKnownOnes) {
  const Labels source = encode_labels({"a", "b"});
  const Labels target = encode_labels({"b", "z", "a"});
  EXPECT_EQ(encode_labels(target, source.classes), (std::vector<int>{1, kUnknownClass, 0}));
}

TEST(Labels, RenamingThatKeepsTheOrderKeepsTheIds) {
  EXPECT_EQ(encode_labels({"3", "1", "2"}).ids, encode_labels({"gamma", "alpha", "beta"}).ids);
}

}  // namespace
}  // namespace isthmus
