#pragma once

#include <string>

#include "isthmus/data.h"
#include "outputs.h"
#include "program.h"

/// The flags that name both domains.
struct PairFlags {
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
                             const CommonFlags& common);
