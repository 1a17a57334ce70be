#pragma once

#include <stdexcept>
#include <string>

namespace isthmus {

/// Base of everything the library throws on purpose.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An argument is wrong. The message names the argument, its value, the bound and what to do.
class InvalidArgument : public Error {
 public:
  using Error::Error;
};

/// A file cannot be read or written. The message names path, position and what was expected.
class IoError : public Error {
 public:
  using Error::Error;
};

/// The computation broke down (a matrix that should be definite is not, a NaN appeared).
class NumericalError : public Error {
 public:
  using Error::Error;
};

/// A computation was told to stop (Context::cancel) before there was a result to keep. No Error: nothing is
/// wrong, and what handles errors must not take it for one.
class Cancelled : public std::runtime_error {
 public:
  Cancelled() : std::runtime_error("stopped before there was a result") {}
};

}  // namespace isthmus
