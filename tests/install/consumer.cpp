// A user's program: adapts a small problem and prints how many target samples it labelled.
#include <isthmus/isthmus.h>

#include <cstdio>

int main() {
  isthmus::DomainPair pair = isthmus::make_demo({.source_count = 100, .target_count = 60});
  const isthmus::Model model =
      isthmus::adapt(std::move(pair), {.method = "pca", .options = {{"components", "20"}}});
  std::printf("labelled %zu\n", model.target().labels.size());
  return model.target().labels.size() == 60 ? 0 : 1;
}
