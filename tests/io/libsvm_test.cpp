#include <gtest/gtest.h>

#include "fixtures.h"
#include "isthmus/data.h"
#include "scratch_folder.h"

namespace isthmus {
namespace {

using testing::label_names;
using testing::ScratchFolder;
using Names = std::vector<std::string>;

TEST(Libsvm, ReadsSparseLinesWithCommentsAndQueryIds) {
  const ScratchFolder folder;
  const std::string text =
      "# a comment\n+1 1:0.5 3:2\t\r\n-1 qid:7 2:-1e-3 # the second\n\n1.0 \n+1 3:nan 4:1";
  for (const std::string name : {"a.libsvm", "a.svm", "a.svmlight"}) {
    const Dataset data = read_dataset(folder.file(name, text));
    EXPECT_EQ(data.format, "libsvm");
    ASSERT_EQ(data.domain.features.count(), 4);
    ASSERT_EQ(data.domain.features.dimension(), 4);
    const Matrix expected = (Matrix(4, 3) << 0.5, 0, 0, 0, -1e-3, 0, 2, 0, 0, 0, 0, 0).finished();
    EXPECT_EQ(data.domain.features.view().leftCols(3), expected);
    EXPECT_TRUE(std::isnan(data.domain.features.view()(2, 3)));
    EXPECT_EQ(label_names(data.domain), (Names{"1", "-1", "1", "1"}));
  }
}

TEST(Libsvm, GivesItsLabelsAlone) {
  const ScratchFolder folder;
  const Labels labels = read_labels(folder.file("a.svm", "2 1:1\n3 1:1\n"));
  EXPECT_EQ(labels.classes.all(), (Names{"2", "3"}));
  EXPECT_FALSE(read_dataset(folder / "a.svm", {.without_labels = true}).domain.labels);
}

}  // namespace
}  // namespace isthmus
