// A feature file larger than memory should be: what labelling it costs in memory.
//
//     streaming [GIGABYTES [FEATURES [THREADS [FOLDER [FILE]]]]]
//     streaming 20 1024 2 /var/tmp streaming.json
//
// Writes a float32 NPY file of that size (Gaussian classes, a hundredth of it as labelled source) into
// FOLDER, adapts JDA by class means and RSA-CDDA to it, labels it again with each saved model, and removes
// it. The peak is the largest resident size of the process that did it.
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "apart.h"
#include "bench/method_spec.h"
#include "bench/peak_memory.h"
#include "isthmus/isthmus.h"
#include "shifted_blobs.h"

namespace {

namespace fs = std::filesystem;
using isthmus::Index;

void write_samples(const fs::path& path, const ShiftedBlobs& blobs, isthmus::Side side, Index count) {
  std::string header =
      fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}), }}", count, blobs.dimension);
  header.append(117 - header.size(), ' ');
  std::ofstream file(path, std::ios::binary);
  file << std::string("\x93NUMPY\x01\x00\x76\x00", 10) << header << '\n';
  blobs.draw(side, count, [&](Index, const Eigen::VectorXf& sample) {
    file.write(reinterpret_cast<const char*>(sample.data()),
               sample.size() * static_cast<Index>(sizeof(float)));
  });
  if (!file.flush()) throw isthmus::IoError(fmt::format("{}: cannot be written", path.string()));
}

struct Cell {
  double adapt_seconds = 0;
  double predict_seconds = 0;
  double peak_mib = 0;
  double accuracy = 0;
  double predict_accuracy = 0;
};

template <class Body>
double seconds_of(Body&& body) {
  const auto start = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Cell measure(const fs::path& folder, const ShiftedBlobs& blobs, Index source_count, Index target_count,
             const isthmus::MethodSpec& method, int threads) {
  Cell cell;
  isthmus::Domain source = isthmus::read_dataset(folder / "source.npy").domain;
  isthmus::Domain target = isthmus::read_dataset(folder / "target.npy").domain;
  source.labels = blobs.labels(source_count);
  std::vector<int> truth;
  for (Index i = 0; i < target_count; ++i) truth.push_back(static_cast<int>(i % blobs.classes));
  isthmus::Context context;
  context.threads = threads;
  const isthmus::FeatureMatrix features = target.features;
  cell.adapt_seconds = seconds_of([&] {
    const isthmus::Model model =
        isthmus::adapt({std::move(source), std::move(target)},
                       {method.name, method.options, isthmus::Preprocessing::parse("l2")}, context);
    cell.accuracy = isthmus::accuracy_percent(model.target().labels, truth);
    model.save(folder / "model.safetensors");
  });
  const isthmus::Model model = isthmus::Model::load(folder / "model.safetensors");
  cell.predict_seconds = seconds_of([&] {
    cell.predict_accuracy = isthmus::accuracy_percent(model.predict(features, context).labels, truth);
  });
  cell.peak_mib = isthmus::peak_memory_mib();
  return cell;
}

}  // namespace

int main(int argc, char** argv) {
  const double gigabytes = argc > 1 ? std::atof(argv[1]) : 1.0;
  const ShiftedBlobs blobs{.dimension = argc > 2 ? std::atol(argv[2]) : 1024};
  const int threads = argc > 3 ? std::atoi(argv[3]) : isthmus::available_cores();
  const fs::path folder = fs::path(argc > 4 ? argv[4] : ".") / "isthmus-streaming";
  const auto count = static_cast<Index>(gigabytes * 1e9 / 4.0 / static_cast<double>(blobs.dimension));
  const Index source_count = std::max<Index>(count / 100, 1000);
  // Gone again whatever happens.
  const std::unique_ptr<const fs::path, void (*)(const fs::path*)> there(&folder, [](const fs::path* path) {
    std::error_code ignored;
    fs::remove_all(*path, ignored);
  });
  fs::create_directories(folder);
  const double written = seconds_of([&] {
    write_samples(folder / "source.npy", blobs, isthmus::Side::Source, source_count);
    write_samples(folder / "target.npy", blobs, isthmus::Side::Target, count);
  });
  const double file_mib = static_cast<double>(count * blobs.dimension) * 4.0 / (1024.0 * 1024.0);
  fmt::print("{} samples of {} features, {:.0f} MiB (written in {:.0f} s)\n", count, blobs.dimension,
             file_mib, written);
  auto rows = nlohmann::ordered_json::array();
  for (const isthmus::MethodSpec& method : isthmus::parse_method_list("jda:classifier=mean,rsa-cdda")) {
    const Cell cell = apart([&] { return measure(folder, blobs, source_count, count, method, threads); });
    fmt::print(
        "{}: adapt {:.1f} s ({:.2f} %), predict {:.1f} s ({:.2f} %), peak {:.0f} MiB: {:.3f} of the file\n",
        method.text(), cell.adapt_seconds, cell.accuracy, cell.predict_seconds, cell.predict_accuracy,
        cell.peak_mib, cell.peak_mib / file_mib);
    rows.push_back({{"samples", count},
                    {"features", blobs.dimension},
                    {"method", method.text()},
                    {"threads", threads},
                    {"file_mib", file_mib},
                    {"peak_mib", cell.peak_mib},
                    {"peak_over_file", cell.peak_mib / file_mib},
                    {"adapt_seconds", cell.adapt_seconds},
                    {"predict_seconds", cell.predict_seconds},
                    {"accuracy", cell.accuracy},
                    {"predict_accuracy", cell.predict_accuracy}});
  }
  if (argc > 5) std::ofstream(argv[5]) << rows.dump(2) << '\n';
  return 0;
}
