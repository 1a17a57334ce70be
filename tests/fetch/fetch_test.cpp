#include "fetch/fetch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <stdexcept>

#include "io/checksum.h"
#include "isthmus/errors.h"
#include "loopback_server.h"
#include "scratch_folder.h"
#include "self_signed.h"

namespace isthmus {
namespace {

namespace fs = std::filesystem;
using testing::file_bytes;
using testing::HttpRequest;
using testing::HttpResponse;
using testing::LoopbackServer;
using testing::rest;
using testing::ScratchFolder;
using testing::whole;

/// A file of 100 000 bytes that a server offers, and its manifest entry.
class Fetch : public ::testing::Test {
 protected:
  Fetch() {
    for (std::size_t i = 0; i < 100000; ++i) content_ += static_cast<char>((i * i + i / 251) % 256);
    sum_ = sha256(content_);
    entry_ = {.name = "file.mat", .bytes = content_.size(), .sha256 = sum_, .content = "a test"};
  }

  FetchOutcome fetch_from(const LoopbackServer& server, FetchOptions options = {}) {
    options.base_url = server.url();
    return fetch(entry_, folder_.path(), options);
  }
  std::string error_from(const LoopbackServer& server, FetchOptions options = {}) {
    try {
      fetch_from(server, std::move(options));
    } catch (const IoError& error) {
      return error.what();
    }
    return "no error";
  }
  bool folder_is_empty() const { return fs::is_empty(folder_.path()); }
  fs::path file() const { return folder_ / "file.mat"; }
  fs::path part() const { return folder_ / "file.mat.part"; }

