#pragma once

#include <CLI/CLI.hpp>
#include <string>

/// Adds --data, whose default is the environment's ISTHMUS_DATA or another variable.
void add_data_flag(CLI::App& command, std::string& folder, const char* help = "Folder of the benchmark files",
                   const char* variable = "ISTHMUS_DATA");

/// Throws InvalidArgument when neither names a folder.
void require_data_folder(const std::string& folder);
