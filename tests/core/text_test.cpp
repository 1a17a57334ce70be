#include "core/text.h"

#include <gtest/gtest.h>

namespace isthmus {
namespace {

TEST(Printable, LeavesTextAlone) {
  for (const std::string text : {"", "plain", "λ × 5 → 日本 🙂", "back\\slash"})
    EXPECT_EQ(printable(text), text);
  EXPECT_EQ(printable("\xc2\xa0"), "\xc2\xa0") << "the first character after C1";
}

TEST(Printable, EscapesControlCharacters) {
  for (int c = 1; c < 0x20; ++c)
    EXPECT_EQ(printable(std::string(1, static_cast<char>(c))).front(), '\\') << c;
  EXPECT_EQ(printable("\x1b]0;x\x07"), "\\x1b]0;x\\x07");
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
  EXPECT_EQ(printable("a\tb\rc\nd\x7f"), "a\\tb\\rc\\nd\\x7f");
  EXPECT_EQ(printable("\xc2\x80\xc2\x9b\xc2\x9f"), "\\u0080\\u009b\\u009f");
}

TEST(Printable, EscapesWhatIsNoUtf8) {
  EXPECT_EQ(printable("\x9b"
                      "2J"),
            "\\x9b2J");
  EXPECT_EQ(printable("caf\xe9"), "caf\\xe9");
  EXPECT_EQ(printable("\xe2\x82"), "\\xe2\\x82") << "cut short";
  EXPECT_EQ(printable("\xc0\x9b"), "\\xc0\\x9b") << "too long a form of ESC";
}

TEST(Printable, KeepsLineEndsWhereTheyAreLayout) {
  EXPECT_EQ(printable("a\nb\r\n", LineEnds::Kept), "a\nb\\r\n");
}

}  // namespace
}  // namespace isthmus
