#include "inputs.h"

#include <fmt/format.h>

#include "console.h"
#include "eval/samples.h"

isthmus::Domain read_samples(const std::string& samples, const std::string& labels,
                             const CommonFlags& common) {
  isthmus::Dataset dataset = isthmus::read_samples({samples, labels});
  const std::string path = isthmus::split_variable(samples).path;
  for (const std::string& note : dataset.notes) print_note(fmt::format("{}: {}", path, note), common);
  return std::move(dataset.domain);
}
