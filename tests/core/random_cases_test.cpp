#include "random_cases.h"

#include <gtest/gtest.h>

namespace isthmus::testing {
namespace {

TEST(RandomCases, AFailingCaseIsHalvedToTheSmallestThatStillFails) {
  const auto failing = find_failing_case(100, 1, [](RandomCase& c) -> std::string {
    const Index rows = c.size("rows", 1, 200);
    const Index columns = c.size("columns", 0, 200);
    return rows >= 20 ? "too many rows beside " + std::to_string(columns) : "";
  });
  ASSERT_TRUE(failing.has_value());
  const auto& sizes = failing->random_case.sizes();
  EXPECT_GE(sizes[0].value, 20);
  EXPECT_LE(sizes[0].value, 39);
  EXPECT_EQ(sizes[1].value, 0);
  EXPECT_EQ(failing->problem, "too many rows beside 0");
  EXPECT_NE(failing->random_case.describe().find("seed 1, rows "), std::string::npos)
      << failing->random_case.describe();
}

TEST(RandomCases, TheSizesToldGiveTheSameCaseAgain) {
  RandomCase first(7);
  const Index rows = first.size("rows", 1, 50);
  const Matrix values = first.matrix(rows, 3);
  RandomCase again(7, first.sizes());
  EXPECT_EQ(again.size("rows", 1, 50), rows);
  EXPECT_EQ(again.matrix(rows, 3), values);
}

TEST(RandomCases, AnExceptionIsAFailure) {
  const auto failing =
      find_failing_case(1, 1, [](RandomCase&) -> std::string { throw std::runtime_error("no such luck"); });
  ASSERT_TRUE(failing.has_value());
  EXPECT_EQ(failing->problem, "threw no such luck");
}

TEST(RandomCases, EveryCaseIsTriedWhileNoneFails) {
  int tries = 0;
  EXPECT_FALSE(find_failing_case(25, 1, [&](RandomCase&) { return ++tries, std::string(); }).has_value());
  EXPECT_EQ(tries, 25);
}

}  // namespace
}  // namespace isthmus::testing
