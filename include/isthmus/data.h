#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "isthmus/context.h"
#include "isthmus/domain.h"
#include "isthmus/matrix.h"

namespace isthmus {

/// Which way the samples of a stored matrix lie.
enum class SampleAxis { FoundOut, Rows, Columns };

/// How to read a file of samples. What is not said is found out, and reported in Dataset::notes.
struct ReadOptions {
  /// Variable with the features (MAT, NPZ, safetensors). Empty: found out.
  std::string features = {};
  /// Labels: a column by name or 1-based number (CSV/TSV, negative counts from the end), a variable
  /// (MAT, NPZ, safetensors). Empty: a variable found out by name and length; for CSV no label column
  /// unless a header column is called label, labels, class, target or y.
  std::string labels = {};
  /// No labels are wanted: what would be read as labels is left out. (A CSV column called y is a feature
  /// then.)
  bool without_labels = false;
  /// The columns of a text table (CSV/TSV) that are features, named or numbered like labels; they keep the
  /// table's order. Empty: all that are nothing else.
  std::vector<std::string> feature_columns = {};
  /// Columns of a text table that are left out, named or numbered like labels.
  std::vector<std::string> drop = {};
  /// The column of a text table that identifies the samples, named or numbered like labels. Empty: the first
  /// column where it has no name or is called id or index, or where at least ten samples have whole numbers
  /// in rising order there.
  std::string id = {};
  /// No column identifies the samples: what would be taken for ids is a feature.
  bool without_ids = false;
  /// Names in `drop` and `id` that the table does not have are told in Dataset::absent, not refused.
  bool may_be_absent = false;
  /// MAT, NPZ, NPY, safetensors. FoundOut: by rows; in MAT files as the length of the label vector tells.
  SampleAxis samples = SampleAxis::FoundOut;
  /// Features of so many bytes and more are mapped, not read, where the file holds them plainly (NPY,
  /// safetensors, uncompressed MAT of level 5): they are read from it block by block whenever they are used,
  /// so the file must stay as it is.
  std::uintmax_t map_from = std::uintmax_t{64} << 20;
};

/// The samples of a file, and what was found out while reading it.
struct Dataset {
  Domain domain;
  std::string format;                    ///< "csv", "npy", "npz", "mat", "libsvm", "safetensors"
  std::vector<std::string> notes;        ///< "features: variable 'fts' (1123 samples × 800)"
  std::vector<std::string> absent = {};  ///< see ReadOptions::may_be_absent
};

/// Reads by extension and content: .csv .tsv .txt, .npy, .npz, .mat, .libsvm .svm .svmlight, .safetensors.
/// Throws IoError naming path, position and what was expected.
Dataset read_dataset(const std::filesystem::path& path, const ReadOptions& options = {});

/// Label names from a file of their own: one label a line (CSV/TXT), or a vector (NPY, NPZ, MAT).
Labels read_labels(const std::filesystem::path& path, const std::string& variable = {});

/// One array or column group of a file, for `inspect`.
struct VariableSummary {
  std::string name;
  std::string type;          ///< "float64", "uint8", "text"
  std::vector<Index> shape;  ///< as stored
  double minimum = 0, maximum = 0;
  Index missing = 0;  ///< NaN or infinite
};
struct FileSummary {
  std::string format;
  std::uintmax_t bytes = 0;
  std::vector<VariableSummary> variables;
  /// How read_dataset understands it, where it does.
  std::optional<Dataset> dataset;
  std::string problem;  ///< why it does not, where it does not
};
FileSummary inspect_file(const std::filesystem::path& path, const ReadOptions& options = {});

/// Writes samples by rows: format by extension (.csv, .tsv, .npy, .safetensors), atomically. Ids go to the
/// first CSV column "id", names into its header, labels to the last column "label"; in safetensors labels are
/// the tensor "labels", and names and ids metadata. NPY holds features only.
void write_dataset(const std::filesystem::path& path, const Domain& domain);

/// Two domains of digit glyphs drawn from strokes (10 classes, 16×16 pixels), differing in slant,
/// thickness, blur, contrast and noise. Same seed, same bytes.
struct DemoOptions {
  Index source_count = 1000;
  Index target_count = 1000;
  std::uint64_t seed = 0;
};
DomainPair make_demo(const DemoOptions& options = {}, const Execution& run = {});

}  // namespace isthmus
