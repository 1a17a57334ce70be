#include "bench/demo_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "bench/text_table.h"
#include "isthmus/adapt.h"

namespace isthmus {

std::vector<MethodSpec> demo_methods() {
  // Tens of seconds: gradient descent over all pairs of samples, and a reconstruction per gradient step.
  constexpr std::array<std::string_view, 2> slow{"tsl", "ltsl"};
  std::vector<MethodSpec> chosen;
  for (const MethodInfo& method : methods()) {
    if (std::find(slow.begin(), slow.end(), method.name) == slow.end()) {
      chosen.push_back({std::string(method.name), {}});
    }
  }
  // First what a user gets who names no method.
  std::stable_partition(chosen.begin(), chosen.end(),
                        [](const MethodSpec& method) { return method.name == default_method(); });
  return chosen;
}

DemoResult run_demo(const DomainPair& pair, const std::vector<MethodSpec>& methods, const Context& context,
                    const std::function<void(const MethodSpec&, int number, int count)>& on_start) {
  DemoResult result;
  for (const MethodSpec& method : methods) {
    const int number = static_cast<int>(result.rows.size()) + 1;
    if (on_start) on_start(method, number, static_cast<int>(methods.size()));
    AdaptRequest request;
    request.method = method.name;
    request.options = method.options;
    const auto start = std::chrono::steady_clock::now();
    std::optional<Model> model;
    try {
      model = adapt(pair, request, context);
    } catch (const Cancelled&) {
    }
    // A fit that was cut short says nothing about the method.
    if (context.cancelled()) break;
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    result.rows.push_back(
        {method.text(), accuracy_percent(model->target().labels, pair.target_truth()), seconds.count()});
    if (!result.model || result.model->method() != default_method()) result.model = std::move(*model);
  }
  return result;
}

std::string demo_text(const std::vector<DemoRow>& rows) {
  TextTable table({"method", "accuracy %", "seconds"}, {TextTable::Align::Left});
  for (const DemoRow& row : rows) {
    table.add_row({row.method, fmt::format("{:.2f}", row.accuracy), fmt::format("{:.2f}", row.seconds)});
  }
  return table.to_string();
}

nlohmann::ordered_json demo_json(const std::vector<DemoRow>& rows) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const DemoRow& row : rows) {
    json.push_back({{"method", row.method}, {"accuracy", row.accuracy}, {"seconds", row.seconds}});
  }
  return json;
}

}  // namespace isthmus
