#include <nlohmann/json.hpp>

#include "process.h"

namespace isthmus::testing {
namespace {

using nlohmann::json;
using Inspect = ProgramTest;

std::string npy_of_2_by_3(std::size_t payload) {
  std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }";
  header.resize(117, ' ');
  return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + "\n" + std::string(payload, '\0');
}

/// Two matrices of 2×1.
std::string two_tensors() {
  std::string header = R"({"a":{"dtype":"F64","shape":[2,1],"data_offsets":[0,16]},)"
                       R"("b":{"dtype":"F64","shape":[2,1],"data_offsets":[16,32]}})";
  header.resize(136, ' ');
  return std::string("\x88\0\0\0\0\0\0\0", 8) + header + std::string(32, '\0');
}

TEST_F(Inspect, AFileThatCannotBeUsedIsExitCode2WithWhatIsKnown) {
  write("whole.npy", npy_of_2_by_3(48));
  EXPECT_EQ(run({"inspect", "whole.npy"}).code, 0);
  write("cut.npy", npy_of_2_by_3(40));
  const Outcome cut = run({"inspect", "cut.npy"});
  EXPECT_EQ(cut.code, 2);
  EXPECT_NE(cut.out.find("cut.npy: npy, 168 bytes"), std::string::npos) << cut.out;
  EXPECT_NE(cut.err.find("shape (2, 3) of float64"), std::string::npos) << cut.err;

  write("ragged.csv", "a,b\n1,2\n3\n");
  const Outcome ragged = run({"inspect", "ragged.csv", "--json"});
  EXPECT_EQ(ragged.code, 2);
  EXPECT_NE(json::parse(ragged.out).at("problem").get<std::string>().find("line 3"), std::string::npos);
  EXPECT_NE(ragged.err.find("line 3"), std::string::npos) << ragged.err;
}

TEST_F(Inspect, SeveralVariablesAreNoFaultOfTheFile) {
  write("two.safetensors", two_tensors());
  const Outcome both = run({"inspect", "two.safetensors"});
  EXPECT_EQ(both.code, 0) << both.err;
  EXPECT_NE(both.out.find("float64"), std::string::npos) << both.out;
  EXPECT_NE(both.err.find("'a', 'b' could all be the features"), std::string::npos) << both.err;
  EXPECT_EQ(run({"inspect", "two.safetensors:a"}).code, 0);
  EXPECT_EQ(run({"inspect", "two.safetensors:c"}).code, 2);
  const Outcome columns = run({"inspect", "two.safetensors", "--drop", "x"});
  EXPECT_EQ(columns.code, 2);
  EXPECT_NE(columns.err.find("has no column 'x'"), std::string::npos) << columns.err;
}

TEST_F(Inspect, AModelIsShownByWhatItIs) {
  write_domains();
  const Outcome made = run({"adapt", "--source", "source.csv", "--target", "target.csv", "--method", "pca",
                            "--components", "3", "-o", "l.csv", "--model", "m.safetensors"});
  ASSERT_EQ(made.code, 0) << made.err;
  const Outcome text = run({"inspect", "m.safetensors"});
  EXPECT_EQ(text.code, 0) << text.err;
  for (const char* word : {"Isthmus model", "pca", "components = 3", "classifier_ridge = auto",
                           "zscore:domain", "class0, class1, class2", "a, b, c, d, e"}) {
    EXPECT_NE(text.out.find(word), std::string::npos) << word << " is not in " << text.out;
  }
  EXPECT_EQ(text.out.find("branch."), std::string::npos) << text.out;
  EXPECT_LT(text.out.size(), 1000U) << text.out;

  const json found = json::parse(run({"inspect", "m.safetensors", "--json"}).out);
  EXPECT_EQ(found.at("format"), "isthmus model");
  EXPECT_EQ(found.at("method"), "pca");
  EXPECT_EQ(found.at("preprocessing"), "zscore:domain") << "as it was chosen, not auto";
  EXPECT_EQ(found.at("dimension"), 5);
  EXPECT_EQ(found.at("classes"), json({"class0", "class1", "class2"}));
  EXPECT_EQ(found.at("fitted_samples"), 45);
  EXPECT_TRUE(found.at("options").contains("components"));
  EXPECT_FALSE(found.contains("variables"));
}

TEST_F(Inspect, ADamagedModelIsRefused) {
  write_domains();
  run({"adapt", "--source", "source.csv", "--target", "target.csv", "--method", "nn", "-o", "l.csv",
       "--model", "m.safetensors"});
  std::string bytes = read("m.safetensors");
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  write("m.safetensors", bytes);
  const Outcome outcome = run({"inspect", "m.safetensors"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("damaged"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace isthmus::testing
