// The functions that generated code calls (face/generate.py), besides the answers that calls.hpp declares and
// face/inquiry.hpp has. All return PnetCDF's codes, or throw them; those that change or carry out something are
// collective where PnetCDF's are.
#pragma once

#include <functional>

#include "../face/inquiry.hpp"
#include "dataset.hpp"

namespace sv::pnetcdf {

enum class Kind { whole, one, block, strided, mapped, list, typed };
enum class Direction { put, get };
enum class Timing { collective, alone, posted, buffered };

struct Access {
  Kind kind;
  Direction direction;
  Timing timing;
  int variable = -1;
  const MPI_Offset *start = nullptr, *count = nullptr, *stride = nullptr, *imap = nullptr;
  void *data = nullptr;
  MPI_Offset items = -1;  // of `datatype`; -1: as many as there are cells
  MPI_Datatype datatype = MPI_DATATYPE_NULL;
  MPI_Datatype file_type = MPI_DATATYPE_NULL;
  int *request = nullptr;
  // varn: sub-arrays of one variable. mput and mget: variables, each with its sub-array, values and datatype.
  int number = 0;
  MPI_Offset *const *starts = nullptr, *const *counts = nullptr, *const *strides = nullptr, *const *imaps = nullptr;
  const int *variables = nullptr;
  void *const *buffers = nullptr;
  const MPI_Offset *item_counts = nullptr;
  const MPI_Datatype *datatypes = nullptr;
};

int transfer(Dataset &own, const Access &access);
int transfer_many(Dataset &own, const Access &access);
/// vard: an MPI datatype says where the values are in the file.
int transfer_typed(Dataset &own, const Access &access);

// files.cpp: it is decided once, when a file is made or opened, whether it is ours or `real` makes or opens it.
struct Call {
  MPI_Comm comm;
  const char *path;
  int mode;
  MPI_Info info;
  bool is_new;
};
int begin(const Call &call, int *ncid, const std::function<int()> &real);
int inq_files_opened(int *count, int *ncids, const std::function<int()> &real);

// attributes.cpp
struct NewAttribute {
  int variable;
  const char *name;
  nc_type type;
  MPI_Offset length;
};
int put_att(Dataset &own, const NewAttribute &attribute, MPI_Datatype memory, const void *values);
int get_att(Dataset &own, int variable, const char *name, MPI_Datatype memory, void *values);
/// Between two files, at least one of which is ours.
int copy_att(int from, int from_variable, const char *name, int to, int to_variable);

}  // namespace sv::pnetcdf
