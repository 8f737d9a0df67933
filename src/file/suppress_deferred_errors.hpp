// Work on all files of a context, of which some may have failed: a function that commits or closes them, or waits for
// servers, keeps one of these meanwhile, so that no gate returns an error of servers before the other files are done.
#pragma once

#include "file/context.hpp"
#include "file/servers.hpp"

namespace sv {

class SuppressDeferredErrors {
 public:
  explicit SuppressDeferredErrors(Context &context) : context_(context) { ++context_.suppression_depth_; }
  ~SuppressDeferredErrors() { --context_.suppression_depth_; }
  SuppressDeferredErrors(const SuppressDeferredErrors &) = delete;
  /// The first deferred error that was not returned yet, to be returned; nothing where an outer one lives, which
  /// returns it.
  std::optional<Error> first() {
    if (context_.suppression_depth_ > 1 || context_.servers == nullptr) return std::nullopt;
    return context_.servers->take_deferred_error();
  }
  /// Throws it, if there is one.
  void throw_first() {
    if (const auto error = first()) throw Error(*error);
  }

 private:
  Context &context_;
};

}  // namespace sv
