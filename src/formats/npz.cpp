#include <fmt/format.h>
#include <zip.h>

#include <limits>
#include <set>

#include "formats/readers.h"
#include "io/input_file.h"
#include "io/limits.h"
#include "io/npy.h"
#include "isthmus/errors.h"

namespace isthmus {
namespace {

struct CloseZip {
  void operator()(zip_t* archive) const { zip_discard(archive); }
  void operator()(zip_file_t* entry) const { zip_fclose(entry); }
};

class NpzFile : public ArrayFile {
 public:
  explicit NpzFile(const std::filesystem::path& file_path);
  ByteStream open(std::size_t array) const override;

 private:
  struct Entry {
    zip_uint64_t index;
    std::string where;  ///< for messages
    std::uint64_t size;
  };
  /// The bytes of an entry; after the last one its checksum is compared.
  ByteStream stream(const Entry& entry) const;
  /// Takes the packed bytes of the entry off those that the entries before left.
  Entry check_entry(zip_uint64_t index, std::uint64_t& packed_left) const;

  std::shared_ptr<zip_t> archive_;
  std::vector<Entry> entries_;
};

NpzFile::NpzFile(const std::filesystem::path& file_path) {
  path = file_path;
  format = "npz";
  const std::uint64_t file_bytes = InputFile(path).size();
  most_bytes = max_dense_bytes(file_bytes);
  int code = 0;
  zip_t* const opened = zip_open(path.c_str(), ZIP_RDONLY, &code);
  if (opened == nullptr) {
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    const std::string reason = zip_error_strerror(&error);
    zip_error_fini(&error);
    throw IoError(fmt::format("{}: no valid NPZ (zip) file: {}; it may be truncated", path.string(), reason));
  }
  archive_ = std::shared_ptr<zip_t>(opened, CloseZip());
  std::set<std::string> names;
  std::uint64_t packed_left = file_bytes;
  for (zip_int64_t i = 0; i < zip_get_num_entries(archive_.get(), 0); ++i) {
    entries_.push_back(check_entry(static_cast<zip_uint64_t>(i), packed_left));
    const Entry& entry = entries_.back();
    std::string name = zip_get_name(archive_.get(), entry.index, ZIP_FL_ENC_RAW);
    if (name.ends_with(".npy")) name.resize(name.size() - 4);
    if (!names.insert(name).second) {
      throw IoError(fmt::format("{}: the variable '{}' is there twice; every name must be unique",
                                path.string(), name));
    }
    arrays.push_back(read_npy_header(stream(entry), entry.size, entry.where));
    arrays.back().name = name;
  }
}

NpzFile::Entry NpzFile::check_entry(zip_uint64_t index, std::uint64_t& packed_left) const {
  const char* const name = zip_get_name(archive_.get(), index, ZIP_FL_ENC_RAW);
  zip_stat_t stat;
  zip_stat_init(&stat);
  const std::string where = fmt::format("{}: entry '{}'", path.string(), name == nullptr ? "?" : name);
  constexpr zip_uint64_t kNeeded =
      ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
  if (name == nullptr || zip_stat_index(archive_.get(), index, 0, &stat) != 0 ||
      (stat.valid & kNeeded) != kNeeded) {
    throw IoError(fmt::format("{}: no valid NPZ (zip) file: its directory is damaged", where));
  }
  if (stat.encryption_method != ZIP_EM_NONE)
    throw IoError(fmt::format("{}: is encrypted; save it plain", where));
  if (stat.comp_method != ZIP_CM_STORE && stat.comp_method != ZIP_CM_DEFLATE) {
    throw IoError(fmt::format("{}: compression method {} is not read; save it stored or deflated", where,
                              stat.comp_method));
  }
  // Entries that share their bytes unpack to more and more: none may use what another has used.
  if (stat.comp_size > packed_left || stat.size > kMaxInflation * stat.comp_size) {
    throw IoError(
        fmt::format("{}: claims {} bytes from {} packed ones where {} are left; more than zip can hold",
                    where, stat.size, stat.comp_size, packed_left));
  }
  packed_left -= stat.comp_size;
  return {index, where, stat.size};
}

ByteStream NpzFile::stream(const Entry& entry) const {
  std::shared_ptr<zip_file_t> file(zip_fopen_index(archive_.get(), entry.index, 0), [](zip_file_t* opened) {
    if (opened != nullptr) zip_fclose(opened);
  });
  if (!file) {
    throw IoError(fmt::format("{}: cannot be unpacked: {}", entry.where, zip_strerror(archive_.get())));
  }
  // The archive outlives its open entries.
  return [archive = archive_, file, where = entry.where, left = entry.size](char* to,
                                                                            std::size_t count) mutable {
    const auto fail = [&](const char* what) {
      throw IoError(fmt::format("{}: {}; the file is damaged", where, what));
    };
    left -= count;
    while (count > 0) {
      const zip_int64_t got = zip_fread(file.get(), to, count);
      if (got <= 0) fail("the packed data are broken or end too early");
      to += got;
      count -= static_cast<std::size_t>(got);
    }
    char beyond = 0;
    if (left == 0 && zip_fread(file.get(), &beyond, 1) != 0) fail("the checksum of the data is wrong");
  };
}

ByteStream NpzFile::open(std::size_t array) const {
  const Entry& entry = entries_[array];
  ByteStream bytes = stream(entry);
  read_npy_header(bytes, entry.size, entry.where);
  return bytes;
}

}  // namespace

std::unique_ptr<ArrayFile> open_npz(const std::filesystem::path& path) {
  return std::make_unique<NpzFile>(path);
}

}  // namespace isthmus
