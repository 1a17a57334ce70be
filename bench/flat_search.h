#pragma once

#include <memory>

#include "isthmus/matrix.h"

namespace bench {

/// FAISS's exact search (IndexFlatL2, single precision), where the build has FAISS.
class FlatSearch {
 public:
  static bool available();

  /// Copies both in single precision.
  FlatSearch(const isthmus::Matrix& references, const isthmus::Matrix& queries);
  ~FlatSearch();
  FlatSearch(const FlatSearch&) = delete;
  FlatSearch& operator=(const FlatSearch&) = delete;

  /// Finds the nearest reference of every query.
  void nearest(int threads);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace bench
