#include "eval/words.h"

#include "data/text.h"

namespace isthmus {

std::vector<std::string> split_words(std::string_view list, char separator) {
  std::vector<std::string> words;
  while (true) {
    const auto end = list.find(separator);
    const std::string_view word = trimmed(list.substr(0, end));
    if (!word.empty()) words.emplace_back(word);
    if (end == std::string_view::npos) return words;
    list.remove_prefix(end + 1);
  }
}

}  // namespace isthmus
