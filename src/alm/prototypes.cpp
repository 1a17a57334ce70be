#include "alm/prototypes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>

#include "isthmus/errors.h"
#include "linalg/spread_samples.h"

namespace isthmus {
namespace {

// Samples of a class among which each of its prototypes is chosen: spreading over all of a large class would
// read every sample once for each prototype.
constexpr Index kCandidatesPerPrototype = 20;

/// How many samples each class gives: as equal as the class sizes allow, `count` in all.
std::vector<Index> shares(const std::vector<Index>& sizes, Index count) {
  std::vector<Index> share(sizes.size(), 0);
  for (Index given = 0; given < count;) {
    for (std::size_t c = 0; c < sizes.size() && given < count; ++c) {
      if (share[c] == sizes[c]) continue;
      ++share[c];
      ++given;
    }
  }
  return share;
}

}  // namespace

std::vector<Index> class_balanced_prototypes(SampleView samples, const std::vector<int>& labels, Index count,
                                             std::uint64_t seed, const Execution& run) {
  if (count < 1)
    throw InvalidArgument(fmt::format("the number of prototypes is {}; expected at least 1", count));
  if (static_cast<Index>(labels.size()) != samples.cols()) {
    throw InvalidArgument(fmt::format("prototypes: {} labels for {} samples; expected one each",
                                      labels.size(), samples.cols()));
  }
  std::vector<Index> chosen;
  if (count >= samples.cols()) {
    chosen.resize(labels.size());
    std::iota(chosen.begin(), chosen.end(), Index{0});
    return chosen;
  }
  std::map<int, std::vector<Index>> classes;
  for (std::size_t i = 0; i < labels.size(); ++i) classes[labels[i]].push_back(static_cast<Index>(i));
  std::vector<Index> sizes;
  sizes.reserve(classes.size());
  for (const auto& [label, members] : classes) sizes.push_back(static_cast<Index>(members.size()));
  const std::vector<Index> share = shares(sizes, count);
  std::mt19937_64 engine(seed);
  std::size_t c = 0;
  for (const auto& [label, members] : classes) {
    const Index given = share[c++];
    std::vector<Index> numbers =
        linalg::random_subset(static_cast<Index>(members.size()), kCandidatesPerPrototype * given, engine);
    for (Index& number : numbers) number = members[static_cast<std::size_t>(number)];
    for (const Index at : linalg::spread_samples(samples.pick(numbers), given, engine, run)) {
      chosen.push_back(numbers[static_cast<std::size_t>(at)]);
    }
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

Matrix reconstruction_dictionary(SampleView samples, const std::vector<int>& labels, std::optional<int> count,
                                 std::uint64_t seed, const Execution& run) {
  if (!count) return samples.all();
  return samples.pick(class_balanced_prototypes(samples, labels, *count, seed, run));
}

}  // namespace isthmus
