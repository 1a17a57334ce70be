#pragma once

#include <filesystem>
#include <memory>

#include "io/array_file.h"

namespace isthmus {

std::unique_ptr<ArrayFile> open_mat(const std::filesystem::path& path);
std::unique_ptr<ArrayFile> open_npz(const std::filesystem::path& path);

}  // namespace isthmus
