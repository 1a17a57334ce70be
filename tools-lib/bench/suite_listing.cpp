// A user's own suite: JSON that lists tasks, methods and seeds.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "bench/json_file.h"
#include "bench/suite.h"
#include "core/text.h"
#include "io/limits.h"
#include "isthmus/adapt.h"
#include "isthmus/errors.h"
#include "isthmus/preprocessing.h"

namespace isthmus {
namespace {

using nlohmann::ordered_json;

/// One object of the listing; says where in the file it stands when something is wrong with it.
class Entry {
 public:
  Entry(const ordered_json& json, std::string where, const std::vector<std::string>& known)
      : json_(json), where_(std::move(where)) {
    if (!json.is_object()) fail("", "an object");
    for (const auto& [key, value] : json.items()) {
      if (std::find(known.begin(), known.end(), key) != known.end()) continue;
      throw InvalidArgument(fmt::format("{}: '{}' is not known{}; it may have: {}", where_, key,
                                        did_you_mean(key, known), fmt::join(known, ", ")));
    }
  }

  bool has(const std::string& key) const { return json_.contains(key); }
  const ordered_json& at(const std::string& key) const { return json_.at(key); }

  std::string text(const std::string& key, const std::string& otherwise) const {
    return has(key) ? text(key) : otherwise;
  }
  std::string text(const std::string& key) const {
    if (!has(key) || !json_.at(key).is_string() || json_.at(key).get<std::string>().empty()) {
      fail(key, "a text");
    }
    return json_.at(key).get<std::string>();
  }
  const ordered_json& list(const std::string& key) const {
    if (!has(key) || !json_.at(key).is_array() || json_.at(key).empty())
      fail(key, "a list that is not empty");
    return json_.at(key);
  }
  template <class Number>
  Number whole(const std::string& key, Number otherwise) const {
    if (!has(key)) return otherwise;
    if (!json_.at(key).is_number_unsigned()) fail(key, "a whole number");
    return json_.at(key).get<Number>();
  }

  const std::string& where() const { return where_; }
  [[noreturn]] void fail(const std::string& key, const std::string& expected) const {
    throw InvalidArgument(key.empty() ? fmt::format("{}: expected {}", where_, expected)
                                      : fmt::format("{}: '{}' must be {}", where_, key, expected));
  }

