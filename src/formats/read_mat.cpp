#include <fmt/format.h>
#include <matio.h>

#include <cstring>
#include <mutex>
#include <set>
#include <utility>

#include "core/text.h"
#include "formats/mat_check.h"
#include "formats/mat_file.h"
#include "formats/readers.h"
#include "io/limits.h"
#include "isthmus/errors.h"

namespace isthmus {
namespace {

using MatHandle = std::unique_ptr<mat_t, decltype(&Mat_Close)>;
using MatVariable = std::shared_ptr<matvar_t>;

/// Reading a variable passes over those before it.
constexpr std::size_t kMaxVariables = 4096;

Element element_of(matio_types type) {
  switch (type) {
    case MAT_T_INT8:
      return Element::Int8;
    case MAT_T_UINT8:
      return Element::UInt8;
    case MAT_T_INT16:
      return Element::Int16;
    case MAT_T_UINT16:
      return Element::UInt16;
    case MAT_T_INT32:
      return Element::Int32;
    case MAT_T_UINT32:
      return Element::UInt32;
    case MAT_T_INT64:
      return Element::Int64;
    case MAT_T_UINT64:
      return Element::UInt64;
    case MAT_T_SINGLE:
      return Element::Float32;
    case MAT_T_DOUBLE:
      return Element::Float64;
    default:
      return Element::Other;
  }
}

/// What matio holds a number of that class as.
Element element_of(matio_classes array_class) {
  switch (array_class) {
    case MAT_C_DOUBLE:
      return Element::Float64;
    case MAT_C_SINGLE:
      return Element::Float32;
    case MAT_C_INT8:
      return Element::Int8;
    case MAT_C_UINT8:
      return Element::UInt8;
    case MAT_C_INT16:
      return Element::Int16;
    case MAT_C_UINT16:
      return Element::UInt16;
    case MAT_C_INT32:
      return Element::Int32;
    case MAT_C_UINT32:
      return Element::UInt32;
    case MAT_C_INT64:
      return Element::Int64;
    case MAT_C_UINT64:
      return Element::UInt64;
    default:
      return Element::Other;
  }
}

std::vector<Index> shape_of(const matvar_t& variable) {
  return {variable.dims, variable.dims + variable.rank};
}

/// A cell array whose every cell is a row of characters (or empty).
bool holds_words(const matvar_t& variable) {
  const auto count = element_count(shape_of(variable));
  if (variable.class_type != MAT_C_CELL || variable.data == nullptr || !count) return false;
  if (variable.nbytes / sizeof(matvar_t*) < *count) return false;
  auto* const* const cells = static_cast<matvar_t* const*>(variable.data);
  for (std::size_t i = 0; i < *count; ++i) {
    const matvar_t* const cell = cells[i];
    if (cell == nullptr || cell->rank != 2 ||
        (cell->class_type != MAT_C_CHAR && cell->class_type != MAT_C_EMPTY))
      return false;
    if (cell->class_type == MAT_C_CHAR && cell->dims[0] > 1) return false;
  }
  return true;
}

ArrayInfo describe(const matvar_t& variable) {
  ArrayInfo info;
  info.name = variable.name == nullptr ? "" : variable.name;
  info.shape = shape_of(variable);
  info.fortran_order = true;
  Element element = element_of(variable.class_type);
  if (variable.isLogical != 0 && element == Element::UInt8) element = Element::Bool;
  if (variable.class_type == MAT_C_SPARSE) element = Element::Float64;
  if (variable.class_type == MAT_C_CHAR || holds_words(variable)) element = Element::Text;
  if (variable.isComplex != 0) element = Element::Other;
  info.layout = {element, element_bytes(element), false};
  info.rows_are_words = variable.class_type == MAT_C_CHAR;
  if (variable.isComplex != 0) {
    info.type = "complex";
  } else if (element == Element::Other) {
    info.type = variable.class_type == MAT_C_CELL     ? "cell"
                : variable.class_type == MAT_C_STRUCT ? "struct"
                                                      : "other";
  } else {
    info.type = variable.class_type == MAT_C_SPARSE ? "sparse" : element_name(element);
  }
  return info;
}

/// The characters of a MATLAB text as code points or UTF-16 units. Single bytes are UTF-8 or, where they
/// cannot be, Latin-1.
std::vector<std::uint32_t> characters(const matvar_t& text) {
  const auto unit_bytes = static_cast<std::size_t>(text.data_size);
  const char* const bytes = static_cast<const char*>(text.data);
  std::vector<std::uint32_t> units;
  if (bytes == nullptr || unit_bytes == 0 || unit_bytes > 4) return units;
  if (unit_bytes == 1 && is_utf8({bytes, text.nbytes})) return code_points({bytes, text.nbytes});
  for (std::size_t at = 0; at + unit_bytes <= text.nbytes; at += unit_bytes) {
    units.push_back(0);
    std::memcpy(&units.back(), bytes + at, unit_bytes);
  }
  return units;
}

/// The rows of a char matrix, blanks at their ends cut off.
std::vector<std::string> text_rows(const matvar_t& text) {
  const std::vector<std::uint32_t> units = characters(text);
  const std::size_t rows = text.rank == 2 ? text.dims[0] : 0;
  std::vector<std::string> lines(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t at = row; at < units.size(); at += rows) {
      std::uint32_t unit = units[at];
      const bool pair = unit >= 0xd800 && unit < 0xdc00 && at + rows < units.size();
      if (pair) unit = 0x10000 + ((unit - 0xd800) << 10) + (units[at += rows] - 0xdc00);
      append_utf8(lines[row], unit);
    }
    lines[row].erase(lines[row].find_last_not_of(std::string_view(" \0", 2)) + 1);
  }
  return lines;
}

/// 1 for level 5, 2 for version 7.3.
int mat_version(const InputFile& file) {
  const std::string head = file.head(128);
  const std::string_view mark = head.size() < 128 ? std::string_view() : std::string_view(head).substr(124);
  const bool little = mark.ends_with("IM");
  if (!little && !mark.ends_with("MI")) {
    throw IoError(
        fmt::format("{}: no MAT file of level 5 or 7.3: the mark IM or MI is missing at byte 127; "
                    "save it with -v7 or -v7.3",
                    file.path().string()));
  }
  const int version = static_cast<unsigned char>(mark[little ? 1 : 0]);
  if (version == 1 || version == 2) return version;
  throw IoError(fmt::format("{}: MAT version {} is not known; save it with -v7 or -v7.3",
                            file.path().string(), version));
}

class MatFile : public ArrayFile {
 public:
  explicit MatFile(const std::filesystem::path& file_path);
  ByteStream open(std::size_t array) const override;
  std::optional<MappedArray> map(std::size_t array) const override;
  std::vector<std::string> words(std::size_t array) const override;

