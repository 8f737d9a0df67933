// Errors that a library over the public interface finds, or that a public call returns.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace sv::libs {

/// An error that one rank has found, which must reach the others: a code of sverdrup.h, the cause (with file and
/// variable), the remedy.
struct Failure : std::runtime_error {
  Failure(int code, const std::string &cause, std::string advice)
      : std::runtime_error(cause), status(code), remedy(std::move(advice)) {}
  int status;
  std::string remedy;
};

/// Known on every rank, and its text is in sv_message().
struct ReportedFailure {
  int status;
};

}  // namespace sv::libs
