#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace isthmus {

/// One file of the benchmark, as its publisher has it.
struct ManifestEntry {
  std::string_view name;
  std::uintmax_t bytes = 0;
  std::string_view sha256;
  std::string_view content;  ///< one line for people
};

/// The folder on the network that holds all files of the manifest.
inline constexpr std::string_view kManifestOrigin =
    "https://raw.githubusercontent.com/AngryCarrot/JDA/12167daf32b01a07b85fdfa3db57a42b3be7eefe/data";

/// Every benchmark file, in name order.
std::span<const ManifestEntry> manifest();
/// Throws InvalidArgument with a did-you-mean on a name that is not in the manifest.
const ManifestEntry& manifest_entry(std::string_view name);

enum class FileState { Valid, Missing, WrongSize, WrongSum };
std::string_view to_string(FileState state);

/// What a file is, compared with what it should be.
struct FileCheck {
  const ManifestEntry* entry = nullptr;
  FileState state = FileState::Missing;
  std::uintmax_t bytes = 0;  ///< found; 0 when missing
  std::string sha256;        ///< found; empty when missing or of the wrong size
};

/// Compares size, then sum. Throws IoError when a file is there but cannot be read.
FileCheck verify(const std::filesystem::path& folder, const ManifestEntry& entry);
/// The same for the whole manifest.
std::vector<FileCheck> verify(const std::filesystem::path& folder);

}  // namespace isthmus
