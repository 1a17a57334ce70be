#include "isthmus/model.h"

#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "bindings.h"
#include "isthmus/adapt.h"
#include "isthmus/errors.h"
#include "model/state.h"

namespace isthmus::python {
namespace {

/// IterationInfo with a phase of its own: Python may keep it.
struct Iteration {
  std::string phase;
  int iteration, limit;
  double objective;
  int label_changes;
};

/// The classes in the library's order, and the place of each name in it.
Labels encode_classes(std::vector<std::string> names) {
  const std::size_t count = names.size();
  Labels classes = encode_labels(std::move(names));
  if (static_cast<std::size_t>(classes.classes.size()) != count) {
    throw InvalidArgument("two classes have the same name when written as text; rename one of them");
  }
  return classes;
}

Labels encode(const ClassIds& ids, std::vector<std::string> names) {
  Labels classes = encode_classes(std::move(names));
  Labels labels{std::move(classes.classes), checked_ids(ids, classes.ids.size())};
  for (int& id : labels.ids) id = classes.ids[static_cast<std::size_t>(id)];
  return labels;
}

/// Passes iterations on to Python and looks for Ctrl-C. What Python raises ends the fit.
Decision tell(const nb::object& callback, const IterationInfo& info) {
  const nb::gil_scoped_acquire gil;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
  if (callback.is_none()) return Decision::Continue;
  const nb::object answer = callback(
      Iteration{std::string(info.phase), info.iteration, info.limit, info.objective, info.label_changes});
  return answer.is(nb::handle(Py_False)) ? Decision::Stop : Decision::Continue;
}

Model adapt_arrays(const Samples& source, const ClassIds& labels, std::vector<std::string> classes,
                   const std::optional<Samples>& target, std::string method, OptionMap options,
                   const std::string& preprocessing, std::vector<std::string> feature_names, int threads,
                   std::uint64_t seed, std::optional<double> time_limit, const nb::object& callback) {
  if (time_limit && !(*time_limit > 0)) {
    throw InvalidArgument(
        fmt::format("time_limit is {}; expected seconds above 0, or None for no limit", *time_limit));
  }
  AdaptRequest request{std::move(method), std::move(options), Preprocessing::parse(preprocessing)};
  Domain from{borrow(source), encode(labels, std::move(classes)), std::move(feature_names)};
  Domain to{target ? borrow(*target) : from.features, {}};
  Context context;
  context.threads = threads;
  context.seed = seed;
  if (time_limit) context.deadline = Context::deadline_after(*time_limit);
  context.on_iteration = [&](const IterationInfo& info) { return tell(callback, info); };
  const nb::gil_scoped_release nogil;
  return adapt(DomainPair(std::move(from), std::move(to)), request, context);
}

nb::dict report_dict(const Model& model) {
  const Report& report = model.report();
  nb::dict series, seconds;
  for (const auto& [name, values] : report.series) series[name.c_str()] = to_series(values);
  for (const auto& [phase, time] : report.seconds) seconds[phase.c_str()] = time;
  nb::dict dict;
  dict["status"] = std::string(to_string(report.status));
  dict["iterations"] = report.iterations;
  dict["series"] = series;
  dict["facts"] = report.facts;
  dict["notes"] = report.notes;
  dict["warnings"] = report.warnings;
  dict["seconds"] = seconds;
  return dict;
}

/// Features of an embedded sample.
Index embedded_dimension(const Model& model) {
  const Embedding& embedding = model.state().branches.front().embedding;
  if (embedding.projection.size() > 0) return embedding.projection.cols();
  return embedding.kernel ? embedding.kernel->landmarks.cols() : model.dimension();
}

void bind_prediction(nb::module_& module) {
  nb::class_<Prediction>(module, "Prediction", "Labels for samples, and how sure they are.")
      .def_prop_ro(
          "labels", [](const Prediction& p) { return to_integers(p.labels); }, nb::rv_policy::reference,
          "class ids, one per sample")
      .def_prop_ro(
          "probabilities", [](const Prediction& p) { return to_array(p.probabilities); },
          nb::rv_policy::reference, "one row per sample, one column per class")
      .def_prop_ro(
          "outlier_scores",
          [](const Prediction& p) -> std::optional<Series> {
            if (p.outlier_scores.size() == 0) return std::nullopt;
            return to_series({p.outlier_scores.begin(), p.outlier_scores.end()});
          },
          nb::rv_policy::reference, "one per sample where the method has them")
      .def_prop_ro(
          "explained_by",
          [](const Prediction& p) -> std::optional<IntegerArray> {
            if (p.explained_by.size() == 0) return std::nullopt;
            const auto rows = static_cast<std::size_t>(p.explained_by.cols());
            const auto columns = static_cast<std::size_t>(p.explained_by.rows());
            return hand_over<IntegerArray>(p.explained_by, {rows, columns});
          },
          nb::rv_policy::reference,
          "positions in the source, strongest first, -1: no further one; where the method tells")
      .def_prop_ro(
          "explanation_weights",
          [](const Prediction& p) -> std::optional<Array> {
            if (p.explanation_weights.size() == 0) return std::nullopt;
            return to_array(p.explanation_weights);
          },
          nb::rv_policy::reference, "their weights");
}

}  // namespace

void bind_model(nb::module_& module) {
  nb::class_<Iteration>(module, "Iteration", "What a callback is told after each iteration.")
      .def_ro("phase", &Iteration::phase, "what repeats, such as 'round'")
      .def_ro("iteration", &Iteration::iteration, "from 1")
      .def_ro("limit", &Iteration::limit, "iterations at most")
      .def_ro("objective", &Iteration::objective, "NaN where there is none")
      .def_ro("label_changes", &Iteration::label_changes, "-1 where there are none");
  bind_prediction(module);

  // Immutable, so that a copy is the model itself.
  const auto itself = [](const nb::object& self, const nb::args&) { return self; };
  nb::class_<Model>(module, "Model", "A fitted adaptation.")
      .def_prop_ro("method", &Model::method)
      .def_prop_ro("options", &Model::options, "every option with the value used, as text")
      .def_prop_ro("requested_options", &Model::requested_options,
                   "every option as asked for, as text: 'auto' where it was left to the method")
      .def_prop_ro("classes", [](const Model& model) { return model.classes().all(); })
      .def_prop_ro(
          "integer_classes", [](const Model& model) { return model.classes().integers(); },
          "every class is a whole number")
      .def_prop_ro("preprocessing", [](const Model& model) { return model.preprocessing().to_string(); })
      .def_prop_ro("dimension", &Model::dimension, "features of a sample")
      .def_prop_ro("feature_names", &Model::feature_names, "what they are called; empty: unknown")
      .def_prop_ro("embedded_dimension", &embedded_dimension, "features of a transformed sample")
      .def_prop_ro("report", &report_dict, "what the fit did")
      .def_prop_ro("target", &Model::target, "the labels of the fitted target")
      .def(
          "predict",
          [](const Model& model, const Samples& samples, int threads) {
            Context context;
            context.threads = threads;
            const FeatureMatrix features = borrow(samples);
            const nb::gil_scoped_release nogil;
            return model.predict(features, context);
          },
          nb::arg("samples"), nb::arg("threads") = 1, "Labels for samples of the target's kind.")
      .def(
          "transform",
          [](const Model& model, const Samples& samples, bool source, int threads) {
            Context context;
            context.threads = threads;
            const FeatureMatrix features = borrow(samples);
            Matrix embedded;
            {
              const nb::gil_scoped_release nogil;
              embedded = model.transform(features, source ? Side::Source : Side::Target, context);
            }
            return to_array(std::move(embedded));
          },
          nb::arg("samples"), nb::arg("source") = false, nb::arg("threads") = 1,
          "Samples in the joint subspace.")
      .def("save", &Model::save, nb::arg("path"), "Writes a .safetensors file, whole or not at all.")
      .def_static("load", &Model::load, nb::arg("path"))
      .def("__getstate__",
           [](const Model& model) {
             const std::string bytes = model.to_bytes();
             return nb::bytes(bytes.data(), bytes.size());
           })
      .def("__setstate__",
           [](Model& model, const nb::bytes& bytes) {
             new (&model) Model(Model::from_bytes({bytes.c_str(), bytes.size()}));
           })
      .def("__copy__", itself)
      .def("__deepcopy__", itself);

  module.def(
      "class_order",
      [](std::vector<std::string> names) {
        const Labels classes = encode_classes(std::move(names));
        std::vector<int> order(classes.ids.size());
        for (std::size_t i = 0; i < order.size(); ++i)
          order[static_cast<std::size_t>(classes.ids[i])] = static_cast<int>(i);
        return to_integers(order);
      },
      nb::arg("names"), "Positions of the class names in the library's order.");
  module.def("adapt", &adapt_arrays, nb::arg("source"), nb::arg("labels"), nb::arg("classes"),
             nb::arg("target").none(), nb::kw_only(), nb::arg("method"), nb::arg("options"),
             nb::arg("preprocessing"), nb::arg("feature_names") = std::vector<std::string>(),
             nb::arg("threads") = 1, nb::arg("seed") = 0, nb::arg("time_limit").none() = nb::none(),
             nb::arg("callback").none() = nb::none(),
             "Prepares the pair, fits the method and labels the target (the source where there is none).");
}

}  // namespace isthmus::python
