#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "random_data.h"

namespace isthmus::testing {

/// One random case: sizes, which shrink when the case fails, and values of those sizes. The same seed and
/// sizes give the same case.
class RandomCase {
 public:
  struct Size {
    std::string name;
    Index low;
    Index value;
  };

  /// With `fixed`, the sizes asked for are these, in order.
  explicit RandomCase(std::uint64_t seed, std::vector<Size> fixed = {})
      : seed_(seed), sizes_engine_(seed), values_engine_(~seed), fixed_(std::move(fixed)) {}

  /// A size in low … high.
  Index size(const std::string& name, Index low, Index high) {
    const auto span = static_cast<std::uint64_t>(high - low + 1);
    Index value = low + static_cast<Index>(sizes_engine_() % span);
    if (sizes_.size() < fixed_.size()) value = std::clamp(fixed_[sizes_.size()].value, low, high);
    sizes_.push_back({name, low, value});
    return value;
  }
  /// One of so many ways.
  int choice(int ways) { return static_cast<int>(values_engine_() % static_cast<std::uint64_t>(ways)); }
  /// Standard normal entries.
  Matrix matrix(Index rows, Index columns) { return random_matrix(rows, columns, values_engine_()); }
  /// Whole numbers from −2 to 2: full of ties.
  Matrix grid(Index rows, Index columns) {
    return Matrix::NullaryExpr(rows, columns, [&] { return static_cast<double>(choice(5) - 2); });
  }
  /// Any class may be empty.
  std::vector<int> labels(Index count, Index classes) {
    std::vector<int> ids(static_cast<std::size_t>(count));
    for (int& id : ids) id = choice(static_cast<int>(classes));
    return ids;
  }

  const std::vector<Size>& sizes() const { return sizes_; }
  std::string describe() const {
    std::string text = "seed " + std::to_string(seed_);
    for (const Size& size : sizes_) text += ", " + size.name + " " + std::to_string(size.value);
    return text;
  }

 private:
  std::uint64_t seed_;
  std::mt19937_64 sizes_engine_;
  std::mt19937_64 values_engine_;
  std::vector<Size> fixed_;
  std::vector<Size> sizes_;
};

/// Says what is wrong with a case; empty when nothing is.
using CaseCheck = std::function<std::string(RandomCase&)>;

struct FailingCase {
  RandomCase random_case;
  std::string problem;
};

inline FailingCase tried(const CaseCheck& check, std::uint64_t seed, std::vector<RandomCase::Size> sizes) {
  FailingCase result{RandomCase(seed, std::move(sizes)), {}};
  try {
    result.problem = check(result.random_case);
  } catch (const std::exception& error) {
    result.problem = std::string("threw ") + error.what();
  }
  return result;
}

/// Halves one size after the other as long as the case still fails.
inline FailingCase shrunk(const CaseCheck& check, std::uint64_t seed, FailingCase failing) {
  for (std::size_t i = 0; i < failing.random_case.sizes().size();) {
    std::vector<RandomCase::Size> sizes = failing.random_case.sizes();
    const Index above = sizes[i].value - sizes[i].low;
    sizes[i].value = sizes[i].low + above / 2;
    FailingCase smaller = above > 0 ? tried(check, seed, sizes) : FailingCase{RandomCase(seed), {}};
    if (smaller.problem.empty()) {
      ++i;
    } else {
      failing = std::move(smaller);
      i = 0;
    }
  }
  return failing;
}

/// The smallest form of the first of `count` cases that fails.
inline std::optional<FailingCase> find_failing_case(int count, std::uint64_t seed, const CaseCheck& check) {
  for (int i = 0; i < count; ++i) {
    const std::uint64_t own = seed + static_cast<std::uint64_t>(i);
    FailingCase first = tried(check, own, {});
    if (!first.problem.empty()) return shrunk(check, own, std::move(first));
  }
  return std::nullopt;
}

/// Fails the test with the smallest form of the first case that fails: its seed, its sizes, what is wrong.
inline void for_random_cases(int count, std::uint64_t seed, const CaseCheck& check) {
  const std::optional<FailingCase> failing = find_failing_case(count, seed, check);
  if (failing) ADD_FAILURE() << failing->random_case.describe() << ": " << failing->problem;
}

/// "" where the matrices agree to `tolerance` relative to the larger norm (at least `scale`).
inline std::string difference(const std::string& what, const Matrix& found, const Matrix& expected,
                              double tolerance = 1e-10, double scale = 0) {
  if (found.rows() != expected.rows() || found.cols() != expected.cols()) return what + ": another shape";
  const double gap = (found - expected).norm();
  const double bound = tolerance * std::max({found.norm(), expected.norm(), scale});
  return gap <= bound ? "" : what + ": off by " + std::to_string(gap) + " of " + std::to_string(bound);
}

}  // namespace isthmus::testing
