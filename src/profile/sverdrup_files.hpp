// What the tracer knows of Sverdrup's files, variables and decompositions: learnt from the calls that make them, and
// asked of the library (sv_inq_*, which are local).
#pragma once

#include <mutex>
#include <unordered_map>
#include <vector>

#include "profile/datasets.hpp"
#include "profile/mpi.hpp"

namespace sv::profile {

struct SverdrupVariable {
  uint32_t file = 0, variable = 0;  // numbers in the trace
  int ndims = -1;                   // the record dimension included; -1: not known
  int64_t cells = -1;               // of the variable, or of one record of it; -1: not known
  bool traced = true;               // false: the file is not to be traced
};

/// This rank's part of a grid.
struct SverdrupPart {
  std::vector<int64_t> start, count;  // of its block; empty for points
  int64_t owned = 0;                  // cells
  int64_t grid = 1;                   // cells
};

class SverdrupFiles {
 public:
  /// `path`: of traced_path(); by a function of the library that `function` is in.
  void opened(Word file, std::string path, const void *function);
  void closed(Word file);
  /// Its variables may be others now.
  void redefined(Word file);
  SverdrupVariable file(trace::Recorder &recorder, Word file);
  SverdrupVariable variable(trace::Recorder &recorder, Word file, int var);

  void decomposed(Word decomp, SverdrupPart part);
  void freed(Word decomp);
  SverdrupPart part(Word decomp);

 private:
  struct Variable {
    std::string name;
    int ndims;
    int64_t cells;
    uint32_t number = 0;
    int32_t process = 0;
  };
  struct File {
    NumberedPath path;
    std::unordered_map<int, Variable> variables;
  };
  bool ask(Word file, int var, Variable &variable) const;
  void learn(const void *function);

  std::mutex mutex_;
  std::once_flag learnt_;
  int (*inquire_)(Word, int *, int *, int *, int *) = nullptr;                        // sv_inq
  int (*inquire_variable_)(Word, int, char *, int *, int *, int *, int *) = nullptr;  // sv_inq_var
  int (*inquire_dim_)(Word, int, char *, int64_t *) = nullptr;                        // sv_inq_dim
  std::unordered_map<Word, File> files_;
  std::unordered_map<Word, SverdrupPart> parts_;
};

SverdrupFiles &sverdrup_files();

}  // namespace sv::profile
