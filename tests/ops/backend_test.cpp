// Every operation on every backend against a naive twin, and what a fit on a backend of one's own gives.
#include "ops/backend.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <random>

#include "alm/reconstructor.h"
#include "isthmus/adapt.h"
#include "isthmus/errors.h"
#include "ops/cpu/cpu.h"
#include "ops/neighbours.h"
#include "ops/operations.h"
#include "random_data.h"
#include "same_bits.h"
#include "scratch_folder.h"
#include "textbook.h"
#include "toy_domains.h"

namespace isthmus::ops {
namespace {

using testing::random_matrix;
using testing::same_bits;

/// Proposes all references, blocks of queries last first, and declines the rest.
class Toy : public Backend {
 public:
  std::string_view name() const override { return "toy"; }
  bool propose_neighbours(const NeighbourSearch& search, const Execution& /*run*/,
                          const TakeCandidates& take) override {
    const Index count = search.references.cols();
    for (Index query = search.queries.cols() - 1; query >= 0; --query) {
      Candidates all{query, {0, count}, std::vector<Index>(static_cast<std::size_t>(count))};
      std::iota(all.index.begin(), all.index.end(), Index{0});
      take(all);
    }
    return true;
  }
};
const bool kToyAdded = (add_backend(std::make_shared<Toy>()), true);

/// Proposes any references, with a bound on those left out: some queries stay open. Loops for what it sums;
/// lets the CPU's sweeps pass for its own, and declines embeddings of one dimension.
class Sloppy : public Backend {
 public:
  std::string_view name() const override { return "sloppy"; }
  bool propose_neighbours(const NeighbourSearch& search, const Execution& run,
                          const TakeCandidates& take) override {
    Candidates block{0, {0}, {}};
    std::mt19937_64 engine(7);
    for (Index query = 0; query < search.queries.cols(); ++query) {
      run.look();
      double nearest_left_out = std::numeric_limits<double>::infinity();
      for (Index r = 0; r < search.references.cols(); ++r) {
        const double distance = squared_distance(search.references.col(r).data(),
                                                 search.queries.col(query).data(), search.references.rows());
        if (engine() % 8 != 0) {
          block.index.push_back(r);
        } else {
          nearest_left_out = std::min(nearest_left_out, distance);
        }
      }
      block.start.push_back(static_cast<Index>(block.index.size()));
      block.left_out_beyond.push_back(std::nextafter(nearest_left_out, -1.0));
    }
    take(block);
    return true;
  }
  std::optional<linalg::Moments> fold_moments(const std::vector<SampleView>& parts,
                                              const Execution& /*run*/) override {
    linalg::Moments found(parts.front().rows());
    for (const SampleView& part : parts) {
      found.count += part.cols();
      found.mean += part.all().rowwise().sum();
    }
    found.mean /= static_cast<double>(found.count);
    for (const SampleView& part : parts) {
      const Matrix centred = part.all().colwise() - found.mean;
      found.lower += (centred * centred.transpose()).triangularView<Eigen::Lower>();
    }
    return found;
  }
  bool embed(const AffineMap& map, const SampleView& samples, const Execution& /*run*/,
             Eigen::Ref<Matrix> embedded) override {
    if (embedded.rows() == 1) return false;
    embedded = map.projection.size() > 0 ? Matrix(map.projection.transpose() * samples.all())
                                         : Matrix(samples.all());
    if (map.offset.size() > 0) embedded.colwise() += map.offset;
    if (map.unit_columns) embedded.colwise().normalize();
    return true;
  }
  std::unique_ptr<ReconstructionState> reconstruction(const ReconstructionShape& shape,
                                                      const ReconstructionProblem& problem,
                                                      const Execution& run) override {
    return CpuBackend().reconstruction(shape, problem, run);
  }
};
const bool kSloppyAdded = (add_backend(std::make_shared<Sloppy>()), true);

Execution on(std::string_view backend, int threads) {
  Execution run(threads);
  run.backend = find_backend(backend);
  return run;
}

class EachBackend : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Backends, EachBackend, ::testing::Values("cpu", "toy", "sloppy"));

/// ‖a − b‖² in the order that squared_distance() promises.
double written_out(const Vector& a, const Vector& b) {
  const auto square = [&](Index i) { return (a[i] - b[i]) * (a[i] - b[i]); };
  double sums[4] = {0, 0, 0, 0};
  Index i = 0;
  for (; i + 4 <= a.size(); i += 4) {
    for (Index s = 0; s < 4; ++s) sums[s] += square(i + s);
  }
  double even = sums[0] + sums[2];
  double odd = sums[1] + sums[3];
  if (i + 2 <= a.size()) {
    even += square(i);
    odd += square(i + 1);
    i += 2;
  }
  const double sum = even + odd;
  return i < a.size() ? sum + square(i) : sum;
}

TEST(SquaredDistance, IsSummedInTheOrderThatIsWrittenDown) {
  for (Index d = 0; d < 70; ++d) {
    const Matrix samples = random_matrix(d, 2, static_cast<std::uint64_t>(d) + 1);
    const double found = squared_distance(samples.col(0).data(), samples.col(1).data(), d);
    EXPECT_EQ(found, written_out(samples.col(0), samples.col(1))) << d << " features";
  }
}

TEST_P(EachBackend, FindsTheNeighboursOfTheNaiveLoopToTheByte) {
  std::mt19937_64 engine(3);
  for (int trial = 0; trial < 60; ++trial) {
    const Index d = 1 + static_cast<Index>(engine() % 9);
    const bool self = trial % 2 == 0;
    Matrix references = random_matrix(d, 20 + static_cast<Index>(engine() % 60), engine());
    references.col(3) = references.col(11);  // a tie
    if (trial % 3 == 0) references = references.array().round();
    const Matrix queries = self ? references : random_matrix(d, 15, engine());
    const Index k = 1 + static_cast<Index>(engine() % 6);
    const Neighbours found = nearest_k(references, queries, k, self, on(GetParam(), 1 + trial % 3));
    for (Index q = 0; q < queries.cols(); ++q) {
      std::vector<std::pair<double, Index>> all;
      for (Index r = 0; r < references.cols(); ++r) {
        if (!(self && r == q)) all.emplace_back(written_out(references.col(r), queries.col(q)), r);
      }
      std::sort(all.begin(), all.end());
      for (Index i = 0; i < k; ++i) {
        ASSERT_EQ(found.squared_distance(i, q), all[static_cast<std::size_t>(i)].first) << "trial " << trial;
        ASSERT_EQ(found.index(i, q), all[static_cast<std::size_t>(i)].second) << "trial " << trial;
      }
    }
  }
}

TEST_P(EachBackend, FoldsTheMomentsOfTheDefinition) {
  const Matrix a = random_matrix(5, 700, 1).array() + 100.0;
  const Matrix b = random_matrix(5, 1, 2);
  const linalg::Moments found = moments({a, b}, on(GetParam(), 2));
  Matrix all(5, 701);
  all << a, b;
  const Vector mean = all.rowwise().mean();
  const Matrix centred = all.colwise() - mean;
  EXPECT_EQ(found.count, 701);
  EXPECT_LE((found.mean - mean).norm(), 1e-12 * mean.norm());
  const Matrix scatter = centred * centred.transpose();
  EXPECT_LE((found.scatter() - scatter).norm(), 1e-12 * scatter.norm());
}

TEST_P(EachBackend, EmbedsAsWritten) {
  const Matrix samples = random_matrix(7, 1300, 3);
  const Vector none;
  for (const Index k : {1, 4}) {
    const Matrix projection = random_matrix(7, k, 4);
    const Vector offset = random_matrix(k, 1, 5);
    for (const bool unit : {false, true}) {
      Matrix found(k, samples.cols());
      embed({projection, offset, unit}, samples, on(GetParam(), 2), found);
      for (Index j = 0; j < samples.cols(); ++j) {
        Vector expected = projection.transpose() * samples.col(j) + offset;
        if (unit) expected /= expected.norm();
        ASSERT_LE((found.col(j) - expected).norm(), 1e-12) << "sample " << j;
      }
    }
  }
  Matrix same(7, samples.cols());
  embed({Matrix(), none}, samples, on(GetParam(), 1), same);
  EXPECT_EQ(same, samples);
}

TEST_P(EachBackend, ReconstructsAsTheTextbook) {
  const Matrix ds = random_matrix(4, 20, 6);
  const Matrix dt = random_matrix(4, 35, 7);
  testing::TextbookAlm textbook(ds, dt, ErrorNorm::L21, 1.0, 0.1);
  const Execution run = on(GetParam(), 2);
  Reconstructor solver(4, 20, 35, {ErrorNorm::L21, {1.0, 0.1}, 0}, 0.3, run);
  Matrix z;
  for (int t = 0; t < 40; ++t) {
    textbook.step(solver.penalty());
    solver.step(ds, dt, run, &z);
    solver.set_penalty(1.02 * solver.penalty());
  }
  EXPECT_LE((z - textbook.z).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LE((solver.low_rank().matrix(1) - textbook.zl).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LE((solver.error() - textbook.e).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_NEAR(solver.measure(ds, dt, run).objective, textbook.objective(), 1e-8 * textbook.objective());
}

/// A fit's labels and the bytes of its file.
struct Fitted {
  Fitted(const AdaptRequest& request, std::shared_ptr<Backend> backend) {
    Context context;
    context.threads = 2;
    context.backend = std::move(backend);
    const Model model = adapt(testing::toy_domains(6, 12, 3, 5).pair(), request, context);
    const testing::ScratchFolder folder;
    model.save(folder / "model.safetensors");
    bytes = testing::file_bytes(folder / "model.safetensors");
    labels = model.target().labels;
    execution = model.report().execution;
  }

  std::vector<int> labels;
  std::string bytes;
  std::vector<std::string> execution;
};

TEST(Toys, AdaptToTheSameBytesAsTheCpuAndTheReportSaysWhatFellToIt) {
  for (const char* method : {"nn", "pca", "jda", "coral", "lrsr", "rsa-cdda"}) {
    const Fitted plain({.method = method}, nullptr);
    const Fitted toy({.method = method}, find_backend("toy"));
    EXPECT_EQ(toy.labels, plain.labels) << method;
    EXPECT_EQ(toy.bytes, plain.bytes) << method;
    EXPECT_TRUE(plain.execution.empty()) << method;
    ASSERT_FALSE(toy.execution.empty()) << method;
    EXPECT_EQ(toy.execution.front(), "neighbours by toy") << method;
  }
  const Fitted jda({.method = "jda"}, find_backend("toy"));
  EXPECT_EQ(jda.execution, (std::vector<std::string>{"neighbours by toy", "moments by the CPU: toy declined",
                                                     "embedding by the CPU: toy declined"}));
  const Fitted lrsr({.method = "lrsr"}, find_backend("toy"));
  EXPECT_EQ(lrsr.execution.back(), "reconstruction by the CPU: toy declined");
  EXPECT_TRUE(Fitted({.method = "nn"}, find_backend("cpu")).execution.empty());
}

/// Changes what the toy proposes, as a faulty one would.
class Faulty : public Toy {
 public:
  explicit Faulty(std::function<void(Candidates&)> fault) : fault_(std::move(fault)) {}
  bool propose_neighbours(const NeighbourSearch& search, const Execution& run,
                          const TakeCandidates& take) override {
    return Toy::propose_neighbours(search, run, [&](const Candidates& sound) {
      Candidates changed = sound;
      fault_(changed);
      if (changed.first >= 0) take(changed);
    });
  }

 private:
  std::function<void(Candidates&)> fault_;
};

std::string complaint(std::function<void(Candidates&)> fault) {
  const Matrix samples = random_matrix(3, 10, 8);
  Execution run(1);
  run.backend = std::make_shared<Faulty>(std::move(fault));
  try {
    nearest_k(samples, samples, 4, true, run);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(BrokenPromises, AreToldWhereTheyShow) {
  const auto expect = [](const std::string& said, const std::string& part) {
    EXPECT_NE(said.find(part), std::string::npos) << said;
    EXPECT_NE(said.find("backend 'toy'"), std::string::npos) << said;
  };
  EXPECT_EQ(complaint([](Candidates&) {}), "");
  expect(complaint([](Candidates& c) { c.start[1] = 4; }), "candidates of query");
  expect(complaint([](Candidates& c) { c.start[1] = 99; }), "a list of candidates of query 9");
  expect(complaint([](Candidates& c) { c.index[2] = 10; }), "reference 10 where there are 10");
  expect(complaint([](Candidates& c) { c.first += 5; }), "candidates of queries 14");
  expect(complaint([](Candidates& c) { c.first = c.first == 6 ? -1 : c.first; }), "no candidates of query 6");
  expect(complaint([](Candidates& c) { c.left_out_beyond = {1.0, 1.0}; }), "2 bounds for 1 queries");
  expect(complaint([](Candidates& c) {
           c.index.insert(c.index.end(), c.index.begin(), c.index.end());
           c.start[1] *= 2;
         }),
         "twice");
}

TEST(BrokenPromises, AQueryThatABoundLeavesOpenIsComparedWithAll) {
  const Matrix samples = random_matrix(3, 40, 9);
  const Neighbours expected = nearest_k(samples, samples, 4, true, 1);
  for (const Index kept : {0, 1, 20}) {
    Execution run(1);
    run.backend = std::make_shared<Faulty>([&](Candidates& c) {
      c.start[1] = kept;
      c.left_out_beyond = {0.0};
    });
    const Neighbours found = nearest_k(samples, samples, 4, true, run);
    EXPECT_EQ(found.index, expected.index);
    EXPECT_TRUE(same_bits(found.squared_distance, expected.squared_distance));
  }
}

TEST(Registry, KnowsBackendsByName) {
  EXPECT_EQ(backends(), (std::vector<std::string>{"cpu", "toy", "sloppy"}));
  EXPECT_THROW(add_backend(std::make_shared<Toy>()), InvalidArgument);
  try {
    find_backend("tou");
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("'toy'"), std::string::npos) << error.what();
  }
}

TEST(Recorded, ToldCallByCall) {
  Context context;
  context.backend = find_backend("sloppy");
  const Model model = adapt(testing::toy_domains(6, 12, 3, 5).pair(),
                            {.method = "pca", .options = {{"components", "1"}}}, context);
  EXPECT_EQ(model.report().execution,
            (std::vector<std::string>{"neighbours by sloppy", "embedding by the CPU: sloppy declined"}));
}

}  // namespace
}  // namespace isthmus::ops
