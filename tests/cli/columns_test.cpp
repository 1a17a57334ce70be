#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "process.h"

namespace isthmus::testing {
namespace {

/// Tables whose columns come in another order, with indices, ids and text.
class TableColumns : public ProgramTest {
 protected:
  TableColumns() { write_domains(); }

  /// A file of the folder with its columns as `change` leaves each line's cells.
  template <class Change>
  void rewrite(const std::string& from, const std::string& to, Change&& change) const {
    std::string text;
    std::string left = read(from);
    for (int line = 0; !left.empty(); ++line) {
      const std::size_t end = left.find('\n');
      std::vector<std::string> cells(1);
      for (const char c : left.substr(0, end)) {
        if (c == ',') {
          cells.emplace_back();
        } else {
          cells.back() += c;
        }
      }
      change(cells, line);
      text += fmt::format("{}\n", fmt::join(cells, ","));
      left.erase(0, end + 1);
    }
    write(to, text);
  }
  void turn(const std::string& from, const std::string& to) const {
    rewrite(from, to, [](auto& cells, int) { std::rotate(cells.begin(), cells.begin() + 2, cells.end()); });
  }
  /// Puts a column in front.
  template <class Cell>
  void prepend(const std::string& from, const std::string& to, const std::string& name, Cell&& cell) const {
    rewrite(from, to,
            [&](auto& cells, int line) { cells.insert(cells.begin(), line == 0 ? name : cell(line)); });
  }

