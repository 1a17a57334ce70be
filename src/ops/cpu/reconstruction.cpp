#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "linalg/blas.h"
#include "linalg/eigen.h"
#include "ops/cpu/cpu.h"

namespace isthmus::ops {
namespace {

using linalg::Op;

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

/// What the column blocks of one sweep share.
struct Sweep {
  const MatrixView& ds;
  const MatrixView& dt;
  double copies;   // s: how many copies of Z are tied to it
  double penalty;  // μ
  double decay;    // μ(last)/μ, by which the scaled multipliers change
  Matrix gram;     // Ds Dsᵀ
  Matrix inverse;  // (s I + Ds Dsᵀ)⁻¹
  Matrix* z;       // where Z is wanted
};

/// Sums over the entries of the last step.
struct Sums {
  double reconstruction_gap = 0;  // ‖Dt − Ds Z − E‖²
  double sparse_gap = 0;          // ‖Z − Zs‖²
  double sparse_norm = 0;         // ‖Zs‖²
  double sparse_sum = 0;          // ‖Zs‖₁
  Index zeros = 0;                // of Zs

  Sums& operator+=(const Sums& other);
};

Sums& Sums::operator+=(const Sums& other) {
  reconstruction_gap += other.reconstruction_gap;
  sparse_gap += other.sparse_gap;
  sparse_norm += other.sparse_norm;
  sparse_sum += other.sparse_sum;
  zeros += other.zeros;
  return *this;
}

/// Holds, besides k×n matrices, two ns×nt arrays, P₂ = Z + Y₂/μ and P₃ = Z + Y₃/μ, from which both copies of
/// Z and their multipliers follow (docs/reconstruction.md). All work but the singular value thresholding goes
/// by fixed blocks of columns: the same bytes on any thread count.
class CpuReconstruction final : public ReconstructionState {
 public:
  CpuReconstruction(const ReconstructionShape& shape, const ReconstructionProblem& problem)
      : problem_(problem),
        p2_(Matrix::Zero(shape.source_count, shape.target_count)),
        p3_(p2_),
        error_(Matrix::Zero(shape.dimension, shape.target_count)),
        multiplier_(error_),
        threshold_(problem.seed, linalg::SvtPath::Auto, problem.threshold_tolerance) {}

  void step(MatrixView ds, MatrixView dt, double penalty, const Execution& run, Matrix* z) override;
  ReconstructionMeasure measure(MatrixView ds, MatrixView dt, const Execution& run) const override;
  bool certify(const Execution& run) override;
  const Matrix& error() const override { return error_; }
  const linalg::LowRank& low_rank() const override { return low_rank_; }
  Matrix sparse() const override;
  const Matrix& scaled_multiplier() const override { return multiplier_; }
  ReconstructionMultipliers multipliers() const override;

 private:
  bool has_sparse_copy() const { return problem_.weights.sparsity > 0; }
  void set_low_rank(linalg::LowRank low_rank);
  Matrix low_rank_block(Index begin, Index length) const;
  Matrix right_side(Index begin, Index length, const Sweep& sweep);
  Matrix solve_z(Index begin, Index length, const Sweep& sweep);
  Sums update_block(Index begin, Index length, const Sweep& sweep);
  Sums split(Index begin, const Matrix& z, double penalty);

