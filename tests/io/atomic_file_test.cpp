#include "io/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
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

TEST(AtomicFile, FollowsALinkToAFileThatIsNotThereYet) {
  const ScratchFolder folder;
  fs::create_directory(folder / "store");
  fs::create_symlink(fs::path("store") / "second", folder / "first");
  fs::create_symlink("real", folder / "store/second");
  write(folder / "first", "new");
  EXPECT_TRUE(fs::is_symlink(folder / "first"));
  EXPECT_TRUE(fs::is_symlink(folder / "store/second"));
  EXPECT_EQ(file_bytes(folder / "store/real"), "new");
}

TEST(AtomicFile, RefusesLinksThatLeadInACircleOrIntoNoFolder) {
  const ScratchFolder folder;
  fs::create_symlink("b", folder / "a");
  fs::create_symlink("a", folder / "b");
  fs::create_symlink(fs::path("missing") / "file", folder / "c");
  for (const char* name : {"a", "c"}) {
    EXPECT_THROW(AtomicFile(folder / name), IoError) << name;
    EXPECT_TRUE(fs::is_symlink(folder / name)) << name;
  }
  EXPECT_EQ(entries(folder), 3U);
}

TEST(AtomicFile, FollowsNoLinkPlantedUnderItsTemporaryName) {
  const ScratchFolder folder;
  folder.file("victim", "mine");
  for (int serial = 0; serial < 50; ++serial) {
    fs::create_symlink("victim", folder / fmt::format(".isthmus-{}-{}.tmp", ::getpid(), serial));
  }
  write(folder / "new", "x");
  EXPECT_EQ(file_bytes(folder / "new"), "x");
  EXPECT_FALSE(fs::is_symlink(folder / "new"));
  EXPECT_EQ(file_bytes(folder / "victim"), "mine");
  EXPECT_EQ(entries(folder), 52U);
}

TEST(AtomicFile, KeepsTheOwnerOfTheFileItReplaces) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root may give files away";
  const ScratchFolder folder;
  folder.file("old", "x");
  ASSERT_EQ(::chown((folder / "old").c_str(), 1234, 4321), 0);
  ASSERT_EQ(::chmod((folder / "old").c_str(), 06750), 0);
  write(folder / "old", "y");
  struct stat now = {};
  ASSERT_EQ(::stat((folder / "old").c_str(), &now), 0);
  EXPECT_EQ(now.st_uid, 1234U);
  EXPECT_EQ(now.st_gid, 4321U);
  EXPECT_EQ(now.st_mode & 07777U, 06750U);
  EXPECT_EQ(file_bytes(folder / "old"), "y");
}

TEST(AtomicFile, AnotherOwnersFileIsReplacedByOnesOwn) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root may become another user";
  const ScratchFolder folder;
  ASSERT_EQ(::chmod(folder.path().c_str(), 0777), 0);
  folder.file("old", "x");
  ASSERT_EQ(::chmod((folder / "old").c_str(), 04755), 0);
  ASSERT_EQ(::seteuid(65534), 0);
  EXPECT_NO_THROW(write(folder / "old", "y"));
  ASSERT_EQ(::seteuid(0), 0);
  struct stat now = {};
  ASSERT_EQ(::stat((folder / "old").c_str(), &now), 0);
  EXPECT_EQ(now.st_uid, 65534U);
  EXPECT_EQ(now.st_mode & 07777U, 0755U) << "it would run as another user than before";
}

TEST(AtomicFile, AppendsWhereTheDescriptorDoes) {
  const ScratchFolder folder;
  folder.file("log", "old\n");
  const int log = ::open((folder / "log").c_str(), O_WRONLY | O_APPEND);
  ASSERT_GE(log, 0);
  write("/dev/fd/" + std::to_string(log), "new\n");
  ::close(log);
  EXPECT_EQ(file_bytes(folder / "log"), "old\nnew\n");
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
