#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bench/method_spec.h"
#include "bench/sample_names.h"
#include "isthmus/data.h"
#include "isthmus/report.h"
#include "table1/table1.h"

namespace isthmus {

/// Adapt from `source` to `target`, or between the two demo domains, drawn anew by each seed.
struct SuiteTask {
  std::string name;
  std::string group = {};  ///< tasks of one group have an average of their own; may be empty
  SamplesName source = {};
  SamplesName target = {};  ///< its labels score
  /// What the files of both held when a run with a log began (samples_content); empty otherwise.
  std::string source_content = {}, target_content = {};
  std::optional<DemoOptions> demo = {};
};

/// One method on one task with one seed: what is asked for and, once run, what came out.
struct SuiteCell {
  SuiteTask task;
  MethodSpec method;      ///< as asked for
  std::string label;      ///< what a listing calls it; may be empty
  MethodSetting setting;  ///< as run: the suite's, with what was asked for on top
  std::uint64_t seed = 0;
  std::optional<double> published;

  std::string status = "ok";       ///< "ok", "failed" or "timeout"
  std::string problem;             ///< why there is no result
  bool from_log = false;           ///< what came out did so in an earlier run
  std::optional<double> accuracy;  ///< percent
  std::string labels;              ///< of the target, their checksum; empty without a result
  double seconds = 0;              ///< preparing, fitting and labelling; reading files not counted
  double peak_mib = 0;             ///< largest resident size of the cell's process
  OptionMap options;               ///< every option with the value used
  std::string preprocessing;       ///< the steps used, where `auto` was asked for too; empty without a result
  Report report;

  /// The method as tables call it.
  std::string title() const { return label.empty() ? method.text() : label; }
};

/// What `bench` runs: cells in the order they are shown.
struct Suite {
  std::string name;
  std::filesystem::path folder;  ///< where relative paths start
  std::vector<SuiteCell> cells;
};

/// The tasks of Table 1, each method with the suite's setting for it.
/// Throws IoError naming the missing files, their checksums and origin.
Suite table1_suite(const std::filesystem::path& data, const std::vector<Table1Task>& tasks,
                   const std::vector<MethodSpec>& methods, const std::vector<std::uint64_t>& seeds = {0});

/// The built-in digits, drawn anew by each seed; every method with its defaults.
Suite demo_suite(const DemoOptions& size, const std::vector<MethodSpec>& methods,
                 const std::vector<std::uint64_t>& seeds);

/// A user's own listing (docs/commands/bench.md). `seeds` stand in where the listing names none, `methods`,
/// if any, for those that it names. Throws IoError or InvalidArgument naming the file, the place in it and
/// what was expected; also when a file of a task is not there.
Suite read_suite(const std::filesystem::path& path, const std::vector<std::uint64_t>& seeds,
                 const std::vector<MethodSpec>& methods = {});

/// Leaves the cells of these tasks or groups, by comma; all when empty. Throws InvalidArgument with a
/// did-you-mean on a name that is neither.
void keep_tasks(Suite& suite, std::string_view list);

/// What tells two lists of labels apart: 16 hexadecimal digits of the SHA-256 of the class ids.
std::string labels_checksum(const std::vector<int>& labels);

/// What a cell is known by in a log: everything that decides its result, the version and the content of its
/// files included.
nlohmann::ordered_json cell_identity(const SuiteCell& cell);
/// What came out, and back into a cell; throws InvalidArgument saying what is no result.
nlohmann::ordered_json cell_result(const SuiteCell& cell);
void set_cell_result(SuiteCell& cell, const nlohmann::ordered_json& result);

}  // namespace isthmus
