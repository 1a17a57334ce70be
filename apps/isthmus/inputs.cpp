#include "inputs.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "console.h"
#include "eval/samples.h"
#include "isthmus/errors.h"

namespace {

constexpr std::size_t kMostInputBytes = std::size_t{256} << 20;

/// All of standard input. Throws IoError when it is empty, cannot be read or has no end in sight.
std::string read_standard_input() {
  std::string text;
  std::array<char, 65536> buffer{};
  while (true) {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    if (::poll(&input, 1, -1) <= 0) continue;
    const ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count < 0)
      throw isthmus::IoError(fmt::format("standard input: cannot read: {}", std::strerror(errno)));
    if (count == 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(count));
    if (text.size() > kMostInputBytes) {
      throw isthmus::IoError("standard input: is longer than 256 MiB; save it to a file and name that");
    }
  }
  if (text.empty()) throw isthmus::IoError("standard input: is empty; expected samples as CSV");
  return text;
}

}  // namespace

void PairFlags::add_pair(CLI::App& command, const std::string& use) {
  command
      .add_option("--source", source, "Labelled samples: FILE or FILE:VARIABLE; -: CSV from standard input")
      ->required()
      ->type_name("FILE");
  command
      .add_option("--target", target, "Samples to label: FILE or FILE:VARIABLE; -: CSV from standard input")
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

void PairFlags::tell(Outputs& outputs) const {
  outputs.reads_samples(source, source_labels);
  outputs.reads_samples(target, target_labels);
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
  const bool piped = samples == kStandardStream;
  const std::string path = piped ? "standard input" : isthmus::split_variable(samples).path;
  isthmus::Dataset dataset = piped ? isthmus::read_samples_text(read_standard_input(), {path, labels})
                                   : isthmus::read_samples({samples, labels});
  for (const std::string& note : dataset.notes) print_note(fmt::format("{}: {}", path, note), common);
  return std::move(dataset.domain);
}
