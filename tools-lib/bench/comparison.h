#pragma once

#include <string>
#include <vector>

#include "isthmus/matrix.h"

namespace isthmus {

/// Mean and sample standard deviation (n − 1; 0 of a single value) of repeated measurements.
struct MeanAndDeviation {
  double mean = 0;
  double deviation = 0;
  int count = 0;
};
MeanAndDeviation mean_and_deviation(const std::vector<double>& values);

/// Two-sided p of the Wilcoxon signed-rank test that paired differences are symmetric about 0. Zeros are left
/// out, magnitudes equal to nine decimals share their mean rank, and the distribution is exact given those
/// ranks (up to 200 differences; the normal approximation beyond). 1 where nothing differs.
double wilcoxon_signed_rank(const std::vector<double>& differences);

/// Holm's step-down adjustment: p values that may be compared with one level, whatever their number.
std::vector<double> holm_adjusted(const std::vector<double>& p);

/// Mean rank of each column over the rows: 1 is the largest value of its row, equal ones share the mean.
Vector mean_ranks(const Matrix& values);

/// Mean ranks of `methods` methods over `blocks` tasks that differ by less than this do not differ at level
/// 0.05 (Nemenyi): q √(k(k+1)/6N), q the studentised range's 95 % point over √2.
double critical_difference(int methods, int blocks);

/// Methods compared over the same tasks (or, with one task, over its seeds), as Demšar 2006 proposes.
struct Comparison {
  struct Pair {
    int first, second;  ///< positions in `methods`
    double p;           ///< Wilcoxon, Holm-adjusted over all pairs
  };
  std::vector<std::string> methods;
  std::string over;  ///< what the rows were: "tasks" or "seeds"
  int blocks = 0;    ///< how many of them every method finished
  Vector ranks;      ///< mean rank of each method
  double critical = 0;
  std::vector<Pair> pairs;

  /// The adjusted p of two methods.
  double p(int a, int b) const;
};

/// `values` is blocks × methods. Needs two methods and two blocks.
Comparison compare_methods(std::vector<std::string> methods, const Matrix& values, std::string over);

}  // namespace isthmus
