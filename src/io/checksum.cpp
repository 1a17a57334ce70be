#include "io/checksum.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "io/input_file.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace isthmus {
namespace {

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
alignas(16) constexpr std::array<std::uint32_t, 64> kRoundConstants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

/// The 64 words of a block's schedule.
std::array<std::uint32_t, 64> schedule(const unsigned char* block) {
  std::array<std::uint32_t, 64> words;
  for (std::size_t i = 0; i < 16; ++i) {
    const unsigned char* const b = block + 4 * i;
    words[i] = std::uint32_t{b[0]} << 24U | std::uint32_t{b[1]} << 16U | std::uint32_t{b[2]} << 8U | b[3];
  }
  for (std::size_t i = 16; i < words.size(); ++i) {
    const std::uint32_t early = words[i - 15];
    const std::uint32_t late = words[i - 2];
    words[i] = words[i - 16] + (std::rotr(early, 7) ^ std::rotr(early, 18) ^ early >> 3U) + words[i - 7] +
               (std::rotr(late, 17) ^ std::rotr(late, 19) ^ late >> 10U);
  }
  return words;
}

#if defined(__x86_64__) || defined(__i386__)
/// Four rounds at a time by the SHA extensions, which keep the state as (a, b, e, f) and (c, d, g, h).
__attribute__((target("sha,sse4.1"))) void compress_by_extensions(std::array<std::uint32_t, 8>& state,
                                                                  const unsigned char* data,
                                                                  std::size_t blocks) {
  const auto load = [](const void* from) { return _mm_loadu_si128(static_cast<const __m128i*>(from)); };
  const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  const __m128i cdab = _mm_shuffle_epi32(load(state.data()), 0xb1);
  const __m128i efgh = _mm_shuffle_epi32(load(state.data() + 4), 0x1b);
  __m128i abef = _mm_alignr_epi8(cdab, efgh, 8);
  __m128i cdgh = _mm_blend_epi16(efgh, cdab, 0xf0);
  for (; blocks > 0; --blocks, data += 64) {
    const __m128i abef_before = abef;
    const __m128i cdgh_before = cdgh;
    __m128i words[4];
    for (std::size_t i = 0; i < 4; ++i) words[i] = _mm_shuffle_epi8(load(data + 16 * i), big_endian);
    for (std::size_t four = 0; four < 16; ++four) {
      __m128i& now = words[four % 4];
      const __m128i last = words[(four + 3) % 4];
      if (four >= 4) {
        const __m128i early = _mm_sha256msg1_epu32(now, words[(four + 1) % 4]);
        const __m128i middle = _mm_alignr_epi8(last, words[(four + 2) % 4], 4);
        now = _mm_sha256msg2_epu32(_mm_add_epi32(early, middle), last);
      }
      const __m128i added = _mm_add_epi32(now, load(kRoundConstants.data() + 4 * four));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, added);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(added, 0x0e));
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  const __m128i feba = _mm_shuffle_epi32(abef, 0x1b);
  const __m128i dchg = _mm_shuffle_epi32(cdgh, 0xb1);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(state.data()), _mm_blend_epi16(feba, dchg, 0xf0));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(state.data() + 4), _mm_alignr_epi8(dchg, feba, 8));
}

bool has_extensions() {
  unsigned int a = 0;
  unsigned int b = 0;
  unsigned int c = 0;
  unsigned int d = 0;
  return __builtin_cpu_supports("sse4.1") != 0 && __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 &&
         (b & 1U << 29U) != 0;
}
#endif

}  // namespace

void Sha256::compress_portable(State& state, const unsigned char* data, std::size_t blocks) {
  for (; blocks > 0; --blocks, data += kBlock) {
    const std::array<std::uint32_t, 64> words = schedule(data);
    auto [a, b, c, d, e, f, g, h] = state;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::uint32_t first = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                                  ((e & f) ^ (~e & g)) + kRoundConstants[i] + words[i];
      const std::uint32_t second =
          (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      h = g;
      g = f;
      f = e;
      e = d + first;
      d = c;
      c = b;
      b = a;
      a = first + second;
    }
    const State added{a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < state.size(); ++i) state[i] += added[i];
  }
}

Sha256::Compress Sha256::processor_compress() {
#if defined(__x86_64__) || defined(__i386__)
  static const bool extensions = has_extensions();
  if (extensions) return &compress_by_extensions;
#endif
  return &compress_portable;
}

Sha256::Sha256(Engine engine)
    : compress_(engine == Engine::Processor ? processor_compress() : &compress_portable),
      state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19} {
}

void Sha256::update(std::string_view bytes) {
  if (bytes.empty()) return;
  const std::size_t held = bytes_ % kBlock;
  bytes_ += bytes.size();
  if (held > 0) {
    const std::size_t part = std::min(bytes.size(), kBlock - held);
    std::memcpy(waiting_.data() + held, bytes.data(), part);
    bytes.remove_prefix(part);
    if (held + part < kBlock) return;
    compress_(state_, waiting_.data(), 1);
  }
  const std::size_t whole = bytes.size() / kBlock;
  compress_(state_, reinterpret_cast<const unsigned char*>(bytes.data()), whole);
  bytes.remove_prefix(whole * kBlock);
  if (!bytes.empty()) std::memcpy(waiting_.data(), bytes.data(), bytes.size());
}

std::string Sha256::finish() {
  const std::uint64_t bits = 8 * bytes_;
  // A bit 1, zeros up to the last eight bytes of a block, and there the number of bits.
  std::string tail((2 * kBlock - 8 - bytes_ % kBlock - 1) % kBlock + 1, '\0');
  tail.front() = '\x80';
  for (unsigned shift = 64; shift > 0; shift -= 8) tail += static_cast<char>(bits >> (shift - 8) & 0xffU);
  update(tail);
  std::string digits;
  for (const std::uint32_t word : state_) digits += fmt::format("{:08x}", word);
  return digits;
}

std::string sha256(std::string_view bytes) {
  Sha256 sum;
  sum.update(bytes);
  return sum.finish();
}

std::string sha256_file(const std::filesystem::path& path, const Execution& run) {
  constexpr std::uint64_t kPiece = 1U << 20U;
  const InputFile file(path);
  Sha256 sum;
  std::vector<char> piece(static_cast<std::size_t>(std::min(kPiece, file.size())));
  for (std::uint64_t at = 0; at < file.size(); at += kPiece) {
    const auto count = static_cast<std::size_t>(std::min(kPiece, file.size() - at));
    run.look();
    file.read(at, piece.data(), count);
    sum.update({piece.data(), count});
  }
  return sum.finish();
}

}  // namespace isthmus
