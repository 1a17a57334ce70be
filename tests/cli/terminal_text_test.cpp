#include <nlohmann/json.hpp>

#include "process.h"

namespace isthmus::testing {
namespace {

using nlohmann::json;
using Words = std::vector<std::string>;

/// Sets the title of a terminal, clears it, and does so once more with C1 characters; tab, bell and DEL.
const std::string kHostile =
    "\x1b]0;owned\x07\x1b[2J\xc2\x9b"
    "2J\xc2\x85\t\x7f";

/// What a terminal would obey: C0 but for line ends, DEL, C1 as UTF-8, and what is no UTF-8 at all.
std::string obeyed(const std::string& text) {
  std::string found;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : '\0');
    if ((byte < 0x20 && byte != '\n') || byte == 0x7f || (byte == 0xc2 && next < 0xa0) || byte == 0xff)
      found += text.substr(i, 8) + " ";
  }
  return found;
}

class TerminalText : public ProgramTest {
 protected:
  TerminalText() {
    std::string csv = "a,\"" + kHostile + "\",label\n";
    for (int i = 0; i < 12; ++i) {
      csv += std::to_string(i % 2 * 5 + 1) + "." + std::to_string(i) + "," + std::to_string(i % 3) +
             (i % 2 == 0 ? ",plain\n" : ",\"" + kHostile + "\"\n");
    }
    write("hostile.csv", csv);
  }

  /// Runs a command and looks at all it says; `shown` must be in it.
  Outcome run_and_look(const Words& command, const std::string& shown) const {
    const Outcome outcome = run(command);
    EXPECT_EQ(obeyed(outcome.out), "") << command[0];
    EXPECT_EQ(obeyed(outcome.err), "") << command[0];
    EXPECT_NE((outcome.out + outcome.err).find(shown), std::string::npos) << outcome.out << outcome.err;
    return outcome;
  }
};

TEST_F(TerminalText, NamesFromFilesAreShownEscaped) {
  const std::string shown = R"(\x1b]0;owned\x07\x1b[2J\u009b2J\u0085\t\x7f)";
  EXPECT_EQ(run_and_look({"inspect", "hostile.csv"}, shown).code, 0);
  const Words adapt{"adapt",    "--source", "hostile.csv", "--target", "hostile.csv",
                    "--method", "nn",       "-o",          "l.csv"};
  EXPECT_EQ(run_and_look(adapt, "12 target samples").code, 0);
  EXPECT_NE(read("l.csv").find(kHostile), std::string::npos) << "an output file holds the name as it is";

  write("text.csv", "a,b\n1,\"" + kHostile + "\"\n2,3\n");
  EXPECT_EQ(run_and_look({"inspect", "text.csv"}, R"(\x1b]0;owned)").code, 2);
}

TEST_F(TerminalText, FileNamesAndArgumentsAreShownEscaped) {
  const std::string name = "x" + kHostile + "\n\xff.csv";
  write(name, read("hostile.csv"));
  run_and_look({"inspect", name}, R"(x\x1b]0;owned)");
  run_and_look({"adapt", "--source", name, "--target", "no" + name, "--method", "nn", "-o", "l.csv"},
               R"(\x7f\n\xff.csv)");
  run_and_look({"methods", kHostile}, R"(\x1b]0;owned)");
  run_and_look({"adapt", "--" + kHostile}, R"(\x1b]0;owned)");
  run_and_look({kHostile}, R"(\x1b]0;owned)");
}

TEST_F(TerminalText, KeysOfJsonFilesAreShownEscaped) {
  const json hostile{{kHostile, 1}};
  write("c.json", hostile.dump());
  run_and_look({"adapt", "--config", "c.json"}, R"(\x1b]0;owned)");
  run_and_look({"bench", "run", "c.json"}, R"(\x1b]0;owned)");
  write("g.json", json{{kHostile, json::object()}}.dump());
  run_and_look({"select", "--source", "hostile.csv", "--target", "hostile.csv", "--grid", "g.json"},
               R"(\x1b]0;owned)");
  json task{{"name", kHostile}, {"group", kHostile}, {"source", "hostile.csv"}, {"target", "hostile.csv"}};
  json suite;
  suite["methods"] = json::array({"nn"});
  suite["tasks"] = json::array({task});
  write("suite.json", suite.dump());
  EXPECT_EQ(run_and_look({"bench", "run", "suite.json"}, R"(\x1b]0;owned)").code, 0);
}

TEST_F(TerminalText, JsonKeepsItsOwnEscapesAndTheText) {
  const Outcome outcome = run_and_look({"inspect", "hostile.csv", "--json"}, "\\u001b]0;owned");
  EXPECT_EQ(json::parse(outcome.out).at("classes").at(kHostile), 6);
}

}  // namespace
}  // namespace isthmus::testing
