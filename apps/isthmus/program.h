#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isthmus/context.h"

/// How a command ended; the process's exit code.
enum ExitCode : int {
  kOk = 0,
  kFailure = 1,       ///< the computation broke down
  kBadInput = 2,      ///< arguments or files are wrong
  kInterrupted = 130  ///< stopped by a signal; what was done is written
};

/// Flags every command has.
struct CommonFlags {
  bool json = false;
  bool quiet = false;
  int threads = 0;
  std::uint64_t seed = 0;
  std::string config;  ///< read before the other flags are parsed, see config_file.h
};

/// The command line program: a tree of commands, each with its flags and what it does.
class Program {
 public:
  Program();

  CLI::App& root() { return app_; }

  /// Adds a command under `parent` with the common flags; `run` is called when it is chosen, after parsing,
  /// and returns the exit code. `example` is shown at the end of its help.
  CLI::App& add_command(CLI::App& parent, const std::string& name, const std::string& summary,
                        const std::string& example, CommonFlags& common, std::function<int()> run);
  /// Adds a command that only holds others.
  CLI::App& add_group(const std::string& name, const std::string& summary, const std::string& example);

  /// Parses, runs the chosen command and turns every error into one message and an exit code.
  int run(const std::vector<std::string>& arguments);

 private:
  /// False when the arguments only asked for help or the version, which is printed then.
  bool parse(const std::vector<std::string>& arguments);

  CLI::App app_;
  std::vector<std::pair<CLI::App*, std::function<int()>>> commands_;
};

// One per file of the same name.
void add_adapt(Program& program);
void add_select(Program& program);
void add_scores(Program& program);  // in select.cpp
void add_predict(Program& program);
void add_transform(Program& program);
void add_inspect(Program& program);
void add_methods(Program& program);
void add_demo(Program& program);
void add_bench(Program& program);
void add_bench_selection(Program& program, CLI::App& group);  // called by add_bench
void add_report(Program& program);
void add_data(Program& program);
void add_completion(Program& program);
