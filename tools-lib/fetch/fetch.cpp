#include "fetch/fetch.h"

#include <curl/curl.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <exception>
#include <memory>
#include <optional>
#include <system_error>

#include "core/text.h"
#include "io/atomic_file.h"
#include "io/checksum.h"
#include "isthmus/errors.h"

namespace isthmus {
namespace {

namespace fs = std::filesystem;

/// NAME.part: what has come so far. Locked, so that two programs do not write into one another's download.
class PartFile {
 public:
  explicit PartFile(fs::path path) : path_(std::move(path)) {
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor_ < 0) fail("open");
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
    ::close(descriptor_);
    throw IoError(fmt::format("{}: another program is downloading it; wait for it to end", path_.string()));
  }
  ~PartFile() {
    struct stat status = {};
    if (!gone_ && ::fstat(descriptor_, &status) == 0 && status.st_size == 0) ::unlink(path_.c_str());
    ::close(descriptor_);
  }
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  const fs::path& path() const { return path_; }

  std::uintmax_t size() const {
    struct stat status = {};
    if (::fstat(descriptor_, &status) != 0) fail("measure");
    return static_cast<std::uintmax_t>(status.st_size);
  }
  void clear() {
    if (::ftruncate(descriptor_, 0) != 0) fail("empty");
  }
  void append(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno != EINTR) fail("write");
      if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  void remove() {
    if (::unlink(path_.c_str()) != 0) fail("delete");
    gone_ = true;
  }
  /// Makes it the whole file, durably.
  void commit(const fs::path& target) {
    if (::fsync(descriptor_) != 0) fail("write");
    if (::rename(path_.c_str(), target.c_str()) != 0) fail("rename");
    gone_ = true;
    sync_folder(target.parent_path());
  }

 private:
  [[noreturn]] void fail(const char* step) const {
    throw IoError(fmt::format("{}: cannot {}: {}; check the folder, its permissions and the free space",
                              path_.string(), step, std::generic_category().message(errno)));
  }

  fs::path path_;
  int descriptor_ = -1;
  bool gone_ = false;  ///< renamed or deleted
};

template <class T, void (*Free)(T*)>
struct Freed {
  void operator()(T* handle) const { Free(handle); }
};
using Url = std::unique_ptr<CURLU, Freed<CURLU, curl_url_cleanup>>;
using CurlHandle = std::unique_ptr<CURL, Freed<CURL, curl_easy_cleanup>>;

std::string url_part(CURLU* url, CURLUPart part) {
  char* text = nullptr;
  if (curl_url_get(url, part, &text, 0) != CURLUE_OK) return {};
  std::string copy = text;
  curl_free(text);
  return copy;
}

bool is_loopback(std::string_view host) {
  return host == "localhost" || host == "[::1]" ||
         (host.starts_with("127.") && host.find_first_not_of("0123456789.") == std::string_view::npos);
}

/// The protocol that may be used: https, or http where the bytes never leave the machine.
const char* allowed_protocol(const std::string& base) {
  const Url url(curl_url());
  const bool parsed = url && curl_url_set(url.get(), CURLUPART_URL, base.c_str(), 0) == CURLUE_OK;
  const std::string scheme = parsed ? url_part(url.get(), CURLUPART_SCHEME) : "";
  if (scheme == "https") return "https";
  if (scheme == "http" && is_loopback(url_part(url.get(), CURLUPART_HOST))) return "http";
  throw InvalidArgument(fmt::format(
      "the base URL '{}' is not allowed; expected https://..., or http:// to this machine (127.0.0.1)",
      base));
}

/// Why a transfer ended.
enum class Ending { Complete, Broken, Stopped, RangeRefused };

/// One request for the rest of a file.
class Transfer {
 public:
  Transfer(const ManifestEntry& entry, const FetchOptions& options, PartFile& part)
      : entry_(entry),
        options_(options),
        part_(part),
        url_(fmt::format("{}/{}", options.base_url, entry.name)),
        start_(part.size()) {}

  Ending run() {
    const CurlHandle handle(curl_easy_init());
    if (!handle) throw Error("libcurl cannot start; check its installation");
    handle_ = handle.get();
    configure();
    code_ = curl_easy_perform(handle_);
    if (failure_) std::rethrow_exception(failure_);
    return ending();
  }

