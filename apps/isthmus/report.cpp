#include <memory>

#include "bench/json_file.h"
#include "console.h"
#include "outputs.h"
#include "program.h"
#include "report/report_page.h"

namespace {

struct ReportFlags : CommonFlags {
  std::string result, page;
};

int run_report(const ReportFlags& flags) {
  Outputs outputs(flags);
  outputs.reads(flags.result);
  outputs.plan(flags.page);
  outputs.set(flags.page, isthmus::report_page(isthmus::read_json_object(flags.result, "result")));
  outputs.commit();
  if (flags.json) {
    print_json({{"report", flags.page}});
  } else if (!flags.quiet) {
    print("report: " + flags.page + "\n");
  }
  return kOk;
}

}  // namespace

void add_report(Program& program) {
  const auto flags = std::make_shared<ReportFlags>();
  CLI::App& command = program.add_command(
      program.root(), "report", "Turn a result (JSON) into one HTML page with charts",
      "isthmus report result.json -o report.html", *flags, [flags] { return run_report(*flags); });
  command.add_option("result", flags->result, "What adapt --report, select --report or bench --out wrote")
      ->required()
      ->type_name("FILE");
  command.add_option("-o,--output", flags->page, "The page, one self-contained file; -: to standard output")
      ->required()
      ->type_name("FILE");
}
