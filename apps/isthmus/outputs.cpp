#include "outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "data/atomic_file.h"
#include "isthmus/errors.h"

void Outputs::plan(const std::filesystem::path& path) {
  if (path.empty()) return;
  const auto plain = std::filesystem::absolute(path).lexically_normal();
  if (std::find(planned_.begin(), planned_.end(), plain) != planned_.end()) {
    throw isthmus::InvalidArgument(
        fmt::format("two outputs go to {}; give each its own file", path.string()));
  }
  planned_.push_back(plain);
  const isthmus::AtomicFile probe(path);
}

void Outputs::set(const std::filesystem::path& path, std::string text) {
  if (!path.empty()) texts_.emplace_back(path, std::move(text));
}

void Outputs::set(const std::filesystem::path& path,
                  std::function<void(const std::filesystem::path&)> write) {
  if (!path.empty()) library_file_ = [path, write = std::move(write)] { write(path); };
}

void Outputs::commit() const {
  std::vector<std::unique_ptr<isthmus::AtomicFile>> files;
  for (const auto& [path, text] : texts_) {
    files.push_back(std::make_unique<isthmus::AtomicFile>(path));
    files.back()->write(text);
    files.back()->prepare();
  }
  // The last that may lack space; what follows are renames.
  if (library_file_) library_file_();
  for (const auto& file : files) file->commit();
}