  /// What went wrong, for a message.
  std::string problem() const {
    const std::string_view detail = error_text_[0] != '\0' ? error_text_.data() : curl_easy_strerror(code_);
    return code_ == CURLE_OK ? "the connection was closed early" : std::string(detail);
  }
  const std::string& url() const { return url_; }

 private:
  template <class Value>
  void set(CURLoption option, Value value) {
    if (curl_easy_setopt(handle_, option, value) != CURLE_OK) {
      throw Error(fmt::format("libcurl {} does not know option {}; 7.85 or newer is needed",
                              curl_version_info(CURLVERSION_NOW)->version, static_cast<int>(option)));
    }
  }

  void configure() {
    const char* const protocol = allowed_protocol(options_.base_url);
    set(CURLOPT_URL, url_.c_str());
    set(CURLOPT_PROTOCOLS_STR, protocol);
    set(CURLOPT_REDIR_PROTOCOLS_STR, "https");
    set(CURLOPT_FOLLOWLOCATION, 1L);
    set(CURLOPT_MAXREDIRS, 5L);
    set(CURLOPT_FAILONERROR, 1L);
    set(CURLOPT_NOSIGNAL, 1L);
    // Both set, empty or not: libcurl would look into the environment otherwise.
    set(CURLOPT_PROXY, std::string_view(protocol) == "http" ? "" : options_.proxy.c_str());
    set(CURLOPT_NOPROXY, "");
    set(CURLOPT_CONNECTTIMEOUT, static_cast<long>(options_.connect_timeout.count()));
    set(CURLOPT_LOW_SPEED_LIMIT, 1L);
    set(CURLOPT_LOW_SPEED_TIME, static_cast<long>(options_.stall_timeout.count()));
    set(CURLOPT_ERRORBUFFER, error_text_.data());
    set(CURLOPT_HEADERFUNCTION, &Transfer::on_header);
    set(CURLOPT_HEADERDATA, this);
    set(CURLOPT_WRITEFUNCTION, &Transfer::on_body);
    set(CURLOPT_WRITEDATA, this);
    set(CURLOPT_NOPROGRESS, 0L);
    set(CURLOPT_XFERINFOFUNCTION, &Transfer::on_tick);
    set(CURLOPT_XFERINFODATA, this);
    if (start_ > 0) set(CURLOPT_RANGE, (range_ = fmt::format("{}-", start_)).c_str());
  }

  long status() const {
    long status = 0;
    curl_easy_getinfo(handle_, CURLINFO_RESPONSE_CODE, &status);
    return status;
  }

  Ending ending() const {
    if (stopped_) return Ending::Stopped;
    if (start_ > 0 && (range_refused_ || status() == 416)) return Ending::RangeRefused;
    if (too_long_) {
      part_.remove();
      throw IoError(fmt::format("{}: more than the {} bytes of the manifest come; nothing was kept", url_,
                                entry_.bytes));
    }
    if (code_ == CURLE_OK && part_.size() < entry_.bytes) {
      // With an announced length the server really has a shorter file; without, the connection just ended.
      curl_off_t announced = -1;
      curl_easy_getinfo(handle_, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &announced);
      if (announced < 0) return Ending::Broken;
      part_.remove();
      throw IoError(fmt::format("{}: the file ends after {} bytes, the manifest says {}; nothing was kept",
                                url_, part_.size(), entry_.bytes));
    }
    if (code_ == CURLE_OK) return Ending::Complete;
    const std::array broken{CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_GOT_NOTHING,
                            CURLE_OPERATION_TIMEDOUT};
    if (std::find(broken.begin(), broken.end(), code_) != broken.end()) return Ending::Broken;
    throw IoError(
        fmt::format("{}: cannot be downloaded: {}; check the address and the network", url_, problem()));
  }

  /// Runs what must not throw through C; an exception ends the transfer and is passed on after it.
  template <class Body>
  bool guarded(const Body& body) {
    try {
      return body();
    } catch (...) {
      failure_ = std::current_exception();
      return false;
    }
  }

  static std::size_t on_header(char* data, std::size_t size, std::size_t count, void* self) {
    static_cast<Transfer*>(self)->header({data, size * count});
    return size * count;
  }
  static std::size_t on_body(char* data, std::size_t size, std::size_t count, void* self) {
    auto& transfer = *static_cast<Transfer*>(self);
    const std::string_view bytes(data, size * count);
    return transfer.guarded([&] { return transfer.body(bytes); }) ? bytes.size() : CURL_WRITEFUNC_ERROR;
  }
  static int on_tick(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    auto& transfer = *static_cast<Transfer*>(self);
    return transfer.guarded([&] { return transfer.tick(); }) ? 0 : 1;
  }

