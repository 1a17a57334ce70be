#include "table1/manifest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "core/text.h"
#include "io/checksum.h"
#include "isthmus/errors.h"

namespace isthmus {
namespace {

constexpr std::array kManifest{
    ManifestEntry{"COIL_1.mat", 3016148, "5001c5bcef8d95217d66a08bdccbcaae2bc8cd3142540ed4ec38ca0796342534",
                  "COIL20 images, set 1 as source and set 2 as target"},
    ManifestEntry{"COIL_2.mat", 3016146, "61a351ef5fafeb97e14faef6108c5f2c6f7d50e255057773f9ffc046e03d8082",
                  "COIL20 images, set 2 as source and set 1 as target"},
    ManifestEntry{"Caltech10_SURF_L10.mat", 150751,
                  "4f9334c8ced489d5054de97a5fd51a61f017f3bcd1f38c9a85c6d78cb9d7bda5",
                  "Caltech-10, SURF histograms (C)"},
    ManifestEntry{"MNIST_vs_USPS.mat", 3303450,
                  "2b87e5a793e77826417e6c483e0850d6666c9746717bce2561db43f3f30efd4d",
                  "digits, MNIST as source and USPS as target"},
    ManifestEntry{"USPS_vs_MNIST.mat", 3303450,
                  "77d2df99e2aab8a722c8d4ff7c93a92d8b29d409a065f12e972168d1089e2971",
                  "digits, USPS as source and MNIST as target"},
    ManifestEntry{"amazon_SURF_L10.mat", 104970,
                  "df32548b994e18d364c99e1f317e1fae100597259f0423a41b90f4f68187bb1f",
                  "Office Amazon, SURF histograms (A)"},
    ManifestEntry{"dslr_SURF_L10.mat", 18348,
                  "44d673c68e1d07b837893aa74dba3b986e4a6cc3fd66f0dd357683bdef059216",
                  "Office DSLR, SURF histograms (D)"},
    ManifestEntry{"webcam_SURF_L10.mat", 32406,
                  "a6a9c78b4b7181dfbb58bcfd351d4ebd737f171c31247b8884948aa156d3f700",
                  "Office Webcam, SURF histograms (W)"},
};

}  // namespace

std::span<const ManifestEntry> manifest() {
  return kManifest;
}

const ManifestEntry& manifest_entry(std::string_view name) {
  std::vector<std::string> names;
  for (const ManifestEntry& entry : kManifest) {
    if (entry.name == name) return entry;
    names.emplace_back(entry.name);
  }
  throw InvalidArgument(fmt::format("the manifest has no file '{}'{}; it has: {}", name,
                                    did_you_mean(name, names), fmt::join(names, ", ")));
}

std::string_view to_string(FileState state) {
  switch (state) {
    case FileState::Valid:
      return "valid";
    case FileState::Missing:
      return "missing";
    case FileState::WrongSize:
      return "wrong size";
    case FileState::WrongSum:
      return "wrong sum";
  }
  return "";
}

FileCheck verify(const std::filesystem::path& folder, const ManifestEntry& entry) {
  const std::filesystem::path path = folder / entry.name;
  FileCheck check{&entry, FileState::Missing, 0, {}};
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) return check;
  check.bytes = std::filesystem::file_size(path, error);
  if (error) throw IoError(fmt::format("{}: cannot be checked: {}", path.string(), error.message()));
  check.state = FileState::WrongSize;
  if (check.bytes != entry.bytes) return check;
  check.sha256 = sha256_file(path, 1);
  check.state = check.sha256 == entry.sha256 ? FileState::Valid : FileState::WrongSum;
  return check;
}

std::vector<FileCheck> verify(const std::filesystem::path& folder) {
  std::vector<FileCheck> checks;
  checks.reserve(kManifest.size());
  for (const ManifestEntry& entry : kManifest) checks.push_back(verify(folder, entry));
  return checks;
}

}  // namespace isthmus
