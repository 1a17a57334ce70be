#pragma once

#include <string>

#include "isthmus/data.h"
#include "program.h"

/// Reads the samples a user named (eval/samples.h) and notes on standard error what the reader found out,
/// unless quiet.
isthmus::Domain read_samples(const std::string& samples, const std::string& labels,
                             const CommonFlags& common);