  ReconstructionProblem problem_;
  double penalty_ = 1;  // μ of the last step; before the first, where all is zero, any will do
  Matrix p2_;           // Z + Y₂/μ
  Matrix p3_;           // Z + Y₃/μ
  Matrix error_;        // E
  Matrix multiplier_;   // Y₁/μ
  linalg::LowRank low_rank_;
  Matrix scaled_v_;  // V diag(values) of Zl
  linalg::SingularValueThresholder threshold_;
  Sums sums_;
};

Matrix CpuReconstruction::low_rank_block(Index begin, Index length) const {
  Matrix block(p2_.rows(), length);
  if (low_rank_.rank() == 0) {
    block.setZero();
  } else {
    linalg::gemm(Op::None, Op::Transpose, 1.0, low_rank_.u, scaled_v_.middleRows(begin, length), 0.0, block,
                 1);
  }
  return block;
}

/// R = Zl + Zs − (Y₂ + Y₃)/μ. Leaves Y₂/μ in P₂ and Y₃/μ in P₃.
Matrix CpuReconstruction::right_side(Index begin, Index length, const Sweep& sweep) {
  auto p2 = p2_.middleCols(begin, length);
  auto p3 = p3_.middleCols(begin, length);
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
Matrix CpuReconstruction::solve_z(Index begin, Index length, const Sweep& sweep) {
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

Sums CpuReconstruction::update_block(Index begin, Index length, const Sweep& sweep) {
  auto e = error_.middleCols(begin, length);
  auto y1 = multiplier_.middleCols(begin, length);
  y1 *= sweep.decay;
  const Matrix z = solve_z(begin, length, sweep);
  // E = shrink(Dt − Ds Z + Y₁/μ, λ₁/μ); what shrinking takes away is the new Y₁/μ.
  const Matrix residual = e;
  e += y1;
  y1 = e;
  shrink(problem_.error_norm, problem_.weights.error / sweep.penalty, e);
  y1 -= e;
  Sums sums = split(begin, z, sweep.penalty);
  sums.reconstruction_gap = (residual - e).squaredNorm();
  if (sweep.z != nullptr) sweep.z->middleCols(begin, length) = z;
  return sums;
}

/// P₂ = Z + Y₂/μ, P₃ = Z + Y₃/μ, and the sums over Zs = soft(P₃, λ₂/μ).
Sums CpuReconstruction::split(Index begin, const Matrix& z, double penalty) {
  // Rows at a time, so that all that is looked at several times stays in the first-level cache.
  constexpr Index kRows = 512;
  Sums sums;
  const double bound = problem_.weights.sparsity / penalty;
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

void CpuReconstruction::step(MatrixView ds, MatrixView dt, double penalty, const Execution& run, Matrix* z) {
  if (z != nullptr) z->resize(p2_.rows(), p2_.cols());
  Sweep sweep{ds, dt, has_sparse_copy() ? 2.0 : 1.0, penalty, penalty_ / penalty, linalg::gram(ds, run),
              {}, z};
  Matrix shifted = sweep.gram;
  shifted.diagonal().array() += sweep.copies;
  sweep.inverse = linalg::solve_spd(shifted, Matrix::Identity(ds.rows(), ds.rows()));

  std::vector<Sums> blocks(static_cast<std::size_t>(block_count(dt.cols(), kBlock)));
  parallel_ranges(run, dt.cols(), kBlock, [&](Index begin, Index length) {
    blocks[static_cast<std::size_t>(begin / kBlock)] = update_block(begin, length, sweep);
  });
  sums_ = {};
  for (const Sums& block : blocks) sums_ += block;
  penalty_ = penalty;
  // Zl = SVT(Z + Y₂/μ, 1/μ).
  set_low_rank(threshold_(p2_, 1.0 / penalty_, run));
}

void CpuReconstruction::set_low_rank(linalg::LowRank low_rank) {
  low_rank_ = std::move(low_rank);
  scaled_v_ = low_rank_.v * low_rank_.values.asDiagonal();
}

bool CpuReconstruction::certify(const Execution& run) {
  if (threshold_.certify(p2_, low_rank_, 1.0 / penalty_, run)) return true;
  set_low_rank(threshold_.certified(p2_, 1.0 / penalty_, run));
  return false;
}

ReconstructionMeasure CpuReconstruction::measure(MatrixView ds, MatrixView dt, const Execution& run) const {
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

Matrix CpuReconstruction::sparse() const {
  const double bound = problem_.weights.sparsity / penalty_;
  return p3_ - p3_.cwiseMax(-bound).cwiseMin(bound);
}

ReconstructionMultipliers CpuReconstruction::multipliers() const {
  const double bound = problem_.weights.sparsity / penalty_;
  return {penalty_ * multiplier_, penalty_ * (p2_ - low_rank_.matrix(1)),
          penalty_ * p3_.cwiseMax(-bound).cwiseMin(bound)};
}

}  // namespace

std::unique_ptr<ReconstructionState> CpuBackend::reconstruction(const ReconstructionShape& shape,
                                                                const ReconstructionProblem& problem,
                                                                const Execution& /*run*/) {
  return std::make_unique<CpuReconstruction>(shape, problem);
}

}  // namespace isthmus::ops
