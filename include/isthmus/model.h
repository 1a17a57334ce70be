#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "isthmus/context.h"
#include "isthmus/domain.h"
#include "isthmus/features.h"
#include "isthmus/labels.h"
#include "isthmus/matrix.h"
#include "isthmus/options.h"
#include "isthmus/preprocessing.h"
#include "isthmus/report.h"

namespace isthmus {

/// Labels for samples, and how sure they are.
struct Prediction {
  std::vector<int> labels;  ///< class ids, one per sample
  Matrix probabilities;     ///< C×n, columns sum to 1
  Vector outlier_scores;    ///< one per sample where the method has them, else empty
  /// Which source samples explain each sample, where the method tells (else empty): m×n positions in the
  /// source from 0, strongest first (-1: no further one), and their weights.
  Eigen::MatrixXi explained_by;
  Matrix explanation_weights;

  /// The probability of the chosen label.
  Vector confidence() const;
};

struct ModelState;  // src/model/state.h

/// A fitted adaptation: labels of the target it was fitted on, and labels for new samples. Cheap to copy.
class Model {
 public:
  explicit Model(std::shared_ptr<const ModelState> state) : state_(std::move(state)) {}

  const std::string& method() const;
  /// Every option with the value used; given to another fit they repeat this one. "auto" is left where a
  /// choice was never made, such as the width of a kernel that has none.
  const OptionMap& options() const;
  /// Every option as asked for: "auto" where it was left to the method.
  const OptionMap& requested_options() const;
  const ClassNames& classes() const;
  const Preprocessing& preprocessing() const;
  const Report& report() const;
  /// The labels of the fitted target samples.
  const Prediction& target() const;
  Index dimension() const;  ///< features per sample, as read (before preprocessing)
  const std::vector<std::string>& feature_names() const;  ///< in the model's order; empty: unknown

  /// Raw samples (d×m) into the joint subspace (k×m).
  Matrix transform(SampleView samples, Side side = Side::Target, const Context& context = {}) const;
  /// Labels for raw samples of the target's kind.
  Prediction predict(SampleView samples, const Context& context = {}) const;
  /// The same for samples whose features may have names: they are matched by name (match_features).
  Matrix transform(Domain samples, Side side = Side::Target, const Context& context = {}) const;
  Prediction predict(Domain samples, const Context& context = {}) const;

  /// Writes a .safetensors file, atomically.
  void save(const std::filesystem::path& path) const;
  /// Throws IoError on a file that is damaged, no model, or of a newer format.
  static Model load(const std::filesystem::path& path);
  /// What `save` would write, and what `load` would read.
  std::string to_bytes() const;
  static Model from_bytes(std::string_view bytes);

  const ModelState& state() const { return *state_; }

 private:
  std::shared_ptr<const ModelState> state_;
};

}  // namespace isthmus
