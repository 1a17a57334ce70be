#include "program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <span>
#include <sstream>

#include "config_file.h"
#include "console.h"
#include "core/text.h"
#include "interrupt.h"
#include "isthmus/errors.h"
#include "isthmus/version.h"
#include "linalg/blas_memory.h"

namespace {

std::string version_text() {
  return fmt::format("isthmus {}\nBLAS: {}\nthreads: {}", isthmus::version(), isthmus::blas_description(),
                     isthmus::available_cores());
}

/// The command the arguments lead to, and how many of them name it.
std::pair<CLI::App*, std::size_t> chosen_command(CLI::App& root, const std::vector<std::string>& arguments) {
  CLI::App* command = &root;
  std::size_t used = 0;
  while (used < arguments.size()) {
    const auto children =
        command->get_subcommands([&](const CLI::App* child) { return child->get_name() == arguments[used]; });
    if (children.empty()) break;
    command = children.front();
    ++used;
  }
  return {command, used};
}

/// The value of --config among the arguments; empty without one.
std::string config_path(const std::vector<std::string>& arguments) {
  constexpr std::string_view flag = "--config";
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument == flag && i + 1 < arguments.size()) return arguments[i + 1];
    if (argument.starts_with("--config=")) return argument.substr(flag.size() + 1);
  }
  return "";
}

/// What a flag that takes one value was given more than once; empty where there is none.
std::string repeated_flag(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    const bool takes_one = option->get_multi_option_policy() == CLI::MultiOptionPolicy::Throw;
    if (!takes_one || option->results().size() < 2) continue;
    // CLI11 keeps the name of a flag that --help leaves out to itself.
    const std::string name =
        option->get_group().empty() ? "--" + option->get_lnames().front() : option->get_name();
    return fmt::format("{} is given {} times ('{}'); give it once", name, option->results().size(),
                       fmt::join(option->results(), "', '"));
  }
  return "";
}

/// CLI11's message; a word that nobody expected comes first, with a did-you-mean.
std::string parse_problem(const CLI::App& root, const CLI::App& command, const CLI::ParseError& error,
                          const std::string& word_after_command) {
  std::vector<std::string> known;
  for (const CLI::App* child : command.get_subcommands({})) known.push_back(child->get_name());
  std::string unknown = known.empty() ? "" : word_after_command;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  if (const std::vector<std::string> extras = root.remaining(true); !extras.empty()) unknown = extras.front();
  if (std::string repeated = repeated_flag(command); unknown.empty() && !repeated.empty()) return repeated;
  unknown = unknown.substr(0, unknown.find('='));
  const std::string path = &command == &root ? "isthmus" : "isthmus " + command.get_name();
  if (unknown.empty()) return fmt::format("{}. See `{} --help`.", error.what(), path);
  return fmt::format("`{}` does not know '{}'{}. See `{} --help`.", path, unknown,
                     isthmus::did_you_mean(unknown, known), path);
}

}  // namespace

Program::Program() : app_("Isthmus: labels for a target domain from a labelled source domain.", "isthmus") {
  app_.require_subcommand(1);
  app_.set_version_flag("--version", version_text, "Version, BLAS and threads");
  app_.footer("Example:\n  isthmus demo\n\n`isthmus COMMAND --help` tells more about each.");
  app_.get_formatter()->column_width(34);
}

CLI::App& Program::add_command(CLI::App& parent, const std::string& name, const std::string& summary,
                               const std::string& example, CommonFlags& common, std::function<int()> run) {
  CLI::App& command = *parent.add_subcommand(name, summary);
  command.add_flag("--json", common.json, "Print the result as JSON")->group("Common");
  command.add_flag("--quiet", common.quiet, "No progress and no summary")->group("Common");
  common.threads = isthmus::available_cores();
  command.add_option("--threads", common.threads, "Threads to use; results do not depend on it")
      ->type_name("N")
      ->check(CLI::Range(1, 4096).description(""))
      ->capture_default_str()
      ->group("Common");
  command.add_option("--seed", common.seed, "Seed of whatever is drawn at random")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber.description(""))
      ->capture_default_str()
      ->group("Common");
  command.add_option("--config", common.config, "JSON object with any of these flags; the command line wins")
      ->type_name("FILE")
      ->group("Common");
  command.footer("Example:\n  " + example);
  commands_.emplace_back(&command, [&common, run = std::move(run)] {
    isthmus::linalg::reserve_blas_memory(common.threads);
    return run();
  });
  return command;
}

CLI::App& Program::add_group(const std::string& name, const std::string& summary,
                             const std::string& example) {
  CLI::App& group = *app_.add_subcommand(name, summary);
  group.require_subcommand(1);
  group.footer("Example:\n  " + example);
  return group;
}

bool Program::parse(const std::vector<std::string>& arguments) {
  std::vector<std::string> all = arguments;
  const auto [command, used] = chosen_command(app_, arguments);
  if (const std::string path = config_path(arguments); !path.empty() && command != &app_) {
    const std::vector<std::string> from_file =
        config_arguments(path, *command, std::span(arguments).subspan(used));
    all.insert(all.begin() + static_cast<std::ptrdiff_t>(used), from_file.begin(), from_file.end());
  }
  std::reverse(all.begin(), all.end());  // what CLI11 asks for
  try {
    app_.parse(all);
  } catch (const CLI::Success& wish) {  // --help, --version
    std::ostringstream text;
    app_.exit(wish, text, text);
    print(text.str());
    return false;
  }
  return true;
}

int Program::run(const std::vector<std::string>& arguments) {
  int code = kOk;
  try {
    isthmus::linalg::reserve_blas_memory(1);
    const bool chosen = parse(arguments);
    for (const auto& [command, run] : commands_) {
      if (chosen && command->parsed()) code = run();
    }
    flush_output();
    return code;
  } catch (const CLI::ParseError& error) {
    const auto [command, used] = chosen_command(app_, arguments);
    print_error(parse_problem(app_, *command, error, used < arguments.size() ? arguments[used] : ""));
    return kBadInput;
  } catch (const isthmus::Cancelled&) {
    print_interrupted();
    return kInterrupted;
  } catch (const isthmus::NumericalError& error) {
    print_error(error.what());
    return kFailure;
  } catch (const isthmus::Error& error) {
    print_error(error.what());
    return kBadInput;
  } catch (const std::bad_alloc&) {
    print_error("out of memory; use fewer samples or features, fewer threads, or a machine with more memory");
    // Not the ordinary way out: a thread of OpenBLAS that finds no memory either would keep it waiting for
    // ever.
    std::fflush(nullptr);
    std::_Exit(kFailure);
  } catch (const std::exception& error) {
    print_error(fmt::format("internal failure: {}", error.what()));
    return kFailure;
  }
}
