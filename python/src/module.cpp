// The extension isthmus._core: the C++ library as Python sees it. What is convenient is added in
// python/isthmus.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "bindings.h"
#include "isthmus/errors.h"
#include "isthmus/version.h"

namespace nb = nanobind;

namespace {

void translate(const std::exception_ptr& error, void* /*payload*/) {
  try {
    std::rethrow_exception(error);
  } catch (const isthmus::InvalidArgument& e) {
    PyErr_SetString(PyExc_ValueError, e.what());
  } catch (const isthmus::IoError& e) {
    PyErr_SetString(PyExc_OSError, e.what());
  } catch (const isthmus::NumericalError& e) {
    PyErr_SetString(PyExc_ArithmeticError, e.what());
  }
}

}  // namespace

NB_MODULE(_core, module) {
  module.doc() = "The C++ library underneath; use the package isthmus.";
  nb::register_exception_translator(translate);
  module.def("version", &isthmus::version, "\"0.1.0\"");
  module.def("blas_description", &isthmus::blas_description, "Name, version and flavour of the BLAS in use.");
  isthmus::python::bind_methods(module);
  isthmus::python::bind_model(module);
  isthmus::python::bind_data(module);
  isthmus::python::bind_scores(module);
  isthmus::python::bind_summaries(module);
}
