// Detects that another file has taken a name that a file of a store was to have. Stores of several files
// (set_store.cpp, variable_store.cpp) name their files through it: if one name is taken, all written files stay under
// their present names, and are not abandoned. Local.
#pragma once

#include "base/error.hpp"

namespace sv {

class TakenName {
 public:
  /// `action` gives names. Throws what it throws, and keeps whether that was Error(exists).
  template <class Action>
  void watch(Action action) {
    try {
      action();
    } catch (const Error &error) {
      is_found_ = is_found_ || error.status() == Status::exists;
      throw;
    }
  }
  bool is_found() const { return is_found_; }

 private:
  bool is_found_ = false;
};

}  // namespace sv
