#include "domain/feature_space.h"

#include <fmt/format.h>

#include <random>

#include "domain/scatter.h"
#include "isthmus/errors.h"
#include "linalg/blas.h"
#include "linalg/eigen.h"
#include "linalg/spread_samples.h"
#include "linalg/subspace.h"

namespace isthmus {
namespace {

// Eigenvalues of a kernel matrix below this share of the largest are rounding.
constexpr double kRankTolerance = 1e-10;
// Samples among which each landmark is chosen: k-means++ over all would cost as much as the fit.
constexpr Index kCandidatesPerLandmark = 20;
// Samples whose kernel values are held at once on the way to their coordinates.
constexpr Index kKernelBlock = 4096;

/// Columns of [Xs Xt] by their joint numbers.
Matrix joint_columns(const DomainPair& pair, const std::vector<Index>& numbers) {
  Matrix columns(pair.dimension(), static_cast<Index>(numbers.size()));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const Index j = numbers[i] - pair.source_count();
    columns.col(static_cast<Index>(i)) =
        j < 0 ? pair.source().columns(numbers[i], 1) : pair.target().columns(j, 1);
  }
  return columns;
}

Matrix random_samples(const DomainPair& pair, Index count, std::mt19937_64& engine) {
  return joint_columns(pair, linalg::random_subset(pair.source_count() + pair.target_count(), count, engine));
}

Matrix choose_landmarks(const DomainPair& pair, Index count, std::mt19937_64& engine, const Execution& run) {
  Matrix candidates = random_samples(pair, kCandidatesPerLandmark * count, engine);
  if (candidates.cols() <= count) return candidates;
  return candidates(Eigen::all, linalg::spread_samples(candidates, count, engine, run));
}

double rank_floor(double largest) {
  return kRankTolerance * largest;
}

[[noreturn]] void refuse_zero_kernel() {
  throw InvalidArgument(
      "the kernel matrix is zero: all samples are at the origin; at least one needs to differ from it");
}

/// The eigenpairs of a positive semidefinite matrix that are more than rounding.
linalg::EigenPairs significant_eigen(const Matrix& matrix) {
  linalg::EigenPairs pairs = linalg::symmetric_eigen(matrix);
  const Index rank = (pairs.values.array() > rank_floor(pairs.values[pairs.values.size() - 1])).count();
  if (rank == 0) refuse_zero_kernel();
  return {pairs.values.tail(rank), pairs.vectors.rightCols(rank)};
}

/// z = ΣUᵀx: XXᵀ = UΣ²Uᵀ, T = UΣ.
Matrix linear_basis(const DomainPair& pair, const Execution& run) {
  const linalg::Spectrum spectrum =
      linalg::leading_spectrum({pair.source(), pair.target()}, pair.dimension(), rank_floor, run);
  if (spectrum.values.size() == 0) refuse_zero_kernel();
  return spectrum.directions * spectrum.values.cwiseSqrt().asDiagonal();
}

/// Bᵀκ(x) for all samples, without all kernel values at once.
Matrix project_kernel(const KernelMap& kernel, const Matrix& basis, SampleView samples,
                      const Execution& run) {
  Matrix projected(basis.cols(), samples.cols());
  for (Index begin = 0; begin < samples.cols(); begin += kKernelBlock) {
    const Index length = std::min(kKernelBlock, samples.cols() - begin);
    const Matrix values = kernel.evaluate(samples.columns(begin, length), run);
    linalg::gemm(linalg::Op::Transpose, linalg::Op::None, 1.0, basis, values, 0.0,
                 projected.middleCols(begin, length), run);
  }
  return projected;
}

/// The kernel of the landmarks with themselves decomposed, W = E diag(w) Eᵀ. With all samples as landmarks
/// that is K itself: z = Eᵀκ(x). Else K ≈ ΦᵀΦ, Φ = w^(−½)Eᵀκ; ΦΦᵀ = Q diag(l) Qᵀ and z = l^½ QᵀΦ.
void add_kernel(FeatureSpace& space, const DomainPair& pair, bool exact, const Execution& run) {
  const KernelMap& kernel = *space.kernel;
  const linalg::EigenPairs own = significant_eigen(kernel.evaluate(kernel.landmarks, run));
  if (exact) {
    space.kernel_basis = own.vectors;
    space.source = project_kernel(kernel, own.vectors, pair.source(), run);
    space.target = project_kernel(kernel, own.vectors, pair.target(), run);
    return;
  }
  const Matrix root = own.vectors * own.values.cwiseSqrt().cwiseInverse().asDiagonal();
  Matrix source = project_kernel(kernel, root, pair.source(), run);
  Matrix target = project_kernel(kernel, root, pair.target(), run);
  const linalg::EigenPairs joint = significant_eigen(linalg::gram(source, run) + linalg::gram(target, run));
  const Matrix turn = joint.vectors * joint.values.cwiseSqrt().asDiagonal();
  space.kernel_basis = linalg::multiply(root, turn, run);
  source = linalg::multiply_transposed(turn, source, run);
  target = linalg::multiply_transposed(turn, target, run);
  space.source = std::move(source);
  space.target = std::move(target);
}

KernelSize choose_size(const KernelOptions& options, Index samples) {
  if (options.size == KernelSize::Exact && samples > options.exact_limit) {
    throw InvalidArgument(
        fmt::format("option 'kernel_size' is exact with {} samples; an exact kernel holds at most {} (option "
                    "'exact_limit'): "
                    "use landmarks, or raise the limit (memory grows with n², time with n³)",
                    samples, options.exact_limit));
  }
  return options.size.value_or(samples <= options.exact_limit ? KernelSize::Exact : KernelSize::Landmarks);
}

void use_kernel(FeatureSpace& space, const DomainPair& pair, const KernelOptions& options,
                const Context& context) {
  const Index samples = pair.source_count() + pair.target_count();
  space.size = choose_size(options, samples);
  const bool exact = space.size == KernelSize::Exact;
  std::mt19937_64 engine(context.seed);
  KernelMap kernel{options.kernel, options.width.value_or(0.0), options.degree, Matrix()};
  // Drawn in any case: the landmarks that follow must not depend on who chose the width.
  const Matrix some = random_samples(pair, kMedianSamples, engine);
  if (!options.width) {
    kernel.width = median_width(kernel.kernel, some, context);
    space.notes.push_back(fmt::format("kernel width {:.6g} by the median heuristic", kernel.width));
  }
  kernel.landmarks = exact ? random_samples(pair, samples, engine)
                           : choose_landmarks(pair, options.landmarks, engine, context);
  if (!exact) {
    space.notes.push_back(fmt::format("kernel of {} samples by {} Nyström landmarks (exact up to {} samples)",
                                      samples, kernel.landmarks.cols(), options.exact_limit));
  }
  space.kernel = std::move(kernel);
  add_kernel(space, pair, exact, context);
  space.scatter = joint_moments(space.source, space.target, context).scatter();
}

}  // namespace

