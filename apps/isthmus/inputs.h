#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "isthmus/data.h"
#include "isthmus/model.h"
#include "outputs.h"
#include "program.h"

/// What a flag that names samples takes, for its help.
inline constexpr std::string_view kSamplesHelp =
    "FILE (CSV, TSV, NPY, NPZ, MAT, LIBSVM, safetensors) or FILE:VARIABLE; -: CSV from standard input";

/// The flags that say what the columns of text tables are for.
struct ColumnFlags {
  std::string id, drop, features;
  bool by_position = false;
  void add_columns(CLI::App& command);
  /// The same for a command that brings columns together with others.
  void add_matching(CLI::App& command);
  isthmus::ReadOptions read_options() const;
};

/// The flags that name both domains.
struct PairFlags : ColumnFlags {
  std::string source, target, source_labels, target_labels;
  /// `use` says what the target's labels are for.
  void add_pair(CLI::App& command, const std::string& use);
  /// Tells which files they name.
  void tell(Outputs& outputs) const;
};

/// The flags that say how much of the built-in data is drawn.
void add_demo_size(CLI::App& command, isthmus::DemoOptions& size);

/// Reads the samples a user named (eval/samples.h), or standard input (-) as CSV, and notes on standard error
/// what the reader found out, unless quiet.
isthmus::Domain read_samples(const std::string& samples, const std::string& labels,
                             const ColumnFlags& columns, const CommonFlags& common);

/// Source and target. A column that --drop or --id names need be in one of them only.
std::pair<isthmus::Domain, isthmus::Domain> read_pair(const PairFlags& flags, const CommonFlags& common);

/// Samples for a model: read as above, their features put into the model's order by their names.
isthmus::Domain read_samples_for(const isthmus::Model& model, const std::string& samples,
                                 const std::string& labels, const ColumnFlags& columns,
                                 const CommonFlags& common);
