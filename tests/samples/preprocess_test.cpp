#include "isthmus/preprocessing.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "isthmus/errors.h"
#include "random_data.h"
#include "same_bits.h"

namespace isthmus {
namespace {

using testing::random_matrix;
using testing::same_bits;

Labels two_classes(Index count) {
  std::vector<std::string> names;
  for (Index i = 0; i < count; ++i) names.push_back(i % 2 == 0 ? "a" : "b");
  return encode_labels(std::move(names));
}

DomainPair make_pair(const Matrix& source, const Matrix& target) {
  return {{source, two_classes(source.cols())}, {target, {}}};
}

/// Positive entries of different scale per feature, several blocks of samples, one dead feature.
Matrix histograms(Index dimension, Index count, std::uint64_t seed) {
  Matrix values = random_matrix(dimension, count, seed).array().square();
  for (Index feature = 0; feature < dimension; ++feature)
    values.row(feature) *= std::pow(10.0, static_cast<double>(feature % 5) - 2);
  values.row(dimension - 1).setZero();
  return values;
}

std::string message_of(std::string_view list) {
  try {
    Preprocessing::parse(list);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "parsed";
}

TEST(Preprocessing, WritesTheListInItsPlainForm) {
  EXPECT_EQ(Preprocessing::parse("none").to_string(), "none");
  EXPECT_TRUE(Preprocessing::parse("none").empty());
  EXPECT_EQ(Preprocessing().to_string(), "none");
  EXPECT_EQ(Preprocessing::parse("sum,zscore").to_string(), "sum,zscore:domain");
  EXPECT_EQ(Preprocessing::parse(" l2 , minmax,center ").to_string(), "l2,minmax:joint,center:joint");
  EXPECT_EQ(Preprocessing::parse("zscore:joint,minmax:domain,center:domain,l2").to_string(),
            "zscore:joint,minmax:domain,center:domain,l2");
}

TEST(Preprocessing, RefusesWhatIsNoListAndSaysWhatWasMeant) {
  EXPECT_NE(message_of("zscoer").find("did you mean 'zscore'?"), std::string::npos) << message_of("zscoer");
  EXPECT_NE(message_of("zscoer").find("l2, sum, zscore, minmax, center"), std::string::npos);
  EXPECT_NE(message_of("zscore:domian").find("did you mean 'domain'?"), std::string::npos);
  EXPECT_NE(message_of("zscore:").find("zscore:domain or zscore:joint"), std::string::npos);
  EXPECT_NE(message_of("l2:joint").find("one sample at a time"), std::string::npos);
  EXPECT_NE(message_of("sum,,zscore").find("empty step"), std::string::npos);
  EXPECT_NE(message_of("sum,").find("empty step"), std::string::npos);
  EXPECT_NE(message_of("").find("empty step"), std::string::npos);
  EXPECT_NE(message_of("none,l2").find("none stands alone"), std::string::npos);
  EXPECT_NE(message_of("L2").find("did you mean 'l2'?"), std::string::npos);
}

TEST(Preprocessing, L2GivesSamplesOfUnitLengthAndKeepsTheirDirection) {
  Matrix source = random_matrix(7, 1200, 1);
  source.col(3).setZero();
  source.col(4) *= 1e200;   // squares overflow
  source.col(5) *= 1e-200;  // squares underflow
  DomainPair pair = make_pair(source, random_matrix(7, 5, 2));
  Preprocessing::parse("l2").fit_apply(pair);
  EXPECT_TRUE(pair.source().view().col(3).isZero(0));
  for (Index i = 0; i < source.cols(); ++i) {
    if (i == 3) continue;
    EXPECT_NEAR(pair.source().view().col(i).norm(), 1, 1e-14);
    EXPECT_NEAR((pair.source().view().col(i) * source.col(i).stableNorm() - source.col(i)).stableNorm(), 0,
                1e-14 * source.col(i).stableNorm());
  }
}

TEST(Preprocessing, SumGivesHistogramsThatSumToOne) {
  Matrix source = histograms(6, 700, 3);
  source.col(2).setZero();
  DomainPair pair = make_pair(source, histograms(6, 9, 4));
  Preprocessing::parse("sum").fit_apply(pair);
  EXPECT_TRUE(pair.source().view().col(2).isZero(0));
  for (Index i = 0; i < source.cols(); ++i) {
    if (i == 2) continue;
    EXPECT_NEAR(pair.source().view().col(i).sum(), 1, 1e-14);
    EXPECT_TRUE((pair.source().view().col(i) * source.col(i).sum()).isApprox(source.col(i), 1e-14));
  }
}

TEST(Preprocessing, SumRefusesASignedSampleThatSumsToZero) {
  Matrix target = Matrix::Ones(2, 3);
  target.col(1) << 1, -1;
  DomainPair pair = make_pair(Matrix::Ones(2, 4), target);
  try {
    Preprocessing::parse("sum").fit_apply(pair);
    FAIL() << "divided by zero";
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("target sample 2 (from 1)"), std::string::npos) << error.what();
  }
}

/// Mean and population standard deviation of every feature, in extended precision.
std::pair<Vector, Vector> naive_moments(const Matrix& samples) {
  Vector mean(samples.rows());
  Vector deviation(samples.rows());
  for (Index feature = 0; feature < samples.rows(); ++feature) {
    long double sum = 0;
    for (const double x : samples.row(feature)) sum += x;
    const long double m = sum / static_cast<long double>(samples.cols());
    long double squares = 0;
    for (const double x : samples.row(feature)) squares += (x - m) * (x - m);
    mean[feature] = static_cast<double>(m);
    deviation[feature] = static_cast<double>(std::sqrt(squares / static_cast<long double>(samples.cols())));
  }
  return {mean, deviation};
}

TEST(Preprocessing, SumThenZscoreIsThePublishedPreparationOfHistograms) {
  const std::array raw{histograms(9, 1300, 5), histograms(9, 600, 6)};
  DomainPair pair = make_pair(raw[0], raw[1]);
  Preprocessing::parse("sum,zscore").fit_apply(pair);
  for (const std::size_t side : {0U, 1U}) {
    Matrix expected = raw[side];
    for (Index i = 0; i < expected.cols(); ++i) expected.col(i) /= expected.col(i).sum();
    const auto [mean, deviation] = naive_moments(expected);
    for (Index feature = 0; feature < 8; ++feature) {
      expected.row(feature).array() = (expected.row(feature).array() - mean[feature]) / deviation[feature];
    }
    EXPECT_LT(
        (Matrix(side == 0 ? pair.source().view() : pair.target().view()) - expected).cwiseAbs().maxCoeff(),
        1e-12);
    EXPECT_TRUE((side == 0 ? pair.source().view() : pair.target().view()).row(8).isZero(0))
        << "the dead feature gives 0";
  }
}

TEST(Preprocessing, JointStatisticsComeFromBothDomainsAndDomainStatisticsFromOne) {
  const Matrix source = histograms(5, 40, 7);
  const Matrix target = histograms(5, 30, 8).array() + 2.0;
  Matrix both(5, 70);
  both << source, target;

  DomainPair pair = make_pair(source, target);
  Preprocessing::parse("zscore:joint").fit_apply(pair);
  Matrix prepared(5, 70);
  prepared << pair.source().view(), pair.target().view();
  const auto [mean, deviation] = naive_moments(prepared);
  EXPECT_LT(mean.cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_LT((deviation.array() - 1).abs().maxCoeff(), 1e-14);
  EXPECT_GT((pair.source().view().rowwise().mean() - pair.target().view().rowwise().mean()).norm(), 0.5)
      << "the shift is kept";

  pair = make_pair(source, target);
  Preprocessing::parse("zscore:domain").fit_apply(pair);
  EXPECT_LT(pair.source().view().rowwise().mean().norm(), 1e-13);
  EXPECT_LT(pair.target().view().rowwise().mean().norm(), 1e-13);

  pair = make_pair(source, target);
  Preprocessing::parse("center").fit_apply(pair);
  prepared << pair.source().view(), pair.target().view();
  EXPECT_LT((prepared - (both.colwise() - naive_moments(both).first)).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(Preprocessing, MinmaxReachesZeroAndOneExactlyAndAConstantFeatureGivesZero) {
  Matrix source = histograms(5, 600, 9);
  Matrix target = histograms(5, 30, 10);
  source.row(2).setConstant(0.1);
  target.row(2).setConstant(0.1);
  DomainPair pair = make_pair(source, target);
  Preprocessing::parse("minmax").fit_apply(pair);
  for (const Index feature : {0, 1, 3}) {
    EXPECT_EQ(
        std::min(pair.source().view().row(feature).minCoeff(), pair.target().view().row(feature).minCoeff()),
        0);
    EXPECT_EQ(
        std::max(pair.source().view().row(feature).maxCoeff(), pair.target().view().row(feature).maxCoeff()),
        1);
  }
  EXPECT_TRUE(pair.source().view().row(2).isZero(0));
  EXPECT_TRUE(pair.target().view().row(2).isZero(0));
}

TEST(Preprocessing, ANumericallyConstantFeatureGivesZeroAndASmallOneIsScaled) {
  Matrix source = random_matrix(4, 1500, 11);
  source.row(0).setConstant(0.1);  // its rounded mean is not 0.1
  source.row(1).setConstant(0.1);
  for (Index i = 0; i < 1500; i += 3) source(1, i) = std::nextafter(0.1, 1);  // rounding of an earlier step
  source.row(2) = source.row(3) * 1e-30;                                      // small but not constant
  DomainPair pair = make_pair(source, source);
  Preprocessing::parse("zscore").fit_apply(pair);
  EXPECT_TRUE(pair.source().view().row(0).isZero(0));
  EXPECT_TRUE(pair.source().view().row(1).isZero(0));
  EXPECT_LT((pair.source().view().row(2) - pair.source().view().row(3)).cwiseAbs().maxCoeff(), 1e-12);

  pair = make_pair(source, source);
  Preprocessing::parse("center:domain").fit_apply(pair);
  EXPECT_TRUE(pair.source().view().row(0).isZero(0)) << "the mean of equal values is that value";
}

TEST(Preprocessing, SaysWhichFeatureIsTooLargeToScale) {
  Matrix source = random_matrix(3, 6, 12);
  source(1, 0) = -1.7e308;
  source(1, 1) = 1.7e308;
  DomainPair pair = make_pair(source, source);
  try {
    Preprocessing::parse("zscore").fit_apply(pair);
    FAIL() << "overflowed in silence";
  } catch (const NumericalError& error) {
    EXPECT_NE(std::string(error.what()).find("feature 2 (from 1)"), std::string::npos) << error.what();
  }
}

TEST(Preprocessing, UnitBringsTheLargestValueToOneByAPowerOfTwo) {
  for (const double scale : {0x1p-1010, 1e-200, 1.0, 1e300}) {
    Matrix source = random_matrix(3, 8, 5);
    source(1, 2) = -6.5;
    const Matrix target = random_matrix(3, 5, 6);
    DomainPair pair = make_pair(scale * source, scale * target);
    Preprocessing unit = Preprocessing::parse("unit");
    unit.fit_apply(pair);
    EXPECT_EQ(unit.to_string(), "unit:joint");
    const double largest = pair.source().view().cwiseAbs().maxCoeff();
    EXPECT_GE(largest, 1.0);
    EXPECT_LT(largest, 2.0);
    const double factor = largest / (scale * 6.5);
    EXPECT_EQ(std::exp2(std::ilogb(factor)), factor);
    EXPECT_EQ(pair.target().view(), Matrix(scale * target) * factor);
  }
  DomainPair zeros = make_pair(Matrix::Zero(2, 4), Matrix::Zero(2, 3));
  Preprocessing unit = Preprocessing::parse("unit");
  unit.fit_apply(zeros);
  EXPECT_EQ(zeros.source().view(), Matrix::Zero(2, 4));
}

TEST(Preprocessing, AppendedStepsAreReplayedAfterTheOthers) {
  DomainPair pair = make_pair(random_matrix(3, 8, 5), random_matrix(3, 5, 6));
  const Matrix given = pair.target().view();
  Preprocessing steps = Preprocessing::parse("center");
  steps.fit_apply(pair);
  Preprocessing later = Preprocessing::parse("unit");
  later.fit_apply(pair);
  steps.append(std::move(later));
  EXPECT_EQ(steps.to_string(), "center:joint,unit:joint");
  Matrix again = given;
  steps.apply(again, Side::Target);
  EXPECT_TRUE(same_bits(again, pair.target().view()));
}

TEST(Preprocessing, TheOrderOfTheStepsMatters) {
  const Matrix source = histograms(6, 50, 13);
  DomainPair first = make_pair(source, source);
  DomainPair second = make_pair(source, source);
  Preprocessing::parse("zscore,l2").fit_apply(first);
  Preprocessing::parse("l2,zscore").fit_apply(second);
  EXPECT_LT((first.source().view().colwise().norm().array() - 1).abs().maxCoeff(), 1e-14);
  EXPECT_GT((second.source().view().colwise().norm().array() - 1).abs().maxCoeff(), 0.1);
}

constexpr std::string_view kLongList = "sum,zscore,minmax,center:domain,l2,zscore:joint";

TEST(Preprocessing, ReplayOnTheFittedSamplesGivesTheSameBytesForEachSide) {
  Matrix source = histograms(6, 1100, 14);
  Matrix target = histograms(6, 700, 15).array() * 3.0;
  DomainPair pair = make_pair(source, target);
  Preprocessing steps = Preprocessing::parse(kLongList);
  steps.fit_apply(pair);
  Matrix crossed = target;
  steps.apply(source, Side::Source);
  steps.apply(target, Side::Target);
  steps.apply(crossed, Side::Source);
  EXPECT_TRUE(same_bits(source, pair.source().view()));
  EXPECT_TRUE(same_bits(target, pair.target().view()));
  EXPECT_FALSE(same_bits(crossed, pair.target().view())) << "each side has statistics of its own";
}

TEST(Preprocessing, ThreadsDoNotChangeTheBytes) {
  const Matrix source = histograms(6, 2100, 16);
  const Matrix target = histograms(6, 1700, 17);
  DomainPair one = make_pair(source, target);
  DomainPair four = make_pair(source, target);
  Preprocessing::parse(kLongList).fit_apply(one, 1);
  Preprocessing::parse(kLongList).fit_apply(four, 4);
  EXPECT_TRUE(same_bits(one.source().view(), four.source().view()));
  EXPECT_TRUE(same_bits(one.target().view(), four.target().view()));
}

TEST(Preprocessing, RestoreGivesTheSameBytesAsTheFittedList) {
  DomainPair pair = make_pair(histograms(6, 80, 18), histograms(6, 70, 19));
  Preprocessing fitted = Preprocessing::parse(kLongList);
  fitted.fit_apply(pair);
  const Preprocessing restored = Preprocessing::restore(fitted.to_string(), fitted.statistics());
  EXPECT_EQ(restored.to_string(), fitted.to_string());
  const auto before = fitted.statistics();
  const auto after = restored.statistics();
  ASSERT_EQ(before.size(), 6U);
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_TRUE(same_bits(before[i], after[i]));
  EXPECT_EQ(before[0].size(), 0) << "sum has no statistics";
  Matrix by_fitted = histograms(6, 25, 20);
  Matrix by_restored = by_fitted;
  fitted.apply(by_fitted, Side::Target);
  restored.apply(by_restored, Side::Target);
  EXPECT_TRUE(same_bits(by_fitted, by_restored));
}

TEST(Preprocessing, RestoreRefusesStatisticsThatDoNotFitTheList) {
  const Matrix good = Matrix::Ones(3, 4);
  EXPECT_NO_THROW(Preprocessing::restore("l2,zscore", {Matrix(), good}));
  EXPECT_THROW(Preprocessing::restore("l2,zscore", {good}), InvalidArgument);
  EXPECT_THROW(Preprocessing::restore("l2,zscore", {good, good}), InvalidArgument);
  EXPECT_THROW(Preprocessing::restore("zscore", {Matrix()}), InvalidArgument);
  EXPECT_THROW(Preprocessing::restore("zscore", {Matrix::Ones(3, 2)}), InvalidArgument);
  EXPECT_THROW(Preprocessing::restore("zscore,center", {good, Matrix::Ones(2, 4)}), InvalidArgument);
  EXPECT_THROW(Preprocessing::restore("zscore", {Matrix::Constant(3, 4, NAN)}), InvalidArgument);
}

TEST(Preprocessing, RefusesSamplesOfAnotherDimensionAndAnUnfittedList) {
  Matrix samples = Matrix::Ones(4, 2);
  EXPECT_THROW(Preprocessing::parse("zscore").apply(samples, Side::Target), InvalidArgument);
  EXPECT_NO_THROW(Preprocessing::parse("sum,l2").apply(samples, Side::Target)) << "nothing to fit";

  DomainPair pair = make_pair(random_matrix(3, 8, 21), random_matrix(3, 8, 22));
  Preprocessing steps = Preprocessing::parse("l2,zscore");
  steps.fit_apply(pair);
  const Matrix untouched = samples;
  try {
    steps.apply(samples, Side::Target);
    FAIL() << "took 4 features for 3";
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("4 features"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("fitted on 3"), std::string::npos) << error.what();
  }
  EXPECT_TRUE(same_bits(samples, untouched)) << "checked before the first step runs";
}

TEST(Preprocessing, PreparesInPlaceWhereNobodySharesTheFeatures) {
  Matrix source = random_matrix(5, 900, 23);
  const double* memory = source.data();
  DomainPair pair({std::move(source), two_classes(900)}, {random_matrix(5, 4, 24), {}});
  Preprocessing::parse("zscore,l2").fit_apply(pair);
  EXPECT_EQ(pair.source().view().data(), memory);
}

TEST(Preprocessing, LeavesSharedFeaturesOfTheCallerAlone) {
  const Matrix values = random_matrix(5, 20, 25);
  const FeatureMatrix shared(values);
  DomainPair pair({shared, two_classes(20)}, {shared, {}});
  Preprocessing::parse("center").fit_apply(pair);
  EXPECT_TRUE(same_bits(shared.view(), values));
  EXPECT_LT(pair.source().view().rowwise().mean().norm(), 1e-13);
}

TEST(Preprocessing, PreparesSinglePrecisionAsItIsReadWithTheSameBytesAsDoubles) {
  const Eigen::MatrixXf source = random_matrix(5, 1200, 27).cwiseAbs().cast<float>();
  const Eigen::MatrixXf target = random_matrix(5, 700, 28).cwiseAbs().cast<float>();
  const Labels labels = two_classes(1200);
  for (const char* list : {"sum,zscore", "l2", "minmax,center:domain"}) {
    DomainPair streamed({FeatureMatrix(source.data(), 5, 1200, nullptr), labels},
                        {FeatureMatrix(target.data(), 5, 700, nullptr), {}});
    DomainPair plain({Matrix(source.cast<double>()), labels}, {Matrix(target.cast<double>()), {}});
    Preprocessing::parse(list).fit_apply(streamed, 2);
    Preprocessing::parse(list).fit_apply(plain);
    EXPECT_TRUE(streamed.source().streams());
    EXPECT_TRUE(same_bits(streamed.source().view(), plain.source().view())) << list;
    EXPECT_TRUE(same_bits(streamed.target().view(), plain.target().view())) << list;
    EXPECT_TRUE(same_bits(streamed.target().columns(600, 100), plain.target().columns(600, 100))) << list;
  }
}

TEST(Preprocessing, NamesTheSampleThatCannotBePreparedAsItIsRead) {
  Eigen::MatrixXf target = Eigen::MatrixXf::Ones(2, 5000);
  target.col(4500) << 1, -1;
  DomainPair pair({Matrix(random_matrix(2, 4, 29).cwiseAbs()), two_classes(4)},
                  {FeatureMatrix(target.data(), 2, 5000, nullptr), {}});
  Preprocessing sums = Preprocessing::parse("sum");
  try {
    sums.fit_apply(pair);
    FAIL() << "a sum of 0";
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("target sample 4501"), std::string::npos) << error.what();
  }
}

TEST(Preprocessing, NoneChangesNothing) {
  const Matrix values = random_matrix(5, 20, 26);
  DomainPair pair = make_pair(values, values);
  Preprocessing().fit_apply(pair);
  EXPECT_TRUE(same_bits(pair.source().view(), values));
}

}  // namespace
}  // namespace isthmus
