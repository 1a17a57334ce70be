#include <fmt/format.h>

#include "fixtures.h"
#include "job.h"

namespace isthmus::testing {
namespace {

/// A format, and a file of it that holds the same samples as the others.
struct Input {
  std::string name, file;
};

void PrintTo(const Input& input, std::ostream* out) {
  *out << input.name;
}

/// Files that change, go or break while they are read.
class Reading : public JobTest, public ::testing::WithParamInterface<Input> {
 protected:
  Reading() {
    write_domains();
    write_formats();
    const std::string file = GetParam().file;
    job_ = {.name = GetParam().name,
            .program = ISTHMUS_PROGRAM,
            .arguments = {"predict", "--model", "m.safetensors", "--input", file, "--labels", "none", "-o",
                          "labels.csv", "--quiet"},
            .outputs = {"labels.csv"},
            .log = ""};
    if (GetParam().name == "Model") job_.arguments[4] = "x.csv";
  }

  /// Six samples in every format, and a model for them.
  void write_formats() const {
    const Outcome adapted = run({"adapt", "--source", "source.csv", "--target", "target.csv", "--method",
                                 "nn", "-o", "l.csv", "--model", "m.safetensors", "--quiet"});
    ASSERT_EQ(adapted.code, 0) << adapted.err;
    std::vector<double> rows;
    std::string csv = "a,b,c,d,e\n";
    std::string libsvm;
    for (int i = 0; i < 6; ++i) {
      libsvm += "0";
      for (int j = 0; j < 5; ++j) {
        rows.push_back(1.0 + 0.25 * ((i + 2 * j) % 5));
        csv += fmt::format("{}{}", rows.back(), j < 4 ? "," : "\n");
        libsvm += fmt::format(" {}:{}", j + 1, rows.back());
      }
      libsvm += "\n";
    }
    write("x.csv", csv);
    write("x.libsvm", libsvm);
    const std::string bytes = raw(rows);
    write("x.npy", npy("<f8", "(6, 5)", bytes));
    write_zip(folder() / "x.npz", {{"x.npy", npy("<f8", "(6, 5)", bytes)}});
    write("x.safetensors",
          safetensors(R"({"x":{"dtype":"F64","shape":[6,5],"data_offsets":[0,240]}})", bytes));
    std::vector<double> columns;
    for (std::size_t j = 0; j < 5; ++j) {
      for (std::size_t i = 0; i < 6; ++i) columns.push_back(rows[5 * i + j]);
    }
    MatWriter(folder() / "x.mat", MAT_FT_MAT5).doubles("x", 6, 5, columns);
    MatWriter(folder() / "x73.mat", MAT_FT_MAT73).doubles("x", 6, 5, columns);
  }

  /// Ends by itself: with the usual labels, or with one message that names the file and nothing written.
  void expect_labels_or_a_message(const Outcome& outcome, const std::string& when) const {
    EXPECT_EQ(outcome.signal, 0) << when;
    if (outcome.code == 0) {
      expect_old_or_whole(job_, false, when);
      EXPECT_TRUE(exists("labels.csv")) << when;
      return;
    }
    EXPECT_EQ(outcome.code, 2) << outcome.err << when;
    EXPECT_EQ(outcome.err.find("isthmus: error: " + GetParam().file), 0U) << outcome.err << when;
    EXPECT_FALSE(exists("labels.csv")) << when;
  }

  Job job_;
};

TEST_P(Reading, SurvivesAFileThatVanishesIsCutOrBreaksAtAnyMoment) {
  keep_reference(job_);
  const std::string file = GetParam().file;
  const std::string content = read(file);
  const int looks = moments(job_).looks;
  ASSERT_GE(looks, 2) << "the faults do not reach the program";
  for (const std::string action : {"vanish", "cut", "unreadable"}) {
    for (int look = 1; look <= looks; look += kStep) {
      set_outputs(job_, false);
      const std::string when = fmt::format("{} at look {} of {}", action, look, looks);
      const Outcome outcome = run_with_fault(job_, fmt::format("{}:{}:{}", action, look, file));
      write(file, content);
      // The first file to be unreadable may be another one.
      if (action == "unreadable" && outcome.err.find(": error: " + file) == std::string::npos) {
        EXPECT_EQ(outcome.signal, 0) << when;
        EXPECT_EQ(outcome.code, 2) << when;
        EXPECT_FALSE(exists("labels.csv")) << when;
        continue;
      }
      // A file that is cut before it is opened is a shorter file, and may be a good one.
      if (action == "cut" && outcome.code == 0) continue;
      expect_labels_or_a_message(outcome, when);
    }
  }
}

const std::vector<Input> kInputs{{"Csv", "x.csv"},     {"Libsvm", "x.libsvm"},           {"Npy", "x.npy"},
                                 {"Npz", "x.npz"},     {"Safetensors", "x.safetensors"}, {"Mat5", "x.mat"},
                                 {"Mat73", "x73.mat"}, {"Model", "m.safetensors"}};

INSTANTIATE_TEST_SUITE_P(Formats, Reading, ::testing::ValuesIn(kInputs),
                         [](const auto& input) { return input.param.name; });

}  // namespace
}  // namespace isthmus::testing