  Outcome adapt(const std::string& source, const std::string& target,
                const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{"adapt",      "--source", source,         "--target", target,
                                       "--method",   "nn",       "--preprocess", "none",     "-o",
                                       "labels.csv", "--model",  "m.safetensors"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }
};

TEST_F(TableColumns, InAnotherOrderAreMatchedByName) {
  ASSERT_EQ(adapt("source.csv", "target.csv").code, 0);
  const std::string expected = read("labels.csv");
  turn("target.csv", "turned.csv");
  const Outcome adapted = adapt("source.csv", "turned.csv");
  EXPECT_EQ(adapted.code, 0) << adapted.err;
  EXPECT_EQ(read("labels.csv"), expected);
  EXPECT_NE(adapted.out.find("note: the target's features were put in the order"), std::string::npos)
      << adapted.out;

  const Outcome predicted =
      run({"predict", "--model", "m.safetensors", "--input", "turned.csv", "-o", "p.csv"});
  EXPECT_EQ(predicted.code, 0) << predicted.err;
  EXPECT_EQ(read("p.csv"), expected);
  EXPECT_NE(predicted.err.find("put in the order of the model's"), std::string::npos) << predicted.err;
  for (const std::string name : {"target", "turned"}) {
    run({"transform", "--model", "m.safetensors", "--input", name + ".csv", "-o", name + ".npy"});
  }
  EXPECT_EQ(read("turned.npy"), read("target.npy"));
}

TEST_F(TableColumns, MissingOrTooManyAreNamed) {
  rewrite("target.csv", "less.csv", [](auto& cells, int) { cells.erase(cells.begin() + 1); });
  const Outcome less = adapt("source.csv", "less.csv");
  EXPECT_EQ(less.code, 2);
  EXPECT_NE(less.err.find("the target lacks 'b'"), std::string::npos) << less.err;
  EXPECT_FALSE(exists("labels.csv"));

  prepend("target.csv", "more.csv", "x", [](int line) { return std::to_string(line % 3); });
  const Outcome more = adapt("source.csv", "more.csv");
  EXPECT_EQ(more.code, 2);
  EXPECT_NE(more.err.find("the source lacks 'x'"), std::string::npos) << more.err;
  EXPECT_NE(more.err.find("--drop"), std::string::npos) << more.err;
  EXPECT_EQ(adapt("source.csv", "more.csv", {"--drop", "x"}).code, 0);
  const Outcome predicted =
      run({"predict", "--model", "m.safetensors", "--input", "more.csv", "-o", "p.csv"});
  EXPECT_EQ(predicted.code, 2);
  EXPECT_NE(predicted.err.find("the model lacks 'x'"), std::string::npos) << predicted.err;

  const Outcome unknown = adapt("source.csv", "more.csv", {"--drop", "x,zz"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.err.find("no column is called 'zz'"), std::string::npos) << unknown.err;
}

TEST_F(TableColumns, OfOtherNamesAreTakenByPositionWhenAsked) {
  ASSERT_EQ(adapt("source.csv", "target.csv").code, 0);
  const std::string expected = read("labels.csv");
  rewrite("target.csv", "other.csv", [](auto& cells, int line) {
    if (line == 0) cells = {"v", "w", "x", "y1", "z", "label"};
  });
  EXPECT_EQ(adapt("source.csv", "other.csv").code, 2);
  const Outcome adapted = adapt("source.csv", "other.csv", {"--by-position"});
  EXPECT_EQ(adapted.code, 0) << adapted.err;
  EXPECT_EQ(read("labels.csv"), expected);
  const std::vector<std::string> predict{"predict",   "--model", "m.safetensors", "--input",
                                         "other.csv", "-o",      "p.csv"};
  EXPECT_EQ(run(predict).code, 2);
  std::vector<std::string> by_position = predict;
  by_position.emplace_back("--by-position");
  EXPECT_EQ(run(by_position).code, 0);
  EXPECT_EQ(read("p.csv"), expected);
}

TEST_F(TableColumns, AnIndexIsCopiedToTheOutputAndIsNoFeature) {
  ASSERT_EQ(adapt("source.csv", "target.csv").code, 0);
  std::string expected = read("labels.csv");
  for (const std::string name : {"", "id", "row"}) {
    prepend("source.csv", "s.csv", name, [](int line) { return std::to_string(line - 1); });
    prepend("target.csv", "t.csv", name, [](int line) { return std::to_string(1000 + line); });
    const Outcome adapted = adapt("s.csv", "t.csv");
    ASSERT_EQ(adapted.code, 0) << adapted.err;
    EXPECT_NE(adapted.err.find("t.csv: ids: column 1"), std::string::npos) << adapted.err;
    rewrite("labels.csv", "numbered.csv", [](auto& cells, int line) {
      if (line > 0) cells[0] = std::to_string(std::stoi(cells[0]) - 1000);
    });
    EXPECT_EQ(read("numbered.csv"), expected) << name;
    run({"predict", "--model", "m.safetensors", "--input", "t.csv", "-o", "p.csv"});
    EXPECT_EQ(read("p.csv"), read("labels.csv"));
    run({"transform", "--model", "m.safetensors", "--input", "t.csv", "-o", "e.csv"});
    EXPECT_EQ(read("e.csv").find("id,f1,f2,f3,f4,f5,label\n1001,"), 0U);
  }
}

TEST_F(TableColumns, IdsMayBeTextAndBeInOneDomainOnly) {
  prepend("target.csv", "t.csv", "who",
          [](int line) { return "\"patient " + std::to_string(line * 7 % 45) + "\""; });
  const Outcome refused = adapt("source.csv", "t.csv");
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("--id"), std::string::npos) << refused.err;
  const Outcome adapted = adapt("source.csv", "t.csv", {"--id", "who"});
  ASSERT_EQ(adapted.code, 0) << adapted.err;
  EXPECT_EQ(read("labels.csv").find("sample,label,confidence\npatient 7,class0,"), 0U) << read("labels.csv");
  const Outcome selected =
      run({"select", "--source", "source.csv", "--target", "t.csv", "--id", "who", "--methods", "nn",
           "--preprocess", "none", "-o", "chosen.csv", "--model", ""});
  EXPECT_EQ(selected.code, 0) << selected.err;
  EXPECT_EQ(read("chosen.csv"), read("labels.csv"));
}

TEST_F(TableColumns, OfStandardInputAreUnderstoodAlike) {
  prepend("target.csv", "noted.csv", "note", [](int) { return "text"; });
  prepend("noted.csv", "t.csv", "who", [](int line) { return "p" + std::to_string(line); });
  turn("t.csv", "once.csv");
  turn("once.csv", "turned.csv");
  ASSERT_EQ(adapt("source.csv", "turned.csv", {"--id", "who", "--drop", "note"}).code, 0);
  const std::string expected = read("labels.csv");
  EXPECT_EQ(expected.find("sample,label,confidence\np1,"), 0U) << expected;
  Surroundings around;
  around.in_path = (folder() / "turned.csv").string();
  const Outcome adapted = run({"adapt", "--source", "source.csv", "--target", "-", "--method", "nn",
                               "--preprocess", "none", "--id", "who", "--drop", "note", "-o", "-"},
                              around);
  EXPECT_EQ(adapted.code, 0) << adapted.err;
  EXPECT_EQ(adapted.out, expected);
  const std::vector<std::string> predict{"predict", "--model", "m.safetensors", "--input", "-", "-o", "-"};
  std::vector<std::string> told = predict;
  told.insert(told.end(), {"--id", "who", "--features", "a,b,c,d,e"});
  const Outcome predicted = run(told, around);
  EXPECT_EQ(predicted.code, 0) << predicted.err;
  EXPECT_EQ(predicted.out, expected);
  EXPECT_NE(predicted.err.find("standard input: the columns were put in the order of the model's"),
            std::string::npos)
      << predicted.err;
  const Outcome refused = run(predict, around);
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("standard input: line 2"), std::string::npos) << refused.err;
}

TEST_F(TableColumns, AFeatureThatLooksLikeAnIndexCanBeSaidToBeOne) {
  for (const std::string name : {"source", "target"}) {
    prepend(name + ".csv", name + "_t.csv", "time", [](int line) { return std::to_string(line); });
  }
  const auto dimension = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = more;
    arguments.emplace_back("--json");
    return nlohmann::json::parse(adapt("source_t.csv", "target_t.csv", arguments).out)
        .at("dimension")
        .get<int>();
  };
  EXPECT_EQ(dimension({}), 5);
  EXPECT_EQ(dimension({"--id", "none"}), 6);
  EXPECT_EQ(dimension({"--features", "time,a,b"}), 3);
}

}  // namespace
}  // namespace isthmus::testing
