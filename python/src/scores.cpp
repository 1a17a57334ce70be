#include "isthmus/scores.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "bindings.h"
#include "model/state.h"

namespace isthmus::python {
namespace {

/// Scores of what the model says about a target it need not have been fitted on.
std::map<std::string, double> score(const Model& model, const Samples& source, const ClassIds& labels,
                                    const Samples& target, const std::vector<std::string>& names, int threads,
                                    std::uint64_t seed) {
  Labels source_labels{model.classes(), {}};
  source_labels.ids = checked_ids(labels, static_cast<std::size_t>(model.classes().size()));
  Context context;
  context.threads = threads;
  context.seed = seed;
  const nb::gil_scoped_release nogil;
  const DomainPair pair({borrow(source), std::move(source_labels)}, {borrow(target), {}});
  auto state = std::make_shared<ModelState>(model.state());
  state->target = model.predict(pair.target(), context);
  const ScoreValues values = score_model(Model(std::move(state)), pair, names, context);
  return {values.begin(), values.end()};
}

}  // namespace

void bind_scores(nb::module_& module) {
  nb::class_<ScoreInfo>(module, "Score", "One label-free score.")
      .def_ro("name", &ScoreInfo::name)
      .def_ro("title", &ScoreInfo::title)
      .def_ro("measures", &ScoreInfo::measures, "what it measures, in a sentence")
      .def_ro("fails", &ScoreInfo::fails, "when it misleads")
      .def_ro("reference", &ScoreInfo::reference)
      .def_ro("higher_is_better", &ScoreInfo::higher_is_better);
  module.def(
      "scores",
      [] {
        const auto list = scores();
        return std::vector<ScoreInfo>(list.begin(), list.end());
      },
      "All scores.");
  module.def(
      "find_score", [](std::string_view name) { return ScoreInfo(find_score(name)); }, nb::arg("name"),
      "ValueError with a did-you-mean on an unknown name.");
  module.def("score_model", &score, nb::arg("model"), nb::arg("source"), nb::arg("labels"), nb::arg("target"),
             nb::arg("names"), nb::arg("threads") = 1, nb::arg("seed") = 0,
             "Scores of the model's labels for target samples; source labels are class ids of the model.");
}

}  // namespace isthmus::python
