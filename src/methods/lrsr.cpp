#include "methods/lrsr.h"

#include <algorithm>

#include "alm/prototypes.h"
#include "alm/reconstructor.h"
#include "core/last_finished.h"
#include "core/options_io.h"
#include "core/record.h"
#include "linalg/blas.h"
#include "linalg/eigen.h"

namespace isthmus {
namespace {

using linalg::Op;

/// The variables of the alternation besides those of the reconstruction.
class Alternation {
 public:
  Alternation(const DomainPair& pair, const LrsrOptions& o, const Context& context)
      : source_(pair.source().view()),
        target_(pair.target().view()),
        o_(o),
        dictionary_(
            reconstruction_dictionary(source_, pair.source_labels(), o.prototypes, context.seed, context)),
        source_gram_(linalg::gram(source_, context)),
        labels_(Matrix::Zero(pair.class_count(), pair.source_count())) {
    for (Index i = 0; i < labels_.cols(); ++i)
      labels_(pair.source_labels()[static_cast<std::size_t>(i)], i) = 1.0;
    relaxed_ = labels_;
  }

  Index dictionary_size() const { return dictionary_.cols(); }
  const Matrix& projection() const { return projection_; }

  /// (Xs Xsᵀ + 2γI + μVVᵀ) P = Xs (Y + B∘M)ᵀ + μV (E − Y₁/μ)ᵀ with V = Xt − Xs Z.
  void update_projection(const Matrix& z, const Reconstructor& solver, const Execution& run) {
    Matrix v = target_;
    if (z.size() > 0) linalg::gemm(Op::None, Op::None, -1.0, dictionary_, z, 1.0, v, run);
    Matrix left = source_gram_ + solver.penalty() * linalg::gram(v, run);
    left.diagonal().array() += 2.0 * o_.gamma;
    const Matrix wanted = solver.penalty() * (solver.error() - solver.scaled_multiplier());
    Matrix right = linalg::multiply_by_transpose(source_, relaxed_, run);
    right += linalg::multiply_by_transpose(v, wanted, run);
    projection_ = linalg::solve_spd(left, right);
  }

  /// M = max(B∘(PᵀXs − Y), 0), so that Y + B∘M keeps of PᵀXs what lies on the right side of the label.
  void relax_labels(const Execution& run) {
    const Matrix fitted = linalg::multiply_transposed(projection_, source_, run);
    relaxed_ = (labels_.array() > 0).select(fitted.cwiseMax(1.0), fitted.cwiseMin(0.0));
    regression_ = 0.5 * (fitted - relaxed_).squaredNorm() + o_.gamma * projection_.squaredNorm();
  }

  /// One sweep of the reconstruction in the projected domains.
  ReconstructionMeasure sweep(Reconstructor& solver, Matrix& z, const Execution& run) const {
    const Matrix ds = linalg::multiply_transposed(projection_, dictionary_, run);
    const Matrix dt = linalg::multiply_transposed(projection_, target_, run);
    solver.step(ds, dt, run, &z);
    return solver.measure(ds, dt, run);
  }

  /// ½‖PᵀXs − (Y + B∘M)‖² + γ‖P‖² after relax_labels().
  double regression() const { return regression_; }

