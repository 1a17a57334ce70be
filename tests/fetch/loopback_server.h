#pragma once

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace isthmus::testing {

/// What a client asked.
struct HttpRequest {
  std::string path;
  std::optional<std::size_t> range_start;  ///< from "Range: bytes=N-"
};

/// What it gets. `announced` is the Content-Length; a longer one than the body is a cut connection, none at
/// all leaves the end to the closing of the connection.
struct HttpResponse {
  int status = 200;
  std::string body;
  std::optional<std::size_t> announced;
  std::string headers;  ///< more lines, each ended by \r\n
};

/// The whole body with its true length.
inline HttpResponse whole(std::string body) {
  const std::size_t size = body.size();
  return {.status = 200, .body = std::move(body), .announced = size, .headers = {}};
}

/// The body from `start` on, as a server that knows ranges answers.
inline HttpResponse rest(const std::string& body, std::size_t start) {
  HttpResponse response = whole(body.substr(start));
  response.status = 206;
  response.headers = fmt::format("Content-Range: bytes {}-{}/{}\r\n", start, body.size() - 1, body.size());
  return response;
}

/// Listens on a port of 127.0.0.1 and hands over one connection after the other.
class LoopbackListener {
 public:
  explicit LoopbackListener(std::function<void(int client)> converse) : converse_(std::move(converse)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    if (::bind(listener_, generic, length) != 0 || ::listen(listener_, 8) != 0) std::abort();
    ::getsockname(listener_, generic, &length);
    port_ = ntohs(address.sin_port);
    thread_ = std::jthread([this] { serve(); });
  }
  ~LoopbackListener() {
    ::shutdown(listener_, SHUT_RDWR);  // wakes accept
    thread_.join();
    ::close(listener_);
  }
  LoopbackListener(const LoopbackListener&) = delete;
  LoopbackListener& operator=(const LoopbackListener&) = delete;

  int port() const { return port_; }

 private:
  void serve() {
    while (true) {
      const int client = ::accept(listener_, nullptr, nullptr);
      if (client < 0) return;
      converse_(client);
      ::close(client);
    }
  }

  std::function<void(int client)> converse_;
  int listener_ = -1;
  int port_ = 0;
  std::jthread thread_;
};

/// An HTTP server on 127.0.0.1, one request a connection.
class LoopbackServer {
 public:
  explicit LoopbackServer(std::function<HttpResponse(const HttpRequest&)> answer)
      : answer_(std::move(answer)) {}

  std::string url() const { return fmt::format("http://127.0.0.1:{}/data", listener_.port()); }
  std::vector<HttpRequest> requests() const {
    const std::lock_guard lock(guard_);
    return requests_;
  }

 private:
  void converse(int client) {
    std::string text;
    char buffer[4096];
    while (text.find("\r\n\r\n") == std::string::npos && text.size() < 65536) {
      const ssize_t got = ::recv(client, buffer, sizeof buffer, 0);
      if (got <= 0) return;
      text.append(buffer, static_cast<std::size_t>(got));
      if (text[0] != 'G') break;  // not GET but TLS: answered in plain text all the same
    }
    HttpRequest request;
    const auto path = text.find(' ') + 1;
    request.path = text.substr(path, text.find(' ', path) - path);
    const std::string range = "Range: bytes=";
    if (const auto at = text.find(range); at != std::string::npos) {
      request.range_start = std::stoul(text.substr(at + range.size()));
    }
    {
      const std::lock_guard lock(guard_);
      requests_.push_back(request);
    }
    const HttpResponse response = answer_(request);
    std::string reply =
        fmt::format("HTTP/1.1 {} Status\r\nConnection: close\r\n{}", response.status, response.headers);
    if (response.announced) reply += fmt::format("Content-Length: {}\r\n", *response.announced);
    reply += "\r\n" + response.body;
    for (std::size_t sent = 0; sent < reply.size();) {
      const ssize_t count = ::send(client, reply.data() + sent, reply.size() - sent, MSG_NOSIGNAL);
      if (count <= 0) return;
      sent += static_cast<std::size_t>(count);
    }
  }

  std::function<HttpResponse(const HttpRequest&)> answer_;
  mutable std::mutex guard_;
  std::vector<HttpRequest> requests_;
  LoopbackListener listener_{[this](int client) { converse(client); }};
};

}  // namespace isthmus::testing
