// Work on all files of a context, of which some may have failed: whoever commits or closes them, or waits for servers,
// holds a Beside meanwhile, so that no gate tells what servers have failed with before the others are done.
#pragma once

#include "file/context.hpp"
#include "file/servers.hpp"

namespace sv {

class SuppressDeferredErrors {
 public:
  explicit SuppressDeferredErrors(Context &context) : context_(context) { ++context_.besides_; }
  ~SuppressDeferredErrors() { --context_.besides_; }
  SuppressDeferredErrors(const SuppressDeferredErrors &) = delete;
  /// The first failure that is not told yet, to be told; nothing where an outer one lives, which tells it.
  std::optional<Error> news() {
    if (context_.besides_ > 1 || context_.servers == nullptr) return std::nullopt;
    return context_.servers->take_deferred_error();
  }
  /// Throws it, if there is one.
  void tell() {
    if (const auto first = news()) throw Error(*first);
  }

 private:
  Context &context_;
};

}  // namespace sv
