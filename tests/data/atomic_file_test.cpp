#include "data/atomic_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>

#include "isthmus/errors.h"
#include "scratch_folder.h"

namespace isthmus {
namespace {

namespace fs = std::filesystem;
using testing::file_bytes;
using testing::ScratchFolder;

std::size_t entries(const ScratchFolder& folder) {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder.path())) ++count;
  return count;
}

void write(const fs::path& path, std::string_view bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

TEST(AtomicFile, WritesAllPartsInOrder) {
  const ScratchFolder folder;
  AtomicFile file(folder / "a.bin");
  file.write("one,");
  file.write(std::string_view("\0two", 4));
  file.commit();
  EXPECT_EQ(file_bytes(folder / "a.bin"), std::string("one,\0two", 8));
  EXPECT_EQ(entries(folder), 1U);
}

TEST(AtomicFile, KeepsTheOldFileUntilCommit) {
  const ScratchFolder folder;
  folder.file("a", "old");
  {
    AtomicFile file(folder / "a");
    file.write("new");
    EXPECT_EQ(file_bytes(folder / "a"), "old");
  }
  EXPECT_EQ(file_bytes(folder / "a"), "old");
  EXPECT_EQ(entries(folder), 1U) << "the temporary file was left behind";
  write(folder / "a", "new");
  EXPECT_EQ(file_bytes(folder / "a"), "new");
}

TEST(AtomicFile, KeepsTheModeOfTheFileItReplacesAndTakesTheUmaskOtherwise) {
  const ScratchFolder folder;
  folder.file("old", "x");
  ASSERT_EQ(::chmod((folder / "old").c_str(), 0640), 0);
  write(folder / "old", "y");
  EXPECT_EQ(fs::status(folder / "old").permissions(), fs::perms(0640));

  const mode_t umask_before = ::umask(022);
  write(folder / "fresh", "y");
  ::umask(umask_before);
  EXPECT_EQ(fs::status(folder / "fresh").permissions(), fs::perms(0644));
}

TEST(AtomicFile, FollowsALinkInsteadOfReplacingIt) {
  const ScratchFolder folder;
  fs::create_directory(folder / "store");
  folder.file("store/real", "old");
  fs::create_symlink(fs::path("store") / "real", folder / "link");
  write(folder / "link", "new");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(file_bytes(folder / "store/real"), "new");
}

TEST(AtomicFile, WritesDevicesDirectly) {
  EXPECT_NO_THROW(write("/dev/null", "gone"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(AtomicFile, SaysThatTheDiskIsFull) {
  try {
    write("/dev/full", "x");
    FAIL() << "no error";
  } catch (const IoError& error) {
    EXPECT_NE(std::string(error.what()).find("/dev/full: cannot write: No space left"), std::string::npos)
        << error.what();
  }
}

TEST(AtomicFile, LeavesNothingBehindWhenTheDiskFillsUp) {
  const ScratchFolder folder;
  folder.file("a", "old");
  rlimit before = {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  auto* const handler_before = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 1000;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  EXPECT_THROW(write(folder / "a", std::string(5000, 'x')), IoError);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler_before);
  EXPECT_EQ(file_bytes(folder / "a"), "old");
  EXPECT_EQ(entries(folder), 1U);
}

TEST(AtomicFile, RefusesFoldersAndMissingFolders) {
  const ScratchFolder folder;
  EXPECT_THROW(AtomicFile(folder.path()), IoError);
  EXPECT_THROW(AtomicFile(folder / "missing" / "a"), IoError);
  EXPECT_THROW(AtomicFile(""), IoError);
  EXPECT_EQ(entries(folder), 0U);
}

TEST(AtomicFile, RefusesAFolderWithoutPermission) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write anywhere";
  const ScratchFolder folder;
  ASSERT_EQ(::chmod(folder.path().c_str(), 0500), 0);
  EXPECT_THROW(AtomicFile(folder / "a"), IoError);
  ASSERT_EQ(::chmod(folder.path().c_str(), 0700), 0);
}

}  // namespace
}  // namespace isthmus
