#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "eval/method_spec.h"
#include "eval/table1.h"
#include "eval/table1_settings.h"
#include "isthmus/context.h"
#include "isthmus/report.h"

namespace isthmus {

/// One method on one task.
struct Table1Cell {
  Table1Task task;
  MethodSpec method;               ///< as asked for
  MethodSetting setting;           ///< as run: the suite's, with what was asked for on top
  std::string status = "ok";       ///< "ok", "stopped" (cancelled; the best so far) or "failed"
  std::string problem;             ///< why it failed
  std::optional<double> accuracy;  ///< percent; none when failed
  std::optional<double> published;
  double seconds = 0;   ///< preparing, fitting and labelling; reading files not counted
  double peak_mib = 0;  ///< largest resident size of the process during the cell
  OptionMap options;    ///< every option with the value used
  Report report;
};

struct Table1Request {
  std::filesystem::path data;  ///< folder of the benchmark files
  std::vector<Table1Task> tasks;
  std::vector<MethodSpec> methods;
};

/// Called before (accuracy still unknown) and after each cell, with its number from 1 and how many there are.
struct Table1Progress {
  std::function<void(const Table1Cell&, int number, int count)> on_start;
  std::function<void(const Table1Cell&, int number, int count)> on_finish;
};

/// Runs every method on every task, task by task. A numerical failure marks its cell; a wrong option throws
/// InvalidArgument. Ends early, with the cells done so far, when the context is cancelled.
/// Throws IoError naming the missing files, their checksums and origin before anything is run.
std::vector<Table1Cell> run_table1(const Table1Request& request, const Context& context,
                                   const Table1Progress& progress = {});

/// Mean accuracy of one method over the tasks of a family that were run.
struct Table1Average {
  std::string method;  ///< MethodSpec::text()
  std::string tasks;   ///< "digits", "COIL", "SURF" or "all"
  std::optional<double> ours;
  std::optional<double> published;  ///< none unless every task that was run has a published value
};
std::vector<Table1Average> table1_averages(const std::vector<Table1Cell>& cells);

}  // namespace isthmus
