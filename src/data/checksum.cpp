#include "data/checksum.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <vector>

#include "data/input_file.h"
#include "isthmus/errors.h"

namespace isthmus {
namespace {

EVP_MD_CTX* context(void* state) {
  return static_cast<EVP_MD_CTX*>(state);
}

void require(bool done) {
  if (!done) throw Error("OpenSSL cannot compute SHA-256; check its installation");
}

}  // namespace

Sha256::Sha256() : state_(EVP_MD_CTX_new(), [](void* state) { EVP_MD_CTX_free(context(state)); }) {
  require(state_ != nullptr && EVP_DigestInit_ex(context(state_.get()), EVP_sha256(), nullptr) == 1);
}

void Sha256::update(std::string_view bytes) {
  require(EVP_DigestUpdate(context(state_.get()), bytes.data(), bytes.size()) == 1);
}

std::string Sha256::finish() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int length = 0;
  require(EVP_DigestFinal_ex(context(state_.get()), digest.data(), &length) == 1);
  return fmt::format("{:02x}", fmt::join(digest.begin(), digest.begin() + length, ""));
}

std::string sha256(std::string_view bytes) {
  Sha256 sum;
  sum.update(bytes);
  return sum.finish();
}

std::string sha256_file(const std::filesystem::path& path) {
  constexpr std::uint64_t kPiece = 1U << 20U;
  const InputFile file(path);
  Sha256 sum;
  std::vector<char> piece(static_cast<std::size_t>(std::min(kPiece, file.size())));
  for (std::uint64_t at = 0; at < file.size(); at += kPiece) {
    const auto count = static_cast<std::size_t>(std::min(kPiece, file.size() - at));
    file.read(at, piece.data(), count);
    sum.update({piece.data(), count});
  }
  return sum.finish();
}

}  // namespace isthmus
