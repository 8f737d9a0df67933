// Functions of a library that the process has loaded already, by their names. Only the runtimes of src/device use it.
#pragma once

#include <dlfcn.h>

#include <initializer_list>

namespace sv {

/// The functions that a program links are in the global scope. Python and static runtimes load their library without
/// that, so it is looked for by its file name, too.
class LoadedLibrary {
 public:
  /// `function`: any one that the library has, and no other library.
  LoadedLibrary(const char *function, std::initializer_list<const char *> file_names) {
    if (dlsym(RTLD_DEFAULT, function) != nullptr) {
      scope_ = RTLD_DEFAULT;
      is_loaded_ = true;
      return;
    }
    for (const char *name : file_names) {
      if (is_loaded_) return;
      scope_ = dlopen(name, RTLD_LAZY | RTLD_NOLOAD);  // never closed: its functions are used until the process ends
      is_loaded_ = scope_ != nullptr;
    }
  }
  /// Whether it has all functions asked for so far.
  bool is_complete() const { return is_loaded_ && !lacks_some_; }
  /// nullptr where it has none of this name.
  template <class Function>
  void find_optional(Function *&function, const char *name) const {
    function = is_loaded_ ? reinterpret_cast<Function *>(dlsym(scope_, name)) : nullptr;
  }
  template <class Function>
  void find(Function *&function, const char *name) {
    find_optional(function, name);
    lacks_some_ = lacks_some_ || function == nullptr;
  }

 private:
  void *scope_ = nullptr;
  bool is_loaded_ = false, lacks_some_ = false;
};

}  // namespace sv
