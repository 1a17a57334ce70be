#include "isthmus/data.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "bindings.h"
#include "table1/benchmark_files.h"
#include "table1/manifest.h"
#include "table1/table1.h"

namespace isthmus::python {
namespace {

/// (X, class ids, class names, whether all are integers); ids and names are empty without labels.
nb::tuple domain_tuple(FeatureMatrix features, const Labels& labels) {
  return nb::make_tuple(to_array(std::move(features).release()), to_integers(labels.ids),
                        labels.classes.all(), labels.classes.integers());
}

Domain read(const std::filesystem::path& path, const ReadOptions& options) {
  const nb::gil_scoped_release nogil;
  return read_dataset(path, options).domain;
}

nb::tuple read_benchmark(const std::filesystem::path& folder, const DomainFile& from) {
  ReadOptions options;
  options.features = from.features;
  options.labels = from.labels;
  Domain domain = read(folder / from.file, options);
  return domain_tuple(std::move(domain.features), domain.labels.value_or(Labels{}));
}

}  // namespace

void bind_data(nb::module_& module) {
  module.def(
      "make_demo",
      [](Index source_count, Index target_count, std::uint64_t seed, int threads) {
        DomainPair pair = make_demo({source_count, target_count, seed}, threads);
        return nb::make_tuple(domain_tuple(pair.release_source(), {pair.classes(), pair.source_labels()}),
                              domain_tuple(pair.release_target(), {pair.classes(), pair.target_truth()}));
      },
      nb::arg("source_count"), nb::arg("target_count"), nb::arg("seed"), nb::arg("threads") = 1,
      "Source and target of the built-in digits.");
  module.def(
      "read_dataset",
      [](const std::filesystem::path& path, std::string features, std::string labels, bool without_labels,
         std::vector<std::string> columns, std::vector<std::string> drop, std::string id, bool without_ids) {
        ReadOptions options;
        options.features = std::move(features);
        options.labels = std::move(labels);
        options.without_labels = without_labels;
        options.feature_columns = std::move(columns);
        options.drop = std::move(drop);
        options.id = std::move(id);
        options.without_ids = without_ids;
        Domain domain = read(path, options);
        return nb::make_tuple(domain_tuple(std::move(domain.features), domain.labels.value_or(Labels{})),
                              domain.feature_names, domain.sample_ids);
      },
      nb::arg("path"), nb::arg("features") = "", nb::arg("labels") = "", nb::arg("without_labels") = false,
      nb::arg("columns") = std::vector<std::string>(), nb::arg("drop") = std::vector<std::string>(),
      nb::arg("id") = "", nb::arg("without_ids") = false,
      "The samples of a file in any format the program reads; the names of its features, the ids of its "
      "samples.");
  module.def(
      "table1_tasks",
      [] {
        std::vector<nb::tuple> tasks;
        for (const Table1Task& task : table1_tasks())
          tasks.push_back(nb::make_tuple(task.name, to_string(task.family)));
        return tasks;
      },
      "Name and family of the 16 tasks, in the order of the table.");
  module.def(
      "read_table1",
      [](const std::filesystem::path& folder, std::string_view name) {
        const std::vector<Table1Task> tasks = select_tasks(name);
        require_benchmark_files(folder, tasks);
        return nb::make_tuple(read_benchmark(folder, tasks.front().source),
                              read_benchmark(folder, tasks.front().target));
      },
      nb::arg("folder"), nb::arg("task"), "Source and target of a task.");
  module.def(
      "manifest",
      [] {
        std::vector<nb::dict> entries;
        for (const ManifestEntry& entry : manifest()) {
          nb::dict dict;
          dict["name"] = entry.name;
          dict["bytes"] = entry.bytes;
          dict["sha256"] = entry.sha256;
          dict["content"] = entry.content;
          entries.push_back(std::move(dict));
        }
        return entries;
      },
      "The benchmark files.");
  module.def(
      "verify_files",
      [](const std::filesystem::path& folder) {
        nb::dict states;
        for (const FileCheck& check : verify(folder))
          states[std::string(check.entry->name).c_str()] = std::string(to_string(check.state));
        return states;
      },
      nb::arg("folder"), "'valid', 'missing', 'wrong size' or 'wrong sum' for each benchmark file.");
}

}  // namespace isthmus::python
