#pragma once

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "isthmus/context.h"
#include "program.h"

// Text may come from files: what is printed here is made harmless to terminals (printable, data/text.h),
// whoever prints it.

/// Results go to standard output. A reader that has gone away is no error; a full disk is an IoError.
void print(std::string_view text);
void print_json(const nlohmann::ordered_json& json);
/// An output of the command (`-o -`), byte by byte.
void print_bytes(std::string_view bytes);
/// Standard output carries an output from now on: what print() is given goes to standard error.
void make_output_a_file();
void flush_output();
/// "isthmus: error: ..." on standard error.
void print_error(std::string_view message);
/// That a signal came before there was a result.
void print_interrupted();
/// "isthmus: ..." on standard error, unless quiet.
void print_note(std::string_view message, const CommonFlags& common);
/// Characters a line of standard output may have: the terminal's, or 100.
std::size_t output_width();

/// Tells on standard error how far a computation is: one bar on a terminal, lines otherwise, nothing when
/// quiet.
class Progress {
 public:
  explicit Progress(const CommonFlags& common);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// A new stage of the whole work: "jda on C->A", 3 of 32.
  void stage(const std::string& name, int number, int count);
  void iteration(const isthmus::IterationInfo& info);
  /// How much of one stage is done; drawn on a terminal only.
  void share(const std::string& text, double done, double total);
  /// Wipes the bar, before results are printed.
  void clear();

 private:
  void draw(const std::string& text, double done, double count);
  /// ", at most about 12 s left" of what repeats, once two iterations have told how long one takes.
  std::string time_left(const isthmus::IterationInfo& info);

  /// The first iteration seen of what repeats, and when it was done.
  struct Pace {
    std::string phase;
    int first = 0;
    int last = 0;
    std::chrono::steady_clock::time_point since;
  };

  Pace pace_;
  bool quiet_;
  bool terminal_;
  bool drawn_ = false;
  std::string stage_;
};

/// The flag that bounds the time of a fit.
struct TimeLimitFlag {
  double seconds = 0;
  void add_to(CLI::App& command);
  /// That many seconds from now; none where there is no limit.
  std::optional<std::chrono::steady_clock::time_point> deadline() const;
};

/// The context of a command: its threads and seed, the interrupt flag, and progress. From now on an interrupt
/// ends the computation, not the process.
isthmus::Context make_context(const CommonFlags& common, const std::shared_ptr<Progress>& progress);
