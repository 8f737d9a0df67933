// Brings errors that occurred after a call of a model (in servers, or in threads that write behind) into its later
// calls. The gate that begins a call reports such an error, and the call is not carried out then; once that gate is
// passed, the next call reports it. No call is left half done. Both kinds of service derive from it.
#pragma once

#include <deque>
#include <optional>
#include <string>

#include "file/context.hpp"
#include "file/servers.hpp"

namespace sv {

/// An error that occurred after the call.
struct Trouble {
  int64_t file;  // by the number under which it is served
  Error error;
};

class DeferredErrors : public Servers {
 public:
  /// `context` must outlive it.
  explicit DeferredErrors(Context &context) : context_(context) {}

  Agreed agree(const std::string &call, const std::optional<Error> &error, const GateInput &brought) override;
  std::optional<Error> take_deferred_error() override;
  void forget_deferred_errors(const Error &reported) override;
  /// The unreported error of a file, by its number.
  std::optional<Error> trouble_of(int64_t file) const;

 protected:
  /// Local, never blocks. The first trouble that this rank knows of and not all others do.
  virtual std::optional<Trouble> listen() = 0;
  /// Local. Marks the file as failed on all ranks.
  virtual void mark_failed_everywhere(int64_t file) = 0;
  /// The number of durable steps, as far as the writers have reported to this rank; INT64_MAX: no report.
  virtual int64_t durable_steps() const = 0;
  /// A rank was awaited too long.
  virtual void on_timeout(const Error &error) = 0;

  Context &context_;

 private:
  std::optional<Error> pass_gate(const std::string &call, std::optional<Error> mine, GateInput brought, bool inside);
  void keep_deferred_error(int64_t number, const Error &error);

  std::deque<Trouble> pending_;  // not reported yet; the same on every rank
  int64_t last_call_ = 0;        // that has come to a gate
};

}  // namespace sv
