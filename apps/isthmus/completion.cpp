#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "console.h"
#include "isthmus/adapt.h"
#include "isthmus/scores.h"
#include "program.h"

namespace {

struct CompletionFlags : CommonFlags {
  std::string shell;
};

/// One command as a completion script needs it, read off the program's own tree.
struct CommandWords {
  std::string path;  ///< "bench table1"; empty for the program itself
  std::vector<const CLI::App*> children;
  std::vector<const CLI::Option*> flags;
  std::vector<const CLI::Option*> positionals;
};

void collect(const CLI::App& command, const std::string& path, std::vector<CommandWords>& all) {
  CommandWords words{path, command.get_subcommands([](const CLI::App*) { return true; }), {}, {}};
  for (const CLI::Option* option : command.get_options()) {
    (option->get_positional() ? words.positionals : words.flags).push_back(option);
  }
  const std::vector<const CLI::App*> children = words.children;
  all.push_back(std::move(words));
  for (const CLI::App* child : children) {
    collect(*child, path.empty() ? child->get_name() : path + " " + child->get_name(), all);
  }
}

std::vector<CommandWords> command_words(const CLI::App& root) {
  std::vector<CommandWords> all;
  collect(root, "", all);
  return all;
}

std::string flag_words(const CLI::Option& option) {
  std::vector<std::string> words;
  for (const std::string& name : option.get_snames()) words.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) words.push_back("--" + name);
  return fmt::format("{}", fmt::join(words, " "));
}

bool takes_value(const CLI::Option& option) {
  return option.get_items_expected_max() > 0;
}

/// The names of a registry's entries.
template <class Infos>
std::string names_of(const Infos& infos) {
  std::vector<std::string_view> names;
  for (const auto& info : infos) names.push_back(info.name);
  return fmt::format("{}", fmt::join(names, " "));
}

/// The words that may follow an option, by the kind of value its help names; empty when any text may.
std::string value_words(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  if (type.starts_with("METHOD")) return names_of(isthmus::methods());
  if (type.starts_with("SCORE")) return names_of(isthmus::scores());
  if (type.find("FILE") != std::string::npos || type.find('|') == std::string::npos) return "";
  std::string words = type;
  std::replace(words.begin(), words.end(), '|', ' ');
  return words;
}

bool takes_file(const CLI::Option& option) {
  return option.get_type_name().find("FILE") != std::string::npos;
}
bool takes_folder(const CLI::Option& option) {
  return option.get_type_name().find("FOLDER") != std::string::npos;
}

/// The bash command that fills COMPREPLY for a value.
std::string bash_values(const CLI::Option& option) {
  if (takes_file(option)) return R"(COMPREPLY=($(compgen -f -- "$current")))";
  if (takes_folder(option)) return R"(COMPREPLY=($(compgen -d -- "$current")))";
  return fmt::format(R"(COMPREPLY=($(compgen -W "{}" -- "$current")))", value_words(option));
}

std::string bash_case(const CommandWords& command) {
  std::string text = fmt::format("    \"{}\")\n      case \"$previous\" in\n", command.path);
  std::vector<std::string> words;
  for (const CLI::App* child : command.children) words.push_back(child->get_name());
  for (const CLI::Option* option : command.flags) {
    std::string names = flag_words(*option);
    words.push_back(names);
    if (!takes_value(*option)) continue;
    std::string pattern = names;
    std::replace(pattern.begin(), pattern.end(), ' ', '|');
    text += fmt::format("        {}) {}; return ;;\n", pattern, bash_values(*option));
  }
  text += "      esac\n";
  for (const CLI::Option* option : command.positionals) {
    text += fmt::format("      if [[ \"$current\" != -* ]]; then {}; return; fi\n", bash_values(*option));
  }
  return text + fmt::format("      words=\"{}\" ;;\n", fmt::join(words, " "));
}

