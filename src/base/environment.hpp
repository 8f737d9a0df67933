// Variables of the process's environment that a library reads when it is first used. They are hidden from the program
// and from the processes that it starts.
#pragma once

#include <cstdlib>

namespace sv {

/// While it lives, a variable that the user has not set has a value. Other threads must not read or change the
/// environment meanwhile, which C leaves undefined; so it lives for the one call that makes the library read it.
class SetMeanwhile {
 public:
  /// Both outlive it.
  SetMeanwhile(const char *name, const char *value) : name_(std::getenv(name) == nullptr ? name : nullptr) {
    if (name_ != nullptr) setenv(name_, value, 1);
  }
  SetMeanwhile(const SetMeanwhile &) = delete;
  SetMeanwhile &operator=(const SetMeanwhile &) = delete;
  ~SetMeanwhile() {
    if (name_ != nullptr) unsetenv(name_);
  }

 private:
  const char *const name_;
};

}  // namespace sv
