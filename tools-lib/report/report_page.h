#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace isthmus {

/// A result as one self-contained HTML page: charts, tables, settings. It opens offline, loads nothing, and
/// shows text from the result (class names, paths) as text, whatever it holds.
/// Takes what `adapt --report`, `bench --out` and `select --report` write; throws InvalidArgument on other
/// JSON.
std::string report_page(const nlohmann::ordered_json& result);

}  // namespace isthmus
