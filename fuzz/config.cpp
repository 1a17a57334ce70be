// The JSON files that hold flags (--config) and grids of options (select --grid), down to the options.
#include "config_file.h"

#include "bench/grid_file.h"
#include "core/options_io.h"
#include "isthmus/select.h"
#include "made_up_methods.h"
#include "watched_file.h"

namespace {

void assign(const isthmus::OptionMap& values) {
  isthmus::fuzz::attempt([&] {
    isthmus::fuzz::MadeUpOptions options;
    isthmus::assign_options([&](isthmus::OptionVisitor& visit) { describe(visit, options); }, values, "jda");
  });
}

void read_flags(const std::string& path) {
  CLI::App command("", "adapt");
  isthmus::OptionMap values;
  for (const char* name : {"components", "lambda", "scaled", "subspaces", "mode"})
    command.add_option(std::string("--") + name, values[name]);
  std::vector<std::string> inputs;
  command.add_option("--input", inputs);
  std::vector<std::string> arguments = config_arguments(path, command);
  try {
    command.parse(arguments);
  } catch (const CLI::Error&) {
    return;
  }
  assign(values);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using isthmus::fuzz::attempt;
  isthmus::fuzz::read_watched(data, size, {512, 1 << 20}, [](const std::filesystem::path& path) {
    attempt([&] { read_flags(path.string()); });
    for (const auto& [method, grid] : isthmus::read_grids(path)) {
      isthmus::OptionMap first;
      for (const auto& [option, values] : grid) first[option] = values.front();
      assign(first);
    }
  });
  return 0;
}
