// The tracer's table of the files that are open in an interface, by their handles, and of their variables.
// Learnt from the calls that open them, or else from the real library. Threads may use it at the same
// time.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>  // std::once_flag
#include <string>
#include <unordered_map>
#include <utility>

#include "base/mutex.hpp"
#include "tracer/call.hpp"

namespace sv::profile {

/// The name in the trace of a file that a library opens: traced_path(), without MPI-IO's word for a file system
/// ("ufs:"); of a dataset elsewhere ("https://...") the name as it is. Empty: not traced.
std::string traced_file(const char *given);

/// A path and its number in the trace of this process (numbers change by a fork).
class NumberedPath {
 public:
  NumberedPath() = default;
  /// `path`: of traced_file(); empty: not traced.
  explicit NumberedPath(std::string path) : path_(std::move(path)) {}
  const std::string &path() const { return path_; }
  uint32_t number(trace::Recorder &recorder);

 private:
  std::string path_;
  uint32_t number_ = 0;
  int32_t process_ = 0;
};

/// The function `name` of the library that `function` is in, or of its dependencies; nullptr where there is none. Never
/// one of the tracer's own.
void *sibling_of(const void *function, const char *name);

template <typename Type>
void find_sibling(Type *&found, const void *function, const char *name) {
  found = name != nullptr ? reinterpret_cast<Type *>(sibling_of(function, name)) : nullptr;
}

/// Values that an interface does not report keep these defaults.
struct KnownVariable {
  uint32_t file = 0, variable = 0;  // numbers in the trace; file: 0 where it was opened by a way that is not traced
  int ndims = -1;                   // -1: not known
  int64_t type_bytes = 0;           // of an element as the file stores it; 0: not known, or of no fixed size
  int64_t cells = -1;               // of Sverdrup's: of the variable, or of one record of it; -1: not known
  bool traced = true;               // false: the file is not to be traced
};

/// Handles are words; `shift`: bits that identify a part of its file (a group).
class OpenFiles {
 public:
  explicit OpenFiles(int shift) : shift_(shift) {}
  virtual ~OpenFiles() = default;

  /// The handle was made by a call of a function of the library that `function` is in. `path`: empty: not traced.
  void opened(Word handle, std::string path, const void *function);
  void closed(Word handle);
  /// Its variables may be others now.
  void changed(Word handle);
  KnownVariable file(trace::Recorder &recorder, Word handle);
  KnownVariable variable(trace::Recorder &recorder, Word handle, int id);

 protected:
  Mutex mutex_;

 private:
  struct Variable {
    std::string name;
    KnownVariable known;
    int32_t process = 0;  // in which its number holds
  };
  struct File {
    NumberedPath path;
    std::map<std::pair<Word, int>, Variable> variables;
  };
  /// Finds the functions that inquire variables.
  virtual void learn(const void *function) = 0;
  /// Calls them; false: they do not answer.
  virtual bool ask(Word handle, int id, std::string &name, KnownVariable &known) const = 0;
  File *find(Word handle) SV_REQUIRES(mutex_);

  const int shift_;
  std::once_flag learnt_;
  std::unordered_map<Word, File> files_ SV_GUARDED_BY(mutex_);
};

}  // namespace sv::profile
