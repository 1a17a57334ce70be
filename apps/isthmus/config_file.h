#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string>
#include <vector>

/// Reads a JSON object of flags ({"method": "pca", "components": 20, "quiet": true}) into the arguments of
/// `command`: every key is the name of one of its long flags, a list repeats the flag. What the arguments
/// `typed` give is left out: they win. Throws IoError or InvalidArgument (with a did-you-mean) naming the
/// file and the key.
std::vector<std::string> config_arguments(const std::string& path, const CLI::App& command,
                                          std::span<const std::string> typed = {});
