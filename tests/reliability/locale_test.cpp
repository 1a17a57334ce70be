#include <fmt/format.h>

#include <clocale>
#include <cstdlib>
#include <locale>
#include <sstream>

#include "bench/adaptation_view.h"
#include "bench/json_file.h"
#include "bench/results.h"
#include "isthmus/isthmus.h"
#include "job.h"
#include "scratch_folder.h"

namespace isthmus::testing {
namespace {

/// A locale that writes one and a half as 1,5, for C and for C++, made for the test and set for as long as it
/// lives.
class DecimalCommas {
 public:
  explicit DecimalCommas(const std::filesystem::path& folder) {
    const std::string command =
        fmt::format("localedef -i de_DE -f UTF-8 '{}' 2>&1", (folder / "de_DE.UTF-8").string());
    // It also ends with 1 after mere warnings; what counts is whether the locale can be set.
    [[maybe_unused]] const int code = std::system(command.c_str());
    setenv("LOCPATH", folder.c_str(), 1);
    set_ = std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr;
    if (set_) before_ = std::locale::global(std::locale("de_DE.UTF-8"));
  }
  ~DecimalCommas() {
    if (set_) std::locale::global(before_);
    std::setlocale(LC_ALL, "C");
    unsetenv("LOCPATH");
  }
  DecimalCommas(const DecimalCommas&) = delete;
  DecimalCommas& operator=(const DecimalCommas&) = delete;

  bool set() const { return set_; }

 private:
  bool set_ = false;
  std::locale before_;
};

/// Everything that turns numbers into text or back.
std::string texts(const ScratchFolder& folder) {
  const DomainPair demo = make_demo({.source_count = 60, .target_count = 60});
  write_dataset(folder / "s.csv", {demo.source(), Labels{demo.classes(), demo.source_labels()}});
  write_dataset(folder / "t.csv", {demo.target(), {}});
  DomainPair pair(read_dataset(folder / "s.csv").domain, read_dataset(folder / "t.csv").domain);
  const AdaptRequest request{
      .method = "jda", .options = {{"lambda", "0.25"}}, .preprocessing = Preprocessing::parse("zscore,l2")};
  const Model model = adapt(pair, request);
  model.save(folder / "m.safetensors");
  const Model loaded = Model::load(folder / "m.safetensors");
  return file_bytes(folder / "s.csv") + labels_csv(loaded.predict(pair.target()), loaded.classes()) +
         lasting(json_text(model_json(loaded))) + lasting(json_text(adaptation_view(pair, model, {})));
}

TEST(Locale, WithDecimalCommasChangesNothingInTheLibrary) {
  const ScratchFolder folder;
  const std::string plain = texts(folder);
  const DecimalCommas locale(folder.path());
  if (!locale.set()) GTEST_SKIP() << "no locale with decimal commas can be made here (package locales)";
  std::ostringstream proof;
  proof << 1.5;
  ASSERT_EQ(proof.str() + fmt::format("{:L}", 1.5), "1,51,5");
  EXPECT_TRUE(texts(folder) == plain);
}

}  // namespace
}  // namespace isthmus::testing
