#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include <optional>
#include <string>

#include "arrays.h"
#include "bindings.h"
#include "linalg/moments.h"
#include "samples/summaries.h"

namespace isthmus::python {
namespace {

/// Adds rows of an array to a pass; `empty` is what its blocks start from.
template <class Summary>
void add_rows(Fold<Summary>& pass, const Samples& samples, Index first, int threads, const Summary& empty) {
  Fold<Summary> part(empty);
  {
    const nb::gil_scoped_release nogil;
    const FeatureMatrix features = borrow(samples);
    part.add(features, first, threads);
  }
  pass.merge(part);
}

template <class Summary>
Summary result(const Fold<Summary>& pass) {
  return Fold<Summary>(pass).finish();
}

template <class Summary>
nb::bytes bytes_of(const Fold<Summary>& pass) {
  const std::string bytes = to_bytes(pass);
  return nb::bytes(bytes.data(), bytes.size());
}

template <class Summary>
void read_bytes(const nb::bytes& bytes, Fold<Summary>& pass) {
  from_bytes(std::string_view(bytes.c_str(), bytes.size()), pass);
}

Series vector_array(const Vector& values) {
  return to_series(std::vector<double>(values.begin(), values.end()));
}

/// What all passes have; `nothing` is what bytes are read into.
template <class Summary>
nb::class_<Fold<Summary>> bind_pass(nb::module_& module, const char* name, const char* doc,
                                    const Summary& nothing) {
  using Pass = Fold<Summary>;
  nb::class_<Pass> bound(module, name, doc);
  bound.def("merge", &Pass::merge, nb::arg("other"), "Adds what another pass has seen, of other rows.")
      .def("to_bytes", &bytes_of<Summary>, "The same bytes on every machine, for from_bytes and pickle.")
      .def_static(
          "from_bytes",
          [nothing](const nb::bytes& bytes) {
            auto pass = std::make_unique<Pass>(nothing);
            read_bytes(bytes, *pass);
            return pass;
          },
          nb::arg("bytes"), "ValueError where the bytes are damaged or of another kind.")
      .def("__getstate__", &bytes_of<Summary>)
      .def("__setstate__", [nothing](Pass& pass, const nb::bytes& bytes) {
        new (&pass) Pass(nothing);
        read_bytes(bytes, pass);
      });
  return bound;
}

template <class Summary>
void bind_add(nb::class_<Fold<Summary>>& bound) {
  bound.def(
      "add",
      [](Fold<Summary>& pass, const Samples& samples, Index first, int threads) {
        add_rows(pass, samples, first, threads, pass.empty());
      },
      nb::arg("X"), nb::arg("first") = 0, nb::kw_only(), nb::arg("threads") = 1,
      "Adds rows, the first of which has that number among all; a multiple of FOLD_BLOCK.");
}

void bind_moments(nb::module_& module) {
  using Pass = Fold<linalg::Moments>;
  auto bound = bind_pass(module, "Moments", "Number, mean and scatter of all rows.", linalg::Moments(0));
  bind_add(bound);
  bound
      .def(
          "__init__", [](Pass* pass, Index features) { new (pass) Pass(linalg::Moments(features)); },
          nb::arg("features"))
      .def_prop_ro("count", [](const Pass& pass) { return result(pass).count; })
      .def_prop_ro(
          "mean", [](const Pass& pass) { return vector_array(result(pass).mean); }, nb::rv_policy::reference)
      .def_prop_ro(
          "scatter", [](const Pass& pass) { return to_array(result(pass).scatter()); },
          nb::rv_policy::reference,
          "Sum of the products of the deviations from the mean, features × features.");
}

void bind_feature_moments(nb::module_& module) {
  using Pass = Fold<FeatureMoments>;
  auto bound = bind_pass(module, "FeatureMoments", "Number, mean and deviation of every feature by itself.",
                         FeatureMoments(0));
  bind_add(bound);
  bound
      .def(
          "__init__", [](Pass* pass, Index features) { new (pass) Pass(FeatureMoments(features)); },
          nb::arg("features"))
      .def_prop_ro("count", [](const Pass& pass) { return result(pass).count; })
      .def_prop_ro(
          "mean", [](const Pass& pass) { return vector_array(result(pass).mean); }, nb::rv_policy::reference)
      .def_prop_ro(
          "deviation", [](const Pass& pass) { return vector_array(result(pass).deviation()); },
          nb::rv_policy::reference, "Population standard deviations.");
}

void bind_class_sums(nb::module_& module) {
  using Pass = Fold<ClassSums>;
  auto bound =
      bind_pass(module, "ClassSums", "Sums and numbers of the rows of each class.", ClassSums(0, 0, {}));
  bound
      .def(
          "__init__",
          [](Pass* pass, Index features, Index classes) {
            new (pass) Pass(ClassSums(features, classes, {}));
          },
          nb::arg("features"), nb::arg("classes"))
      .def(
          "add",
          [](Pass& pass, const Samples& samples, Index first, const ClassIds& labels, int threads) {
            const Index classes = pass.empty().counts.size();
            if (labels.shape(0) != samples.shape(0)) {
              throw InvalidArgument(fmt::format("{} rows but {} labels; one label a row is needed",
                                                samples.shape(0), labels.shape(0)));
            }
            const std::vector<int> ids = checked_ids(labels, static_cast<std::size_t>(classes));
            add_rows(pass, samples, first, threads, ClassSums(pass.empty().sums.rows(), classes, ids, first));
          },
          nb::arg("X"), nb::arg("first"), nb::arg("labels"), nb::kw_only(), nb::arg("threads") = 1,
          "Adds rows and their class numbers, from 0; the first row has that number among all, a multiple of "
          "FOLD_BLOCK.")
      .def_prop_ro(
          "counts", [](const Pass& pass) { return vector_array(result(pass).counts); },
          nb::rv_policy::reference)
      .def_prop_ro(
          "sums", [](const Pass& pass) { return to_array(result(pass).sums); }, nb::rv_policy::reference,
          "classes × features")
      .def_prop_ro(
          "means", [](const Pass& pass) { return to_array(result(pass).means()); }, nb::rv_policy::reference,
          "classes × features; zeros for a class without rows");
}

void bind_extent(nb::module_& module) {
  using Pass = Fold<Extent>;
  auto bound = bind_pass(module, "Extent",
                         "Between which values the features lie, and whether all are finite.", Extent(0));
  bind_add(bound);
  bound
      .def(
          "__init__", [](Pass* pass, Index features) { new (pass) Pass(Extent(features)); },
          nb::arg("features"))
      .def_prop_ro("count", [](const Pass& pass) { return result(pass).count; })
      .def_prop_ro(
          "minimum", [](const Pass& pass) { return vector_array(result(pass).smallest); },
          nb::rv_policy::reference)
      .def_prop_ro(
          "maximum", [](const Pass& pass) { return vector_array(result(pass).greatest); },
          nb::rv_policy::reference)
      .def_prop_ro(
          "not_finite",
          [](const Pass& pass) -> nb::object {
            const Extent extent = result(pass);
            if (extent.finite()) return nb::none();
            return nb::make_tuple(extent.not_finite.sample, extent.not_finite.feature);
          },
          nb::sig("def not_finite(self) -> tuple[int, int] | None"),
          "Row and feature of the first NaN or infinity.");
}

void bind_draw(nb::module_& module) {
  using Pass = Fold<Draw>;
  auto bound = bind_pass(
      module, "Draw", "Some rows at random: the same for any division of all rows, drawn by their numbers.",
      Draw(0, 0, 0));
  bind_add(bound);
  bound
      .def(
          "__init__",
          [](Pass* pass, Index features, Index count, std::uint64_t seed) {
            new (pass) Pass(Draw(features, count, seed));
          },
          nb::arg("features"), nb::arg("count"), nb::arg("seed") = 0)
      .def_prop_ro(
          "rows",
          [](const Pass& pass) {
            const std::vector<Index> numbers = result(pass).numbers();
            return hand_over<Integers>(std::vector<std::int64_t>(numbers.begin(), numbers.end()),
                                       {numbers.size()});
          },
          nb::rv_policy::reference, "Numbers of the rows drawn, ascending.")
      .def_prop_ro(
          "samples", [](const Pass& pass) { return to_array(result(pass).samples()); },
          nb::rv_policy::reference);
}

}  // namespace

void bind_summaries(nb::module_& module) {
  module.attr("FOLD_BLOCK") = kFoldBlock;
  bind_moments(module);
  bind_feature_moments(module);
  bind_class_sums(module);
  bind_extent(module);
  bind_draw(module);
}

}  // namespace isthmus::python