void describe_kernel(OptionVisitor& visit, KernelOptions& o) {
  visit.choice("kernel", o.kernel,
               {{"primal", Kernel::Primal},
                {"linear", Kernel::Linear},
                {"rbf", Kernel::Rbf},
                {"laplace", Kernel::Laplace},
                {"polynomial", Kernel::Polynomial}},
               "Features the subspace is sought in: the given ones (primal), the same weighted by the data's "
               "spectrum (linear, exact at any size), or those of a non-linear kernel.");
  visit.real("width", o.width, {.low = kAboveZero},
             "Width of a non-linear kernel; auto: the median distance between samples.");
  visit.integer("degree", o.degree, {.low = 1, .high = 10}, "Degree of the polynomial kernel.");
  visit.choice("kernel_size", o.size, {{"exact", KernelSize::Exact}, {"landmarks", KernelSize::Landmarks}},
               "Non-linear kernels: all samples against all (exact), or against a few chosen by k-means++ "
               "(landmarks, Nyström). auto: exact up to 'exact_limit', landmarks beyond.");
  visit.integer("exact_limit", o.exact_limit, {.low = 2},
                "Samples, both domains together, up to which a non-linear kernel is exact; memory grows with "
                "their square, time with their cube.");
  visit.integer("landmarks", o.landmarks, {.low = 1},
                "Nyström landmarks of a non-linear kernel; it then costs as much as so many features.");
}

Matrix FeatureSpace::coordinates(MatrixView stored) const {
  return basis.size() > 0 ? linalg::multiply_transposed(basis, stored, 1) : Matrix(stored);
}

Matrix FeatureSpace::on_stored(MatrixView directions) const {
  return basis.size() > 0 ? linalg::multiply(basis, directions, 1) : Matrix(directions);
}

FeatureSpace make_feature_space(const DomainPair& pair, const KernelOptions& options,
                                const Context& context) {
  FeatureSpace space;
  if (options.kernel != Kernel::Primal && options.kernel != Kernel::Linear) {
    use_kernel(space, pair, options, context);
    return space;
  }
  space.source = pair.source();
  space.target = pair.target();
  space.scatter = joint_moments(pair.source(), pair.target(), context).scatter();
  if (options.kernel == Kernel::Linear) {
    space.basis = linear_basis(pair, context);
    space.scatter = linalg::multiply_transposed(
        space.basis, linalg::multiply(space.scatter, space.basis, context), context);
  }
  return space;
}

}  // namespace isthmus
