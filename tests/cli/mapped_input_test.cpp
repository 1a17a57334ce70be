#include <signal.h>

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "process.h"

namespace isthmus::testing {
namespace {

using MappedInput = ProgramTest;

/// A NPY file of zeros, most of it a hole that takes no room on the disk.
std::string npy_header(int samples, int features) {
  std::string header =
      fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}), }}", samples, features);
  header.append(117 - header.size(), ' ');
  return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + "\n";
}

TEST_F(MappedInput, ThatIsCutShortDuringARunEndsItAsBadInput) {
  constexpr int kSamples = 400000;
  constexpr int kFeatures = 64;  // 98 MiB: enough to be mapped
  for (const char* name : {"source.npy", "target.npy"}) {
    write(name, npy_header(kSamples, kFeatures));
    std::filesystem::resize_file(folder() / name, 128 + std::uintmax_t{4} * kSamples * kFeatures);
  }
  std::string labels;
  for (int i = 0; i < kSamples; ++i) labels += i % 2 == 0 ? "a\n" : "b\n";
  write("labels.txt", labels);

  Surroundings around;
  around.on_first_line = [this](int pid) {
    kill(pid, SIGSTOP);
    std::filesystem::resize_file(folder() / "source.npy", 4096);
    kill(pid, SIGCONT);
  };
  const Outcome outcome = run({"adapt", "--source", "source.npy", "--source-labels", "labels.txt", "--target",
                               "target.npy", "--method", "pca", "-o", "out.csv"},
                              around);
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  EXPECT_NE(outcome.err.find("a file became shorter"), std::string::npos) << outcome.err;
  EXPECT_FALSE(exists("out.csv"));
}

TEST_F(MappedInput, StreamsThroughAFit) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer keeps memory of its own";
#endif
  constexpr int kFeatures = 256;
  constexpr int kSamples = 1024;  // of the source, 1 MiB
  constexpr int kRepeats = 256;   // of them in the target: 256 MiB
  std::mt19937 engine(1);
  std::normal_distribution<float> normal;
  std::vector<float> values(std::size_t{kSamples} * kFeatures);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = normal(engine) + (i / kFeatures % 2 == 0 ? 3.0F : -3.0F);
  }
  const std::string samples(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
  std::string labels;
  for (int i = 0; i < kSamples; ++i) labels += i % 2 == 0 ? "a\n" : "b\n";
  write("source.npy", npy_header(kSamples, kFeatures) + samples);
  write("source.txt", labels);
  std::ofstream target(folder() / "target.npy", std::ios::binary);
  std::ofstream target_labels(folder() / "target.txt");
  target << npy_header(kSamples * kRepeats, kFeatures);
  for (int i = 0; i < kRepeats; ++i) {
    target << samples;
    target_labels << labels;
  }
  target.close();
  target_labels.close();
  write("suite.json", R"({"methods": ["jda:classifier=mean;rounds=2"],
    "tasks": [{"name": "t", "source": "source.npy", "source_labels": "source.txt",
               "target": "target.npy", "target_labels": "target.txt"}]})");
  const Outcome outcome = run({"bench", "run", "suite.json", "--out", "out.json"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto cell = nlohmann::json::parse(read("out.json")).at("cells").at(0);
  EXPECT_EQ(cell.at("accuracy"), 100.0);
  EXPECT_LT(cell.at("peak_mib"), 128.0);
}

}  // namespace
}  // namespace isthmus::testing
