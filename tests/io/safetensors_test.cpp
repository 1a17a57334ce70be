#include "io/safetensors.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "fixtures.h"
#include "isthmus/errors.h"
#include "random_data.h"
#include "same_bits.h"
#include "scratch_folder.h"

namespace isthmus {
namespace {

using testing::file_bytes;
using testing::random_matrix;
using testing::same_bits;
using testing::ScratchFolder;

TensorFile sample_content() {
  TensorFile content;
  content.metadata = {{"method", "pca"}, {"classes", "[\"ä\", \"b\"]"}};
  content.matrices["projection"] = random_matrix(7, 3, 1);
  content.matrices["empty"] = Matrix(0, 0);
  content.matrices["odd"] = Matrix::Constant(1, 1, -0.0);
  content.matrices["odd2"] = Matrix::Constant(2, 1, std::numeric_limits<double>::quiet_NaN());
  content.integers["labels"] = {3, -1, std::numeric_limits<std::int64_t>::min()};
  content.integers["none"] = {};
  return content;
}

TEST(TensorFile, ReadsBackWhatWasWrittenBitByBit) {
  const ScratchFolder folder;
  const TensorFile content = sample_content();
  write_tensor_file(folder / "m.safetensors", content);
  const TensorFile again = read_tensor_file(folder / "m.safetensors");
  EXPECT_EQ(again.metadata, content.metadata);
  EXPECT_EQ(again.integers, content.integers);
  ASSERT_EQ(again.matrices.size(), content.matrices.size());
  for (const auto& [name, matrix] : content.matrices)
    EXPECT_TRUE(same_bits(again.matrices.at(name), matrix)) << name;
}

TEST(TensorFile, EqualContentGivesEqualBytes) {
  const ScratchFolder folder;
  write_tensor_file(folder / "a", sample_content());
  write_tensor_file(folder / "b", sample_content());
  EXPECT_EQ(file_bytes(folder / "a"), file_bytes(folder / "b"));
}

TEST(TensorFile, StoresAMatrixAsRowsOfSamples) {
  const ScratchFolder folder;
  TensorFile content;
  content.matrices["x"] = (Matrix(2, 3) << 1, 2, 3, 4, 5, 6).finished();
  write_tensor_file(folder / "a", content);
  const std::string bytes = file_bytes(folder / "a");
  EXPECT_NE(bytes.find("\"shape\":[3,2]"), std::string::npos);
  ASSERT_EQ(bytes.size() % 8, 0U);
  double second = 0;
  std::memcpy(&second, bytes.data() + bytes.size() - 40, 8);
  EXPECT_EQ(second, 4.0) << "the second value of the first sample";
}

TEST(TensorFile, RefusesTextThatIsNotUtf8AndANameUsedTwice) {
  const ScratchFolder folder;
  TensorFile latin;
  latin.metadata["class"] = "caf\xe9";
  EXPECT_THROW(write_tensor_file(folder / "a", latin), InvalidArgument);
  TensorFile twice;
  twice.matrices["x"] = Matrix(1, 1);
  twice.integers["x"] = {1};
  EXPECT_THROW(write_tensor_file(folder / "a", twice), InvalidArgument);
  EXPECT_FALSE(std::filesystem::exists(folder / "a"));
}

TEST(TensorFile, RefusesEveryTruncation) {
  const ScratchFolder folder;
  TensorFile content;
  content.matrices["x"] = random_matrix(2, 2, 3);
  write_tensor_file(folder / "a", content);
  const std::string bytes = file_bytes(folder / "a");
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    folder.file("cut", std::string_view(bytes).substr(0, length));
    EXPECT_THROW(read_tensor_file(folder / "cut"), IoError) << length << " bytes";
  }
}

}  // namespace
}  // namespace isthmus
