#include <signal.h>
#include <sys/stat.h>

#include "process.h"

namespace isthmus::testing {
namespace {

using Words = std::vector<std::string>;

class StandardStreams : public ProgramTest {
 protected:
  StandardStreams() {
    write_domains();
    const Outcome made = run(adapt({"-o", "l.csv", "--model", "m.safetensors", "--report", "r.json"}));
    EXPECT_EQ(made.code, 0) << made.err;
  }

  static Words adapt(const Words& more, const std::string& source = "source.csv",
                     const std::string& target = "target.csv") {
    Words all{"adapt", "--method", "nn", "--source", source, "--target", target};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  Surroundings from(const std::string& name) const {
    Surroundings around;
    around.in_path = (folder() / name).string();
    return around;
  }

  void expect_refused(const Words& command, const std::string& message,
                      const Surroundings& around = {}) const {
    const Words before = names();
    const Outcome outcome = run(command, around);
    EXPECT_EQ(outcome.code, 2) << message << outcome.err;
    EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.out, "") << message;
    EXPECT_EQ(names(), before) << message;
  }
};

TEST_F(StandardStreams, ADashAsOutputIsACleanStandardOutput) {
  const Outcome labels = run(adapt({"-o", "-"}));
  ASSERT_EQ(labels.code, 0) << labels.err;
  EXPECT_EQ(labels.out, read("l.csv"));
  EXPECT_NE(labels.err.find("45 target samples labelled"), std::string::npos) << labels.err;

  const Words predict{"predict", "--model", "m.safetensors", "--input", "target.csv", "-o", "-", "--quiet"};
  const Outcome quiet = run(predict);
  EXPECT_EQ(quiet.out, read("l.csv"));
  EXPECT_EQ(quiet.err, "");

  Words transform{"transform", "--model", "m.safetensors", "--input", "target.csv", "-o", "e.csv"};
  ASSERT_EQ(run(transform).code, 0);
  transform.back() = "-";
  EXPECT_EQ(run(transform).out, read("e.csv"));

  ASSERT_EQ(run({"report", "r.json", "-o", "r.html"}).code, 0);
  EXPECT_EQ(run({"report", "r.json", "-o", "-"}).out, read("r.html"));

  const Outcome csv = run({"bench", "demo", "--methods", "nn", "--source-count", "30", "--target-count", "30",
                           "--csv", "-", "--quiet"});
  EXPECT_EQ(csv.out.find("suite,task,method,"), 0U) << csv.out;
  EXPECT_EQ(csv.out.find("average"), std::string::npos) << csv.out;
  EXPECT_FALSE(exists("-"));
}

TEST_F(StandardStreams, WhatCannotShareStandardOutputIsRefused) {
  expect_refused(adapt({"-o", "-", "--json"}), "--json");
  expect_refused(adapt({"-o", "-", "--report", "-"}), "two outputs");
  expect_refused(adapt({"-o", "x.csv", "--model", "-"}), "must be a file");
  expect_refused({"bench", "demo", "--methods", "nn", "--log", "-"}, "must be a file");
}

TEST_F(StandardStreams, AReaderThatHasGoneIsNoErrorAndAFullOutputIsOne) {
  Surroundings around;
  around.broken_out = true;
  EXPECT_EQ(run(adapt({"-o", "-", "--report", "new.json"}), around).code, 0);
  EXPECT_TRUE(exists("new.json"));
  around = {};
  around.out_path = "/dev/full";
  expect_refused(adapt({"-o", "-", "--report", "newer.json", "--model", "newer.safetensors"}),
                 "standard output", around);
}

TEST_F(StandardStreams, ADashAsInputIsStandardInput) {
  for (const bool source : {true, false}) {
    const std::string name = source ? "source.csv" : "target.csv";
    const Outcome outcome =
        run(adapt({"-o", "x.csv"}, source ? "-" : "source.csv", source ? "target.csv" : "-"), from(name));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(read("x.csv"), read("l.csv")) << name;
  }
  const Outcome predicted =
      run({"predict", "--model", "m.safetensors", "--input", "-", "-o", "-", "--quiet"}, from("target.csv"));
  EXPECT_EQ(predicted.out, read("l.csv")) << predicted.err;
  // Through a pipe, with the labels in a file of their own.
  std::string words;
  for (int i = 0; i < 45; ++i) words += "class" + std::to_string(i % 3) + "\n";
  write("words.txt", words);
  const Outcome piped =
      run_other("bash", {"-c", std::string("cut -d, -f1-5 target.csv | '") + ISTHMUS_PROGRAM +
                                   "' predict --model m.safetensors --input - --labels words.txt -o x.csv"});
  EXPECT_EQ(piped.code, 0) << piped.err;
  EXPECT_NE(piped.out.find("accuracy 100.00 %"), std::string::npos) << piped.out;
}

TEST_F(StandardStreams, BadStandardInputIsRefusedByName) {
  expect_refused(adapt({"-o", "x.csv"}, "-", "-"), "can be read once");
  write("empty", "");
  expect_refused(adapt({"-o", "x.csv"}, "-"), "standard input: is empty", from("empty"));
  write("ragged", "a,b,label\n1,2,p\n1,2\n");
  expect_refused(adapt({"-o", "x.csv"}, "-"), "standard input: line 3", from("ragged"));
}

TEST_F(StandardStreams, AnEndlessInputIsRefused) {
  const Outcome outcome =
      run_other("bash", {"-c", std::string("head -c 300000000 /dev/zero | '") + ISTHMUS_PROGRAM +
                                   "' predict --model m.safetensors --input - -o x.csv"});
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  EXPECT_NE(outcome.err.find("longer than 256 MiB"), std::string::npos) << outcome.err;
  EXPECT_FALSE(exists("x.csv"));
}

TEST_F(StandardStreams, AnInterruptEndsTheWaitForInput) {
  ASSERT_EQ(mkfifo((folder() / "pipe").c_str(), 0600), 0);
  Surroundings around = from("pipe");
  around.on_first_line = [](int pid) { kill(pid, SIGINT); };  // the source's notes come first
  const Outcome outcome = run(adapt({"-o", "x.csv"}, "source.csv", "-"), around);
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_FALSE(exists("x.csv"));
}

}  // namespace
}  // namespace isthmus::testing
