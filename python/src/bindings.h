#pragma once

#include <nanobind/nanobind.h>

namespace isthmus::python {

// One per file of the same name.
void bind_methods(nanobind::module_& module);
void bind_model(nanobind::module_& module);
void bind_data(nanobind::module_& module);
void bind_scores(nanobind::module_& module);
void bind_summaries(nanobind::module_& module);

}  // namespace isthmus::python
