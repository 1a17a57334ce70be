#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "fixtures.h"
#include "io/safetensors.h"
#include "isthmus/data.h"
#include "random_cases.h"
#include "same_bits.h"
#include "scratch_folder.h"

namespace isthmus {
namespace {

using testing::for_random_cases;
using testing::RandomCase;
using testing::same_bits;
using testing::ScratchFolder;

/// Doubles of every size: random bits, without NaN and infinity.
Matrix any_doubles(RandomCase& c, Index rows, Index columns) {
  return Matrix::NullaryExpr(rows, columns, [&] {
    const auto high = static_cast<std::uint64_t>(c.choice(1 << 30));
    const auto low = static_cast<std::uint64_t>(c.choice(1 << 30));
    const double value = std::bit_cast<double>(high << 34 ^ low);
    return std::isfinite(value) ? value : 0.1;
  });
}

TEST(RoundTrip, EveryFormatGivesBackTheSameBitsOfAnyShape) {
  const ScratchFolder folder;
  const std::vector<std::string> words{"1", "-2", "a", "ä, b", "\"q\"", "two words"};
  for_random_cases(40, 100, [&](RandomCase& c) -> std::string {
    const Index d = c.size("features", 1, 20);
    const Index n = c.size("samples", 1, 30);
    const Matrix values = any_doubles(c, d, n);
    std::vector<std::string> names;
    for (Index j = 0; j < n; ++j) names.push_back(words[static_cast<std::size_t>(c.choice(6))]);
    const Labels labels = encode_labels(names);
    for (const char* name : {"a.csv", "a.tsv", "a.safetensors", "a.npy"}) {
      write_dataset(folder / name, {values, labels});
      const Domain again = read_dataset(folder / name).domain;
      if (!same_bits(again.features.view(), values)) return std::string(name) + ": other values";
      if (std::string(name) == "a.npy") continue;  // holds features only
      if (!again.labels || again.labels->ids != labels.ids || !(again.labels->classes == labels.classes))
        return std::string(name) + ": other labels";
    }
    return {};
  });
}

TEST(RoundTrip, TensorFilesGiveBackTheSameBitsOfAnyShape) {
  const ScratchFolder folder;
  for_random_cases(40, 200, [&](RandomCase& c) -> std::string {
    TensorFile content;
    content.matrices["a"] = any_doubles(c, c.size("rows", 0, 9), c.size("columns", 0, 9));
    content.matrices["b"] = any_doubles(c, c.size("rows", 1, 5), 1);
    content.integers["i"].assign(static_cast<std::size_t>(c.size("integers", 0, 9)), c.choice(100) - 50);
    content.metadata["text"] = std::string(static_cast<std::size_t>(c.size("letters", 0, 30)), 'x');
    write_tensor_file(folder / "t.safetensors", content);
    const TensorFile again = read_tensor_file(folder / "t.safetensors");
    if (again.integers != content.integers || again.metadata != content.metadata)
      return "other integers or text";
    for (const auto& [name, matrix] : content.matrices) {
      if (matrix.size() > 0 && !same_bits(again.matrices.at(name), matrix)) return "another " + name;
    }
    return {};
  });
}

}  // namespace
}  // namespace isthmus
