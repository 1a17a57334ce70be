#include "job.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <sstream>

namespace isthmus::testing {
namespace {

using Clock = std::chrono::steady_clock;

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

/// The lines of a log in an order of their own: cells that run side by side end in any order.
std::string sorted_lines(const std::string& text) {
  std::vector<std::string> lines = split(text, '\n');
  std::sort(lines.begin(), lines.end());
  std::string sorted;
  for (const std::string& line : lines) sorted += line + "\n";
  return sorted;
}

/// A model without the times in its report, and so without the length of its header: what remains of the
/// header, and the data. Empty when the file is cut off.
std::string lasting_model(const std::string& bytes) {
  std::uint64_t length = 0;
  if (bytes.size() < sizeof length) return "";
  std::memcpy(&length, bytes.data(), sizeof length);
  if (length > bytes.size() - sizeof length) return "";
  auto header = nlohmann::json::parse(bytes.substr(sizeof length, length));
  const std::string model = header.at("__metadata__").at("isthmus_model");
  header.erase("__metadata__");
  return header.dump() + lasting(model) + bytes.substr(sizeof length + length);
}

/// A table without the columns of times and memory.
std::string lasting_table(const std::string& text) {
  const std::vector<std::string> lines = split(text, '\n');
  if (lines.empty()) return "";
  const std::vector<std::string> header = split(lines.front(), ',');
  std::string kept;
  for (const std::string& line : lines) {
    const std::vector<std::string> cells = split(line, ',');
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const bool differs = i < header.size() && (header[i] == "seconds" || header[i] == "peak_mib");
      kept += differs ? "," : cells[i] + ",";
    }
    kept += "\n";
  }
  return kept;
}

/// What two runs of a job must have in common.
std::string comparable(const std::string& name, const std::string& bytes) {
  if (name.ends_with(".safetensors")) return lasting_model(bytes);
  if (name.ends_with(".csv")) return lasting_table(bytes);
  return name.ends_with(".jsonl") ? sorted_lines(lasting(bytes)) : lasting(bytes);
}

}  // namespace

std::vector<Job> writing_jobs() {
  const std::vector<std::string> domains{"--source", "source.csv", "--target", "target.csv", "--quiet"};
  const auto command = [&](std::vector<std::string> words, const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  const std::vector<std::string> files{"-o",       "labels.csv", "--model", "m.safetensors",
                                       "--report", "r.json",     "--html",  "r.html"};
  const std::vector<std::string> names{"labels.csv", "m.safetensors", "r.json", "r.html"};
  return {
      {.name = "Adapt",
       .program = ISTHMUS_PROGRAM,
       .arguments = command(command({"adapt", "--method", "jda", "--components", "3"}, domains), files),
       .outputs = names,
       .log = ""},
      {.name = "SaveALargeModel",
       .program = ISTHMUS_PROGRAM,
       .arguments = {"adapt", "--method", "nn", "--source", "large.csv", "--target", "target.csv", "--quiet",
                     "-o", "labels.csv", "--model", "m.safetensors"},
       .outputs = {"labels.csv", "m.safetensors"},
       .log = ""},
      {.name = "Select",
       .program = ISTHMUS_PROGRAM,
       .arguments = command(command({"select", "--methods", "nn,pca:components=3"}, domains), files),
       .outputs = names,
       .log = ""},
      {.name = "Bench",
       .program = ISTHMUS_PROGRAM,
       .arguments = {"bench", "run", "suite.json", "--log", "cells.jsonl", "--out", "b.json", "--csv",
                     "b.csv", "--html", "b.html", "--jobs", "2", "--quiet"},
       .outputs = {"b.json", "b.csv", "b.html"},
       .log = "cells.jsonl",
       .code = 1},  // one cell asks for too many components
  };
}

std::string lasting(std::string bytes) {
  for (const std::string_view name : {"seconds", "peak_mib", "from_log"}) {
    for (std::size_t at = bytes.find(name); at != std::string::npos; at = bytes.find(name, at)) {
      at += name.size();
      const std::size_t value = bytes.find_first_not_of("\\\": ", at);
      const std::size_t end = bytes.find_first_not_of("0123456789.e+-truefals", value);
      if (value != std::string::npos) bytes.erase(at, std::min(end, bytes.size()) - at);
    }
  }
  return bytes;
}

void JobTest::write_inputs() const {
  write_domains();
  write("large.csv", samples_csv(4000, 0.0));
  write("suite.json", R"({"methods": ["nn", "pca:components=3", "pca:components=5000"], "seeds": [0, 1],
                          "tasks": [{"name": "files", "source": "source.csv", "target": "target.csv"}]})");
}

