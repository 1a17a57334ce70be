#include <gtest/gtest.h>

#include "benchmark_data.h"
#include "isthmus/adapt.h"
#include "isthmus/data.h"

namespace isthmus {
namespace {

/// One cell of the published comparison; all 16 tasks of TCA and JDA run in the benchmark.
struct Cell {
  const char* method;
  const char* source;  ///< SURF: a file each; otherwise one file that holds both domains
  const char* target;
  const char* preparation;
  double accuracy;
};

void PrintTo(const Cell& cell, std::ostream* out) {
  *out << cell.method << " " << cell.source << " " << cell.target;
}

DomainPair read_pair(const std::filesystem::path& folder, const Cell& cell) {
  const bool surf = *cell.target != '\0';
  const auto file = [&](const char* name) { return folder / (std::string(name) + ".mat"); };
  ReadOptions source_variables;
  ReadOptions target_variables;
  if (!surf) {
    source_variables.features = "X_src";
    source_variables.labels = "Y_src";
    target_variables.features = "X_tar";
    target_variables.labels = "Y_tar";
  }
  return {read_dataset(file(cell.source), source_variables).domain,
          read_dataset(file(surf ? cell.target : cell.source), target_variables).domain};
}

class PublishedCell : public ::testing::TestWithParam<Cell> {};

TEST_P(PublishedCell, IsReproducedToThePrintedDigit) {
  ISTHMUS_REQUIRE_DATA(folder);
  const Cell& cell = GetParam();
  DomainPair pair = read_pair(folder, cell);
  const std::vector<int> truth = pair.target_truth();
  const bool surf = *cell.target != '\0';
  AdaptRequest request;
  request.method = cell.method;
  request.options = {
      {"kernel", surf ? "linear" : "primal"}, {"lambda", surf ? "1" : "0.1"}, {"lambda_unit", "absolute"}};
  request.preprocessing = Preprocessing::parse(cell.preparation);
  const Model model = adapt(std::move(pair), request);
  EXPECT_NEAR(accuracy_percent(model.target().labels, truth), cell.accuracy, 0.005 + 1e-9);
}

INSTANTIATE_TEST_SUITE_P(
    Table1, PublishedCell,
    ::testing::Values(Cell{"tca", "webcam_SURF_L10", "dslr_SURF_L10", "sum,zscore", 87.26},
                      Cell{"tca", "dslr_SURF_L10", "webcam_SURF_L10", "sum,zscore", 86.10},
                      Cell{"tca", "amazon_SURF_L10", "dslr_SURF_L10", "sum,zscore", 33.12},
                      Cell{"tca", "Caltech10_SURF_L10", "dslr_SURF_L10", "sum,zscore", 41.40},
                      Cell{"tca", "MNIST_vs_USPS", "", "l2", 56.28},
                      Cell{"jda", "webcam_SURF_L10", "dslr_SURF_L10", "sum,zscore,l2", 89.17},
                      Cell{"jda", "dslr_SURF_L10", "webcam_SURF_L10", "sum,zscore,l2", 89.49},
                      Cell{"jda", "USPS_vs_MNIST", "", "l2", 59.65}, Cell{"jda", "COIL_2", "", "l2", 88.47}));

}  // namespace
}  // namespace isthmus