  /// Keeps where a partial answer starts ("Content-Range: bytes 100-999/1000"); a new answer forgets it.
  void header(std::string_view line) {
    if (line.starts_with("HTTP/")) partial_start_.reset();
    const auto colon = line.find(':');
    if (colon == std::string_view::npos || lower_case(line.substr(0, colon)) != "content-range") return;
    std::string_view value = trimmed(line.substr(colon + 1));
    if (!value.starts_with("bytes ")) return;
    value.remove_prefix(6);
    std::uintmax_t first = 0;
    if (std::from_chars(value.data(), value.data() + value.size(), first).ec == std::errc())
      partial_start_ = first;
  }

  bool body(std::string_view bytes) {
    if (!started_) {
      started_ = true;
      received_ = start_;
      if (status() == 206) {
        range_refused_ = partial_start_ != start_;
        if (range_refused_) return false;
      } else if (start_ > 0) {
        part_.clear();  // the server ignores ranges and sends everything again
        received_ = 0;
      }
    }
    too_long_ = bytes.size() > entry_.bytes - received_;
    if (too_long_) return false;
    part_.append(bytes);
    received_ += bytes.size();
    return true;
  }

  bool tick() {
    stopped_ = options_.cancel != nullptr && options_.cancel->load(std::memory_order_relaxed);
    if (!stopped_ && options_.on_progress) {
      stopped_ =
          options_.on_progress({entry_.name, started_ ? received_ : start_, entry_.bytes}) == Decision::Stop;
    }
    return !stopped_;
  }

  const ManifestEntry& entry_;
  const FetchOptions& options_;
  PartFile& part_;
  std::string url_;
  std::string range_;
  std::uintmax_t start_;
  std::uintmax_t received_ = 0;
  std::optional<std::uintmax_t> partial_start_;
  bool started_ = false;
  bool stopped_ = false;
  bool too_long_ = false;
  bool range_refused_ = false;
  std::exception_ptr failure_;
  CURL* handle_ = nullptr;
  CURLcode code_ = CURLE_OK;
  std::array<char, CURL_ERROR_SIZE> error_text_{};
};

void start_libcurl() {
  static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (started != CURLE_OK) throw Error("libcurl cannot start; check its installation");
}

/// Receives until the part has its full size; false when stopped.
bool receive(const ManifestEntry& entry, const FetchOptions& options, PartFile& part) {
  for (int resumes = options.resumes;;) {
    Transfer transfer(entry, options, part);
    switch (transfer.run()) {
      case Ending::Complete:
        return true;
      case Ending::Stopped:
        return false;
      case Ending::RangeRefused:
        part.clear();
        break;  // asks for everything next, which cannot be refused again
      case Ending::Broken:
        if (resumes-- > 0) break;
        throw IoError(fmt::format("{}: broke off after {} of {} bytes: {}; run it again to go on from there",
                                  transfer.url(), part.size(), entry.bytes, transfer.problem()));
    }
  }
}

}  // namespace

FetchOutcome fetch(const ManifestEntry& entry, const fs::path& folder, const FetchOptions& options) {
  start_libcurl();
  allowed_protocol(options.base_url);
  if (verify(folder, entry).state == FileState::Valid) return FetchOutcome::AlreadyValid;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw IoError(fmt::format("{}: cannot make the folder: {}", folder.string(), error.message()));

  PartFile part(folder / fmt::format("{}.part", entry.name));
  if (part.size() > entry.bytes) part.clear();
  bool resumed = part.size() > 0;
  while (true) {
    if (part.size() < entry.bytes && !receive(entry, options, part)) return FetchOutcome::Stopped;
    const std::string found = sha256_file(part.path(), 1);
    if (found == entry.sha256) break;
    if (!resumed) {
      part.remove();
      throw IoError(
          fmt::format("{}/{}: the content is wrong: SHA-256 {} was expected, {} was found; nothing was "
                      "kept",
                      options.base_url, entry.name, entry.sha256, found));
    }
    part.clear();  // what the earlier run left may have been of another file
    resumed = false;
  }
  part.commit(folder / entry.name);
  return FetchOutcome::Downloaded;
}

FetchOutcome fetch(std::string_view name, const fs::path& folder, const FetchOptions& options) {
  return fetch(manifest_entry(name), folder, options);
}

}  // namespace isthmus
