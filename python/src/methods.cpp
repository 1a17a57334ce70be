#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "isthmus/adapt.h"

namespace isthmus::python {
namespace {

namespace nb = nanobind;

std::string_view type_name(const OptionSpec& option) {
  switch (option.type) {
    case OptionType::Integer:
      return "int";
    case OptionType::Real:
      return "float";
    case OptionType::Flag:
      return "bool";
    case OptionType::Choice:
      return "choice";
    case OptionType::IntegerList:
      return "ints";
  }
  return "";
}

}  // namespace

void bind_methods(nb::module_& module) {
  nb::class_<OptionSpec>(module, "Option", "One option of a method; its values as text.")
      .def_ro("name", &OptionSpec::name)
      .def_prop_ro("type", &type_name, "'int', 'float', 'bool', 'choice' or 'ints'")
      .def_ro("default", &OptionSpec::default_value)
      .def_ro("range", &OptionSpec::range)
      .def_ro("help", &OptionSpec::help)
      .def_ro("choices", &OptionSpec::choices)
      .def_ro("automatic", &OptionSpec::automatic, "may be left to the method: 'auto' in text, None here");
  nb::class_<MethodInfo>(module, "Method", "One method as the registry lists it.")
      .def_ro("name", &MethodInfo::name)
      .def_ro("title", &MethodInfo::title)
      .def_ro("summary", &MethodInfo::summary)
      .def_ro("reference", &MethodInfo::reference)
      .def_ro("options", &MethodInfo::options);
  module.def(
      "methods",
      [] {
        const auto list = methods();
        return std::vector<MethodInfo>(list.begin(), list.end());
      },
      "All methods, in the order of Table 1.");
  module.def(
      "find_method", [](std::string_view name) { return MethodInfo(find_method(name)); }, nb::arg("name"),
      "ValueError with a did-you-mean on an unknown name.");
  module.def("default_method", &default_method, "The method used when none is named, as in the program.");
  module.def("default_preprocessing", &default_preprocessing,
             "The preparation used when none is given, as in the program.");
}

}  // namespace isthmus::python
