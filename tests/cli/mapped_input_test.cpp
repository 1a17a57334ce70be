#include <signal.h>

#include <fmt/format.h>

#include <filesystem>

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

}  // namespace
}  // namespace isthmus::testing
