// Files of netCDF-4 that a program makes in parallel, by number. Such a file is undecided at first: the real library
// keeps its definitions, in a file in memory, and answers for them by its own rules. At the first nc_enddef or data
// they are all there, and it is decided once: Sverdrup's store netcdf4 has the file, or the real library, which is
// given the same definitions (docs/adr/0080-an-undecided-file.md). Each belongs to one rank; those of the ranks that
// made a file together are alike where the comments say so.
#pragma once

#include <mpi.h>
#include <sverdrup/binding.h>

#include <memory>
#include <string>
#include <vector>

#include "../face/account.hpp"
#include "codes.hpp"
#include "entry.h"

namespace sv::netcdf4 {

enum class Owner { undecided, sverdrup, library };

/// Of a variable, as its definition stands.
struct Shape {
  nc_type type = NC_NAT;
  std::vector<int> dims;
  std::vector<int64_t> lengths;  // of fixed dimensions; SV_UNLIMITED: the length is asked for anew
  bool has_records = false;      // the first dimension is unlimited
  bool grows_inside = false;     // another one is
  bool is_quantized = false;
  bool is_filtered = false;  // it is only written and read collectively
  bool is_filled = true;
};

struct Dataset {
  int ncid = -1;
  const void *caller = nullptr;  // an address in the code that has made it: which real library it reaches
  std::string path;
  int mode = 0;
  MPI_Comm comm = MPI_COMM_NULL;  // of the program
  MPI_Info info = MPI_INFO_NULL;
  int rank = 0, ranks = 1;
  Owner owner = Owner::undecided;     // alike
  int there = -1;                     // its number in the real library: of the definitions in memory, or of the file
  sv_context *io = nullptr;           // of `file`
  sv_file *file = nullptr;            // of Sverdrup
  bool is_defining = true;            // alike
  bool is_changed = true;             // alike: `file` lacks definitions
  bool is_independent = false;        // alike: ranks put and get by themselves (sv_begin_indep)
  bool may_have_new_records = false;  // alike: puts since the last sv_sync, which no get sees yet
  std::vector<bool> collective;       // of each variable: NC_COLLECTIVE was asked for
  std::vector<Shape> shapes;          // of `file`
  std::vector<bool> is_put;           // of each variable: some rank may have put it
  Account account;

  bool is_classic() const { return (mode & NC_CLASSIC_MODEL) != 0; }
  bool is_collective(int variable) const {
    const auto v = static_cast<size_t>(variable);
    return shapes[v].is_filtered || (v < collective.size() && collective[v]);
  }
  /// Of an unlimited dimension; 0 where it is not in the file yet.
  int64_t length(int dim) const;
  /// Of a dimension of a variable, as it is now.
  int64_t length_of(const Shape &shape, size_t d) const {
    return shape.lengths[d] == SV_UNLIMITED ? length(shape.dims[d]) : shape.lengths[d];
  }
};

/// nullptr where it is not one of these.
Dataset *dataset(int ncid) noexcept;
/// Gives it a number, and keeps it until it is forgotten.
Dataset &keep(std::unique_ptr<Dataset> made);
void forget(const Dataset &own);
/// All, in the order in which they were made.
std::vector<Dataset *> datasets();

}  // namespace sv::netcdf4
