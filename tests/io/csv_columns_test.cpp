#include <gtest/gtest.h>

#include <algorithm>

#include "fixtures.h"
#include "isthmus/data.h"
#include "isthmus/errors.h"
#include "scratch_folder.h"

namespace isthmus {
namespace {

using testing::file_bytes;
using testing::label_names;
using testing::ScratchFolder;
using Names = std::vector<std::string>;

Dataset read_table(const std::string& text, const ReadOptions& options = {}) {
  const ScratchFolder folder;
  return read_dataset(folder.file("a.csv", text), options);
}

std::string refused_columns(const std::string& text, const ReadOptions& options) {
  try {
    read_table(text, options);
  } catch (const IoError& error) {
    return error.what();
  }
  return "accepted";
}

/// `count` rows of: what `first` gives for their number, two features, a label.
template <class First>
std::string rows_of(const std::string& header, int count, First&& first) {
  std::string text = header;
  for (int i = 0; i < count; ++i) {
    text += first(i) + "," + std::to_string(i * 7 % 5) + "," + std::to_string(0.5 * i) +
            (i % 2 == 0 ? ",p\n" : ",q\n");
  }
  return text;
}

std::string digits(int i) {
  return std::to_string(i);
}

bool noted(const Dataset& data, const std::string& text) {
  return std::any_of(data.notes.begin(), data.notes.end(),
                     [&](const std::string& note) { return note.find(text) != std::string::npos; });
}

TEST(CsvNames, ComeFromTheHeaderAndAreKeptOnWriting) {
  const Dataset data = read_table("a,label,\"b, c\"\n1,x,2\n3,y,4\n");
  EXPECT_EQ(data.domain.feature_names, (Names{"a", "b, c"}));
  EXPECT_TRUE(read_table("1,2\n3,4\n").domain.feature_names.empty());
  const ScratchFolder folder;
  for (const char* name : {"a.csv", "a.tsv", "a.safetensors"}) {
    write_dataset(folder / name, data.domain);
    EXPECT_EQ(read_dataset(folder / name).domain.feature_names, data.domain.feature_names) << name;
  }
  EXPECT_NE(refused_columns("caf\xe9,b\n1,2\n", {}).find("column 1 is not UTF-8"), std::string::npos);
}

TEST(CsvNames, ThatAreNumbersAreNotWrittenWhereTheyWouldReadAsASample) {
  const ScratchFolder folder;
  const Domain numbered{(Matrix(2, 3) << 1, 3, 5, 2, 4, 6).finished(), {}, {"0", "1"}};
  write_dataset(folder / "a.csv", numbered);
  EXPECT_EQ(read_dataset(folder / "a.csv").domain.features.count(), 3);
}

TEST(CsvIds, AFirstColumnWithoutANameOrCalledIdIsNoFeature) {
  for (const std::string name : {"", "id", "ID", "Index", "Unnamed: 0"}) {
    const Dataset data = read_table(name + ",a,b,label\nr7,1,2,p\nr3,3,4,q\nr7,5,6,p\n");
    EXPECT_EQ(data.domain.sample_ids, (Names{"r7", "r3", "r7"})) << name;
    EXPECT_EQ(data.domain.feature_names, (Names{"a", "b"})) << name;
    EXPECT_TRUE(noted(data, "ids: column 1")) << name;
  }
}

TEST(CsvIds, PandasHeadersWithoutNamesAreHeaders) {
  const Dataset data = read_table(",0,1\n0,1.5,2\n1,3,4\n2,5,6\n");
  EXPECT_EQ(data.domain.sample_ids, (Names{"0", "1", "2"}));
  EXPECT_EQ(data.domain.feature_names, (Names{"0", "1"}));
  EXPECT_EQ(data.domain.features.count(), 3);
}

TEST(CsvIds, AFirstColumnThatRisesInWholeNumbersIsNoFeature) {
  for (const std::string header : {"", "n,a,b,label\n"}) {
    const ReadOptions options{.labels = "-1"};
    for (const int start : {0, 1, 5000}) {
      const Dataset data = read_table(rows_of(header, 12, [&](int i) { return digits(start + i); }), options);
      EXPECT_EQ(data.domain.features.dimension(), 2);
      ASSERT_EQ(data.domain.sample_ids.size(), 12U);
      EXPECT_EQ(data.domain.sample_ids.back(), digits(start + 11));
      EXPECT_TRUE(noted(data, "rising order; if it is a feature, say so (--id none, or --features)"));
    }
    const Dataset gaps = read_table(rows_of(header, 12, [](int i) { return digits(i * i); }), options);
    EXPECT_EQ(gaps.domain.sample_ids.size(), 12U);
    const Dataset zeros = read_table(rows_of(header, 12, [](int i) { return "00" + digits(i); }), options);
    EXPECT_EQ(zeros.domain.sample_ids.front(), "000") << "ids are text";
  }
}

TEST(CsvIds, WhatMayBeAFeatureStaysOne) {
  const ReadOptions options{.labels = "-1"};
  const auto dimension = [&](const std::string& text) {
    return read_table(text, options).domain.features.dimension();
  };
  EXPECT_EQ(dimension(rows_of("", 12, [](int i) { return digits(i / 2); })), 3) << "not unique";
  EXPECT_EQ(dimension(rows_of("", 12, [](int i) { return digits(i) + ".5"; })), 3) << "not whole";
  EXPECT_EQ(dimension(rows_of("", 12, [](int i) { return digits(20 - i); })), 3) << "falling";
  EXPECT_EQ(dimension(rows_of("", 12, [](int i) { return i == 7 ? "NA" : digits(i); })), 3) << "missing";
  // Few samples rise by chance: a feature, but not without a word.
  const Dataset few = read_table(rows_of("", 6, digits), options);
  EXPECT_EQ(few.domain.features.dimension(), 3);
  EXPECT_TRUE(noted(few, "rising order and is read as a feature; if it numbers the samples, name it (--id)"));
  // The only feature there is.
  std::string line;
  for (int i = 0; i < 20; ++i) line += digits(i) + (i % 2 == 0 ? ",p\n" : ",q\n");
  EXPECT_EQ(dimension(line), 1);
  EXPECT_TRUE(noted(read_table("a,id\n1,2\n3,4\n"), "column 2 ('id') is read as a feature"));
}

TEST(CsvIds, AreNotLookedForWhereTheUserSaysWhatIsWhat) {
  const std::string text = rows_of("id,a,b,label\n", 12, digits);
  const Dataset none = read_table(text, {.without_ids = true});
  EXPECT_EQ(none.domain.feature_names, (Names{"id", "a", "b"}));
  EXPECT_TRUE(none.domain.sample_ids.empty());
  EXPECT_EQ(read_table(text, {.feature_columns = {"b", "id"}}).domain.feature_names, (Names{"id", "b"}));
  const Dataset chosen = read_table(text, {.feature_columns = {"a"}});
  EXPECT_EQ(chosen.domain.feature_names, (Names{"a"}));
  EXPECT_EQ(chosen.domain.sample_ids.size(), 12U) << "ids are no feature, and kept";
  const Dataset other = read_table(text, {.id = "b"});
  EXPECT_EQ(other.domain.feature_names, (Names{"id", "a"}));
  EXPECT_EQ(other.domain.sample_ids[1], "0.500000");
}

TEST(CsvIds, AreWrittenFirstAndReadBack) {
  const ScratchFolder folder;
  const Domain domain{(Matrix(1, 2) << 1, 2).finished(), encode_labels({"p", "q"}), {"a"}, {"x,1", "007"}};
  write_dataset(folder / "a.csv", domain);
  EXPECT_EQ(file_bytes(folder / "a.csv"), "id,a,label\n\"x,1\",1,p\n007,2,q\n");
  write_dataset(folder / "a.safetensors", domain);
  for (const char* name : {"a.csv", "a.safetensors"}) {
    EXPECT_EQ(read_dataset(folder / name).domain.sample_ids, domain.sample_ids) << name;
  }
  Domain wrong = domain;
  wrong.sample_ids.pop_back();
  EXPECT_THROW(write_dataset(folder / "a.csv", wrong), InvalidArgument);
}

TEST(CsvColumns, AreDroppedOrChosenByNameAndNumber) {
  const std::string text = "who,a,note,b,label\nann,1,good,2,p\nbob,3,bad,4,q\n";
  for (const ReadOptions& options :
       {ReadOptions{.drop = {"note"}, .id = "who"}, ReadOptions{.drop = {"3"}, .id = "1"},
        ReadOptions{.feature_columns = {"a", "b"}, .id = "who"},
        ReadOptions{.feature_columns = {"2", "-2"}, .id = "who"}}) {
    const Dataset data = read_table(text, options);
    EXPECT_EQ(data.domain.feature_names, (Names{"a", "b"}));
    EXPECT_EQ(data.domain.features.view(), (Matrix(2, 2) << 1, 3, 2, 4).finished());
    EXPECT_EQ(data.domain.sample_ids, (Names{"ann", "bob"}));
    EXPECT_EQ(label_names(data.domain), (Names{"p", "q"}));
    EXPECT_TRUE(noted(data, "left out: column 3 ('note')"));
  }
  // Text in a numbered column is no header.
  EXPECT_EQ(read_table("ann,1,2\nbob,3,4\n", {.id = "1"}).domain.features.count(), 2);
}

TEST(CsvColumns, OfTextAreRefusedWithWhatToDo) {
  const std::string message = refused_columns("who,a,label\nann,1,p\nbob,2,q\n", {});
  for (const char* part : {"line 2, column 1 ('who'): 'ann' is no number", "--drop", "--id"}) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  }
}

TEST(CsvColumns, ThatDoNotFitAreRefused) {
  const std::string text = "id,a,b,label\n1,2,3,p\n4,5,6,q\n";
  EXPECT_NE(refused_columns(text, {.drop = {"c"}}).find("no column is called 'c'"), std::string::npos);
  EXPECT_NE(refused_columns(text, {.feature_columns = {"labl"}}).find("did you mean 'label'"),
            std::string::npos);
  EXPECT_NE(refused_columns(text, {.drop = {"9"}}).find("no column 9 to leave out"), std::string::npos);
  EXPECT_NE(
      refused_columns(text, {.drop = {"a"}, .id = "a"}).find("named both as the ids and as one to leave out"),
      std::string::npos);
  EXPECT_NE(refused_columns(text, {.labels = "b", .feature_columns = {"b"}})
                .find("both as the labels and as a feature"),
            std::string::npos);
  EXPECT_NE(refused_columns(text, {.drop = {"a", "b"}}).find("no column is left for the features"),
            std::string::npos);
}

TEST(CsvColumns, MayBeAbsentWhereThatIsSaid) {
  const Dataset data =
      read_table("a,b\n1,2\n3,4\n", {.drop = {"b", "note"}, .id = "who", .may_be_absent = true});
  EXPECT_EQ(data.domain.feature_names, (Names{"a"}));
  EXPECT_EQ(data.absent, (Names{"who", "note"}));
}

TEST(CsvColumns, AreNamedInTextTablesOnly) {
  const ScratchFolder folder;
  write_dataset(folder / "a.npy", {Matrix(Matrix::Ones(2, 3)), {}});
  for (const ReadOptions& options :
       {ReadOptions{.feature_columns = {"a"}}, ReadOptions{.drop = {"a"}}, ReadOptions{.id = "a"}}) {
    EXPECT_THROW(read_dataset(folder / "a.npy", options), IoError);
    EXPECT_THROW(read_dataset(folder.file("a.libsvm", "1 1:2\n"), options), IoError);
  }
  const ReadOptions lenient{.drop = {"a"}, .may_be_absent = true};
  EXPECT_EQ(read_dataset(folder / "a.npy", lenient).absent, (Names{"a"}));
}

}  // namespace
}  // namespace isthmus
