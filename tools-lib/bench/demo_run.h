#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bench/method_spec.h"
#include "isthmus/context.h"
#include "isthmus/domain.h"
#include "isthmus/model.h"

namespace isthmus {

/// The registered methods that take seconds on the demo data.
std::vector<MethodSpec> demo_methods();

struct DemoRow {
  std::string method;
  double accuracy = 0;  ///< percent
  double seconds = 0;
};

struct DemoResult {
  std::vector<DemoRow> rows;
  /// The model of the default method, never of the one that scored best; else of the last one run.
  std::optional<Model> model;
};

/// Runs each method with its defaults on the pair. Ends early when the context is cancelled.
DemoResult run_demo(const DomainPair& pair, const std::vector<MethodSpec>& methods, const Context& context,
                    const std::function<void(const MethodSpec&, int number, int count)>& on_start = {});

std::string demo_text(const std::vector<DemoRow>& rows);
nlohmann::ordered_json demo_json(const std::vector<DemoRow>& rows);

}  // namespace isthmus
