// What a call that moves values asks for, as the generated functions tell it: all of them end in the three functions
// below.
#pragma once

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

}  // namespace sv::pnetcdf
