#pragma once

#include <string>
#include <vector>

#include "isthmus/isthmus.h"
#include "linalg/blas.h"

/// The demo's digits, both domains in an embedding by TCA, samples of unit length: what a reconstruction
/// works on.
struct EmbeddedDemo {
  isthmus::DomainPair pair;
  isthmus::Matrix source;  // d×ns
  isthmus::Matrix target;  // d×nt
  std::vector<int> target_labels;

  EmbeddedDemo(isthmus::Index source_count, isthmus::Index target_count, isthmus::Index dimension)
      : pair(isthmus::make_demo({.source_count = source_count, .target_count = target_count})) {
    const isthmus::Model model =
        isthmus::adapt(pair, {.method = "tca",
                              .options = {{"components", std::to_string(dimension)}, {"classifier", "mean"}},
                              .preprocessing = isthmus::Preprocessing::parse("l2")});
    source = model.transform(pair.source(), isthmus::Side::Source);
    target = model.transform(pair.target(), isthmus::Side::Target);
    isthmus::linalg::normalize_columns(source);
    isthmus::linalg::normalize_columns(target);
    target_labels = model.target().labels;
  }
};
