#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "bench/text_table.h"
#include "console.h"
#include "data_folder.h"
#include "fetch/fetch.h"
#include "interrupt.h"
#include "isthmus/errors.h"
#include "program.h"
#include "table1/manifest.h"

namespace {

using nlohmann::ordered_json;
using enum isthmus::TextTable::Align;

struct DataFlags : CommonFlags {
  std::string folder;
  std::string origin{isthmus::kManifestOrigin};
};

ordered_json entry_json(const isthmus::ManifestEntry& entry) {
  return {{"name", entry.name},
          {"bytes", entry.bytes},
          {"sha256", entry.sha256},
          {"content", entry.content},
          {"url", fmt::format("{}/{}", isthmus::kManifestOrigin, entry.name)}};
}

int list_files(const DataFlags& flags) {
  if (flags.json) {
    ordered_json json = ordered_json::array();
    for (const isthmus::ManifestEntry& entry : isthmus::manifest()) json.push_back(entry_json(entry));
    print_json(json);
    return kOk;
  }
  isthmus::TextTable table({"file", "bytes", "sha-256", "content"}, {Left, Right, Left, Left});
  for (const isthmus::ManifestEntry& entry : isthmus::manifest()) {
    table.add_row({std::string(entry.name), fmt::to_string(entry.bytes), std::string(entry.sha256),
                   std::string(entry.content)});
  }
  print(table.to_string() + fmt::format("\nOrigin: {}\n", isthmus::kManifestOrigin));
  return kOk;
}

int verify_files(const DataFlags& flags) {
  require_data_folder(flags.folder);
  if (!std::filesystem::is_directory(flags.folder)) {
    throw isthmus::IoError(fmt::format("{}: no such folder; `isthmus data fetch --data {}` makes it",
                                       flags.folder, flags.folder));
  }
  const std::vector<isthmus::FileCheck> checks = isthmus::verify(std::filesystem::path(flags.folder));
  if (flags.json) {
    ordered_json json = ordered_json::array();
    for (const isthmus::FileCheck& check : checks) {
      json.push_back(entry_json(*check.entry));
      json.back()["state"] = to_string(check.state);
    }
    print_json(json);
  } else if (!flags.quiet) {
    isthmus::TextTable table({"file", "state"}, {Left, Left});
    for (const isthmus::FileCheck& check : checks) {
      table.add_row({std::string(check.entry->name), std::string(to_string(check.state))});
    }
    print(table.to_string());
  }
  const auto wrong = std::count_if(checks.begin(), checks.end(), [](const isthmus::FileCheck& check) {
    return check.state != isthmus::FileState::Valid;
  });
  if (wrong == 0) return kOk;
  print_error(
      fmt::format("{}: {} of {} files are not as they should be; `isthmus data fetch --data {}` gets them",
                  flags.folder, wrong, checks.size(), flags.folder));
  return kBadInput;
}

/// The proxy other programs would use for an HTTPS address.
std::string proxy_of_environment() {
  for (const char* name : {"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"}) {
    if (const char* proxy = std::getenv(name)) return proxy;
  }
  return "";
}

std::string_view describe(isthmus::FetchOutcome outcome) {
  switch (outcome) {
    case isthmus::FetchOutcome::AlreadyValid:
      return "already there";
    case isthmus::FetchOutcome::Downloaded:
      return "downloaded";
    case isthmus::FetchOutcome::Stopped:
      return "stopped";
  }
  return "";
}

int fetch_files(const DataFlags& flags) {
  require_data_folder(flags.folder);
  Progress progress(flags);
  isthmus::FetchOptions options;
  options.base_url = flags.origin;
  options.proxy = proxy_of_environment();
  keep_results_when_interrupted();
  options.cancel = &interrupted();
  options.on_progress = [&](const isthmus::FetchProgress& info) {
    progress.share(std::string(info.name), static_cast<double>(info.received),
                   static_cast<double>(info.total));
    return isthmus::Decision::Continue;
  };
  ordered_json json = ordered_json::array();
  isthmus::TextTable table({"file", "outcome"}, {Left, Left});
  const auto files = isthmus::manifest();
  for (std::size_t i = 0; i < files.size() && !interrupted(); ++i) {
    progress.stage(std::string(files[i].name), static_cast<int>(i) + 1, static_cast<int>(files.size()));
    const std::string_view outcome = describe(isthmus::fetch(files[i], flags.folder, options));
    json.push_back({{"name", files[i].name}, {"outcome", outcome}});
    table.add_row({std::string(files[i].name), std::string(outcome)});
  }
  progress.clear();
  if (flags.json) {
    print_json(json);
  } else if (!flags.quiet) {
    print(table.to_string());
  }
  return interrupted() ? kInterrupted : kOk;
}

}  // namespace

void add_data(Program& program) {
  CLI::App& group =
      program.add_group("data", "The benchmark files: list, verify, fetch", "isthmus data list");
  const auto add = [&](const char* name, const char* summary, const char* example,
                       int (*run)(const DataFlags&)) {
    const auto flags = std::make_shared<DataFlags>();
    CLI::App& command =
        program.add_command(group, name, summary, example, *flags, [flags, run] { return run(*flags); });
    return std::pair(flags, &command);
  };
  add("list", "Show the files, their checksums and where they come from", "isthmus data list", list_files);
  const auto [verify_flags, verify] =
      add("verify", "Check the files of a folder", "isthmus data verify --data data", verify_files);
  add_data_flag(*verify, verify_flags->folder);
  const auto [fetch_flags, fetch] = add("fetch", "Download what is missing, resume what was cut off",
                                        "isthmus data fetch --data data", fetch_files);
  add_data_flag(*fetch, fetch_flags->folder);
  fetch->add_option("--from", fetch_flags->origin, "Folder on a server that has the files")
      ->type_name("URL")
      ->capture_default_str();
}
