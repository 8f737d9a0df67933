// Errors inside Sverdrup are exceptions of one class, Error, with a code, a cause and a remedy. The function that
// detects an error throws it. Each layer on the way adds its knowledge (file, variable, rank), and the C interface
// turns it into a code and a text. This file knows one rank only: at the gate (transport/gate.hpp), where the ranks
// agree whether a call has failed, an Error of one rank becomes an Error of all.
//
// An Error is a value (std::optional<Error>) only while it has to wait, and its function says so:
// - for the other ranks: this rank must still reach a gate, or finish the rounds and collective calls that it shares;
// - for further attempts: FirstError (base/first_error.hpp) keeps the first of them;
// - for a later call, where a thread or a server has failed: DeferredError (base/deferred_error.hpp);
// - for its place in a list, where each request has an outcome.
// Inquiries of the C interface also return the error of a missing name: programs ask often, and throwing is slow.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace sv {

/// The codes of sverdrup.h, with the same numbers.
enum class Status : int {
  ok = 0,
  invalid = 1,
  config = 2,
  order = 3,
  define = 4,
  layout = 5,
  type = 6,
  range = 7,
  not_found = 8,
  exists = 9,
  access = 10,
  no_space = 11,
  io = 12,
  format = 13,
  limit = 14,
  no_memory = 15,
  timeout = 16,
  mpi = 17,
  not_compiled = 18,
  internal = 19,
  ranks = 20,
  in_use = 21,
  unsupported = 22,
  device = 23
};

/// Cause, place and remedy of a failure. Fields that do not apply stay empty (`rank` −1); each layer adds its
/// knowledge.
class Error : public std::runtime_error {
 public:
  Error(Status status, std::string cause, std::string remedy = {});

  // Each keeps the first one given.
  Error &in_file(const std::string &path) { return keep(file_, "", path); }
  Error &in_variable(const std::string &name) { return keep(variable_, "", name); }
  Error &on_rank(int rank) { return keep(rank_, -1, rank); }
  Error &in_record(int64_t record) { return keep(record_, -1, record); }  // from 0
  Error &in_request(int place, int of) {
    return keep(request_, -1, place).keep(requests_, 0, of);
  }  // from 0, of a list
  /// Names below this directory (which ends with '/') are shown as the caller gave them, relative to it.
  Error &relative_to(const std::string &directory);
  /// Sets the first record number in messages, 0 or 1, as the caller counts.
  Error &count_records_from(int first);

  Status status() const { return status_; }
  /// "file 'ocean.nc', variable 'sst', rank 3: CAUSE. REMEDY."
  const char *what() const noexcept override { return text_.c_str(); }
  /// The same error, as received from the rank that had it: `text` is its what().
  static Error from_remote(Status status, std::string text);

 private:
  template <class Value>
  Error &keep(Value &member, const std::type_identity_t<Value> &unset, const std::type_identity_t<Value> &value) {
    if (member == unset) member = value;
    compose();
    return *this;
  }
  void compose();
  Status status_;
  std::string cause_, remedy_, file_, variable_, text_;
  int rank_ = -1, request_ = -1, requests_ = 0, first_record_ = 0;
  int64_t record_ = -1;
  bool from_remote_ = false;
};

/// A text in which quoted names that stand below this directory are relative to it.
std::string relative_to(const std::string &directory, std::string text);

/// In a handler: the exception that is being handled, as an Error that names `rank`.
Error handled_error(int rank);

/// Runs `action`; returns what it threw as an Error that names `rank`.
template <class Action>
std::optional<Error> caught(int rank, Action &&action) {
  try {
    action();
  } catch (...) {
    return handled_error(rank);
  }
  return std::nullopt;
}

/// The error for a failed system call on `path`: maps errno (ENOSPC and EDQUOT, EACCES, ENOENT ...) to code and remedy.
Error system_error(int error_number, const std::string &what, const std::string &path);

}  // namespace sv