 private:
  MatHandle open_file() const;
  MatVariable read(std::size_t array) const;
  std::vector<double> dense(const matvar_t& variable, const ArrayInfo& info) const;
  [[noreturn]] void fail(const std::string& what) const {
    throw IoError(fmt::format("{}: {}", path.string(), what));
  }

  std::vector<Mat5Variable> level5_;  ///< empty for version 7.3
};

MatHandle MatFile::open_file() const {
  MatHandle file(Mat_Open(path.c_str(), MAT_ACC_RDONLY), &Mat_Close);
  if (!file) fail("no valid MAT file: matio cannot open it");
  return file;
}

MatFile::MatFile(const std::filesystem::path& file_path) {
  path = file_path;
  format = "mat";
  either_axis = true;
  const std::lock_guard lock(matio_guard());
  Mat_LogInitFunc("isthmus", [](int, char*) {});
  const InputFile file(path);
  most_bytes = max_dense_bytes(file.size());
  const int version = mat_version(file);
  if (version == 1) {
    level5_ = check_mat5(file);
  } else {
    check_mat73(file);
  }
  const MatHandle mat = open_file();
  std::set<std::string> names;
  while (matvar_t* const next = Mat_VarReadNextInfo(mat.get())) {
    const MatVariable variable(next, &Mat_VarFree);
    if (arrays.size() == kMaxVariables)
      fail(fmt::format("more than {} variables; save fewer", kMaxVariables));
    arrays.push_back(describe(*variable));
    // A sparse array of version 7.3 may claim any number of rows.
    if (element_count(arrays.back().shape).value_or(~std::uint64_t{0}) > kMaxMatElements) {
      fail(fmt::format("variable {} has impossible dimensions", arrays.back().describe()));
    }
    if (!names.insert(arrays.back().name).second) {
      fail(fmt::format("the variable '{}' is there twice; every name must be unique", arrays.back().name));
    }
  }
  if (version == 1 && arrays.size() != level5_.size()) {
    fail(fmt::format("no valid MAT file: {} of its {} variables can be read", arrays.size(), level5_.size()));
  }
}

MatVariable MatFile::read(std::size_t array) const {
  const MatHandle mat = open_file();
  MatVariable variable(Mat_VarRead(mat.get(), arrays[array].name.c_str()), [](matvar_t* loaded) {
    if (loaded != nullptr) Mat_VarFree(loaded);
  });
  if (!variable || variable->data == nullptr || shape_of(*variable) != arrays[array].shape) {
    fail(fmt::format("variable '{}' cannot be read; the file is damaged", arrays[array].name));
  }
  return variable;
}

std::vector<double> MatFile::dense(const matvar_t& variable, const ArrayInfo& info) const {
  const auto& sparse = *static_cast<const mat_sparse_t*>(variable.data);
  const Element element = element_of(variable.data_type);
  const auto rows = static_cast<std::size_t>(info.rows());
  const auto columns = static_cast<std::size_t>(info.columns());
  const auto count = element_count(info.shape);
  const char* from = static_cast<const char*>(sparse.data);
  std::vector<double> entries(sparse.ndata);
  const ByteStream stream = [&](char* to, std::size_t bytes) {
    std::memcpy(to, from, bytes);
    from += bytes;
  };
  read_numbers(stream, {element, element_bytes(element), false}, entries.size(), entries.data());
  std::vector<double> values(static_cast<std::size_t>(*count));
  bool valid = sparse.njc == columns + 1 && is_number(element);
  for (std::size_t column = 0; valid && column < columns; ++column) {
    valid = sparse.jc[column] <= sparse.jc[column + 1] &&
            sparse.jc[column + 1] <= std::min(sparse.ndata, sparse.nir);
    for (std::size_t k = sparse.jc[column]; valid && k < sparse.jc[column + 1]; ++k) {
      valid = sparse.ir[k] < rows;
      if (valid) values[sparse.ir[k] + column * rows] = entries[k];
    }
  }
  if (!valid) fail(fmt::format("the sparse variable {} is damaged: an index lies outside", info.describe()));
  return values;
}

ByteStream MatFile::open(std::size_t array) const {
  const ArrayInfo& info = arrays[array];
  const std::uint64_t needed = *element_count(info.shape) * info.layout.item_bytes;
  if (needed == 0) return [](char*, std::size_t) {};
  require_room(info, sizeof(double));
  const std::lock_guard lock(matio_guard());
  const MatVariable variable = read(array);
  if (variable->class_type == MAT_C_SPARSE) {
    auto values = std::make_shared<std::vector<double>>(dense(*variable, info));
    return
        [values, from = reinterpret_cast<const char*>(values->data())](char* to, std::size_t count) mutable {
          std::memcpy(to, from, count);
          from += count;
        };
  }
  if (variable->nbytes < needed || static_cast<std::size_t>(variable->data_size) != info.layout.item_bytes) {
    fail(fmt::format("variable {} has {} bytes where {} are expected; the file is damaged", info.describe(),
                     variable->nbytes, needed));
  }
  return [variable, from = static_cast<const char*>(variable->data)](char* to, std::size_t count) mutable {
    std::memcpy(to, from, count);
    from += count;
  };
}

std::optional<MappedArray> MatFile::map(std::size_t array) const {
  if (level5_.empty() || level5_[array].offset == 0) return std::nullopt;
  if (level5_[array].name != arrays[array].name) fail("no valid MAT file: its variables are out of order");
  return map_array(InputFile(path), level5_[array].offset, level5_[array].layout);
}

std::vector<std::string> MatFile::words(std::size_t array) const {
  if (arrays[array].layout.element != Element::Text) return ArrayFile::words(array);
  require_room(arrays[array], sizeof(std::string));
  const std::lock_guard lock(matio_guard());
  const MatVariable variable = read(array);
  if (variable->class_type == MAT_C_CHAR) return text_rows(*variable);
  std::vector<std::string> words;
  if (!holds_words(*variable))
    fail(fmt::format("variable {} cannot be read as words", arrays[array].describe()));
  auto* const* const cells = static_cast<matvar_t* const*>(variable->data);
  for (std::size_t i = 0; i < *element_count(arrays[array].shape); ++i) {
    std::vector<std::string> rows = text_rows(*cells[i]);
    words.push_back(rows.empty() ? "" : std::move(rows.front()));
  }
  return words;
}

}  // namespace

std::mutex& matio_guard() {
  static std::mutex guard;
  return guard;
}

std::unique_ptr<ArrayFile> open_mat_here(const std::filesystem::path& path) {
  return std::make_unique<MatFile>(path);
}

std::unique_ptr<ArrayFile> open_mat(const std::filesystem::path& path) {
  return mat_version(InputFile(path)) == 1 ? open_mat_here(path) : open_mat73(path);
}

}  // namespace isthmus
