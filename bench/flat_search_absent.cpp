#include <stdexcept>

#include "flat_search.h"

namespace bench {

struct FlatSearch::State {};

bool FlatSearch::available() {
  return false;
}

FlatSearch::FlatSearch(const isthmus::Matrix& /*references*/, const isthmus::Matrix& /*queries*/) {
  throw std::logic_error("this build has no FAISS");
}

FlatSearch::~FlatSearch() = default;

void FlatSearch::nearest(int /*threads*/) {}

}  // namespace bench
