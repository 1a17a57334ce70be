#include "inputs.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "bench/sample_names.h"
#include "console.h"
#include "core/text.h"
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

/// What messages call the samples.
std::string title(const std::string& samples) {
  return samples == kStandardStream ? "standard input" : samples;
}

isthmus::Dataset read_noted(const isthmus::SamplesName& name, const isthmus::ReadOptions& options,
                            const CommonFlags& common) {
  const bool piped = name.samples == kStandardStream;
  const std::string path = isthmus::split_variable(title(name.samples)).path;
  isthmus::Dataset dataset =
      piped ? isthmus::read_samples_text(read_standard_input(), {path, name.labels}, options)
            : isthmus::read_samples(name, {}, options);
  for (const std::string& note : dataset.notes) print_note(fmt::format("{}: {}", path, note), common);
  return dataset;
}

}  // namespace

void ColumnFlags::add_columns(CLI::App& command) {
  command
      .add_option("--id", id,
                  "Column of a text table (name or number, from 1) that identifies the samples: no feature, "
                  "copied to what is written; 'none': no column does; detected if not given")
      ->type_name("NAME|NUMBER");
  command.add_option("--drop", drop, "Columns to leave out, by comma (names or numbers)")
      ->type_name("COLUMNS");
  command
      .add_option("--features", features,
                  "Columns that are the features, by comma (names or numbers); all but labels and id if not "
                  "given")
      ->type_name("COLUMNS");
}

void ColumnFlags::add_matching(CLI::App& command) {
  add_columns(command);
  command.add_flag("--by-position", by_position,
                   "Take features by their position, whatever columns are called");
}

isthmus::ReadOptions ColumnFlags::read_options() const {
  isthmus::ReadOptions options;
  options.without_ids = id == "none";
  if (!options.without_ids) options.id = id;
  options.drop = isthmus::split_words(drop, ',');
  options.feature_columns = isthmus::split_words(features, ',');
  return options;
}

void PairFlags::add_pair(CLI::App& command, const std::string& use) {
  command.add_option("--source", source, fmt::format("Labelled samples: {}", kSamplesHelp))
      ->required()
      ->type_name("FILE");
  command.add_option("--target", target, fmt::format("Samples to label: {}", kSamplesHelp))
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
  add_matching(command);
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
                             const ColumnFlags& columns, const CommonFlags& common) {
  return read_noted({samples, labels}, columns.read_options(), common).domain;
}

std::pair<isthmus::Domain, isthmus::Domain> read_pair(const PairFlags& flags, const CommonFlags& common) {
  isthmus::ReadOptions options = flags.read_options();
  options.may_be_absent = true;
  isthmus::Dataset source = read_noted({flags.source, flags.source_labels}, options, common);
  isthmus::Dataset target = read_noted({flags.target, flags.target_labels}, options, common);
  for (const std::string& name : source.absent) {
    if (std::find(target.absent.begin(), target.absent.end(), name) == target.absent.end()) continue;
    throw isthmus::InvalidArgument(fmt::format("no column is called '{}', neither in {} nor in {}{}", name,
                                               title(flags.source), title(flags.target),
                                               isthmus::did_you_mean(name, source.domain.feature_names)));
  }
  if (flags.by_position) target.domain.feature_names.clear();
  return {std::move(source.domain), std::move(target.domain)};
}

isthmus::Domain read_samples_for(const isthmus::Model& model, const std::string& samples,
                                 const std::string& labels, const ColumnFlags& columns,
                                 const CommonFlags& common) {
  isthmus::Domain domain = read_samples(samples, labels, columns, common);
  if (columns.by_position) domain.feature_names.clear();
  if (match_features(domain, model.feature_names(), "input", "model")) {
    print_note(
        fmt::format("{}: the columns were put in the order of the model's, by their names", title(samples)),
        common);
  }
  return domain;
}
