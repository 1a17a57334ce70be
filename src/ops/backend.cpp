#include "ops/backend.h"

#include <fmt/format.h>

#include <fmt/ranges.h>
#include <algorithm>
#include <mutex>

#include "core/text.h"
#include "isthmus/errors.h"
#include "ops/cpu/cpu.h"

namespace isthmus {
namespace {

/// The list of backends, which a program may lengthen while it runs.
class Known {
 public:
  static Known& all() {
    static Known known;
    return known;
  }
  std::shared_ptr<Backend> find(std::string_view name) {
    const std::lock_guard lock(guard_);
    const auto at = named(name);
    return at == list_.end() ? nullptr : *at;
  }
  bool add(std::shared_ptr<Backend> backend) {
    const std::lock_guard lock(guard_);
    if (named(backend->name()) != list_.end()) return false;
    list_.push_back(std::move(backend));
    return true;
  }
  std::vector<std::string> names() {
    const std::lock_guard lock(guard_);
    std::vector<std::string> names;
    for (const auto& backend : list_) names.emplace_back(backend->name());
    return names;
  }

 private:
  using List = std::vector<std::shared_ptr<Backend>>;
  List::const_iterator named(std::string_view name) const {
    return std::find_if(list_.begin(), list_.end(), [&](const auto& b) { return b->name() == name; });
  }

  std::mutex guard_;
  List list_{std::make_shared<ops::CpuBackend>()};
};

}  // namespace

Backend::~Backend() = default;

bool Backend::propose_neighbours(const ops::NeighbourSearch& /*search*/, const Execution& /*run*/,
                                 const ops::TakeCandidates& /*take*/) {
  return false;
}

std::optional<linalg::Moments> Backend::fold_moments(const std::vector<SampleView>& /*parts*/,
                                                     const Execution& /*run*/) {
  return std::nullopt;
}

bool Backend::embed(const ops::AffineMap& /*map*/, const SampleView& /*samples*/, const Execution& /*run*/,
                    Eigen::Ref<Matrix> /*embedded*/) {
  return false;
}

std::unique_ptr<ops::ReconstructionState> Backend::reconstruction(const ops::ReconstructionShape& /*shape*/,
                                                                  const ReconstructionProblem& /*problem*/,
                                                                  const Execution& /*run*/) {
  return nullptr;
}

std::vector<std::string> backends() {
  return Known::all().names();
}

std::shared_ptr<Backend> find_backend(std::string_view name) {
  if (auto found = Known::all().find(name)) return found;
  const std::vector<std::string> names = backends();
  throw InvalidArgument(fmt::format("there is no backend '{}'{}; the backends are: {}", name,
                                    did_you_mean(name, names), fmt::join(names, ", ")));
}

void add_backend(std::shared_ptr<Backend> backend) {
  const std::string name(backend->name());
  if (!Known::all().add(std::move(backend))) {
    throw InvalidArgument(
        fmt::format("there is a backend '{}' already; give the new one another name", name));
  }
}

}  // namespace isthmus
