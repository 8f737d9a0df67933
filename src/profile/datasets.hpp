// What the tracer knows of the datasets of netCDF-C and PnetCDF and of their variables: names, ranks, sizes. Learnt
// from the calls that open and define, and asked of the real library once where those did not tell. Threads may use it
// at the same time.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>

#include "profile/call.hpp"

namespace sv::profile {

/// The name in the trace of what a library was asked to open: traced_path(), without MPI-IO's word for a file system
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

/// The function `name` of the library that `function` is in, or of what that needs; nullptr where there is none. Never
/// one of the tracer's own.
void *sibling_of(const void *function, const char *name);

/// The names of the functions by which an interface tells of its variables; `shift`: bits of a dataset's number that
/// tell which of its groups is meant.
struct Inquiries {
  const char *name, *ndims, *type, *dims, *length, *user_type, *attribute;
  int shift;
};

struct KnownVariable {
  uint32_t file = 0, variable = 0;  // numbers in the trace
  int ndims = -1;                   // -1: not known
  int64_t type_bytes = 0;           // of an element as the file stores it; 0: not known, or of no fixed size
  bool traced = true;               // false: the file is not to be traced
};

/// Sizes of an element in memory that are not told by the function's name.
inline constexpr int64_t as_in_file = 0;
inline constexpr int64_t of_no_size = -1;  // strings

class Datasets {
 public:
  explicit Datasets(const Inquiries &inquiries) : inquiries_(inquiries) {}

  /// `ncid` was made by a call of a function of the library that `function` is in. `path`: of traced_file().
  void opened(int ncid, std::string path, const void *function);
  void closed(int ncid);
  /// `file` of a dataset; 0 where it was opened by a way that is not traced.
  KnownVariable dataset(trace::Recorder &recorder, int ncid);
  KnownVariable variable(trace::Recorder &recorder, int ncid, int varid);
  /// Names have changed.
  void renamed(int ncid);
  /// Elements of a whole variable, as long as its record dimension is now; -1: not known.
  int64_t elements(int ncid, int varid) const;
  /// Of a value of this type; 0: not known, or of no fixed size.
  int64_t bytes_of(int ncid, int type) const;
  /// Bytes of an attribute whose elements have `element_bytes` in memory (as_in_file: as they are stored); -1: not
  /// known.
  int64_t attribute_bytes(int ncid, int varid, const char *name, int64_t element_bytes) const;

 private:
  struct Variable {
    std::string name;
    int ndims, type;
    int64_t type_bytes;
    uint32_t number = 0;
    int32_t process = 0;  // in which `number` holds
  };
  struct Dataset {
    NumberedPath path;
    std::unordered_map<int64_t, Variable> variables;  // by ncid, which tells the group, and varid
  };
  /// Those of the library; nullptr: it has none.
  struct Functions {
    int (*name)(int, int, char *) = nullptr;
    int (*ndims)(int, int, int *) = nullptr;
    int (*type)(int, int, int *) = nullptr;
    int (*dims)(int, int, int *) = nullptr;
    int (*length)(int, int, int64_t *) = nullptr;  // size_t or MPI_Offset
    int (*user_type)(int, int, char *, size_t *) = nullptr;
    int (*attribute)(int, int, const char *, int *, int64_t *) = nullptr;  // size_t or MPI_Offset
  };

  Dataset *find(int ncid);
  bool ask(int ncid, int varid, Variable &variable) const;
  void learn(const void *function);

  const Inquiries inquiries_;
  std::mutex mutex_;
  std::once_flag learnt_;
  Functions library_;
  std::unordered_map<int, Dataset> datasets_;
};

Datasets &netcdf_datasets();
Datasets &pnetcdf_datasets();

}  // namespace sv::profile
