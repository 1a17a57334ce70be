#include "process.h"

namespace isthmus::testing {
namespace {

using Completion = ProgramTest;

/// Asks bash what it would offer for a line, by calling the completion function as readline does.
std::string driver(const std::string& words, int current) {
  return "source ./isthmus.bash; COMP_WORDS=(" + words + "); COMP_CWORD=" + std::to_string(current) +
         "; _isthmus; printf '%s\\n' \"${COMPREPLY[@]}\"";
}

TEST_F(Completion, BashScriptIsValidAndOffersCommandsFlagsAndMethods) {
  const Outcome script = run({"completion", "bash"});
  ASSERT_EQ(script.code, 0) << script.err;
  write("isthmus.bash", script.out);
  EXPECT_EQ(run_other("bash", {"-n", "isthmus.bash"}).code, 0);
  EXPECT_EQ(run_other("bash", {"-c", driver("isthmus ada", 1)}).out, "adapt\n");
  EXPECT_EQ(run_other("bash", {"-c", driver("isthmus bench ''", 2)}).out.substr(0, 7), "table1\n");
  EXPECT_EQ(run_other("bash", {"-c", driver("isthmus adapt --pre", 2)}).out, "--preprocess\n");
  EXPECT_EQ(run_other("bash", {"-c", driver("isthmus adapt --method pc", 3)}).out, "pca\n");
  EXPECT_EQ(run_other("bash", {"-c", driver("isthmus select --score sil", 3)}).out, "silhouette\n");
  EXPECT_EQ(run_other("bash", {"-c", driver("isthmus adapt --source isth", 3)}).out, "isthmus.bash\n");
  EXPECT_EQ(run_other("bash", {"-c", driver("isthmus completion z", 2)}).out, "zsh\n");
  EXPECT_EQ(run_other("bash", {"-c", driver("isthmus transform --side s", 3)}).out, "source\n");
}

TEST_F(Completion, ZshScriptNamesEveryCommandAndFlag) {
  const Outcome script = run({"completion", "zsh"});
  ASSERT_EQ(script.code, 0) << script.err;
  EXPECT_EQ(script.out.find("#compdef isthmus\n"), 0U);
  for (const char* text : {"\"bench table1\")", "--preprocess[", "--show-settings[", ":value:_files'"}) {
    EXPECT_NE(script.out.find(text), std::string::npos) << text;
  }
  write("_isthmus", script.out);
  if (run_other("zsh", {"--version"}).code == 0) {
    EXPECT_EQ(run_other("zsh", {"-n", "_isthmus"}).code, 0);
  }
}

}  // namespace
}  // namespace isthmus::testing
