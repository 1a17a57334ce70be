#include "methods/source_copies.h"

#include <gtest/gtest.h>

#include "isthmus/adapt.h"
#include "toy_domains.h"

namespace isthmus {
namespace {

using testing::reordered;
using testing::toy_domains;
using testing::ToyDomains;

/// The same domains, each source sample followed by a copy.
ToyDomains beside_copies(const ToyDomains& toy) {
  std::vector<Index> twice;
  for (Index i = 0; i < toy.source.cols(); ++i) twice.insert(twice.end(), 2, i);
  ToyDomains result = toy;
  result.source = reordered(toy.source, twice);
  result.source_names = reordered(toy.source_names, twice);
  return result;
}

Model fit_copies(const ToyDomains& toy, OptionMap options = {}) {
  options["components"] = "2,4,6";
  return adapt(toy.pair(), {.method = "rsa-cdda", .options = std::move(options), .preprocessing = {}});
}

TEST(SourceCopies, TheFirstOfEqualSamplesStays) {
  ToyDomains toy;
  toy.source.resize(2, 6);
  toy.source << 1, 0, 1, -0.0, 1, 1,  //
      2, 3, 2, 3, 2, 2 + 1e-9;
  toy.target = toy.source;
  toy.source_names = {"a", "b", "a", "b", "b", "a"};
  toy.target_names = toy.source_names;
  const DomainPair pair = toy.pair();
  // The fifth is of another class, the last one differs.
  const std::vector<Index> distinct = distinct_source_samples(pair, 1);
  EXPECT_EQ(distinct, (std::vector<Index>{0, 1, 4, 5}));
  const DomainPair kept = with_source_samples(pair, distinct);
  EXPECT_EQ(kept.source_labels(), (std::vector<int>{0, 1, 1, 0}));
  EXPECT_TRUE(kept.source().view() == toy.source(Eigen::all, distinct));
  EXPECT_TRUE(kept.target().view() == toy.target);
}

TEST(SourceCopies, StayWhereTheyAreFew) {
  ToyDomains toy = toy_domains(4, 10, 2, 30);
  toy.source.col(2) = toy.source.col(0);  // of the same class
  EXPECT_EQ(distinct_source_samples(toy.pair(), 1).size(), 20U);
  toy.source.col(3) = toy.source.col(1);
  EXPECT_EQ(distinct_source_samples(toy.pair(), 1).size(), 18U);
}

TEST(SourceCopies, AreFoundWherePreparationRoundsThemOtherwise) {
  // An odd number of features and of samples: a copy and its original start at unlike addresses.
  const ToyDomains toy = beside_copies(toy_domains(31, 7, 3, 31));
  DomainPair pair = toy.pair();
  Preprocessing::parse("zscore,l2").fit_apply(pair);
  EXPECT_EQ(distinct_source_samples(pair, 1).size(), 21U);
}

TEST(SourceCopies, CountOnceInRsaCdda) {
  const ToyDomains once = toy_domains(12, 40, 3, 32);
  const Model before = fit_copies(once);
  const Model after = fit_copies(beside_copies(once));
  EXPECT_EQ(after.target().labels, before.target().labels);
  EXPECT_TRUE(after.target().probabilities == before.target().probabilities);
  EXPECT_EQ(after.report().notes.size(), before.report().notes.size() + 1);
}

TEST(SourceCopies, AreNotWhatExplainsASample) {
  const ToyDomains once = toy_domains(8, 15, 2, 33);
  const Eigen::MatrixXi before = fit_copies(once, {{"explain", "true"}}).target().explained_by;
  const Eigen::MatrixXi after = fit_copies(beside_copies(once), {{"explain", "true"}}).target().explained_by;
  // The original with number i has number 2·i beside its copies.
  EXPECT_TRUE(after == before.unaryExpr([](int i) { return i < 0 ? i : 2 * i; }));
  EXPECT_GE(after.maxCoeff(), 0);
}

}  // namespace
}  // namespace isthmus