 private:
  Columns source_;
  Columns target_;
  const LrsrOptions& o_;
  Matrix dictionary_;   // d×p
  Matrix source_gram_;  // Xs Xsᵀ
  Matrix labels_;       // Y, C×ns
  Matrix relaxed_;      // Y + B∘M
  Matrix projection_;   // P, d×C
  double regression_ = 0;
};

/// What the last finished sweep left.
struct Sweep {
  Matrix projection;
  Vector outlier_scores;
  Index rank = 0;  ///< of the low-rank copy of Z
};

/// Alternates until a rule ends it.
Status alternate(Alternation& alternation, Reconstructor& solver, const LrsrOptions& o,
                 const Context& context, Sweep& last, Report& report) {
  Matrix z;
  for (int t = 1; t <= o.iterations; ++t) {
    const Execution run = context.after(t - 1);
    alternation.update_projection(z, solver, run);
    const ReconstructionMeasure m = alternation.sweep(solver, z, run);
    alternation.relax_labels(run);
    solver.set_penalty(o.growth * solver.penalty());
    const double objective = alternation.regression() + m.objective;
    last = {alternation.projection(), solver.error().colwise().norm().transpose(), m.rank};
    report.iterations = t;
    record(report.series, {{"objective", objective},
                           {"regression", alternation.regression()},
                           {"residual_reconstruction", m.reconstruction_residual},
                           {"residual_sparse", m.sparse_residual},
                           {"residual_low_rank", m.low_rank_residual},
                           {"residual_dual", m.dual_residual},
                           {"rank", static_cast<double>(m.rank)},
                           {"zero_share", m.zero_share}});
    const Decision decision =
        context.report({.phase = "sweep", .iteration = t, .limit = o.iterations, .objective = objective});
    if (std::max(m.primal(), m.dual_residual) <= o.tolerance) return Status::Converged;
    if (decision == Decision::Stop) return Status::Stopped;
  }
  return Status::IterationLimit;
}

}  // namespace

void describe(OptionVisitor& visit, LrsrOptions& o) {
  constexpr double kTiny = 1e-12;
  visit.real(
      "gamma", o.gamma, {.low = kTiny},
      "Weight of ‖P‖². 1 gives the published cells of C→D and W→D on samples of unit length; larger for few "
      "or noisy source samples.");
  visit.real("alpha", o.alpha, {.low = 0}, "Weight of ‖Z‖₁; 1 as published, 0 leaves only the low rank.");
  visit.real(
      "beta", o.beta, {.low = kTiny},
      "Weight of ‖E‖₁; 1e-4 as published: nearly everything may be error in the first sweeps, so that the "
      "reconstruction bends P gently.");
  visit.real("penalty", o.penalty, {.low = kTiny}, "μ of the first sweep; 0.1 as published.");
  visit.real("growth", o.growth, {.low = 1, .high = 10},
             "Factor of μ from sweep to sweep; 1.01 as published.");
  visit.integer("iterations", o.iterations, {.low = 1},
                "Sweeps at most; after 5 the labels of the benchmark hardly change.");
  visit.real("tolerance", o.tolerance, {.low = 0},
             "Stops when all residuals of the reconstruction are below.");
  visit.flag(
      "normalize_embedding", o.normalize_embedding,
      "Scale each embedded sample to length 1 before 1-NN: its length tells the domain more than the class. "
      "The publication does not.");
  visit.integer(
      "prototypes", o.prototypes, {.low = 1},
      "Source samples that may rebuild the target, spread evenly over the classes; auto: all. Set it "
      "where source × target samples do not fit in memory.");
  describe_classifier(visit, o.classifier);
}

ModelState fit_lrsr(const DomainPair& pair, LrsrOptions o, const Context& context) {
  Report report;
  Embedding embedding;
  Sweep last;
  {
    const PhaseTimer timer(report, "subspace");
    Alternation alternation(pair, o, context);
    Reconstructor solver(pair.class_count(), alternation.dictionary_size(), pair.target_count(),
                         {ErrorNorm::L1, {o.beta, o.alpha}, context.seed}, o.penalty, context);
    report.status = to_last_finished(
        report.iterations, [&] { return alternate(alternation, solver, o, context, last, report); });
    embedding.projection = std::move(last.projection);
    embedding.unit_columns = o.normalize_embedding;
    o.prototypes = static_cast<int>(alternation.dictionary_size());
    if (last.rank == 0) {
      report.notes.emplace_back(
          "the low-rank copy of Z is zero: the reconstruction acts on P only through its multipliers; more "
          "iterations or a larger beta bring it in");
    }
  }
  ModelState state =
      source_state(pair, o, std::move(embedding), std::nullopt, std::move(report), context.unstoppable());
  state.target.outlier_scores = std::move(last.outlier_scores);
  return state;
}

}  // namespace isthmus
