#pragma once

#include <optional>
#include <vector>

#include "isthmus/options.h"

/// The options of each method, with the default of each and its reason. A std::optional that is empty leaves
/// the value to the method: "own" tells its choice.
///
///     isthmus::Model model = isthmus::adapt(pair, isthmus::JdaOptions{.rounds = {.rounds = 5}}, context);
namespace isthmus {

enum class Kernel { Primal, Linear, Rbf, Laplace, Polynomial };

/// How a non-linear kernel is held.
enum class KernelSize {
  Exact,      ///< every sample against every sample: n² numbers, and an error beyond the limit
  Landmarks,  ///< Nyström: every sample against a few chosen by k-means++
};

struct KernelOptions {
  Kernel kernel = Kernel::Primal;    ///< the features as they are
  std::optional<double> width = {};  ///< own: the median heuristic, right in order of magnitude for any scale
  int degree = 2;                    ///< products of feature pairs
  std::optional<KernelSize> size = {};  ///< own: exact up to the limit, landmarks beyond
  int exact_limit = 3000;               ///< an n×n eigenproblem of about ten seconds
  int landmarks = 1000;                 ///< as costly as 1000 features
};

/// What becomes of the conditional term of a class that has no samples in one domain.
enum class EmptyClass {
  Drop,      ///< the term goes, so that M·1 = 0 keeps holding
  KeepHalf,  ///< the half that exists stays, as in the published JDA; M·1 ≠ 0 then
};

/// M_REP = Σ_c w_st·[s_c − t_¬c] + w_ts·[t_c − s_¬c] + w_ss·[s_c − s_¬c], ¬c all other classes of that
/// domain.
struct RepulsionWeights {
  double source_target = 1.0;
  double target_source = 1.0;
  double source_source = 1.0;
};

/// How the columns of A are scaled. The eigenvectors are the same, but 1-NN weighs them differently.
enum class Scaling {
  Unit,      ///< ‖a‖ = 1, as in the published TCA and JDA
  Metric,    ///< aᵀ(X M_C Xᵀ/‖M‖ + λI + R)a = 1
  Whitened,  ///< aᵀXHXᵀa = 1
};

/// How closeness and repulsion are traded.
enum class RepulsionForm {
  Ratio,      ///< (XHXᵀ + X M_REP Xᵀ) a = ν (X M_C Xᵀ + λI) a, largest ν: bounded, always well posed
  Algebraic,  ///< (X(M_C − M_REP)Xᵀ + λI) a = φ XHXᵀ a, smallest algebraic φ on range(XHXᵀ)
};

/// What a subspace must be good for on the labelled source. Both lie in [0, 1] whatever the data's scale.
enum class TransferCriterion {
  Fisher,  ///< (tr WᵀS_wW + δ) / (tr WᵀS_tW + δ): share of the kept variance that lies within classes
  Pca,     ///< 1 − tr WᵀS_tW / tr S_t: share of the variance lost
};

/// How the reconstruction error is weighed: entry by entry, or sample by sample (outlying samples stay
/// whole).
enum class ErrorNorm { L1, L21 };

/// 1-NN on the prepared features: no adaptation, the floor every method is measured from.
struct NnOptions {};

/// Multinomial logistic regression on the source: as a method of its own without adaptation, the floor of
/// what a linear classifier reaches, or as what labels in the embedding of another method.
struct LogisticOptions {
  /// In units of the samples' mean squared distance from their mean; own: by cross-validation on the source.
  std::optional<double> ridge = {};
  bool balanced = false;  ///< classes weigh alike, whatever their numbers
};

/// What target samples are compared with.
enum class Reference {
  Samples,     ///< every source sample: 1-NN as published, ns·nt comparisons
  Means,       ///< the mean of each class in the embedding: C·nt comparisons
  Prototypes,  ///< 1-NN against some of the source samples, drawn by the seed
  Logistic,    ///< nothing: logistic regression on the source
};

struct ReferenceOptions {
  std::optional<Reference> classifier = {};  ///< own: samples, or as many prototypes as are affordable
  std::optional<int> prototypes = {};  ///< own: 1000; where the classifier is left open, those affordable
  LogisticOptions logistic{};
};

/// Principal components of both domains together, then 1-NN.
struct PcaOptions {
  std::optional<int> components = {};  ///< own: 100, as in the published comparison, or as many as there are
  ReferenceOptions classifier{};
};

/// Geodesic flow kernel (Gong, Shi, Sha, Grauman, CVPR 2012): the PCA subspaces of source and target are two
/// points of the Grassmann manifold, and samples are compared by their projections on all subspaces along the
/// geodesic between them, integrated in closed form from the principal angles θ_i.
///
/// With principal vectors a_i (source) and r_i (the part of the target's outside the source subspace), x =
/// 2θ_i,
///     G = Σ_i [a_i r_i] · ½ [[1 + sin x / x, (1 − cos x)/x], [(1 − cos x)/x, 1 − sin x / x]] · [a_i r_i]ᵀ =
///     L Lᵀ,
/// so 1-NN in the metric G is Euclidean 1-NN on Lᵀx, with L of size d×2q: no d×d matrix, no complement.
struct GfkOptions {
  /// q. Own: by the subspace disagreement measure, which needs no labels; published: 10, 20 or 100.
  std::optional<int> subspace = {};
  ReferenceOptions classifier{};
};

/// What the weight λ of ‖A‖² is measured in. The closeness it stands against grows with the samples, with the
/// square of the features' scale and with the kernel: per cent of the scatter's trace mean the same for all.
enum class LambdaUnit { Percent, Absolute };

/// The options that TCA, JDA and CDDA have in common.
struct MatchingOptions {
  std::optional<int> components = {};  ///< own: 100, as in the published comparison, or as many as there are
  double lambda = 0.1;  ///< in `lambda_unit`; much less trusts the labels of early rounds too far
  LambdaUnit lambda_unit = LambdaUnit::Percent;
  KernelOptions kernel{};
  Scaling scaling = Scaling::Unit;  ///< as published; whitening loses 27 points on COIL1→COIL2
  bool normalize_embedding = true;
  ReferenceOptions references{};
};

enum class Weighting { Plain, Balanced };

/// The options of the methods that match classes round by round.
struct RoundOptions {
  int rounds = 10;  ///< as published; labels are often stable before
  Weighting weighting = Weighting::Plain;
  double balance = 0.5;  ///< both terms alike, as in plain weighting
  EmptyClass empty_class = EmptyClass::Drop;
};

/// Transfer component analysis: the subspace that keeps variance while the domains' means fall together.
///     (X M₀ Xᵀ/‖M₀‖_F + λI) a = φ X H Xᵀ a, smallest φ
struct TcaOptions {
  MatchingOptions matching{.normalize_embedding = false};  ///< as published
};

/// Joint distribution adaptation: TCA that also brings the means of each class together, with target labels
/// from the round before.
///     M = C·M₀ + Σ_c M_c, (X M Xᵀ/‖M‖_F + λI) a = φ X H Xᵀ a, smallest φ
struct JdaOptions {
  MatchingOptions matching{};
  RoundOptions rounds{};
};

/// Close yet discriminative domain adaptation: JDA that also pushes each class away from the other classes,
/// across the domains and within the source.
///     M_REP = Σ_c w_st·[s_c − t_¬c] + w_ts·[t_c − s_¬c] + w_ss·[s_c − s_¬c]
///     ratio:      (X H Xᵀ + X M_REP Xᵀ) a = ν (X M_C Xᵀ/‖M_C‖_F + λI) a, largest ν
///     algebraic:  (X (M_C − M_REP) Xᵀ/‖M_C − M_REP‖_F + λI) a = φ X H Xᵀ a, smallest φ
struct CddaOptions {
  MatchingOptions matching{};
  RoundOptions rounds{};
  RepulsionWeights repulsion{};
  RepulsionForm form =
      RepulsionForm::Ratio;  ///< bounded; the printed form can move all variance to one domain
};

/// Transfer subspace learning (Si, Tao, Geng, TKDE 2010): orthonormal W minimising
///     F(W) + λ D(W),
/// F a criterion on the labelled source and D the quadratic divergence between Gaussian kernel density
/// estimates of both domains' projections WᵀX, by gradient descent on the Stiefel manifold from the joint
/// principal components. The width of the densities is fixed at the start, so that the objective falls.
struct TslOptions {
  TransferCriterion criterion = TransferCriterion::Fisher;
  std::optional<int> components = {};  ///< own: 50; 20 … 100 differ little, and cost grows with it
  double lambda = 10.0;                ///< D is a few thousandths where F is tenths
  double regularization = 0.1;  ///< δ / tr S_t; without it Fisher's ratio fits directions of no variance
  std::optional<double> bandwidth = {};  ///< own: median distance between the domains' samples at the start
  int iterations = 50;
  double tolerance = 1e-5;
  int max_samples = 2000;  ///< per domain in D, whose cost is quadratic; the 16 published tasks stay whole
  bool normalize = true;
  ReferenceOptions classifier{};
};

/// Discriminative transfer subspace learning via low-rank and sparse representation (Xu et al. 2016):
///
///   min ½‖PᵀXs − (Y + B∘M)‖² + γ‖P‖² + ‖Z‖_* + α‖Z‖₁ + β‖E‖₁   s.t.  PᵀXt = PᵀXs Z + E,  M ≥ 0.
///
/// Y are the source labels as 0/1 columns, B is +1 at a sample's own class and −1 elsewhere, and M relaxes
/// the labels: a fit on the right side of its label costs nothing. P is updated inside every sweep of the
/// reconstruction's ALM, as published; then 1-NN.
struct LrsrOptions {
  double gamma = 1.0;       ///< with 5 sweeps gives the published cells C→D and W→D on unit samples
  double alpha = 1.0;       ///< as published
  double beta = 1e-4;       ///< as published
  double penalty = 0.1;     ///< μ of the first sweep, as published
  double growth = 1.01;     ///< of μ, as published
  int iterations = 5;       ///< accuracy has settled there on the benchmark
  double tolerance = 1e-6;  ///< of the reconstruction's residuals
  bool normalize_embedding =
      true;  ///< scores are compared by direction: a sample's length is the domain's contrast
  std::optional<int> prototypes = {};  ///< own: every source sample may rebuild
  ReferenceOptions classifier{};
};

/// What the subspace is to keep.
enum class LtslCriterion {
  Pca,  ///< variance of both domains: F(P) = −tr(Pᵀ X H Xᵀ P), PᵀP = I
  Lda,  ///< separation of the source classes: F(P) = −tr(Pᵀ S_b P), Pᵀ(S_t + ridge)P = ns·I
};

/// Generalized transfer subspace learning through low-rank constraint (Shao, Kit & Fu 2014):
///
///   min F(P) + ‖Z‖_* + λ‖E‖₂,₁   s.t.  PᵀXt = PᵀXs Z + E,  P normalised as F asks.
///
/// Alternates the reconstruction for fixed P with a majorised step for P; then 1-NN.
struct LtslOptions {
  LtslCriterion criterion = LtslCriterion::Pca;
  std::optional<int> components = {};  ///< own: 100, as in the published comparison, or as many as there are
  double lambda = 1.0;                 ///< error and rank weigh the same
  double ridge = 0.01;      ///< of lda's S_t, relative to its mean eigenvalue: keeps it definite for d > ns
  int rounds = 5;           ///< P hardly turns after that
  int sweeps = 12;          ///< of the reconstruction per round
  double penalty = 0.18;    ///< μ of the first sweep
  double growth = 1.5;      ///< of μ: the constraint is nearly exact after 12 sweeps
  double tolerance = 1e-4;  ///< relative change of the energy
  bool normalize_embedding = false;
  std::optional<int> prototypes = {};  ///< own: every source sample may rebuild
  ReferenceOptions classifier{};
};

enum class RsaCddaMode {
  Geometry,   ///< closeness and repulsion in the embedding, labels from the latent geometry
  Corrected,  ///< the paper's whole energy, soundly alternated: also Z and E
  Printed,    ///< the paper's Algorithm 1 with the least repairs, for the record
};

/// What infers labels in the embedding.
enum class RsaCddaClassifier {
  Nearest,      ///< 1-NN, as in the published protocol
  Propagation,  ///< label propagation on the joint graph, with Z's class scores as seeds where there is a Z
  Geometry,     ///< harmonic labels plus the structural-risk classifier
  Harmonic,     ///< harmonic labels alone
  Risk,         ///< the structural-risk classifier alone
};

/// Which runs label together in geometry mode.
enum class RsaCddaVoices {
  Both,    ///< weighed by what can be known of them without target labels
  Graph,   ///< harmonic labels and structural risk
  Linear,  ///< the same and logistic regression in the embedding
};

/// The shares of the source's classes where its mean is compared with the target's.
enum class RsaCddaShares {
  Own,
  Target,  ///< those of the target's labels so far
  Mixed,   ///< the target's in runs with a linear voice or a flat spectrum, its own in others
};

/// Robust data geometric structure aligned, close yet discriminative domain adaptation. What is not set takes
/// the mode's own value, "own" below (geometry / corrected / printed); fit_rsa_cdda fills it in first.
struct RsaCddaOptions {
  RsaCddaMode mode = RsaCddaMode::Geometry;
  std::optional<RsaCddaClassifier> classifier = {};  ///< own: geometry / propagation / nearest
  std::optional<RsaCddaVoices> voices = {};  ///< own: both with the geometry classifier, graph with others
  std::optional<int> committee =
      {};  ///< independent runs whose scores are added; own: 5 / 1 / 1; 8 with landmarks
  std::optional<int> landmarks = {};         ///< samples of a domain in a run; own: 0, all, up to a size
  std::optional<int> rounds = {};            ///< own: 8 / 5 / 10
  std::vector<int> components{20, 50, 100};  ///< the largest is the embedding's dimension
  std::optional<int> rank = {};              ///< own: 200 / 200 / 400 leading coordinates of the data
  double spectrum = 2.0;              ///< features Σ^p Vᵀ: 2 is the linear kernel, 1 the data itself
  std::optional<double> lambda = {};  ///< own: 0.3 / 1 / 1
  double closeness = 1.0;             ///< of the domains and classes, against the ridge
  double gamma = 1.0;                 ///< repulsion against the variance
  std::optional<RsaCddaShares> shares = {};  ///< own: mixed / own / own
  std::optional<int> neighbours = {};        ///< own: 20; 5 with classifier = propagation
  int local_scale = 7;
  double rank_decay = 3.0;
  double leak = 1e-3;
  double mmd_weight = 10.0;
  double laplacian_weight = 1.0;
  double classifier_ridge = 0.1;
  int classifier_rounds = 3;
  std::optional<double> lambda1 = {};        ///< own: 1 / 1 / 1e-4
  std::optional<double> lambda2 = {};        ///< own: 0.1 / 0.1 / 1
  std::optional<ErrorNorm> error_norm = {};  ///< own: l21 / l21 / l1
  std::optional<double> geo = {};            ///< own: 0 / 0.1 / 0
  std::optional<double> z_weight = {};       ///< own: 0 / 0.3 / 0
  double z_edges = 0.0;
  double alpha = 0.9;
  double class_mass = 1.0;
  int reconstruction_iterations = 12;
  double penalty = 0.18;
  std::optional<double> growth = {};  ///< own: 1.5 / 1.5 / 1.01
  bool explain = false;
  int explain_count = 5;
};

/// Subspace alignment (Fernando, Habrard, Sebban, Tuytelaars, ICCV 2013): the source's PCA basis P_s is
/// turned towards the target's P_t by the linear map M = P_sᵀP_t that minimises ‖P_s M − P_t‖_F. Source
/// samples are embedded by (P_s P_sᵀ P_t)ᵀ(x − m_s), target samples by P_tᵀ(x − m_t), each about its own
/// domain's mean.
struct SaOptions {
  std::optional<int> components = {};  ///< own: by the subspace disagreement measure, without labels
  ReferenceOptions classifier{};
};

/// Correlation alignment (Sun, Feng, Saenko, AAAI 2016): the source is whitened by its own covariance and
/// recoloured with the target's,
///     x ↦ A(x − m_s) + m_t,   A = (C_t + εI)^½ (C_s + εI)^−½,
/// so that both domains agree in mean and covariance; the target stays as it is. O(nd² + d³).
struct CoralOptions {
  double regularization = 1.0;  ///< ε as in the paper, for features of unit variance (zscore)
  ReferenceOptions classifier{};
};

/// Names every option once, with its bounds and what it is for: what text, config files and Python go by.
void describe(OptionVisitor& visit, NnOptions& options);
void describe(OptionVisitor& visit, LogisticOptions& options);
void describe(OptionVisitor& visit, PcaOptions& options);
void describe(OptionVisitor& visit, GfkOptions& options);
void describe(OptionVisitor& visit, TcaOptions& options);
void describe(OptionVisitor& visit, TslOptions& options);
void describe(OptionVisitor& visit, JdaOptions& options);
void describe(OptionVisitor& visit, CddaOptions& options);
void describe(OptionVisitor& visit, LrsrOptions& options);
void describe(OptionVisitor& visit, LtslOptions& options);
void describe(OptionVisitor& visit, RsaCddaOptions& options);
void describe(OptionVisitor& visit, SaOptions& options);
void describe(OptionVisitor& visit, CoralOptions& options);

template <class Options>
concept MethodOptions = requires(OptionVisitor& visit, Options& options) {
  describe(visit, options);
};

}  // namespace isthmus
