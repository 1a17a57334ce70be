#include "inputs.h"

#include <fmt/format.h>

#include "console.h"
#include "eval/samples.h"

void PairFlags::add_pair(CLI::App& command, const std::string& use) {
  command.add_option("--source", source, "Labelled samples: FILE or FILE:VARIABLE")
      ->required()
      ->type_name("FILE");
  command.add_option("--target", target, "Samples to label: FILE or FILE:VARIABLE")
      ->required()
      ->type_name("FILE");
  command
      .add_option(
          "--source-labels", source_labels,
          "Column (name or number, from 1), variable or FILE with the source's labels; detected if not given")
      ->type_name("NAME|NUMBER|FILE");
  command
      .add_option("--target-labels", target_labels,
                  fmt::format("The same for the target, {}; 'none': it has no labels", use))
      ->type_name("NAME|NUMBER|FILE");
}

void add_demo_size(CLI::App& command, isthmus::DemoOptions& size) {
  command.add_option("--source-count", size.source_count, "Labelled samples to draw")
      ->type_name("N")
      ->check(CLI::Range(1, 100000000).description(""))
      ->capture_default_str();
  command.add_option("--target-count", size.target_count, "Samples to draw in the other style")
      ->type_name("N")
      ->check(CLI::Range(1, 100000000).description(""))
      ->capture_default_str();
}

isthmus::Domain read_samples(const std::string& samples, const std::string& labels,
                             const CommonFlags& common) {
  isthmus::Dataset dataset = isthmus::read_samples({samples, labels});
  const std::string path = isthmus::split_variable(samples).path;
  for (const std::string& note : dataset.notes) print_note(fmt::format("{}: {}", path, note), common);
  return std::move(dataset.domain);
}
