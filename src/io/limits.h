#pragma once

#include <algorithm>
#include <cstdint>

namespace isthmus {

/// Deflate makes at most 1032 bytes out of one; a claim beyond that is a lie.
inline constexpr std::uint64_t kMaxInflation = 1032;

/// The most bytes a sparse file may fill when its zeros are written out: a small file may still have long
/// rows, but not make us ask for all memory there is.
inline std::uint64_t max_dense_bytes(std::uint64_t file_bytes) {
  return std::max<std::uint64_t>(std::uint64_t{64} << 20, kMaxInflation * file_bytes);
}

}  // namespace isthmus
