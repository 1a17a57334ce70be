#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace isthmus {

enum class Family { Digits, Coil, Surf };

inline constexpr Family kFamilies[] = {Family::Digits, Family::Coil, Family::Surf};

/// "digits", "COIL", "SURF".
std::string_view to_string(Family family);

/// Where a domain's samples lie: a file of the benchmark data and the variables in it.
struct DomainFile {
  std::string_view file;
  std::string_view features;
  std::string_view labels;
};

/// One row of Table 1: adapt from `source` to `target`.
struct Table1Task {
  std::string_view name;  ///< "USPS->MNIST", "C->A"
  Family family;
  DomainFile source;
  DomainFile target;
};

/// The 16 tasks in the order of the published table.
std::span<const Table1Task> table1_tasks();

/// The published accuracy in percent of a method (by its registry name); none where the paper gives none.
std::optional<double> published_accuracy(std::string_view task, std::string_view method);

/// Tasks by name or family, comma-separated ("C->A,W->D", "coil"), in table order; all when empty.
/// Throws InvalidArgument with a did-you-mean on an unknown one.
std::vector<Table1Task> select_tasks(std::string_view list);

}  // namespace isthmus
