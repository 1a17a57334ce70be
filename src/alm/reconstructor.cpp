#include "alm/reconstructor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "isthmus/errors.h"
#include "linalg/blas.h"
#include "linalg/eigen.h"

namespace isthmus {

using linalg::Op;

namespace {

// With some thousand source samples a block of columns of both arrays and its work stays near the
// second-level cache; 16 or 64 columns were no faster. Part of the result's definition, since sums go block
// by block.
constexpr Index kBlock = 32;

/// Shrinks E's sub-problem λ₁‖E‖ + μ/2‖E − Q‖² in place.
void shrink(ErrorNorm norm, double threshold, Eigen::Ref<Matrix> q) {
  if (norm == ErrorNorm::L1) {
    q.array() -= q.array().max(-threshold).min(threshold);
    return;
  }
  for (Index j = 0; j < q.cols(); ++j) {
    const double length = q.col(j).norm();
    if (length > threshold) {
      q.col(j) *= 1.0 - threshold / length;
    } else {
      q.col(j).setZero();
    }
  }
}

double error_norm(ErrorNorm norm, const Matrix& e) {
  return norm == ErrorNorm::L1 ? e.lpNorm<1>() : e.colwise().norm().sum();
}

}  // namespace

double ReconstructionMeasure::primal() const {
  return std::max({reconstruction_residual, sparse_residual, low_rank_residual});
}

struct Reconstructor::Sweep {
  const MatrixView& ds;
  const MatrixView& dt;
  double copies;   // s: how many copies of Z are tied to it
  double decay;    // μ(last)/μ, by which the scaled multipliers change
  Matrix gram;     // Ds Dsᵀ
  Matrix inverse;  // (s I + Ds Dsᵀ)⁻¹
  Matrix* z;       // where Z is wanted
};

Reconstructor::Sums& Reconstructor::Sums::operator+=(const Sums& other) {
  reconstruction_gap += other.reconstruction_gap;
  sparse_gap += other.sparse_gap;
  sparse_norm += other.sparse_norm;
  sparse_sum += other.sparse_sum;
  zeros += other.zeros;
  return *this;
}

Reconstructor::Reconstructor(Index dimension, Index source_count, Index target_count,
                             const ReconstructionProblem& problem, double penalty)
    : problem_(problem),
      penalty_(penalty),
      next_penalty_(penalty),
      threshold_(problem.seed, linalg::SvtPath::Auto, problem.threshold_tolerance) {
  if (dimension < 1 || source_count < 1 || target_count < 1) {
    throw InvalidArgument(fmt::format(
        "reconstruction of {} target samples by {} source samples of dimension {}; expected at least 1 each",
        target_count, source_count, dimension));
  }
  if (!(problem.weights.error > 0) || !(problem.weights.sparsity >= 0) ||
      !std::isfinite(problem.weights.error) || !std::isfinite(problem.weights.sparsity)) {
    throw InvalidArgument(fmt::format(
        "reconstruction weights are error {} and sparsity {}; expected error > 0 and sparsity ≥ 0",
        problem.weights.error, problem.weights.sparsity));
  }
  set_penalty(penalty);
  p2_ = Matrix::Zero(source_count, target_count);
  p3_ = Matrix::Zero(source_count, target_count);
  error_ = Matrix::Zero(dimension, target_count);
  multiplier_ = Matrix::Zero(dimension, target_count);
}

void Reconstructor::set_penalty(double penalty) {
  if (!(penalty > 0) || !std::isfinite(penalty)) {
    throw InvalidArgument(
        fmt::format("reconstruction penalty μ is {}; expected a finite number > 0", penalty));
  }
  next_penalty_ = penalty;
}

void Reconstructor::check_shapes(const MatrixView& ds, const MatrixView& dt) const {
  if (ds.rows() != error_.rows() || dt.rows() != error_.rows() || ds.cols() != p2_.rows() ||
      dt.cols() != p2_.cols()) {
    throw InvalidArgument(
        fmt::format("reconstruction: source is {}×{} and target {}×{}; expected {}×{} and {}×{}", ds.rows(),
                    ds.cols(), dt.rows(), dt.cols(), error_.rows(), p2_.rows(), error_.rows(), p2_.cols()));
  }
}

void Reconstructor::start_from(MatrixView z, MatrixView multiplier, MatrixView ds, MatrixView dt,
                               const Execution& run) {
  check_shapes(ds, dt);
  if (z.rows() != p2_.rows() || z.cols() != p2_.cols() || multiplier.rows() != error_.rows() ||
      multiplier.cols() != error_.cols()) {
    throw InvalidArgument(
        fmt::format("reconstruction: the start has Z {}×{} and a multiplier {}×{}; expected {}×{} and {}×{}",
                    z.rows(), z.cols(), multiplier.rows(), multiplier.cols(), p2_.rows(), p2_.cols(),
                    error_.rows(), error_.cols()));
  }
  started_ = false;
  penalty_ = next_penalty_;
  p3_ = z;
  error_ = dt;
  linalg::gemm(Op::None, Op::None, -1.0, ds, z, 1.0, error_, run);
  multiplier_ = multiplier / penalty_;
}

Matrix Reconstructor::low_rank_block(Index begin, Index length) const {
  Matrix block(p2_.rows(), length);
  if (low_rank_.rank() == 0) {
    block.setZero();
  } else {
    linalg::gemm(Op::None, Op::Transpose, 1.0, low_rank_.u, scaled_v_.middleRows(begin, length), 0.0, block,
                 1);
  }
  return block;
}

/// The same for the first step, where P₃ holds Z: Y₂ + Y₃ = Dsᵀ Y₁, split so that Y₃ is a subgradient of
/// λ₂‖Z‖₁.
Matrix Reconstructor::first_right_side(Index begin, Index length, const Sweep& sweep) {
  auto p2 = p2_.middleCols(begin, length);
  auto p3 = p3_.middleCols(begin, length);
  linalg::gemm(Op::Transpose, Op::None, 1.0, sweep.ds, multiplier_.middleCols(begin, length), 0.0, p2, 1);
  Matrix r = sweep.copies * p3 - p2;
  const double bound = problem_.weights.sparsity / next_penalty_;
  p3 = (p3.array() == 0.0).select(p2.cwiseMax(-bound).cwiseMin(bound), bound * p3.cwiseSign());
  p2 -= p3;
  return r;
}

/// R = Zl + Zs − (Y₂ + Y₃)/μ. Leaves Y₂/μ in P₂ and Y₃/μ in P₃.
Matrix Reconstructor::right_side(Index begin, Index length, const Sweep& sweep) {
  auto p2 = p2_.middleCols(begin, length);
  auto p3 = p3_.middleCols(begin, length);
  if (!started_) return first_right_side(begin, length, sweep);
  Matrix r = low_rank_block(begin, length);
  if (!has_sparse_copy()) {
    p2 = sweep.decay * (p2 - r);
    p3.setZero();
    return r - p2;
  }
  const double bound = problem_.weights.sparsity / penalty_;
  const double decay = sweep.decay;
  // One loop over the three arrays, as split() has one over its rows: a step took a twentieth less.
  for (Index j = 0; j < length; ++j) {
    double* const r_j = r.col(j).data();
    double* const p2_j = p2.col(j).data();
    double* const p3_j = p3.col(j).data();
    for (Index i = 0; i < r.rows(); ++i) {
      const double y2 = decay * (p2_j[i] - r_j[i]);
      const double y3 = std::min(std::max(p3_j[i], -bound), bound);
      r_j[i] = (r_j[i] - y2) + (p3_j[i] - (1.0 + decay) * y3);
      p2_j[i] = y2;
      p3_j[i] = decay * y3;
    }
  }
  return r;
}

/// (s I + DsᵀDs) Z = R + DsᵀN with N = Dt − E + Y₁/μ, by Woodbury:
/// T = (s I + Ds Dsᵀ)⁻¹ (N − Ds R/s), Z = R/s + Dsᵀ T, Ds Z = Ds R/s + Ds Dsᵀ T.
/// Leaves Dt − Ds Z in E.
Matrix Reconstructor::solve_z(Index begin, Index length, const Sweep& sweep) {
  auto e = error_.middleCols(begin, length);
  const auto dt = sweep.dt.middleCols(begin, length);
  Matrix z = right_side(begin, length, sweep);
  Matrix ds_z(e.rows(), length);
  linalg::gemm(Op::None, Op::None, 1.0 / sweep.copies, sweep.ds, z, 0.0, ds_z, 1);
  const Matrix n = dt - e + multiplier_.middleCols(begin, length) - ds_z;
  const Matrix t = linalg::multiply(sweep.inverse, n, 1);
  linalg::gemm(Op::Transpose, Op::None, 1.0, sweep.ds, t, 1.0 / sweep.copies, z, 1);
  linalg::gemm(Op::None, Op::None, 1.0, sweep.gram, t, 1.0, ds_z, 1);
  e = dt - ds_z;
  return z;
}

Reconstructor::Sums Reconstructor::update_block(Index begin, Index length, const Sweep& sweep) {
  auto e = error_.middleCols(begin, length);
  auto y1 = multiplier_.middleCols(begin, length);
  y1 *= sweep.decay;
  const Matrix z = solve_z(begin, length, sweep);
  // E = shrink(Dt − Ds Z + Y₁/μ, λ₁/μ); what shrinking takes away is the new Y₁/μ.
  const Matrix residual = e;
  e += y1;
  y1 = e;
  shrink(problem_.error_norm, problem_.weights.error / next_penalty_, e);
  y1 -= e;
  Sums sums = split(begin, z);
  sums.reconstruction_gap = (residual - e).squaredNorm();
  if (sweep.z != nullptr) sweep.z->middleCols(begin, length) = z;
  return sums;
}

/// P₂ = Z + Y₂/μ, P₃ = Z + Y₃/μ, and the sums over Zs = soft(P₃, λ₂/μ).
Reconstructor::Sums Reconstructor::split(Index begin, const Matrix& z) {
  // Rows at a time, so that all that is looked at several times stays in the first-level cache.
  constexpr Index kRows = 512;
  Sums sums;
  const double bound = problem_.weights.sparsity / next_penalty_;
  Eigen::Array<double, Eigen::Dynamic, 1, 0, kRows, 1> zs;
  for (Index j = 0; j < z.cols(); ++j) {
    for (Index i = 0; i < z.rows(); i += kRows) {
      const Index rows = std::min(kRows, z.rows() - i);
      const auto z_part = z.col(j).segment(i, rows).array();
      auto p3 = p3_.col(begin + j).segment(i, rows).array();
      p2_.col(begin + j).segment(i, rows).array() += z_part;
      p3 += z_part;
      zs = p3 - p3.max(-bound).min(bound);
      sums.sparse_gap += (z_part - zs).square().sum();
      sums.sparse_norm += zs.square().sum();
      sums.sparse_sum += zs.abs().sum();
      sums.zeros += std::count(zs.data(), zs.data() + rows, 0.0);
    }
  }
  return sums;
}

void Reconstructor::step(MatrixView ds, MatrixView dt, const Execution& run, Matrix* z) {
  check_shapes(ds, dt);
  if (z != nullptr) z->resize(p2_.rows(), p2_.cols());
  Sweep sweep{ds, dt, has_sparse_copy() ? 2.0 : 1.0, penalty_ / next_penalty_, linalg::gram(ds, run), {}, z};
  Matrix shifted = sweep.gram;
  shifted.diagonal().array() += sweep.copies;
  sweep.inverse = linalg::solve_spd(shifted, Matrix::Identity(ds.rows(), ds.rows()));

  std::vector<Sums> blocks(static_cast<std::size_t>(block_count(dt.cols(), kBlock)));
  parallel_ranges(run, dt.cols(), kBlock, [&](Index begin, Index length) {
    blocks[static_cast<std::size_t>(begin / kBlock)] = update_block(begin, length, sweep);
  });
  sums_ = {};
  for (const Sums& block : blocks) sums_ += block;
  penalty_ = next_penalty_;
  started_ = true;
  // Zl = SVT(Z + Y₂/μ, 1/μ).
  set_low_rank(threshold_(p2_, 1.0 / penalty_, run));
}

void Reconstructor::set_low_rank(linalg::LowRank low_rank) {
  low_rank_ = std::move(low_rank);
  scaled_v_ = low_rank_.v * low_rank_.values.asDiagonal();
}

bool Reconstructor::certify(const Execution& run) {
  if (threshold_.certify(p2_, low_rank_, 1.0 / penalty_, run)) return true;
  set_low_rank(threshold_.certified(p2_, 1.0 / penalty_, run));
  return false;
}

ReconstructionMeasure Reconstructor::measure(MatrixView ds, MatrixView dt, const Execution& run) const {
  check_shapes(ds, dt);
  struct Gaps {
    double copies = 0;      // ‖Zl − Zs‖²
    double stationary = 0;  // ‖(Y₂ + Y₃ − DsᵀY₁)/μ‖²
    double image = 0;       // ‖DsᵀY₁/μ‖²
  };
  std::vector<Gaps> blocks(static_cast<std::size_t>(block_count(dt.cols(), kBlock)));
  const double bound = problem_.weights.sparsity / penalty_;
  parallel_ranges(run, dt.cols(), kBlock, [&](Index begin, Index length) {
    Gaps& gaps = blocks[static_cast<std::size_t>(begin / kBlock)];
    const Matrix zl = low_rank_block(begin, length);
    const Matrix image = linalg::multiply_transposed(ds, multiplier_.middleCols(begin, length), 1);
    Vector y3(zl.rows());
    for (Index j = 0; j < length; ++j) {
      const auto p3 = p3_.col(begin + j);
      y3 = p3.cwiseMax(-bound).cwiseMin(bound);
      gaps.copies += (zl.col(j) - p3 + y3).squaredNorm();
      gaps.stationary += (p2_.col(begin + j) - zl.col(j) + y3 - image.col(j)).squaredNorm();
    }
    gaps.image = image.squaredNorm();
  });
  Gaps total;
  for (const Gaps& block : blocks) {
    total.copies += block.copies;
    total.stationary += block.stationary;
    total.image += block.image;
  }
  const double target = dt.norm();
  const double source = ds.norm();
  const double one_if_zero = target > 0 ? target : 1.0;
  // The size of Z: its copies', and where both are near zero what would rebuild Dt.
  const double natural = source > 0 && target > 0 ? target / source : 1.0;
  const double size = std::max({std::sqrt(sums_.sparse_norm), low_rank_.values.norm(), natural});
  ReconstructionMeasure m;
  m.reconstruction_residual = std::sqrt(sums_.reconstruction_gap) / one_if_zero;
  m.sparse_residual = std::sqrt(sums_.sparse_gap) / size;
  m.low_rank_residual = std::sqrt(total.copies) / size;
  m.dual_residual = penalty_ * std::sqrt(total.stationary) / std::max(1.0, penalty_ * std::sqrt(total.image));
  m.objective = low_rank_.values.sum() + problem_.weights.sparsity * sums_.sparse_sum +
                problem_.weights.error * error_norm(problem_.error_norm, error_);
  m.dual_objective = penalty_ * multiplier_.cwiseProduct(dt).sum();
  m.rank = low_rank_.rank();
  m.zero_share = static_cast<double>(sums_.zeros) / static_cast<double>(p3_.size());
  return m;
}

Matrix Reconstructor::sparse() const {
  const double bound = started_ ? problem_.weights.sparsity / penalty_ : 0.0;
  return p3_ - p3_.cwiseMax(-bound).cwiseMin(bound);
}

Matrix Reconstructor::scaled_multiplier() const {
  return (penalty_ / next_penalty_) * multiplier_;
}

Reconstructor::Multipliers Reconstructor::multipliers() const {
  const double bound = problem_.weights.sparsity / penalty_;
  return {penalty_ * multiplier_, penalty_ * (p2_ - low_rank_.matrix(1)),
          penalty_ * p3_.cwiseMax(-bound).cwiseMin(bound)};
}

}  // namespace isthmus