  ScratchFolder folder_;
  std::string content_;
  std::string sum_;
  ManifestEntry entry_;
};

TEST_F(Fetch, BringsTheWholeFileAndLeavesNothingElse) {
  const LoopbackServer server([&](const HttpRequest&) { return whole(content_); });
  EXPECT_EQ(fetch_from(server), FetchOutcome::Downloaded);
  EXPECT_EQ(file_bytes(file()), content_);
  EXPECT_FALSE(fs::exists(part()));
  ASSERT_EQ(server.requests().size(), 1U);
  EXPECT_EQ(server.requests()[0].path, "/data/file.mat");
  EXPECT_FALSE(server.requests()[0].range_start);
}

TEST_F(Fetch, MakesTheFolder) {
  const LoopbackServer server([&](const HttpRequest&) { return whole(content_); });
  EXPECT_EQ(fetch(entry_, folder_ / "a/b", {.base_url = server.url()}), FetchOutcome::Downloaded);
  EXPECT_EQ(file_bytes(folder_ / "a/b/file.mat"), content_);
}

TEST_F(Fetch, AsksNothingWhenTheFileIsThereAndValid) {
  folder_.file("file.mat", content_);
  const LoopbackServer server([&](const HttpRequest&) { return whole(content_); });
  EXPECT_EQ(fetch_from(server), FetchOutcome::AlreadyValid);
  EXPECT_TRUE(server.requests().empty());
}

TEST_F(Fetch, ReplacesAFileThatIsThereButWrong) {
  folder_.file("file.mat", "something else");
  const LoopbackServer server([&](const HttpRequest&) { return whole(content_); });
  EXPECT_EQ(fetch_from(server), FetchOutcome::Downloaded);
  EXPECT_EQ(file_bytes(file()), content_);
}

TEST_F(Fetch, GoesOnWhereTheConnectionWasCut) {
  const LoopbackServer server([&](const HttpRequest& request) {
    if (request.range_start) return rest(content_, *request.range_start);
    HttpResponse cut = whole(content_);
    cut.body.resize(60000);
    return cut;
  });
  EXPECT_EQ(fetch_from(server), FetchOutcome::Downloaded);
  EXPECT_EQ(file_bytes(file()), content_);
  ASSERT_EQ(server.requests().size(), 2U);
  EXPECT_EQ(server.requests()[1].range_start, 60000U);
}

TEST_F(Fetch, KeepsThePartOfACutDownloadForTheNextRun) {
  const LoopbackServer cutting([&](const HttpRequest&) {
    HttpResponse cut = whole(content_);
    cut.body.resize(40000);
    return cut;
  });
  const std::string message = error_from(cutting, {.resumes = 0});
  EXPECT_NE(message.find("broke off after 40000 of 100000 bytes"), std::string::npos) << message;
  EXPECT_FALSE(fs::exists(file()));
  EXPECT_EQ(file_bytes(part()), content_.substr(0, 40000));

  const LoopbackServer server(
      [&](const HttpRequest& request) { return rest(content_, request.range_start.value()); });
  EXPECT_EQ(fetch_from(server), FetchOutcome::Downloaded);
  EXPECT_EQ(file_bytes(file()), content_);
  EXPECT_EQ(server.requests().at(0).range_start, 40000U);
}

TEST_F(Fetch, AConnectionClosedWithoutAnAnnouncedLengthIsCut) {
  const LoopbackServer server([&](const HttpRequest& request) {
    if (request.range_start) return rest(content_, *request.range_start);
    return HttpResponse{.status = 200, .body = content_.substr(0, 500), .announced = {}, .headers = {}};
  });
  EXPECT_EQ(fetch_from(server), FetchOutcome::Downloaded);
  EXPECT_EQ(file_bytes(file()), content_);
}

TEST_F(Fetch, GivesUpWhenEveryConnectionIsCut) {
  const LoopbackServer server([&](const HttpRequest& request) {
    const std::size_t start = request.range_start.value_or(0);
    HttpResponse cut = request.range_start ? rest(content_, start) : whole(content_);
    cut.body.resize(1000);
    return cut;
  });
  EXPECT_NE(error_from(server, {.resumes = 2}).find("broke off after 3000"), std::string::npos);
  EXPECT_EQ(server.requests().size(), 3U);
}

TEST_F(Fetch, StartsAgainWhenTheServerIgnoresTheRange) {
  folder_.file("file.mat.part", content_.substr(0, 30000));
  const LoopbackServer server([&](const HttpRequest&) { return whole(content_); });
  EXPECT_EQ(fetch_from(server), FetchOutcome::Downloaded);
  EXPECT_EQ(file_bytes(file()), content_);
  ASSERT_EQ(server.requests().size(), 1U);
  EXPECT_EQ(server.requests()[0].range_start, 30000U);
}

TEST_F(Fetch, StartsAgainWhenTheServerRefusesTheRangeOrSendsAnother) {
  for (const bool refuses : {true, false}) {
    fs::remove(file());
    folder_.file("file.mat.part", content_.substr(0, 30000));
    const LoopbackServer server([&](const HttpRequest& request) {
      if (!request.range_start) return whole(content_);
      return refuses ? HttpResponse{.status = 416, .body = {}, .announced = 0, .headers = {}}
                     : rest(content_, 20000);
    });
    EXPECT_EQ(fetch_from(server, {.resumes = 0}), FetchOutcome::Downloaded);
    EXPECT_EQ(file_bytes(file()), content_);
  }
}

TEST_F(Fetch, ForgetsAPartOfAnotherFile) {
  folder_.file("file.mat.part", std::string(30000, 'x'));
  const LoopbackServer server([&](const HttpRequest& request) {
    return request.range_start ? rest(content_, *request.range_start) : whole(content_);
  });
  EXPECT_EQ(fetch_from(server), FetchOutcome::Downloaded);
  EXPECT_EQ(file_bytes(file()), content_);
  EXPECT_EQ(server.requests().size(), 2U);
}

TEST_F(Fetch, TakesACompletePartWithoutARequest) {
  folder_.file("file.mat.part", content_);
  const LoopbackServer server([&](const HttpRequest&) { return whole(content_); });
  EXPECT_EQ(fetch_from(server), FetchOutcome::Downloaded);
  EXPECT_TRUE(server.requests().empty());
  EXPECT_EQ(file_bytes(file()), content_);
}

TEST_F(Fetch, KeepsNothingOfWrongContentAndNamesBothSums) {
  std::string wrong = content_;
  wrong[5000] ^= 1;
  const LoopbackServer server([&](const HttpRequest&) { return whole(wrong); });
  const std::string message = error_from(server);
  EXPECT_NE(message.find(sum_), std::string::npos) << message;
  EXPECT_NE(message.find(sha256(wrong)), std::string::npos) << message;
  EXPECT_TRUE(folder_is_empty());
}

TEST_F(Fetch, KeepsNothingOfABodyThatIsTooLong) {
  const LoopbackServer server(
      [&](const HttpRequest&) { return whole(content_ + std::string(5000000, 'x')); });
  const std::string message = error_from(server);
  EXPECT_NE(message.find("more than the 100000 bytes"), std::string::npos) << message;
  EXPECT_TRUE(folder_is_empty());
}

TEST_F(Fetch, KeepsNothingOfAFileThatIsShorterThanTheManifestSays) {
  const LoopbackServer server([&](const HttpRequest&) { return whole(content_.substr(0, 99999)); });
  const std::string message = error_from(server);
  EXPECT_NE(message.find("ends after 99999 bytes"), std::string::npos) << message;
  EXPECT_TRUE(folder_is_empty());
}

TEST_F(Fetch, SaysWhatTheServerAnsweredWhenThereIsNoSuchFile) {
  const LoopbackServer server([&](const HttpRequest&) {
    HttpResponse missing = whole("<html>not here</html>");
    missing.status = 404;
    return missing;
  });
  const std::string message = error_from(server);
  EXPECT_NE(message.find("404"), std::string::npos) << message;
  EXPECT_NE(message.find("/data/file.mat"), std::string::npos) << message;
  EXPECT_TRUE(folder_is_empty());
}

TEST_F(Fetch, NeedsNoProxyForThisMachine) {
  const LoopbackServer server([&](const HttpRequest&) { return whole(content_); });
  EXPECT_EQ(fetch_from(server, {.proxy = "http://127.0.0.1:1"}), FetchOutcome::Downloaded);
}

TEST_F(Fetch, WritesThroughNoLinkPlantedAsItsPart) {
  const LoopbackServer server([&](const HttpRequest&) { return whole(content_); });
  const auto other = folder_.file("other", "of somebody");
  fs::create_symlink(other, part());
  EXPECT_NE(error_from(server).find("file.mat.part"), std::string::npos);
  EXPECT_EQ(file_bytes(other), "of somebody");
  EXPECT_FALSE(fs::exists(file()));
}

TEST_F(Fetch, FollowsNoRedirectToAnythingButHttps) {
  const auto secret = folder_.file("secret", content_);
  for (const std::string& location :
       {std::string("/other/file.mat"), std::string("http://localhost:1/file.mat"),
        std::string("ftp://127.0.0.1:1/file.mat"), "file://" + secret.string()}) {
    const LoopbackServer server([&](const HttpRequest& request) {
      HttpResponse response = whole(content_);
      if (request.path != "/data/file.mat") return response;
      response.status = 302;
      response.headers = fmt::format("Location: {}\r\n", location);
      return response;
    });
    const std::string message = error_from(server);
    EXPECT_NE(message.find("not supported or disabled"), std::string::npos) << location << ": " << message;
    EXPECT_EQ(server.requests().size(), 1U);
    EXPECT_FALSE(fs::exists(file()) || fs::exists(part())) << location;
  }
}

TEST_F(Fetch, SpeaksTlsWhereTheAddressSaysHttps) {
  const LoopbackServer server([&](const HttpRequest&) { return whole(content_); });
  std::string url = server.url();
  url.replace(0, 4, "https");
  EXPECT_THROW(fetch(entry_, folder_.path(), {.base_url = url}), IoError) << "took an answer in plain text";
  EXPECT_TRUE(folder_is_empty());
}

TEST_F(Fetch, TakesNothingFromAServerNobodyVouchesFor) {
  const testing::SelfSigned https;
  std::atomic<int> trusted{0};
  const testing::LoopbackListener server(
      [&](int client) { trusted += https.serve(client, content_) ? 1 : 0; });
  try {
    fetch(entry_, folder_.path(), {.base_url = fmt::format("https://127.0.0.1:{}", server.port())});
    ADD_FAILURE() << "took the file";
  } catch (const IoError& error) {
    EXPECT_NE(std::string(error.what()).find("certificate"), std::string::npos) << error.what();
  }
  EXPECT_EQ(trusted, 0);
  EXPECT_TRUE(folder_is_empty());
}

TEST_F(Fetch, SaysWhenNobodyAnswers) {
  std::string url;
  {
    const LoopbackServer server([&](const HttpRequest&) { return whole(content_); });
    url = server.url();
  }
  EXPECT_THROW(fetch(entry_, folder_.path(), {.base_url = url}), IoError);
  EXPECT_TRUE(folder_is_empty());
}

TEST_F(Fetch, StopsOnCancelAndResumesLater) {
  const LoopbackServer server([&](const HttpRequest& request) {
    return request.range_start ? rest(content_, *request.range_start) : whole(content_);
  });
  const std::atomic<bool> cancel{true};
  EXPECT_EQ(fetch_from(server, {.cancel = &cancel}), FetchOutcome::Stopped);
  EXPECT_FALSE(fs::exists(file()));
  EXPECT_EQ(fetch_from(server, {.on_progress = [](const FetchProgress&) { return Decision::Stop; }}),
            FetchOutcome::Stopped);
  EXPECT_FALSE(fs::exists(file()));
  EXPECT_EQ(fetch_from(server), FetchOutcome::Downloaded);
  EXPECT_EQ(file_bytes(file()), content_);
}

TEST_F(Fetch, ReportsProgressUpToTheFullSize) {
  const LoopbackServer server([&](const HttpRequest&) { return whole(content_); });
  std::vector<std::uintmax_t> received;
  const auto watch = [&](const FetchProgress& progress) {
    EXPECT_EQ(progress.name, "file.mat");
    EXPECT_EQ(progress.total, content_.size());
    received.push_back(progress.received);
    return Decision::Continue;
  };
  EXPECT_EQ(fetch_from(server, {.on_progress = watch}), FetchOutcome::Downloaded);
  ASSERT_FALSE(received.empty());
  EXPECT_TRUE(std::is_sorted(received.begin(), received.end()));
  EXPECT_EQ(received.back(), content_.size());
}

TEST_F(Fetch, PassesOnAnExceptionOfTheCallback) {
  const LoopbackServer server([&](const HttpRequest&) { return whole(content_); });
  const auto fail = [](const FetchProgress&) -> Decision { throw std::runtime_error("from the callback"); };
  EXPECT_THROW(fetch_from(server, {.on_progress = fail}), std::runtime_error);
}

TEST_F(Fetch, TakesOnlyHttpsOrThisMachine) {
  for (const char* base :
       {"http://example.org/data", "http://127.0.0.1.example.org/data", "ftp://127.0.0.1/data", "file:///etc",
        "no url", "", "http://localhost.example.org"}) {
    EXPECT_THROW(fetch(entry_, folder_.path(), {.base_url = base}), InvalidArgument) << base;
  }
  EXPECT_TRUE(folder_is_empty());
}

TEST_F(Fetch, RefusesNamesThatAreNotInTheManifest) {
  for (const std::string name : {"../secret.mat", "COIL_3.mat", ""}) {
    EXPECT_THROW(fetch(name, folder_.path()), InvalidArgument) << name;
  }
  try {
    fetch("coil_1.mat", folder_.path());
    FAIL() << "fetched what is not in the manifest";
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'COIL_1.mat'?"), std::string::npos)
        << error.what();
  }
  EXPECT_TRUE(folder_is_empty());
}

}  // namespace
}  // namespace isthmus
