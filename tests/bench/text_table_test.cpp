#include "bench/text_table.h"

#include <gtest/gtest.h>

namespace isthmus {
namespace {

TEST(TextTable, AlignsColumnsByTheirWidestCell) {
  TextTable table({"method", "%"}, {TextTable::Align::Left});
  table.add_row({"nn", "7.5"});
  table.add_row({"rsa-cdda", "63.10"});
  EXPECT_EQ(table.to_string(),
            "method        %\n"
            "---------------\n"
            "nn          7.5\n"
            "rsa-cdda  63.10\n");
}

TEST(TextTable, CountsCharactersNotBytes) {
  EXPECT_EQ(display_width("4×5 → λ"), 7U);
  TextTable table({"a", "b"}, {TextTable::Align::Left});
  table.add_row({"λ", "1"});
  EXPECT_EQ(table.to_string(), "a  b\n----\nλ  1\n");
}

TEST(TextTable, ACellIsOneLineThatNoTerminalObeys) {
  TextTable table({"a\x1b", "b"}, {TextTable::Align::Left});
  table.add_row({"x\ny", "1"});
  EXPECT_EQ(table.to_string(), "a\\x1b  b\n--------\nx\\ny   1\n");
}

}  // namespace
}  // namespace isthmus
