#pragma once

#include <filesystem>
#include <memory>
#include <mutex>

#include "io/array_file.h"

namespace isthmus {

/// A MAT file of either version, read by matio in this process. For version 7.3 that is not safe: see
/// open_mat73.
std::unique_ptr<ArrayFile> open_mat_here(const std::filesystem::path& path);

/// A MAT file of version 7.3. The HDF5 library cannot be kept from crashing on a damaged file, so that matio
/// and HDF5 work in a process of their own and only values come back.
std::unique_ptr<ArrayFile> open_mat73(const std::filesystem::path& path);

/// HDF5 as packaged is not for several threads, so one file is read at a time.
std::mutex& matio_guard();

/// So many that their bytes can still be counted.
inline constexpr std::uint64_t kMaxMatElements = std::uint64_t{1} << 59;

}  // namespace isthmus
