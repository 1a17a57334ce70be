#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <string>

#include "isthmus/context.h"
#include "table1/manifest.h"

namespace isthmus {

struct FetchProgress {
  std::string_view name;
  std::uintmax_t received = 0;  ///< with what an earlier run had received
  std::uintmax_t total = 0;
};

struct FetchOptions {
  /// Folder URL to get files from: the origin, or a mirror. HTTPS; plain HTTP only from this very machine.
  std::string base_url{kManifestOrigin};
  /// Proxy URL, "" for none; not used for this machine. Nothing here reads the environment; the program
  /// passes what it finds there.
  std::string proxy{};
  /// How often a broken transfer is taken up again before giving up.
  int resumes = 3;
  std::chrono::seconds connect_timeout{30};
  /// A transfer that brings nothing for so long counts as broken.
  std::chrono::seconds stall_timeout{60};
  std::function<Decision(const FetchProgress&)> on_progress{};
  const std::atomic<bool>* cancel = nullptr;  ///< set from anywhere to stop; may be null
};

enum class FetchOutcome {
  AlreadyValid,  ///< nothing was asked from the network
  Downloaded,
  Stopped,  ///< by the callback or by cancel; what came so far is kept in NAME.part
};

/// Brings one file of the manifest into the folder (made when missing). What comes is written to NAME.part,
/// which a later call resumes; only a file of the right size and SHA-256 is renamed to NAME, anything else is
/// deleted. Throws IoError on a failed transfer or wrong content, InvalidArgument on a base URL that is
/// neither https nor this machine.
FetchOutcome fetch(const ManifestEntry& entry, const std::filesystem::path& folder,
                   const FetchOptions& options = {});
/// By name. Throws InvalidArgument with a did-you-mean on a name that is not in the manifest.
FetchOutcome fetch(std::string_view name, const std::filesystem::path& folder,
                   const FetchOptions& options = {});

}  // namespace isthmus
