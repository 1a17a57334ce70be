#include "table1/manifest.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "benchmark_data.h"
#include "io/checksum.h"
#include "isthmus/errors.h"
#include "scratch_folder.h"

namespace isthmus {
namespace {

using testing::ScratchFolder;

// The examples of FIPS 180-2.
TEST(Checksum, GivesThePublishedSums) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// Around the border of a block, where the end of the message needs one block more.
TEST(Checksum, IsTheSameByTheProcessorsInstructionsAndWithoutThem) {
  std::string bytes;
  for (std::size_t size = 0; size < 300; ++size) {
    Sha256 portable(Sha256::Engine::Portable);
    portable.update(bytes);
    EXPECT_EQ(portable.finish(), sha256(bytes)) << size;
    bytes += static_cast<char>(size * 31 % 251);
  }
  Sha256 million(Sha256::Engine::Portable);
  million.update(std::string(1000000, 'a'));
  EXPECT_EQ(million.finish(), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Checksum, OfPiecesAndOfAFileEqualsThatOfTheWhole) {
  std::string bytes;
  for (std::size_t i = 0; i < 2500000; ++i) bytes += static_cast<char>(i * 7 % 253);
  Sha256 sum;
  for (std::size_t at = 0; at < bytes.size(); at += 999) sum.update(std::string_view(bytes).substr(at, 999));
  EXPECT_EQ(sum.finish(), sha256(bytes));
  const ScratchFolder folder;
  EXPECT_EQ(sha256_file(folder.file("bytes", bytes), 1), sha256(bytes));
  EXPECT_THROW(sha256_file(folder / "missing", 1), IoError);
}

TEST(Manifest, ListsEightFilesInNameOrder) {
  EXPECT_EQ(manifest().size(), 8U);
  EXPECT_TRUE(std::is_sorted(manifest().begin(), manifest().end(),
                             [](const auto& a, const auto& b) { return a.name < b.name; }));
  for (const ManifestEntry& entry : manifest()) {
    EXPECT_EQ(entry.sha256.size(), 64U) << entry.name;
    EXPECT_EQ(entry.sha256.find_first_not_of("0123456789abcdef"), std::string_view::npos) << entry.name;
    EXPECT_EQ(&manifest_entry(entry.name), &entry);
  }
}

TEST(Manifest, TellsMissingWrongSizeWrongSumAndValidApart) {
  const ScratchFolder folder;
  const std::string content = "twelve bytes";
  const std::string sum = sha256(content);
  const ManifestEntry entry{.name = "file.mat", .bytes = 12, .sha256 = sum, .content = ""};
  EXPECT_EQ(verify(folder.path(), entry).state, FileState::Missing);
  EXPECT_EQ(verify(folder / "nowhere", entry).state, FileState::Missing);
  folder.file("file.mat", "eleven byte");
  EXPECT_EQ(verify(folder.path(), entry).state, FileState::WrongSize);
  EXPECT_EQ(verify(folder.path(), entry).bytes, 11U);
  folder.file("file.mat", "twelve Bytes");
  EXPECT_EQ(verify(folder.path(), entry).state, FileState::WrongSum);
  EXPECT_EQ(verify(folder.path(), entry).sha256, sha256("twelve Bytes"));
  folder.file("file.mat", content);
  EXPECT_EQ(verify(folder.path(), entry).state, FileState::Valid);
}

TEST(Manifest, RefusesToCheckAFolder) {
  const ScratchFolder folder;
  std::filesystem::create_directory(folder / "COIL_1.mat");
  EXPECT_THROW(verify(folder.path()), IoError);
}

TEST(Manifest, AnEmptyFolderMissesEverything) {
  const ScratchFolder folder;
  const auto checks = verify(folder.path());
  ASSERT_EQ(checks.size(), 8U);
  for (const FileCheck& check : checks) EXPECT_EQ(check.state, FileState::Missing);
}

TEST(Manifest, TheBenchmarkFilesAreValid) {
  ISTHMUS_REQUIRE_DATA(folder);
  for (const FileCheck& check : verify(folder)) {
    EXPECT_EQ(check.state, FileState::Valid) << check.entry->name << " is of " << to_string(check.state);
  }
}

}  // namespace
}  // namespace isthmus
