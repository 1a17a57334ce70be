#pragma once

#include <atomic>

/// Makes the process a good citizen of pipes and terminals: the three standard descriptors are open, a closed
/// pipe or a full disk is an error code instead of a death. A mapped input that someone makes shorter ends it
/// as bad input does. SIGINT and SIGTERM end it at once, whatever it waits for: nothing is done yet.
void prepare_process();

/// From now on the first SIGINT or SIGTERM sets the flag below, so that what is done can be kept; the second
/// one ends the process at once.
void keep_results_when_interrupted();

/// True once such a signal came.
const std::atomic<bool>& interrupted();
