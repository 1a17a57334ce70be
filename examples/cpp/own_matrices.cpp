// Samples that lie in memory of your own, as float or double, are read where they are: no copy is made of
// them.
#include <isthmus/isthmus.h>

#include <iostream>
#include <memory>
#include <vector>

namespace {

/// Rows of a table as a program would hold them: sample by sample, features side by side. That is the
/// library's order.
template <class Value>
std::shared_ptr<std::vector<Value>> my_samples(const isthmus::FeatureMatrix& features) {
  const isthmus::Matrix values = features.view();
  auto held = std::make_shared<std::vector<Value>>();
  for (const double value : values.reshaped()) held->push_back(static_cast<Value>(value));
  return held;
}

}  // namespace

int main() {
  const isthmus::DomainPair drawn = isthmus::make_demo({.source_count = 200, .target_count = 200});
  const auto source = my_samples<float>(drawn.source());
  const auto target = my_samples<double>(drawn.target());

  // The last argument is the owner: the features hold on to it, so the memory lives as long as anyone reads
  // it. An empty owner borrows, and then the memory must outlive the pair and everything made of it.
  const isthmus::FeatureMatrix floats(source->data(), drawn.dimension(), 200, source);
  const isthmus::FeatureMatrix doubles(target->data(), drawn.dimension(), 200, target);
  const isthmus::Labels labels{drawn.classes(), drawn.source_labels()};
  const isthmus::Model model =
      isthmus::adapt(isthmus::DomainPair({floats, labels}, {doubles}), isthmus::CoralOptions{});
  std::cout << model.target().labels.size() << " samples labelled by " << model.method() << "\n";
}
