// A file that is larger than memory: it is mapped, and read block by block whenever it is used.
#include <isthmus/isthmus.h>

#include <iostream>

int main() {
  // Stands for files of yours; float32 NPY is as good, and half as large.
  const isthmus::DomainPair drawn = isthmus::make_demo({.source_count = 2000, .target_count = 3000});
  isthmus::write_dataset("source.npy", {drawn.source()});
  isthmus::write_dataset("target.npy", {drawn.target()});

  // Mapped from 64 MiB on; here from the first byte.
  const isthmus::ReadOptions mapped{.map_from = 0};
  isthmus::Domain source = isthmus::read_dataset("source.npy", mapped).domain;
  source.labels = isthmus::Labels{drawn.classes(), drawn.source_labels()};
  isthmus::Domain target = isthmus::read_dataset("target.npy", mapped).domain;
  std::cout << "mapped: " << std::boolalpha << source.features.streams() << "\n";

  // Nearest class means need one pass a round and memory for the means only; rsa-cdda works on landmarks at
  // this size.
  const isthmus::Model model = isthmus::adapt(
      isthmus::DomainPair(std::move(source), std::move(target)),
      isthmus::JdaOptions{.matching = {.references = {.classifier = isthmus::Reference::Means}},
                          .rounds = {.rounds = 3}});
  std::cout << model.target().labels.size() << " samples labelled\n";
}
