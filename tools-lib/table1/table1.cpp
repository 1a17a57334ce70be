#include "table1/table1.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "core/text.h"
#include "isthmus/errors.h"

namespace isthmus {
namespace {

constexpr DomainFile from_pair_file(std::string_view file, bool source) {
  return {file, source ? "X_src" : "X_tar", source ? "Y_src" : "Y_tar"};
}
constexpr Table1Task pair_task(std::string_view name, Family family, std::string_view file) {
  return {name, family, from_pair_file(file, true), from_pair_file(file, false)};
}

constexpr DomainFile kCaltech{"Caltech10_SURF_L10.mat", "fts", "labels"};
constexpr DomainFile kAmazon{"amazon_SURF_L10.mat", "fts", "labels"};
constexpr DomainFile kWebcam{"webcam_SURF_L10.mat", "fts", "labels"};
constexpr DomainFile kDslr{"dslr_SURF_L10.mat", "fts", "labels"};

constexpr std::array kTasks{
    pair_task("USPS->MNIST", Family::Digits, "USPS_vs_MNIST.mat"),
    pair_task("MNIST->USPS", Family::Digits, "MNIST_vs_USPS.mat"),
    pair_task("COIL1->COIL2", Family::Coil, "COIL_1.mat"),
    pair_task("COIL2->COIL1", Family::Coil, "COIL_2.mat"),
    Table1Task{"C->A", Family::Surf, kCaltech, kAmazon},
    Table1Task{"C->W", Family::Surf, kCaltech, kWebcam},
    Table1Task{"C->D", Family::Surf, kCaltech, kDslr},
    Table1Task{"A->C", Family::Surf, kAmazon, kCaltech},
    Table1Task{"A->W", Family::Surf, kAmazon, kWebcam},
    Table1Task{"A->D", Family::Surf, kAmazon, kDslr},
    Table1Task{"W->C", Family::Surf, kWebcam, kCaltech},
    Table1Task{"W->A", Family::Surf, kWebcam, kAmazon},
    Table1Task{"W->D", Family::Surf, kWebcam, kDslr},
    Table1Task{"D->C", Family::Surf, kDslr, kCaltech},
    Table1Task{"D->A", Family::Surf, kDslr, kAmazon},
    Table1Task{"D->W", Family::Surf, kDslr, kWebcam},
};

constexpr std::array<std::string_view, 10> kPublishedMethods{"nn",  "pca",  "gfk",  "tca",  "tsl",
                                                             "jda", "cdda", "lrsr", "ltsl", "rsa-cdda"};

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Table 1 as published, in percent: one row a task, one column a method, in the orders above.
// clang-format off
constexpr std::array<std::array<double, kPublishedMethods.size()>, kTasks.size()> kPublished{{
    //  NN    PCA    GFK    TCA    TSL    JDA   CDDA   LRSR   LTSL  RSA-CDDA
    {44.70, 44.95, 46.45, 51.05, 53.75, 59.65, 62.05, 52.33, kNone, 63.20},
    {65.94, 66.22, 67.22, 56.28, 66.06, 67.28, 76.22, 58.55, kNone, 77.50},
    {83.61, 84.72, 72.50, 88.47, 88.06, 89.31, 91.53, 88.61, 75.69, 95.42},
    {82.78, 84.03, 74.17, 85.83, 87.92, 88.47, 93.89, 89.17, 72.22, 95.28},
    {23.70, 36.95, 41.02, 38.20, 44.47, 44.78, 48.33, 51.25, 25.26, 45.30},
    {25.76, 32.54, 40.68, 38.64, 34.24, 41.69, 44.75, 38.64, 19.32, 41.69},
    {25.48, 38.22, 38.85, 41.40, 43.31, 45.22, 48.41, 47.13, 21.02, 49.04},
    {26.00, 34.73, 40.25, 37.76, 37.58, 39.36, 42.12, 43.37, 16.92, 39.09},
    {29.83, 35.59, 38.98, 37.63, 33.90, 37.97, 41.69, 36.61, 14.58, 43.39},
    {25.48, 27.39, 36.31, 33.12, 26.11, 39.49, 37.58, 38.85, 21.02, 39.49},
    {19.86, 26.36, 30.72, 29.30, 29.83, 31.17, 31.97, 29.83, 34.64, 32.95},
    {22.96, 31.00, 29.75, 30.06, 30.27, 32.78, 37.27, 34.13, 39.56, 35.28},
    {59.24, 77.07, 80.89, 87.26, 87.26, 89.17, 87.90, 82.80, 72.61, 94.90},
    {26.27, 29.65, 30.28, 31.70, 28.50, 31.52, 34.64, 31.61, 35.08, 33.66},
    {28.50, 32.05, 32.05, 32.15, 27.56, 33.09, 33.51, 33.19, 39.67, 36.01},
    {63.39, 75.93, 75.59, 86.10, 85.42, 89.49, 90.51, 77.29, 74.92, 90.17},
}};
// clang-format on

bool names(std::string_view word, const Table1Task& task) {
  return lower_case(word) == lower_case(task.name) || lower_case(word) == lower_case(to_string(task.family));
}

}  // namespace

std::string_view to_string(Family family) {
  switch (family) {
    case Family::Digits:
      return "digits";
    case Family::Coil:
      return "COIL";
    case Family::Surf:
      return "SURF";
  }
  return "";
}

std::span<const Table1Task> table1_tasks() {
  return kTasks;
}

std::optional<double> published_accuracy(std::string_view task, std::string_view method) {
  const auto row = std::find_if(kTasks.begin(), kTasks.end(), [&](const auto& t) { return t.name == task; });
  const auto column = std::find(kPublishedMethods.begin(), kPublishedMethods.end(), method);
  if (row == kTasks.end() || column == kPublishedMethods.end()) return std::nullopt;
  const double value = kPublished[static_cast<std::size_t>(row - kTasks.begin())]
                                 [static_cast<std::size_t>(column - kPublishedMethods.begin())];
  if (std::isnan(value)) return std::nullopt;
  return value;
}

std::vector<Table1Task> select_tasks(std::string_view list) {
  const std::vector<std::string> words = split_words(list, ',');
  if (words.empty()) return {kTasks.begin(), kTasks.end()};
  std::vector<std::string> known;
  for (const Family family : kFamilies) known.emplace_back(to_string(family));
  for (const Table1Task& task : kTasks) known.emplace_back(task.name);
  for (const std::string& word : words) {
    if (std::any_of(kTasks.begin(), kTasks.end(), [&](const auto& task) { return names(word, task); }))
      continue;
    throw InvalidArgument(fmt::format("table1 has no task '{}'{}; the families and tasks are: {}", word,
                                      did_you_mean(word, known), fmt::join(known, ", ")));
  }
  std::vector<Table1Task> chosen;
  for (const Table1Task& task : kTasks) {
    if (std::any_of(words.begin(), words.end(), [&](const auto& word) { return names(word, task); })) {
      chosen.push_back(task);
    }
  }
  return chosen;
}

}  // namespace isthmus
