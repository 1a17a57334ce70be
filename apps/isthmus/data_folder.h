#pragma once

#include <CLI/CLI.hpp>
#include <string>

/// Adds --data, whose default is the environment's ISTHMUS_DATA.
void add_data_flag(CLI::App& command, std::string& folder);

/// Throws InvalidArgument when neither names a folder.
void require_data_folder(const std::string& folder);
