#include <vector>

#include "interrupt.h"
#include "program.h"

int main(int argc, char** argv) {
  prepare_process();
  Program program;
  add_adapt(program);
  add_select(program);
  add_predict(program);
  add_transform(program);
  add_inspect(program);
  add_methods(program);
  add_scores(program);
  add_demo(program);
  add_bench(program);
  add_report(program);
  add_data(program);
  add_completion(program);
  return program.run({argv + (argc > 0 ? 1 : 0), argv + argc});
}
