#include "report/report_page.h"

#include <gtest/gtest.h>

#include "bench/suite_output.h"
#include "isthmus/errors.h"

namespace isthmus {
namespace {

using nlohmann::ordered_json;

ordered_json bench_result(const std::string& task) {
  SuiteCell cell;
  cell.task.name = task;
  cell.method.name = "nn";
  cell.accuracy = 50;
  return suite_json("s", {cell}, {});
}

TEST(ReportPage, HoldsTheResultInAFormThatCannotEndItsElement) {
  const std::string page = report_page(bench_result("</script><script>alert(1)</script>&amp;<!--"));
  const auto begin = page.find("id=\"result\">") + 12;
  const std::string data = page.substr(begin, page.find("</script>", begin) - begin);
  EXPECT_EQ(ordered_json::parse(data).at("cells")[0].at("task"),
            "</script><script>alert(1)</script>&amp;<!--");
  EXPECT_EQ(page.find("alert(1)</script>"), std::string::npos);
}

TEST(ReportPage, OfASelectionDoesNotTellTimesAndThatOfABenchmarkDoes) {
  const auto selection = [](double seconds) {
    return ordered_json{{"kind", "selection"},
                        {"score", "snd"},
                        {"rows", {{{"method", "nn"}, {"options", {}}, {"seconds", seconds}}}},
                        {"winner", nullptr}};
  };
  EXPECT_EQ(report_page(selection(1.5)), report_page(selection(2.5)));
  ordered_json bench = bench_result("t");
  const std::string before = report_page(bench);
  bench.at("cells")[0]["seconds"] = 7.25;
  EXPECT_NE(report_page(bench), before);
}

TEST(ReportPage, LoadsNothing) {
  const std::string page = report_page(bench_result("t"));
  EXPECT_NE(page.find("default-src 'none'; script-src 'sha256-"), std::string::npos);
  for (const char* word : {"src=\"", "href=\"", "@import", "url("}) {
    EXPECT_EQ(page.find(word), std::string::npos) << word;
  }
}

TEST(ReportPage, ItsOwnScriptPutsTextOnThePageAsText) {
  const std::string page = report_page(bench_result("t"));
  const auto begin = page.rfind("<script>");
  ASSERT_NE(begin, std::string::npos);
  const std::string script = page.substr(begin);
  EXPECT_NE(script.find("textContent"), std::string::npos);
  for (const char* word : {"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("}) {
    EXPECT_EQ(script.find(word), std::string::npos) << word;
  }
}

// Whoever passes a page on passes Chart.js on, whose licence asks for its text.
TEST(ReportPage, HoldsTheLicenceOfItsCharts) {
  const std::string page = report_page(bench_result("t"));
  const auto notice = page.find("Chart.js Contributors");
  ASSERT_NE(notice, std::string::npos);
  const auto permission = page.find("Permission is hereby granted, free of charge", notice);
  ASSERT_NE(permission, std::string::npos);
  EXPECT_LT(permission, page.find("-->", notice));
}

TEST(ReportPage, RefusesWhatIsNoResult) {
  EXPECT_THROW(report_page({{"a", 1}}), InvalidArgument);
  EXPECT_THROW(report_page({{"kind", "novel"}}), InvalidArgument);
  EXPECT_THROW(report_page({{"kind", "bench"}, {"suite", "s"}}), InvalidArgument);
}

}  // namespace
}  // namespace isthmus
