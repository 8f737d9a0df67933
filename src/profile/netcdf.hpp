// How the functions of netCDF-C are interposed (prototypes: netcdf.h of netCDF-C; size_t and ptrdiff_t are 64-bit).
// netCDF's Fortran and C++ interfaces and those of Python call these.
#pragma once

#include "profile/dataset_calls.hpp"

// A function about the dataset `ncid`, and `varid` or no_variable. The rest: what is told of it, with `call`.
#define SV_NC_CALL(name, parameters, values, varid, ...)        \
  SV_TRACED int name parameters {                               \
    static Traced<int parameters> traced(Layer::netcdf, #name); \
    DatasetCall call(traced, netcdf_datasets(), ncid, varid);   \
    __VA_ARGS__;                                                \
    return call.returns(traced.real() values);                  \
  }
