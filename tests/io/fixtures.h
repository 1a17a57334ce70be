#pragma once

#include <fmt/format.h>
#include <matio.h>
#include <zip.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isthmus/domain.h"

// Files built byte by byte, or by the libraries' own writers, to be read by ours.
namespace isthmus::testing {

/// Values as they lie in a file.
template <class T>
std::string raw(const std::vector<T>& values, bool big_endian = false) {
  std::string bytes(values.size() * sizeof(T), '\0');
  for (std::size_t i = 0; i < values.size(); ++i) {
    char* const item = bytes.data() + i * sizeof(T);
    const T value = values[i];
    std::memcpy(item, &value, sizeof(T));
    if (big_endian) std::reverse(item, item + sizeof(T));
  }
  return bytes;
}

/// A NPY file with that header text.
inline std::string npy_with_header(const std::string& header, const std::string& data, int version = 1) {
  std::string bytes = "\x93NUMPY";
  bytes += static_cast<char>(version);
  bytes += '\0';
  const auto length = static_cast<std::uint32_t>(header.size());
  bytes +=
      version == 1 ? raw<std::uint16_t>({static_cast<std::uint16_t>(length)}) : raw<std::uint32_t>({length});
  return bytes + header + data;
}

inline std::string npy(const std::string& descr, const std::string& shape, const std::string& data,
                       bool fortran = false, int version = 1) {
  return npy_with_header(fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}          \n",
                                     descr, fortran ? "True" : "False", shape),
                         data, version);
}

/// A zip of entries, deflated or stored.
inline std::filesystem::path write_zip(const std::filesystem::path& path,
                                       const std::vector<std::pair<std::string, std::string>>& entries,
                                       bool deflated = true) {
  int code = 0;
  zip_t* const archive = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code);
  for (const auto& [name, bytes] : entries) {
    const zip_int64_t index =
        zip_file_add(archive, name.c_str(), zip_source_buffer(archive, bytes.data(), bytes.size(), 0), 0);
    zip_set_file_compression(archive, static_cast<zip_uint64_t>(index),
                             deflated ? ZIP_CM_DEFLATE : ZIP_CM_STORE, 0);
  }
  zip_close(archive);
  return path;
}

/// A safetensors file with that header.
inline std::string safetensors(const std::string& header, const std::string& data) {
  return raw<std::uint64_t>({header.size()}) + header + data;
}

/// One element of a level 5 MAT file: tag, data, padding.
inline std::string mat_element(std::uint32_t type, const std::string& data, bool big_endian = false) {
  std::string bytes = raw<std::uint32_t>({type, static_cast<std::uint32_t>(data.size())}, big_endian) + data;
  bytes.append((8 - data.size() % 8) % 8, '\0');
  return bytes;
}

/// A double matrix as a level 5 element; `data` are the bytes of its values.
inline std::string mat_matrix(const std::string& name, const std::vector<std::int32_t>& dims,
                              const std::string& data, bool big_endian = false,
                              std::uint32_t array_class = 6) {
  return mat_element(14,
                     mat_element(6, raw<std::uint32_t>({array_class, 0}, big_endian), big_endian) +
                         mat_element(5, raw(dims, big_endian), big_endian) +
                         mat_element(1, name, big_endian) + data,
                     big_endian);
}

inline std::string mat5_file(const std::string& elements, bool big_endian = false) {
  std::string header = "MATLAB 5.0 MAT-file";
  header.resize(124, ' ');
  header += raw<std::uint16_t>({0x0100}, big_endian) + (big_endian ? "MI" : "IM");
  return header + elements;
}

/// Writes MAT variables through matio.
class MatWriter {
 public:
  MatWriter(const std::filesystem::path& path, mat_ft version,
            matio_compression compression = MAT_COMPRESSION_ZLIB)
      : file_(Mat_CreateVer(path.c_str(), nullptr, version)), compression_(compression) {}
  ~MatWriter() { Mat_Close(file_); }
  MatWriter(const MatWriter&) = delete;
  MatWriter& operator=(const MatWriter&) = delete;

  /// Values column by column.
  template <class T>
  MatWriter& array(const std::string& name, matio_classes array_class, matio_types type, std::size_t rows,
                   std::size_t columns, std::vector<T> values, int flags = 0) {
    std::size_t dims[2] = {rows, columns};
    return write(Mat_VarCreate(name.c_str(), array_class, type, 2, dims, values.data(), flags));
  }
  MatWriter& doubles(const std::string& name, std::size_t rows, std::size_t columns,
                     std::vector<double> values) {
    return array(name, MAT_C_DOUBLE, MAT_T_DOUBLE, rows, columns, std::move(values));
  }
  MatWriter& cells(const std::string& name, const std::vector<std::string>& words) {
    std::size_t dims[2] = {words.size(), 1};
    matvar_t* const cell = Mat_VarCreate(name.c_str(), MAT_C_CELL, MAT_T_CELL, 2, dims, nullptr, 0);
    for (std::size_t i = 0; i < words.size(); ++i) {
      std::size_t length[2] = {1, words[i].size()};
      std::string text = words[i];
      Mat_VarSetCell(cell, static_cast<int>(i),
                     Mat_VarCreate(nullptr, MAT_C_CHAR, MAT_T_UINT8, 2, length, text.data(), 0));
    }
    return write(cell);
  }
  MatWriter& write(matvar_t* variable) {
    Mat_VarWrite(file_, variable, compression_);
    Mat_VarFree(variable);
    return *this;
  }

 private:
  mat_t* file_;
  matio_compression compression_;
};

inline std::vector<std::string> label_names(const Domain& domain) {
  std::vector<std::string> names;
  if (!domain.labels) return names;
  for (const int id : domain.labels->ids) names.push_back(domain.labels->classes[id]);
  return names;
}

}  // namespace isthmus::testing
