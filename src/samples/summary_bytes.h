#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "isthmus/matrix.h"

namespace isthmus {

/// A summary as bytes, the same on every machine: "ISUM", its kind, its version, the length of its content,
/// the content and a checksum of all that, numbers with their lowest byte first. Records may hold records.
class SummaryWriter {
 public:
  /// Appends to `bytes`; `kind` has at most 8 letters.
  SummaryWriter(std::string& bytes, std::string_view kind, std::uint32_t version);
  void integer(std::int64_t value);
  void real(double value);
  void reals(const MatrixView& values);  ///< without their number
  /// Fills in the length and adds the checksum.
  void finish();

 private:
  std::string& bytes_;
  std::size_t start_;
};

/// Reads a record from the front of `bytes`. Every function throws InvalidArgument that says what is wrong,
/// before it allocates anything.
class SummaryReader {
 public:
  SummaryReader(std::string_view& bytes, std::string_view kind, std::uint32_t version);
  std::int64_t integer();
  /// An integer of at least 0, such as a size or a number of samples.
  Index size();
  double real();
  Matrix reals(Index rows, Index columns);
  /// What is left of the content, for a record within it.
  std::string_view& rest() { return content_; }
  /// Takes the record from `bytes`; all of its content must have been read.
  void finish();
  [[noreturn]] void refuse(std::string_view why) const;

 private:
  std::string_view& bytes_;
  std::string kind_;
  std::string_view content_;
  std::size_t length_ = 0;  ///< of the whole record
};

template <class Summary>
std::string to_bytes(const Summary& summary) {
  std::string bytes;
  summary.write(bytes);
  return bytes;
}

/// Throws InvalidArgument where bytes are left over.
void require_end(std::string_view bytes);

/// `summary` is replaced by what the bytes hold.
template <class Summary>
void from_bytes(std::string_view bytes, Summary& summary) {
  summary.read(bytes);
  require_end(bytes);
}

}  // namespace isthmus
