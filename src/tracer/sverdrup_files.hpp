// The tracer's table of Sverdrup's files, variables and decompositions: learnt from the calls that create them, and
// asked of the library (sv_inq_*, which are local).
#pragma once

#include <unordered_map>
#include <vector>

#include "tracer/open_files.hpp"

namespace sv::profile {

/// This rank's part of a grid.
struct SverdrupPart {
  std::vector<int64_t> start, count;  // of its block; empty for points
  int64_t owned = 0;                  // cells
  int64_t grid = 1;                   // cells
};

class SverdrupFiles final : public OpenFiles {
 public:
  SverdrupFiles() : OpenFiles(0) {}

  void decomposed(Word decomp, SverdrupPart part);
  void freed(Word decomp);
  SverdrupPart part(Word decomp);

 private:
  void learn(const void *function) override;
  bool ask(Word file, int var, std::string &name, KnownVariable &known) const override;

  int (*inquire_)(Word, int *, int *, int *, int *) = nullptr;                        // sv_inq
  int (*inquire_variable_)(Word, int, char *, int *, int *, int *, int *) = nullptr;  // sv_inq_var
  int (*inquire_dim_)(Word, int, char *, int64_t *) = nullptr;                        // sv_inq_dim
  std::unordered_map<Word, SverdrupPart> parts_ SV_GUARDED_BY(mutex_);
};

SverdrupFiles &sverdrup_files();

}  // namespace sv::profile
