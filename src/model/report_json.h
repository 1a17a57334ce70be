#pragma once

#include <nlohmann/json.hpp>

#include "isthmus/report.h"

namespace isthmus {

/// {"status", "iterations", "series", "facts", "notes", "warnings", "seconds"}
nlohmann::json to_json(const Report& report);
/// Reads it back; throws nlohmann::json::exception on another shape.
Report report_from_json(const nlohmann::json& json);

}  // namespace isthmus
