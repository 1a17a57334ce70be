// A fit that tells how far it is and can be stopped: by the callback, from another thread, or by a time
// limit.
#include <isthmus/isthmus.h>

#include <atomic>
#include <iostream>

int main() {
  std::atomic<bool> stop{false};  // another thread, or a signal handler, may set it
  isthmus::Context context;
  context.threads = isthmus::available_cores();
  context.deadline = isthmus::Context::deadline_after(60);
  context.cancel = [&] { return stop.load(); };
  context.on_iteration = [](const isthmus::IterationInfo& at) {
    std::cout << at.phase << " " << at.iteration << " of " << at.limit << ": " << at.label_changes
              << " labels changed\n";
    return at.iteration < 2 ? isthmus::Decision::Continue : isthmus::Decision::Stop;
  };
  const isthmus::Model model = isthmus::adapt(isthmus::make_demo({.source_count = 200, .target_count = 200}),
                                              isthmus::JdaOptions{}, context);
  // Stopped, a fit still has a result: that of its last finished round.
  std::cout << to_string(model.report().status) << " after " << model.report().iterations << " rounds, "
            << model.target().labels.size() << " samples labelled\n";

  // Cancelled before there is any result, it throws.
  stop = true;
  try {
    isthmus::adapt(isthmus::make_demo({.source_count = 200, .target_count = 200}), {}, context);
  } catch (const isthmus::Cancelled& nothing) {
    std::cout << nothing.what() << "\n";
  }
}
