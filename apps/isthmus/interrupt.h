#pragma once

#include <atomic>

/// Makes the process a good citizen of pipes and terminals: the three standard descriptors are open, a closed
/// pipe or a full disk is an error code instead of a death, SIGINT and SIGTERM set the flag below. A mapped
/// input that someone makes shorter ends it as bad input does.
void prepare_process();

/// Thrown where a signal came before there was anything to keep: the program ends with kInterrupted.
struct Interrupted {};

/// True once SIGINT or SIGTERM came. A second one ends the process at once.
const std::atomic<bool>& interrupted();
