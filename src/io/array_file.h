#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/element.h"
#include "io/mapped_file.h"
#include "isthmus/data.h"

namespace isthmus {

/// One array of a file, before its elements are read.
struct ArrayInfo {
  std::string name;
  Layout layout;
  std::string type;          ///< as shown: "float64", "text", "struct"
  std::vector<Index> shape;  ///< as stored
  bool fortran_order = false;
  bool rows_are_words = false;  ///< a MATLAB char matrix: one word a row

  /// "'fts' (uint8 1123×800)"
  std::string describe() const;
  /// Entries when it is a vector, one that may hold labels; nothing otherwise.
  std::optional<Index> vector_length() const;
  Index rows() const { return shape.empty() ? 1 : shape[0]; }
  Index columns() const { return shape.size() < 2 ? 1 : shape[1]; }
};

/// A file of named arrays: NPY (one without a name), NPZ, MAT, safetensors. Opening it checks that every
/// array that can be read fits the file.
class ArrayFile {
 public:
  virtual ~ArrayFile() = default;

  /// The elements of an array in the order they are stored.
  virtual ByteStream open(std::size_t array) const = 0;
  /// The elements in the mapped file, where they lie there as they are; nothing otherwise.
  virtual std::optional<MappedArray> map(std::size_t /*array*/) const { return std::nullopt; }
  /// The entries of a vector as words.
  virtual std::vector<std::string> words(std::size_t array) const;
  /// What the features and the samples of an array are called, where the file says so.
  virtual std::vector<std::string> feature_names(std::size_t /*array*/) const { return {}; }
  virtual std::vector<std::string> sample_ids(std::size_t /*array*/) const { return {}; }

  /// Throws IoError when the array would fill more than `most_bytes` at `item_bytes` an element.
  void require_room(const ArrayInfo& info, std::uint64_t item_bytes) const;

  std::filesystem::path path;
  std::string format;
  std::vector<ArrayInfo> arrays;
  /// True where the format has no habit of samples by rows (MATLAB).
  bool either_axis = false;
  /// The most memory that the values of an array may fill; a limit where a file is packed or sparse.
  std::uint64_t most_bytes = ~std::uint64_t{0};
};

Dataset read_arrays(const ArrayFile& file, const ReadOptions& options);
Labels read_array_labels(const ArrayFile& file, const std::string& variable);
std::vector<VariableSummary> summarise_arrays(const ArrayFile& file);

/// The columns that are named of a file that has none: absent where they may be, else refused by an IoError.
std::vector<std::string> absent_columns(const std::filesystem::path& path, const ReadOptions& options);

/// Finds the classes among words; throws IoError on a word that is missing or not UTF-8. `where` says what
/// the words are, e.g. "data.npz: variable 'y'".
Labels make_labels(std::vector<std::string> words, const std::string& where);

std::unique_ptr<ArrayFile> open_npy(const std::filesystem::path& path);
std::unique_ptr<ArrayFile> open_safetensors(const std::filesystem::path& path);

}  // namespace isthmus
