#include "flat_search.h"

#include <faiss/IndexFlat.h>
#include <omp.h>

#include <vector>

extern "C" void openblas_set_num_threads(int threads);

namespace bench {

struct FlatSearch::State {
  faiss::IndexFlatL2 index;
  Eigen::MatrixXf queries;
  std::vector<float> distances;
  std::vector<faiss::Index::idx_t> neighbours;
};

bool FlatSearch::available() {
  return true;
}

FlatSearch::FlatSearch(const isthmus::Matrix& references, const isthmus::Matrix& queries)
    : state_(std::make_unique<State>()) {
  state_->index = faiss::IndexFlatL2(references.rows());
  const Eigen::MatrixXf single = references.cast<float>();
  state_->index.add(single.cols(), single.data());
  state_->queries = queries.cast<float>();
  state_->distances.resize(static_cast<std::size_t>(queries.cols()));
  state_->neighbours.resize(static_cast<std::size_t>(queries.cols()));
}

FlatSearch::~FlatSearch() = default;

void FlatSearch::nearest(int threads) {
  // FAISS leaves the threads of its products to BLAS, the library to itself.
  omp_set_num_threads(threads);
  openblas_set_num_threads(threads);
  state_->index.search(state_->queries.cols(), state_->queries.data(), 1, state_->distances.data(),
                       state_->neighbours.data());
  openblas_set_num_threads(1);
}

}  // namespace bench
