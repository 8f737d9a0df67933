// How the functions of netCDF-C and PnetCDF are interposed, which are alike. Prototypes: netcdf.h of netCDF-C (size_t
// and ptrdiff_t are 64-bit), which netCDF's interfaces of Fortran, C++ and Python call; pnetcdf.h of PnetCDF 1.12
// (MPI_Offset is 64-bit), which its Fortran interfaces call.
#pragma once

#include "tracer/dataset_calls.hpp"

// A function about the dataset `ncid`, and `varid` or no_variable. The rest: statements that add arguments to `call`.
#define SV_DATASET_CALL(layer, name, parameters, values, varid, ...) \
  SV_TRACED int name parameters {                                    \
    static Traced<int parameters> traced(layer, #name);              \
    DatasetCall call(traced, ncid, varid);                           \
    __VA_ARGS__;                                                     \
    return call.returns(traced.real() values);                       \
  }
// A function that moves elements of one variable.
#define SV_DATASET_VALUES(layer, name, parameters, values, access, element_bytes, ...) \
  SV_TRACED int name parameters {                                                      \
    static Traced<int parameters> traced(layer, #name);                                \
    TransferCall call(traced, {ncid, varid}, access, element_bytes);                   \
    __VA_ARGS__;                                                                       \
    return call.returns(traced.real() values);                                         \
  }
// var, var1, vara, vars and varm of one name: `head`_var`tail`, as X(name, parameters, values, access, bytes).
// `memory`, `passed`: the parameters that follow those which choose the elements.
#define SV_DATASET_FAMILY(X, head, tail, memory, passed, bytes)                                                       \
  X(head##_var##tail, (int ncid, int varid SV_AND memory), (ncid, varid SV_AND passed), Access{}, bytes)              \
  X(head##_var1##tail, (int ncid, int varid, const int64_t *start SV_AND memory), (ncid, varid, start SV_AND passed), \
    (Access{Choice::one, start}), bytes)                                                                              \
  X(head##_vara##tail, (int ncid, int varid, const int64_t *start, const int64_t *count SV_AND memory),               \
    (ncid, varid, start, count SV_AND passed), (Access{Choice::block, start, count}), bytes)                          \
  X(head##_vars##tail,                                                                                                \
    (int ncid, int varid, const int64_t *start, const int64_t *count, const int64_t *stride SV_AND memory),           \
    (ncid, varid, start, count, stride SV_AND passed), (Access{Choice::block, start, count, stride}), bytes)          \
  X(head##_varm##tail,                                                                                                \
    (int ncid, int varid, const int64_t *start, const int64_t *count, const int64_t *stride,                          \
     const int64_t *imap SV_AND memory),                                                                              \
    (ncid, varid, start, count, stride, imap SV_AND passed), (Access{Choice::block, start, count, stride, imap}),     \
    bytes)
// X(..., type, bytes of an element in memory), for each type of number that stands in the names of functions of both.
#define SV_NUMBER_TYPES(X, ...) \
  X(__VA_ARGS__, _schar, 1)     \
  X(__VA_ARGS__, _uchar, 1)     \
  X(__VA_ARGS__, _short, 2)     \
  X(__VA_ARGS__, _ushort, 2)    \
  X(__VA_ARGS__, _int, 4)       \
  X(__VA_ARGS__, _uint, 4)      \
  X(__VA_ARGS__, _float, 4)     \
  X(__VA_ARGS__, _long, 8)      \
  X(__VA_ARGS__, _double, 8)    \
  X(__VA_ARGS__, _longlong, 8)  \
  X(__VA_ARGS__, _ulonglong, 8)
#define SV_NC_CALL(...) SV_DATASET_CALL(Layer::netcdf, __VA_ARGS__)
#define SV_PN_CALL(...) SV_DATASET_CALL(Layer::pnetcdf, __VA_ARGS__)
