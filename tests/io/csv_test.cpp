#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "fixtures.h"
#include "io/isolated_process.h"
#include "isthmus/data.h"
#include "isthmus/errors.h"
#include "random_data.h"
#include "same_bits.h"
#include "scratch_folder.h"

namespace isthmus {
namespace {

using testing::file_bytes;
using testing::label_names;
using testing::random_matrix;
using testing::same_bits;
using testing::ScratchFolder;
using Names = std::vector<std::string>;

Matrix expected_2x3() {
  return (Matrix(2, 3) << 1, 3, 5, 2, 4, 6).finished();
}

Dataset read_text(const std::string& text, const ReadOptions& options = {},
                  const std::string& name = "a.csv") {
  const ScratchFolder folder;
  return read_dataset(folder.file(name, text), options);
}

TEST(Csv, ReadsSamplesByRowsWithoutAHeader) {
  const Dataset data = read_text("1,2\n3,4\n5,6\n");
  EXPECT_EQ(data.format, "csv");
  EXPECT_EQ(data.domain.features.view(), expected_2x3());
  EXPECT_FALSE(data.domain.labels);
}

TEST(Csv, ReadsEveryLineEndingSeparatorAndByteOrderMark) {
  for (const std::string end : {"\n", "\r\n", "\r"}) {
    for (const std::string separator : {",", ";", "\t"}) {
      for (const std::string mark : {"", "\xef\xbb\xbf"}) {
        for (const bool last_end : {true, false}) {
          std::string text = mark;
          for (const auto& [a, b] : {std::pair{"1", "2"}, {"3", "4"}, {"5", "6"}}) {
            text += std::string(a) + separator + b + (a == std::string("5") && !last_end ? "" : end);
          }
          EXPECT_EQ(read_text(text).domain.features.view(), expected_2x3()) << text;
        }
      }
    }
  }
}

TEST(Csv, ReadsNumbersSeparatedByBlanks) {
  EXPECT_EQ(read_text(" 1   2\n3 4  \r\n\n  5 6", {}, "a.txt").domain.features.view(), expected_2x3());
}

TEST(Csv, FindsALabelColumnOfAHeaderByItsName) {
  for (const std::string name : {"label", "Labels", "CLASS", "target", "y"}) {
    const Dataset data = read_text("a," + name + ",b\n1,cat,2\n3,dog,4\n5,cat,6\n");
    EXPECT_EQ(data.domain.features.view(), expected_2x3());
    EXPECT_EQ(label_names(data.domain), (Names{"cat", "dog", "cat"}));
  }
}

TEST(Csv, TakesTheLabelColumnByNameOrByNumberFromEitherEnd) {
  const std::string text = "a,kind,b\n1,cat,2\n3,dog,4\n5,cat,6\n";
  for (const std::string labels : {"kind", "2", "-2"}) {
    const Dataset data = read_text(text, {.labels = labels});
    EXPECT_EQ(data.domain.features.view(), expected_2x3()) << labels;
    EXPECT_EQ(label_names(data.domain), (Names{"cat", "dog", "cat"}));
  }
}

TEST(Csv, ReadsTextLabelsWithoutAHeaderWhenTheirColumnIsNumbered) {
  const Dataset data = read_text("1,2,cat\n3,4,dog\n5,6,cat\n", {.labels = "-1"});
  EXPECT_EQ(data.domain.features.view(), expected_2x3());
  EXPECT_EQ(label_names(data.domain), (Names{"cat", "dog", "cat"}));
}

TEST(Csv, UnderstandsAHeaderOfNumbersWhenItNamesTheLabels) {
  const Dataset data = read_text("0,1,label\n1,2,cat\n3,4,dog\n5,6,cat\n");
  EXPECT_EQ(data.domain.features.view(), expected_2x3());
}

TEST(Csv, TakesYesAndNoForLabelsNotForAHeader) {
  EXPECT_EQ(read_text("1,2,y\n3,4,n\n5,6,y\n", {.labels = "3"}).domain.features.view(), expected_2x3());
  EXPECT_THROW(read_text("1,2,y\n3,4,n\n5,6,y\n"), IoError) << "the first sample must not vanish as a header";
}

TEST(Csv, ReadsQuotedCellsWithSeparatorsQuotesAndLineEnds) {
  const Dataset data = read_text(
      "\"a\",\"b,\"\"c\"\"\",label\n\"1\",2,\"x, \"\"y\"\"\"\n3, 4 ,\"two\nlines\"\n 5,+6 ,  plain \n");
  EXPECT_EQ(data.domain.features.view(), expected_2x3());
  EXPECT_EQ(label_names(data.domain), (Names{"x, \"y\"", "two\nlines", "plain"}));
}

TEST(Csv, ReadsMissingValuesAsNaN) {
  const Dataset data = read_text("a,b\n,2\nNA,nan\nNaN,\n1,inf\n");
  const auto values = data.domain.features.view();
  EXPECT_TRUE(std::isnan(values(0, 0)) && std::isnan(values(0, 1)) && std::isnan(values(1, 1)));
  EXPECT_TRUE(std::isnan(values(0, 2)) && std::isnan(values(1, 2)));
  EXPECT_EQ(values(1, 3), std::numeric_limits<double>::infinity());
}

TEST(Csv, SkipsBlankLines) {
  EXPECT_EQ(read_text("\n\n1,2\n\n3,4\n5,6\n\n\n").domain.features.view(), expected_2x3());
}

TEST(Csv, LeavesTheLabelColumnOutWhenNamedButNotWanted) {
  const Dataset data =
      read_text("a,b,label\n1,2,x\n3,4,y\n5,6,x\n", {.labels = "label", .without_labels = true});
  EXPECT_EQ(data.domain.features.view(), expected_2x3());
  EXPECT_FALSE(data.domain.labels);
}

TEST(Csv, LeavesAColumnCalledLabelOutWhenNoneIsWanted) {
  const Dataset data = read_text("a,b,label\n1,2,x\n3,4,\n5,6,x\n", {.without_labels = true});
  EXPECT_EQ(data.domain.features.view(), expected_2x3());
  EXPECT_FALSE(data.domain.labels);
  EXPECT_EQ(data.notes.back(), "column 3 ('label') is left out: labels are not wanted");
}

TEST(Csv, TakesALabelColumnThatIsEmptyForNoLabels) {
  const Dataset data = read_text("a,b,label\n1,2,\n3,4,NA\n5,6,\n");
  EXPECT_EQ(data.domain.features.view(), expected_2x3());
  EXPECT_FALSE(data.domain.labels);
  EXPECT_EQ(data.notes.back(), "column 3 ('label') is left out: it is empty in every sample");
}

TEST(Csv, TakesAColumnCalledYForAFeatureWhenNoLabelsAreWanted) {
  const Dataset data = read_text("x,y\n1,2\n3,4\n5,6\n", {.without_labels = true});
  EXPECT_EQ(data.domain.features.view(), expected_2x3());
}

TEST(Csv, ReadsNumbersBeyondTheRangeOfADouble) {
  const auto values = read_text("1e400,-1e400,1e-400\n1,2,3\n").domain.features.view().eval();
  EXPECT_EQ(values(0, 0), std::numeric_limits<double>::infinity());
  EXPECT_EQ(values(1, 0), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(values(2, 0), 0.0);
}

class TextRoundTrip : public ::testing::TestWithParam<const char*> {};

TEST_P(TextRoundTrip, WritesWhatReadsBackBitEqual) {
  const ScratchFolder folder;
  Matrix values = random_matrix(5, 40, 7);
  values(0, 0) = -0.0;
  values(1, 0) = std::numeric_limits<double>::denorm_min();
  values(2, 0) = std::numeric_limits<double>::max();
  values(3, 0) = std::numeric_limits<double>::infinity();
  values(4, 0) = 0.1;
  values.col(1) *= 1e-300;
  std::vector<std::string> names(40, "plain");
  names[3] = "with, comma";
  names[4] = "a \"quote\"";
  names[5] = " blanks ";
  names[6] = "tab\there";
  names[7] = "Ünïcode\nand a line";
  const std::filesystem::path path = folder / GetParam();
  write_dataset(path, {values, encode_labels(names)});
  const Dataset again = read_dataset(path);
  EXPECT_TRUE(same_bits(again.domain.features.view(), values));
  EXPECT_EQ(label_names(again.domain), names);
}
INSTANTIATE_TEST_SUITE_P(Csv, TextRoundTrip, ::testing::Values("a.csv", "a.tsv", "A.CSV"));

TEST(Csv, WritesAHeaderAndTheShortestNumbers) {
  const ScratchFolder folder;
  write_dataset(folder / "a.csv", {(Matrix(2, 1) << 0.1, 1e22).finished(), encode_labels({"3"})});
  EXPECT_EQ(file_bytes(folder / "a.csv"), "f1,f2,label\n0.1,1e+22,3\n");
}

TEST(Labels, AreReadOneALine) {
  const ScratchFolder folder;
  const auto names = [](const Labels& labels) { return label_names({FeatureMatrix(), labels}); };
  EXPECT_EQ(names(read_labels(folder.file("a.txt", "cat\ndog\ncat\n"))), (Names{"cat", "dog", "cat"}));
  EXPECT_EQ(names(read_labels(folder.file("b.csv", "label\r\n1\r\n2.0\r\n"))), (Names{"1", "2"}));
  EXPECT_EQ(names(read_labels(folder.file("c.csv", "7\n8\n"))), (Names{"7", "8"}));
  EXPECT_EQ(names(read_labels(folder.file("d.csv", "sample,label,p\n1,a,0.5\n2,b,0.5\n"))),
            (Names{"a", "b"}));
  EXPECT_EQ(names(read_labels(folder.file("e.csv", "a;1\nb;2\n"), "1")), (Names{"a", "b"}));
  EXPECT_EQ(names(read_labels(folder.file("f.csv", "kind\na\n"), "kind")), (Names{"a"}));
}

#if !defined(__SANITIZE_ADDRESS__)  // whose allocator needs more
TEST(Csv, AWideLineTakesMemoryInProportionToTheFile) {
  constexpr Index kColumns = 1'000'000;
  std::string line = "1";
  for (Index i = 1; i < kColumns; ++i) line += ",1";
  const ScratchFolder folder;
  const auto path = folder.file("wide.csv", line + "\n");
  // Its 2 MB become 8 MB of numbers; the rows there might have been must not be paid for.
  IsolatedProcess process("wide.csv",
                          {std::uint64_t{128} << 20, std::chrono::minutes(1), std::chrono::minutes(1)},
                          [&](const IsolatedProcess::Send& send) {
                            const Index columns = read_dataset(path).domain.features.dimension();
                            send({reinterpret_cast<const char*>(&columns), sizeof(columns)});
                          });
  Index columns = 0;
  process.read(reinterpret_cast<char*>(&columns), sizeof(columns));
  EXPECT_EQ(columns, kColumns);
}
#endif

}  // namespace
}  // namespace isthmus
