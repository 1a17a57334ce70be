#include "data_folder.h"

#include <fmt/format.h>

#include <cstdlib>

#include "isthmus/errors.h"

void add_data_flag(CLI::App& command, std::string& folder, const char* help, const char* variable) {
  if (const char* named = std::getenv(variable)) folder = named;
  command.add_option("--data", folder, fmt::format("{}; default: ${}", help, variable))->type_name("FOLDER");
}

void require_data_folder(const std::string& folder) {
  if (!folder.empty()) return;
  throw isthmus::InvalidArgument(
      "the folder of the benchmark files is not said; give --data FOLDER or set ISTHMUS_DATA "
      "(`isthmus data fetch --data FOLDER` gets the files)");
}
