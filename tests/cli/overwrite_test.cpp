#include <map>

#include "process.h"

namespace isthmus::testing {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// A folder with everything that any command reads: source.csv, target.csv, m.safetensors, r.json,
/// suite.json, g.json, c.json and words.txt, the labels of bare.csv.
class Overwrite : public ProgramTest {
 protected:
  Overwrite() {
    write_domains();
    write("bare.csv", samples_csv(6, 0.0, false));
    write("words.txt", "p\nq\np\nq\np\nq\n");
    write("suite.json", R"({"methods": ["nn"], "tasks": [{"name": "files", "source": "source.csv",
                            "target": "target.csv"}]})");
    write("g.json", R"({"nn": {}})");
    write("c.json", R"({"threads": 1})");
    const Outcome made = run(adapt({"-o", "l.csv", "--model", "m.safetensors", "--report", "r.json"}));
    EXPECT_EQ(made.code, 0) << made.err;
    fs::create_directory(folder() / "sub");
    fs::create_hard_link(folder() / "source.csv", folder() / "hard.csv");
    fs::create_symlink(fs::path("..") / "source.csv", folder() / "sub/soft.csv");
  }

  static Words adapt(const Words& more) {
    Words all{"adapt", "--method", "nn", "--source", "source.csv", "--target", "target.csv"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  static Words select(const Words& more) {
    Words all{"select", "--methods", "nn", "--source", "source.csv", "--target", "target.csv"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  std::map<std::string, std::string> contents() const {
    std::map<std::string, std::string> all;
    for (const std::string& name : names()) {
      if (name != "sub") all[name] = read(name);
    }
    return all;
  }

  void expect_refused(const Words& command, const std::string& message,
                      const Surroundings& around = {}) const {
    const auto before = contents();
    const Outcome outcome = run(command, around);
    const std::string what = command[0] + " ... " + command[command.size() - 2] + " " + command.back();
    EXPECT_EQ(outcome.code, 2) << what << ": " << outcome.out << outcome.err;
    EXPECT_NE(outcome.err.find(message), std::string::npos) << what << ": " << outcome.err;
    EXPECT_EQ(contents(), before) << what << ": files changed";
  }
};

TEST_F(Overwrite, NoOutputMayBeAnInput) {
  for (const Words& command : std::vector<Words>{
           adapt({"-o", "source.csv"}),
           adapt({"-o", "target.csv"}),
           adapt({"-o", "x.csv", "--model", "source.csv"}),
           adapt({"-o", "x.csv", "--report", "target.csv"}),
           adapt({"-o", "x.csv", "--html", "source.csv"}),
           adapt({"--config", "c.json", "-o", "c.json"}),
           {"adapt", "--source", "bare.csv", "--source-labels", "words.txt", "--target", "target.csv", "-o",
            "words.txt"},
           select({"--model", "", "-o", "target.csv"}),
           select({"-o", "", "--model", "source.csv"}),
           select({"--grid", "g.json", "-o", "", "--model", "", "--report", "g.json"}),
           {"predict", "--model", "m.safetensors", "--input", "target.csv", "-o", "target.csv"},
           {"predict", "--model", "m.safetensors", "--input", "target.csv", "-o", "m.safetensors"},
           {"predict", "--model", "m.safetensors", "--input", "bare.csv", "--labels", "words.txt", "-o",
            "words.txt"},
           {"transform", "--model", "m.safetensors", "--input", "target.csv", "-o", "target.csv"},
           {"transform", "--model", "m.safetensors", "--input", "target.csv", "-o", "m.safetensors"},
           {"report", "r.json", "-o", "r.json"},
           {"bench", "run", "suite.json", "--out", "suite.json"},
           {"bench", "run", "suite.json", "--log", "suite.json"},
           {"bench", "run", "suite.json", "--csv", "source.csv"},
           {"bench", "run", "suite.json", "--html", "target.csv"},
           {"bench", "demo", "--config", "c.json", "--out", "c.json"}}) {
    expect_refused(command, "both read and written");
  }
}

TEST_F(Overwrite, FilesAreComparedByWhatTheyAre) {
  for (const std::string name : {"./source.csv", "sub/../source.csv", "hard.csv", "sub/soft.csv"}) {
    expect_refused(adapt({"-o", name}), "both read and written");
    Words command = adapt({"-o", "source.csv"});
    command[4] = name;
    expect_refused(command, "both read and written");
  }
  expect_refused(adapt({"-o", fs::absolute(folder() / "source.csv").string()}), "both read and written");
}

TEST_F(Overwrite, TwoOutputsMayNotBeOneFile) {
  fs::create_symlink("x.csv", folder() / "link.st");
  fs::create_directory_symlink("sub", folder() / "other");
  for (const Words& command :
       std::vector<Words>{adapt({"-o", "x.csv", "--model", "link.st"}),
                          adapt({"-o", "link.st", "--report", "./x.csv"}),
                          adapt({"-o", "sub/x.csv", "--report", "other/x.csv"}),
                          adapt({"-o", "l.csv", "--html", "sub/../l.csv"}),
                          {"bench", "run", "suite.json", "--log", "x", "--out", "./x"}}) {
    expect_refused(command, "two outputs");
  }
}

TEST_F(Overwrite, TheNullDeviceTakesAnyNumber) {
  const Outcome outcome = run(adapt({"-o", "/dev/null", "--report", "/dev/null", "--html", "/dev/null"}));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
}

TEST_F(Overwrite, ALinkToNothingYetIsFollowed) {
  fs::create_symlink(fs::path("sub") / "labels.csv", folder() / "link.csv");
  const Outcome outcome = run(adapt({"-o", "link.csv"}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(fs::is_symlink(folder() / "link.csv"));
  EXPECT_EQ(read("sub/labels.csv"), read("l.csv"));
}

TEST_F(Overwrite, StandardStreamsAreComparedToo) {
  Surroundings around;
  around.in_path = (folder() / "source.csv").string();
  Words command = adapt({"-o", "source.csv"});
  command[4] = "-";
  expect_refused(command, "both read and written", around);
  around.in_path.clear();
  around.out_path = (folder() / "source.csv").string();
  expect_refused(adapt({"-o", "-"}), "both read and written", around);
}

}  // namespace
}  // namespace isthmus::testing