std::string bash_script(const std::vector<CommandWords>& commands) {
  std::string script =
      "# bash completion for isthmus: source <(isthmus completion bash)\n"
      "_isthmus() {\n"
      "  local current=\"${COMP_WORDS[COMP_CWORD]}\" previous=\"${COMP_WORDS[COMP_CWORD-1]}\"\n"
      "  local path=\"\" words=\"\" i next\n"
      "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
      "    next=\"${path:+$path }${COMP_WORDS[i]}\"\n"
      "    case \"$next\" in\n";
  for (const CommandWords& command : commands) {
    if (!command.path.empty()) script += fmt::format("      \"{}\") path=\"$next\" ;;\n", command.path);
  }
  script += "      *) break ;;\n    esac\n  done\n  case \"$path\" in\n";
  for (const CommandWords& command : commands) script += bash_case(command);
  return script +
         "  esac\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
         "}\n"
         "complete -o filenames -F _isthmus isthmus\n";
}

/// Text inside a zsh '...[text]:...' specification.
std::string zsh_text(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\'') {
      escaped += "'\\''";
    } else {
      if (c == '[' || c == ']' || c == ':' || c == '\\') escaped += '\\';
      escaped += c;
    }
  }
  return escaped;
}

std::string zsh_action(const CLI::Option& option) {
  if (takes_file(option)) return "_files";
  if (takes_folder(option)) return "_files -/";
  const std::string words = value_words(option);
  return words.empty() ? " " : "(" + words + ")";
}

std::string zsh_case(const CommandWords& command) {
  std::string text = fmt::format("    \"{}\")\n      _arguments -s", command.path);
  for (const CLI::Option* option : command.flags) {
    const std::string help = zsh_text(option->get_description());
    const std::string value = takes_value(*option) ? fmt::format(":value:{}", zsh_action(*option)) : "";
    for (const std::string& name : option->get_snames())
      text += fmt::format(" \\\n        '-{}[{}]{}'", name, help, value);
    for (const std::string& name : option->get_lnames()) {
      text += fmt::format(" \\\n        '--{}[{}]{}'", name, help, value);
    }
  }
  for (const CLI::Option* option : command.positionals) {
    text += fmt::format(" \\\n        ':{}:{}'", zsh_text(option->get_name(true)), zsh_action(*option));
  }
  if (!command.children.empty()) {
    std::vector<std::string> names;
    for (const CLI::App* child : command.children) names.push_back(child->get_name());
    text += fmt::format(" \\\n        ':command:({})'", fmt::join(names, " "));
  }
  return text + " ;;\n";
}

std::string zsh_script(const std::vector<CommandWords>& commands) {
  std::string script =
      "#compdef isthmus\n"
      "# zsh completion for isthmus: isthmus completion zsh > ~/.zfunc/_isthmus\n"
      "_isthmus() {\n"
      "  local path_words=\"\" next\n"
      "  while ((CURRENT > 2)); do\n"
      "    next=\"${path_words:+$path_words }${words[2]}\"\n"
      "    case \"$next\" in\n";
  for (const CommandWords& command : commands) {
    if (!command.path.empty()) script += fmt::format("      \"{}\") ;;\n", command.path);
  }
  script +=
      "      *) break ;;\n    esac\n"
      "    path_words=\"$next\"\n    shift words\n    ((CURRENT--))\n  done\n  case \"$path_words\" in\n";
  for (const CommandWords& command : commands) script += zsh_case(command);
  return script +
         "  esac\n}\nif [[ \"$funcstack[1]\" == _isthmus ]]; then _isthmus \"$@\"; else compdef _isthmus "
         "isthmus; fi\n";
}

}  // namespace

void add_completion(Program& program) {
  const auto flags = std::make_shared<CompletionFlags>();
  CLI::App& command = program.add_command(
      program.root(), "completion", "Print a completion script for a shell",
      "source <(isthmus completion bash)", *flags, [flags, &program] {
        const std::vector<CommandWords> commands = command_words(program.root());
        const std::string script = flags->shell == "bash" ? bash_script(commands) : zsh_script(commands);
        flags->json ? print_json({{"shell", flags->shell}, {"script", script}}) : print(script);
        return kOk;
      });
  command.add_option("shell", flags->shell, "The shell")
      ->required()
      ->type_name("bash|zsh")
      ->check(CLI::IsMember({"bash", "zsh"}).description(""));
}
