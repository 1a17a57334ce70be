#include "io/isolated_process.h"

#include <gtest/gtest.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): raise and pause are POSIX
#include <unistd.h>

#include <vector>

#include "isthmus/errors.h"

namespace isthmus {
namespace {

using Send = IsolatedProcess::Send;
using namespace std::chrono_literals;

constexpr IsolatedProcess::Limits kLimits{std::uint64_t{256} << 20, 60s, 60s};

/// What reading one byte gives.
std::string message_of(const std::function<void(const Send&)>& work,
                       IsolatedProcess::Limits limits = kLimits) {
  IsolatedProcess process("a file", limits, work);
  char byte = 0;
  try {
    process.read(&byte, 1);
  } catch (const IoError& error) {
    return error.what();
  }
  return "no error";
}

TEST(IsolatedProcess, SendsBackWhatItMade) {
  IsolatedProcess process("a file", kLimits, [](const Send& send) {
    send("head");
    send(std::string(1'000'000, 'x'));
  });
  std::string bytes(1'000'004, '\0');
  process.read(bytes.data(), 4);
  process.read(bytes.data() + 4, 1'000'000);
  EXPECT_EQ(bytes, "head" + std::string(1'000'000, 'x'));
}

TEST(IsolatedProcess, ACrashBecomesAnError) {
  EXPECT_EQ(message_of([](const Send&) { ::raise(SIGSEGV); }),
            "a file: its reader crashed on it; the file is damaged");
  EXPECT_EQ(message_of([](const Send&) { std::abort(); }),
            "a file: its reader crashed on it; the file is damaged");
  EXPECT_EQ(message_of([](const Send&) { throw 1; }),
            "a file: its reader crashed on it; the file is damaged");
}

TEST(IsolatedProcess, AnEarlyEndBecomesAnError) {
  EXPECT_EQ(message_of([](const Send&) {}), "a file: its reader ended too early; the file is damaged");
}

TEST(IsolatedProcess, SilenceBecomesAnError) {
  const auto sleep = [](const Send&) { ::pause(); };
  EXPECT_NE(message_of(sleep, {kLimits.memory_bytes, 60s, 1ms}).find("its reader does not answer"),
            std::string::npos);
}

TEST(IsolatedProcess, AnEndlessLoopBecomesAnError) {
  const auto spin = [](const Send&) {
    while (::getpid() != 0) {
    }
  };
  EXPECT_EQ(message_of(spin, {kLimits.memory_bytes, 1s, 600s}),
            "a file: it keeps its reader busy for more than 1 s; the file is damaged");
}

TEST(IsolatedProcess, CannotTakeAllMemory) {
  const auto greedy = [](const Send& send) {
    std::vector<char> block(std::size_t{1} << 30, 'x');
    send({block.data(), block.size()});
  };
  const std::string message = message_of(greedy);
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)  // whose allocators end the process
  EXPECT_NE(message, "no error");
#else
  EXPECT_EQ(message, "a file: it needs more memory than a file of its size may; the file is damaged");
#endif
}

TEST(IsolatedProcess, IsEndedWhenNobodyReadsIt) {
  pid_t child = 0;
  {
    IsolatedProcess process("a file", kLimits, [](const Send& send) {
      const pid_t self = ::getpid();
      send({reinterpret_cast<const char*>(&self), sizeof(self)});
      send(std::string(1'000'000, 'x'));  // more than a pipe holds
    });
    process.read(reinterpret_cast<char*>(&child), sizeof(child));
  }
  EXPECT_EQ(::kill(child, 0), -1) << "process " << child << " is still there";
}

}  // namespace
}  // namespace isthmus
