#include "report/report_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <map>
#include <string_view>
#include <vector>

#include "bench/json_file.h"
#include "io/checksum.h"
#include "isthmus/errors.h"
#include "report_assets.h"

namespace isthmus {
namespace {

using nlohmann::ordered_json;

/// What each kind of result must have for its page to be drawn.
const std::map<std::string, std::vector<std::string>>& required_fields() {
  static const std::map<std::string, std::vector<std::string>> fields{
      {"adaptation", {"method", "options", "classes", "target", "report", "view"}},
      {"bench", {"suite", "cells", "averages"}},
      {"selection", {"score", "rows", "winner"}},
  };
  return fields;
}

void require_result(const ordered_json& result) {
  const std::string kind = result.is_object() && result.contains("kind") && result.at("kind").is_string()
                               ? result.at("kind").get<std::string>()
                               : "";
  const auto at = required_fields().find(kind);
  if (at == required_fields().end()) {
    throw InvalidArgument(
        "this is no result a report can be made of; expected the JSON of `isthmus adapt --report`, `isthmus "
        "bench ... --out` or `isthmus select --report`");
  }
  for (const std::string& field : at->second) {
    if (result.contains(field)) continue;
    throw InvalidArgument(fmt::format("the result ({}) lacks '{}'; it was cut or changed", kind, field));
  }
}

/// The result without what differs from run to run: the same adaptation, or selection, gives the same page.
/// In a benchmark, times are a part of what was measured.
ordered_json without_times(ordered_json result) {
  const auto drop = [](ordered_json& from) {
    if (from.is_object()) from.erase("seconds");
  };
  if (result.at("kind") == "adaptation") drop(result.at("report"));
  if (result.at("kind") == "selection") {
    for (ordered_json& row : result.at("rows")) drop(row);
  }
  return result;
}

/// JSON that may stand in a script element: what could end the element, or start one, is written as \uXXXX.
std::string script_safe(const std::string& json) {
  std::string safe;
  safe.reserve(json.size());
  for (const char c : json) {
    if (c == '<' || c == '>' || c == '&') {
      safe += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      safe += c;
    }
  }
  return safe;
}

/// The hash by which a content security policy allows one script or style: base64 of its SHA-256.
std::string policy_hash(std::string_view text) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::string hex = sha256(text);
  std::array<unsigned, 33> bytes{};  // one more than a sum has: the last group is filled up with 0
  for (std::size_t i = 0; i < 32; ++i) {
    bytes[i] = static_cast<unsigned>(std::stoul(hex.substr(2 * i, 2), nullptr, 16));
  }
  std::string base64;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const unsigned group = bytes[i] << 16U | bytes[i + 1] << 8U | bytes[i + 2];
    for (const unsigned shift : {18U, 12U, 6U, 0U}) base64 += digits[group >> shift & 63U];
  }
  base64.back() = '=';
  return fmt::format("'sha256-{}'", base64);
}

}  // namespace

std::string report_page(const ordered_json& result) {
  require_result(result);
  const std::string_view chart = assets::chart_js();
  const std::string_view page = assets::page_js();
  const std::string_view style = assets::page_css();
  return fmt::format(
      R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src {} {}; style-src {}; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Isthmus report</title>
<style>{}</style>
</head>
<body>
<main id="page"><noscript>This report is drawn by a script inside this file; please allow scripts for it.</noscript></main>
<script type="application/json" id="result">{}</script>
<!--
{}-->
<script>{}</script>
<script>{}</script>
</body>
</html>
)",
      policy_hash(chart), policy_hash(page), policy_hash(style), style,
      script_safe(json_text(without_times(result))), assets::chart_license(), chart, page);
}

}  // namespace isthmus
