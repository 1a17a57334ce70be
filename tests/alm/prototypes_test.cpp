#include "alm/prototypes.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "isthmus/errors.h"
#include "random_data.h"

namespace isthmus {
namespace {

using testing::random_matrix;

std::map<int, int> counts(const std::vector<Index>& chosen, const std::vector<int>& labels) {
  std::map<int, int> count;
  for (const Index i : chosen) ++count[labels[static_cast<std::size_t>(i)]];
  return count;
}

TEST(Prototypes, EveryClassGivesTheSameNumberWhereItCan) {
  std::vector<int> labels(60, 0);
  std::fill(labels.begin() + 20, labels.begin() + 57, 1);
  std::fill(labels.begin() + 57, labels.end(), 2);  // three samples only
  const Matrix x = random_matrix(4, 60, 1);
  const std::vector<Index> chosen = class_balanced_prototypes(x, labels, 15, 7, 1);
  EXPECT_EQ(std::set<Index>(chosen.begin(), chosen.end()).size(), 15U);
  EXPECT_TRUE(std::is_sorted(chosen.begin(), chosen.end()));
  EXPECT_EQ(counts(chosen, labels), (std::map<int, int>{{0, 6}, {1, 6}, {2, 3}}));
}

TEST(Prototypes, SameSeedSameChoiceAndAllWhenEnough) {
  const std::vector<int> labels{0, 1, 0, 1, 1, 0};
  const Matrix x = random_matrix(2, 6, 2);
  EXPECT_EQ(class_balanced_prototypes(x, labels, 4, 5, 1), class_balanced_prototypes(x, labels, 4, 5, 1));
  EXPECT_EQ(class_balanced_prototypes(x, labels, 6, 5, 1), (std::vector<Index>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(class_balanced_prototypes(x, labels, 99, 5, 1).size(), 6U);
}

TEST(Prototypes, CoverEveryClusterBeforeRepeatingOne) {
  // Five tight clusters a class, far apart: five prototypes a class take one of each.
  Matrix x(1, 100);
  std::vector<int> labels(100);
  for (Index i = 0; i < 100; ++i) {
    labels[static_cast<std::size_t>(i)] = static_cast<int>(i % 2);
    x(0, i) = static_cast<double>((i / 2) % 5);
  }
  const std::vector<Index> chosen = class_balanced_prototypes(x, labels, 10, 3, 1);
  std::set<std::pair<int, double>> seen;
  for (const Index i : chosen) seen.emplace(labels[static_cast<std::size_t>(i)], x(0, i));
  EXPECT_EQ(seen.size(), 10U);
}

TEST(Prototypes, IdenticalSamplesAreDistinctIndices) {
  const std::vector<int> labels(8, 0);
  const std::vector<Index> chosen = class_balanced_prototypes(Matrix(Matrix::Ones(2, 8)), labels, 5, 1, 1);
  EXPECT_EQ(std::set<Index>(chosen.begin(), chosen.end()).size(), 5U);
}

TEST(Prototypes, NamesWhatIsWrong) {
  EXPECT_THROW(class_balanced_prototypes(Matrix(Matrix::Ones(2, 3)), {0, 1, 0}, 0, 1, 1), InvalidArgument);
  EXPECT_THROW(class_balanced_prototypes(Matrix(Matrix::Ones(2, 3)), {0, 1}, 2, 1, 1), InvalidArgument);
}

}  // namespace
}  // namespace isthmus
