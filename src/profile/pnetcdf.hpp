// How the functions of PnetCDF are interposed (prototypes: pnetcdf.h of PnetCDF 1.12; MPI_Offset is 64-bit). Its
// Fortran interfaces call these.
#pragma once

#include "profile/dataset_calls.hpp"
#include "profile/mpi.hpp"

// A function about the dataset `ncid`, and `varid` or no_variable. The rest: what is told of it, with `call`.
#define SV_PN_CALL(name, parameters, values, varid, ...)         \
  SV_TRACED int name parameters {                                \
    static Traced<int parameters> traced(Layer::pnetcdf, #name); \
    DatasetCall call(traced, pnetcdf_datasets(), ncid, varid);   \
    __VA_ARGS__;                                                 \
    return call.returns(traced.real() values);                   \
  }

// X(type, bytes of an element in memory), for each type in the names of functions.
#define SV_PN_TYPES(X) \
  X(_text, 1)          \
  X(_schar, 1)         \
  X(_uchar, 1)         \
  X(_short, 2)         \
  X(_ushort, 2)        \
  X(_int, 4)           \
  X(_uint, 4)          \
  X(_float, 4)         \
  X(_long, 8)          \
  X(_double, 8)        \
  X(_longlong, 8)      \
  X(_ulonglong, 8)
