#pragma once

#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "isthmus/domain.h"
#include "isthmus/errors.h"
#include "isthmus/labels.h"
#include "isthmus/matrix.h"

namespace isthmus::python {

namespace nb = nanobind;

/// Samples by rows, C order: the memory of our d×n matrix, in double or single precision.
using Samples = nb::ndarray<nb::ro, nb::numpy, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using ClassIds = nb::ndarray<const std::int64_t, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

using Array = nb::ndarray<nb::numpy, double, nb::ndim<2>, nb::c_contig>;
using Series = nb::ndarray<nb::numpy, double, nb::ndim<1>, nb::c_contig>;
using Integers = nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>, nb::c_contig>;
using IntegerArray = nb::ndarray<nb::numpy, int, nb::ndim<2>, nb::c_contig>;

/// The array's own memory, kept alive by the features.
inline FeatureMatrix borrow(const Samples& samples) {
  const auto drop = [](Samples* array) {
    const nb::gil_scoped_acquire gil;
    delete array;
  };
  const std::shared_ptr<Samples> owner(new Samples(samples), drop);
  const auto dimension = static_cast<Index>(samples.shape(1));
  const auto count = static_cast<Index>(samples.shape(0));
  if (samples.dtype() == nb::dtype<float>()) {
    return {static_cast<const float*>(samples.data()), dimension, count, owner};
  }
  if (samples.dtype() != nb::dtype<double>())
    throw InvalidArgument("samples of type float64 or float32 are expected");
  return {static_cast<const double*>(samples.data()), dimension, count, owner};
}

/// Class ids, each below the number of classes.
inline std::vector<int> checked_ids(const ClassIds& ids, std::size_t classes) {
  std::vector<int> checked;
  checked.reserve(ids.shape(0));
  for (std::size_t i = 0; i < ids.shape(0); ++i) {
    const std::int64_t id = ids.data()[i];
    if (id < 0 || static_cast<std::size_t>(id) >= classes) {
      throw InvalidArgument(fmt::format("class number {} at sample {} (from 1); expected 0 … {}", id, i + 1,
                                        static_cast<std::int64_t>(classes) - 1));
    }
    checked.push_back(static_cast<int>(id));
  }
  return checked;
}

/// Hands a container's memory to NumPy, which frees it.
template <class To, class Container>
To hand_over(Container values, std::initializer_list<std::size_t> shape) {
  auto kept = std::make_unique<Container>(std::move(values));
  const nb::capsule owner(kept.get(), [](void* p) noexcept { delete static_cast<Container*>(p); });
  return To(kept.release()->data(), shape, owner);
}

inline Array to_array(Matrix values) {
  const auto rows = static_cast<std::size_t>(values.cols());
  const auto columns = static_cast<std::size_t>(values.rows());
  return hand_over<Array>(std::move(values), {rows, columns});
}

inline Series to_series(std::vector<double> values) {
  const std::size_t size = values.size();
  return hand_over<Series>(std::move(values), {size});
}

inline Integers to_integers(const std::vector<int>& values) {
  return hand_over<Integers>(std::vector<std::int64_t>(values.begin(), values.end()), {values.size()});
}

}  // namespace isthmus::python
