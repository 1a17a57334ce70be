#include "samples/summary_bytes.h"

#include <fmt/format.h>

#include <bit>

#include "isthmus/errors.h"

namespace isthmus {
namespace {

constexpr std::string_view kMagic = "ISUM";
constexpr std::size_t kKindBytes = 8;
constexpr std::size_t kLengthAt = kMagic.size() + kKindBytes + sizeof(std::uint32_t);
constexpr std::size_t kContentAt = kLengthAt + sizeof(std::uint64_t);
constexpr std::size_t kChecksumBytes = sizeof(std::uint64_t);

template <class Unsigned>
void put(std::string& bytes, Unsigned value) {
  for (std::size_t i = 0; i < sizeof(Unsigned); ++i)
    bytes.push_back(static_cast<char>(value >> (8 * i) & 0xFF));
}

template <class Unsigned>
Unsigned get(std::string_view bytes) {
  Unsigned value = 0;
  for (std::size_t i = 0; i < sizeof(Unsigned); ++i)
    value |= static_cast<Unsigned>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  return value;
}

/// As FNV-1a, by words of 8 bytes, the last one filled up with zeros: no change of a single word goes unseen.
std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t sum = 0xCBF29CE484222325ULL ^ bytes.size();
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(std::uint64_t)) {
    std::string word(bytes.substr(at, sizeof(std::uint64_t)));
    word.resize(sizeof(std::uint64_t));
    sum = (sum ^ get<std::uint64_t>(word)) * 0x100000001B3ULL;
    sum ^= sum >> 32;
  }
  return sum;
}

std::string padded(std::string_view kind) {
  std::string name(kind);
  name.resize(kKindBytes);
  return name;
}

}  // namespace

SummaryWriter::SummaryWriter(std::string& bytes, std::string_view kind, std::uint32_t version)
    : bytes_(bytes), start_(bytes.size()) {
  bytes_ += kMagic;
  bytes_ += padded(kind);
  put(bytes_, version);
  put(bytes_, std::uint64_t{0});
}

void SummaryWriter::integer(std::int64_t value) {
  put(bytes_, static_cast<std::uint64_t>(value));
}

void SummaryWriter::real(double value) {
  put(bytes_, std::bit_cast<std::uint64_t>(value));
}

void SummaryWriter::reals(const MatrixView& values) {
  for (Index j = 0; j < values.cols(); ++j) {
    for (Index i = 0; i < values.rows(); ++i) real(values(i, j));
  }
}

void SummaryWriter::finish() {
  std::string length;
  put(length, static_cast<std::uint64_t>(bytes_.size() - start_ - kContentAt));
  bytes_.replace(start_ + kLengthAt, length.size(), length);
  put(bytes_, checksum(std::string_view(bytes_).substr(start_)));
}

SummaryReader::SummaryReader(std::string_view& bytes, std::string_view kind, std::uint32_t version)
    : bytes_(bytes), kind_(kind) {
  if (bytes.size() < kContentAt + kChecksumBytes)
    refuse(fmt::format("they end after {} bytes", bytes.size()));
  if (!bytes.starts_with(kMagic)) refuse("they do not begin as those of a summary do");
  if (bytes.substr(kMagic.size(), kKindBytes) != padded(kind))
    refuse("they are those of another kind of summary");
  const auto found = get<std::uint32_t>(bytes.substr(kMagic.size() + kKindBytes));
  if (found != version) refuse(fmt::format("they are of version {}, expected {}", found, version));
  const auto length = get<std::uint64_t>(bytes.substr(kLengthAt));
  if (length > bytes.size() - kContentAt - kChecksumBytes) {
    refuse(fmt::format("they end after {} bytes, expected {} more than there are", bytes.size(),
                       length - (bytes.size() - kContentAt - kChecksumBytes)));
  }
  length_ = kContentAt + length + kChecksumBytes;
  content_ = bytes.substr(kContentAt, length);
  if (get<std::uint64_t>(bytes.substr(kContentAt + length)) != checksum(bytes.substr(0, kContentAt + length)))
    refuse("their checksum is wrong");
}

std::int64_t SummaryReader::integer() {
  if (content_.size() < sizeof(std::uint64_t)) refuse("their content ends too early");
  const auto value = get<std::uint64_t>(content_);
  content_.remove_prefix(sizeof(std::uint64_t));
  return static_cast<std::int64_t>(value);
}

Index SummaryReader::size() {
  const std::int64_t value = integer();
  if (value < 0) refuse(fmt::format("they hold {} where a number of at least 0 belongs", value));
  return value;
}

double SummaryReader::real() {
  return std::bit_cast<double>(integer());
}

Matrix SummaryReader::reals(Index rows, Index columns) {
  const auto there = static_cast<Index>(content_.size() / sizeof(double));
  if (rows > 0 && columns > there / rows) refuse("their content ends too early");
  Matrix values(rows, columns);
  for (double& value : values.reshaped()) value = real();
  return values;
}

void SummaryReader::finish() {
  if (!content_.empty()) refuse(fmt::format("{} bytes of their content are too many", content_.size()));
  bytes_.remove_prefix(length_);
}

void SummaryReader::refuse(std::string_view why) const {
  throw InvalidArgument(fmt::format(
      "the bytes of a summary ({}) cannot be read: {}; give them as they were written, by this version",
      kind_, why));
}

void require_end(std::string_view bytes) {
  if (bytes.empty()) return;
  throw InvalidArgument(fmt::format(
      "{} bytes follow a summary's; give them as they were written, nothing before or after", bytes.size()));
}

}  // namespace isthmus