 private:
  const ordered_json& json_;
  std::string where_;
};

/// What a listing says of a method: "jda:components=50", or an object that may give it a name and a
/// preparation of its own.
struct ListedMethod {
  MethodSpec spec;
  std::string label = {};
  std::optional<std::string> preprocessing = {};
};

ListedMethod listed_method(const ordered_json& json, const std::string& where) {
  if (json.is_string()) {
    const std::vector<MethodSpec> specs = parse_method_list(json.get<std::string>());
    if (specs.size() == 1) return {specs.front()};
    throw InvalidArgument(fmt::format("{}: expected one method, such as \"jda:components=50\"", where));
  }
  const Entry entry(json, where, {"method", "name", "options", "preprocess"});
  ListedMethod method{{entry.text("method"), {}}, entry.text("name", "")};
  if (entry.has("options")) {
    if (!entry.at("options").is_object()) entry.fail("options", "an object");
    for (const auto& [name, value] : entry.at("options").items()) {
      method.spec.options[name] = option_text(value);
      if (method.spec.options[name].empty()) {
        entry.fail("options", "an object of texts, numbers, lists of numbers, true or false, null (auto)");
      }
    }
  }
  require_known_options(method.spec);
  if (entry.has("preprocess")) method.preprocessing = entry.text("preprocess");
  return method;
}

std::vector<ListedMethod> listed_methods(const Entry& root) {
  std::vector<ListedMethod> methods;
  std::set<std::string> names;
  for (const ordered_json& listed : root.list("methods")) {
    const std::string where = fmt::format("{}, method {}", root.where(), methods.size() + 1);
    methods.push_back(listed_method(listed, where));
    const ListedMethod& method = methods.back();
    if (names.insert(method.label.empty() ? method.spec.text() : method.label).second) continue;
    throw InvalidArgument(fmt::format("{}: called as an earlier one; give it a \"name\" of its own", where));
  }
  return methods;
}

void require_file(const Entry& entry, const std::string& key, const std::filesystem::path& folder) {
  const std::string path = split_variable((folder / entry.text(key)).string()).path;
  std::error_code ignored;
  if (std::filesystem::is_regular_file(path, ignored)) return;
  throw IoError(fmt::format("{}: the {} file {} is not there; paths start at the listing's folder",
                            entry.where(), key, path));
}

SuiteTask listed_task(const Entry& entry, const std::filesystem::path& folder) {
  SuiteTask task;
  task.name = entry.text("name");
  task.group = entry.text("group", "");
  if (entry.has("demo")) {
    const Entry demo(entry.at("demo"), entry.where() + ", demo", {"source_count", "target_count"});
    DemoOptions size;
    size.source_count = demo.whole("source_count", size.source_count);
    size.target_count = demo.whole("target_count", size.target_count);
    if (size.source_count < 1) demo.fail("source_count", "at least 1");
    if (size.target_count < 1) demo.fail("target_count", "at least 1");
    task.demo = size;
    return task;
  }
  for (const char* key : {"source", "target"}) require_file(entry, key, folder);
  task.source = {entry.text("source"), entry.text("source_labels", "")};
  task.target = {entry.text("target"), entry.text("target_labels", "")};
  return task;
}

std::vector<std::uint64_t> listed_seeds(const Entry& root, std::vector<std::uint64_t> otherwise) {
  if (!root.has("seeds")) return otherwise;
  std::vector<std::uint64_t> seeds;
  std::set<std::uint64_t> seen;
  for (const ordered_json& seed : root.list("seeds")) {
    if (!seed.is_number_unsigned()) root.fail("seeds", "a list of whole numbers");
    seeds.push_back(seed.get<std::uint64_t>());
    if (!seen.insert(seeds.back()).second) root.fail("seeds", "without repetitions");
  }
  return seeds;
}

/// The method on the task, before it has a seed.
SuiteCell listed_cell(const Entry& root, const Entry& entry, const SuiteTask& task,
                      const ListedMethod& method) {
  SuiteCell cell;
  cell.task = task;
  cell.method = method.spec;
  cell.label = method.label;
  const std::string usual = root.text("preprocess", std::string(default_preprocessing()));
  const std::string steps = method.preprocessing.value_or(entry.text("preprocess", usual));
  cell.setting = {steps, method.spec.options};
  static_cast<void>(Preprocessing::parse(steps));
  if (entry.has("published") && entry.at("published").contains(method.spec.name)) {
    const ordered_json& value = entry.at("published").at(method.spec.name);
    if (!value.is_number()) entry.fail("published", "an object of methods and accuracies in percent");
    cell.published = value.get<double>();
  }
  return cell;
}

/// About the memory of a cell.
std::uint64_t bytes_of(const SuiteCell& cell) {
  std::uint64_t bytes = sizeof(SuiteCell);
  for (const std::string* text :
       {&cell.task.name, &cell.task.group, &cell.task.source.samples, &cell.task.source.labels,
        &cell.task.target.samples, &cell.task.target.labels, &cell.method.name, &cell.label,
        &cell.setting.preprocessing}) {
    bytes += text->size();
  }
  // The options are there twice, as asked for and as run, each in a node of a map.
  for (const auto& [name, value] : cell.method.options) bytes += 2 * (128 + name.size() + value.size());
  return bytes;
}

}  // namespace

Suite read_suite(const std::filesystem::path& path, const std::vector<std::uint64_t>& seeds,
                 const std::vector<MethodSpec>& instead) {
  const ordered_json json = read_json_object(path, "suite");
  const Entry root(json, path.string(), {"name", "preprocess", "methods", "seeds", "tasks"});
  Suite suite{root.text("name", path.stem().string()), path.parent_path(), {}};
  std::vector<ListedMethod> methods;
  for (const MethodSpec& method : instead) methods.push_back({method});
  if (methods.empty()) methods = listed_methods(root);
  const std::vector<std::uint64_t> all_seeds = listed_seeds(root, seeds);
  // Tasks × methods × seeds: a short listing may name more cells than memory holds.
  std::uint64_t room = max_dense_bytes(std::filesystem::file_size(path));
  std::set<std::string> names;
  for (const ordered_json& listed : root.list("tasks")) {
    const Entry entry(listed, fmt::format("{}, task {}", path.string(), names.size() + 1),
                      {"name", "group", "source", "target", "source_labels", "target_labels", "demo",
                       "preprocess", "published"});
    const SuiteTask task = listed_task(entry, suite.folder);
    if (!names.insert(task.name).second) entry.fail("name", "another than that of an earlier task");
    if (entry.has("published") && !entry.at("published").is_object()) entry.fail("published", "an object");
    for (const ListedMethod& method : methods) {
      const SuiteCell cell = listed_cell(root, entry, task, method);
      if (all_seeds.size() > room / bytes_of(cell)) {
        throw InvalidArgument(fmt::format(
            "{}: its tasks, methods and seeds make more than {} cells, which is more than a listing of its "
            "size may; split it",
            path.string(), suite.cells.size()));
      }
      room -= all_seeds.size() * bytes_of(cell);
      for (const std::uint64_t seed : all_seeds) suite.cells.emplace_back(cell).seed = seed;
    }
  }
  return suite;
}

}  // namespace isthmus