Outcome JobTest::run_job(const Job& job, const Surroundings& around) const {
  return run_other(job.program, job.arguments, around);
}

Outcome JobTest::run_with_fault(const Job& job, const std::string& fault) const {
  Surroundings around;
  around.environment = {fmt::format("LD_PRELOAD={}", ISTHMUS_FAULTY_CALLS), "ISTHMUS_FAULT=" + fault,
                        // AddressSanitizer wants to be the first library otherwise.
                        "ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0"};
  return run_job(job, around);
}

JobTest::Moments JobTest::moments(const Job& job) const {
  set_outputs(job, false);
  const Outcome outcome = run_with_fault(job, "count:0:moments.txt");
  EXPECT_EQ(outcome.code, job.code) << outcome.err;
  Moments found;
  std::istringstream(read("moments.txt")) >> found.changes >> found.looks;
  std::filesystem::remove(folder() / "moments.txt");
  set_outputs(job, false);
  return found;
}

void JobTest::keep_reference(const Job& job) {
  inputs_ = names();
  const auto start = Clock::now();
  const Outcome outcome = run_job(job);
  usual_ = Clock::now() - start;
  ASSERT_EQ(outcome.code, job.code) << outcome.err;
  for (const std::string& output : job.outputs) {
    reference_[output] = read(output);
    ASSERT_FALSE(reference_[output].empty()) << output;
  }
  if (!job.log.empty()) reference_[job.log] = read(job.log);
  set_outputs(job, false);
}

void JobTest::set_outputs(const Job& job, bool old) const {
  for (const std::string& output : job.outputs) {
    if (old) {
      write(output, kOld);
    } else {
      std::filesystem::remove(folder() / output);
    }
  }
  if (!job.log.empty()) std::filesystem::remove(folder() / job.log);
}

void JobTest::expect_old_or_whole(const Job& job, bool old, const std::string& when) const {
  for (const std::string& output : job.outputs) {
    const std::string found = read(output);
    if (old ? found == kOld : !exists(output)) continue;
    EXPECT_TRUE(comparable(output, found) == comparable(output, reference_.at(output)))
        << output << " has " << found.size() << " bytes that are neither the old file nor the new one, "
        << when;
  }
}

void JobTest::expect_untouched(const Job& job, bool old, const std::string& when) const {
  for (const std::string& output : job.outputs) {
    EXPECT_EQ(exists(output), old) << output << ", " << when;
    EXPECT_EQ(read(output), old ? kOld : "") << output << ", " << when;
  }
}

void JobTest::expect_the_usual_run(const Job& job, const std::string& when) const {
  const Outcome outcome = run_job(job);
  EXPECT_EQ(outcome.code, job.code) << outcome.err << when;
  for (const auto& [name, bytes] : reference_) {
    EXPECT_TRUE(comparable(name, read(name)) == comparable(name, bytes)) << name << ", " << when;
  }
}

std::vector<std::string> JobTest::strangers(const Job& job) const {
  std::vector<std::string> found = names();
  std::erase_if(found, [&](const std::string& name) {
    const auto in = [&](const std::vector<std::string>& list) {
      return std::find(list.begin(), list.end(), name) != list.end();
    };
    return in(inputs_) || in(job.outputs) || name == job.log;
  });
  return found;
}

}  // namespace isthmus::testing
