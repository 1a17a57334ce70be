// Two domains in memory: labels for the target, and a model for samples that come later.
#include <isthmus/isthmus.h>

#include <iostream>

int main() {
  // Stands for your own samples: a labelled source and a target in another style.
  const isthmus::DomainPair drawn = isthmus::make_demo({.source_count = 300, .target_count = 300});
  isthmus::Matrix source = drawn.source().view();  // d×n, one column a sample
  isthmus::Matrix target = drawn.target().view();
  std::vector<std::string> names;
  for (const int id : drawn.source_labels()) names.push_back(drawn.classes()[id]);

  // The pair takes the matrices over: nothing is copied.
  isthmus::DomainPair pair({std::move(source), isthmus::encode_labels(names)}, {std::move(target)});
  const isthmus::Model model = isthmus::adapt(std::move(pair), {}, {.threads = isthmus::available_cores()});

  const std::vector<int>& labels = model.target().labels;
  std::cout << labels.size() << " samples labelled, the first as '" << model.classes()[labels[0]] << "'\n";

  // Later, elsewhere: a model is one file.
  model.save("model.safetensors");
  const isthmus::Prediction later =
      isthmus::Model::load("model.safetensors").predict(isthmus::Matrix(drawn.target().columns(0, 10)));
  std::cout << "ten of them again: "
            << (std::equal(later.labels.begin(), later.labels.end(), labels.begin()) ? "the same labels"
                                                                                     : "other labels")
            << "\n";
}
