#pragma once

#include <fmt/format.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <csignal>
#include <cstdlib>
#include <memory>
#include <string>

namespace isthmus::testing {

/// HTTPS with a certificate, for 127.0.0.1, that nobody but itself vouches for.
class SelfSigned {
 public:
  SelfSigned() : context_(SSL_CTX_new(TLS_server_method()), SSL_CTX_free) {
    std::signal(SIGPIPE, SIG_IGN);  // OpenSSL writes to clients that have left
    const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(EVP_EC_gen("P-256"), EVP_PKEY_free);
    const std::unique_ptr<X509, decltype(&X509_free)> certificate(X509_new(), X509_free);
    X509* const x = certificate.get();
    X509_set_version(x, X509_VERSION_3);
    X509_gmtime_adj(X509_getm_notBefore(x), -3600);
    X509_gmtime_adj(X509_getm_notAfter(x), 3600);
    X509_set_pubkey(x, key.get());
    X509_NAME* const name = X509_get_subject_name(x);
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>("127.0.0.1"),
                               -1, -1, 0);
    X509_set_issuer_name(x, name);
    X509_EXTENSION* const address =
        X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, "IP:127.0.0.1");
    X509_add_ext(x, address, -1);
    X509_EXTENSION_free(address);
    if (X509_sign(x, key.get(), EVP_sha256()) == 0 || SSL_CTX_use_certificate(context_.get(), x) != 1 ||
        SSL_CTX_use_PrivateKey(context_.get(), key.get()) != 1) {
      std::abort();
    }
  }

  /// Shakes hands and answers one request with the body; false when the client does not trust the server.
  bool serve(int client, const std::string& body) const {
    const std::unique_ptr<SSL, decltype(&SSL_free)> tls(SSL_new(context_.get()), SSL_free);
    SSL_set_fd(tls.get(), client);
    if (SSL_accept(tls.get()) != 1) return false;
    char request[4096];
    SSL_read(tls.get(), request, sizeof request);
    const std::string reply = fmt::format(
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{}", body.size(), body);
    SSL_write(tls.get(), reply.data(), static_cast<int>(reply.size()));
    SSL_shutdown(tls.get());
    return true;
  }

 private:
  std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context_;
};

}  // namespace isthmus::testing
