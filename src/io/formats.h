#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isthmus/data.h"

namespace isthmus {

/// One file format: what it is called and how it is read and written.
struct Format {
  std::string_view name;
  std::vector<std::string_view> extensions;
  std::string_view magic;  ///< how every such file begins; empty for text
  Dataset (*read)(const std::filesystem::path&, const ReadOptions&);
  Labels (*read_labels)(const std::filesystem::path&, const std::string& variable);
  /// Null for tables, which have no variables: they are summarised as read.
  std::vector<VariableSummary> (*summarise)(const std::filesystem::path&);
  void (*write)(const std::filesystem::path&, const Domain&);  ///< null where it is only read
};

/// All formats; a new one is one line here.
std::span<const Format> formats();

Dataset read_csv(const std::filesystem::path& path, const ReadOptions& options);
/// The same for what a file would hold; `name` is what messages call it.
Dataset read_csv_text(std::string text, const std::string& name, const ReadOptions& options);
Labels read_csv_labels(const std::filesystem::path& path, const std::string& column);
Dataset read_libsvm(const std::filesystem::path& path, const ReadOptions& options);
Labels read_libsvm_labels(const std::filesystem::path& path, const std::string& variable);

void write_csv(const std::filesystem::path& path, const Domain& domain);
/// What write_csv writes to a .csv.
std::string csv_text(const Domain& domain);
void write_npy(const std::filesystem::path& path, const Domain& domain);
void write_safetensors(const std::filesystem::path& path, const Domain& domain);

}  // namespace isthmus
