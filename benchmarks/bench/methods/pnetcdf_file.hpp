// A file of a workload's schema, made by PnetCDF.
#pragma once

#include <pnetcdf.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "methods/methods.hpp"

namespace sv_bench {

inline void check_pnetcdf(int status, const char *call) {
  if (status != NC_NOERR) throw std::runtime_error(std::string("PnetCDF, ") + call + ": " + ncmpi_strerror(status));
}

/// CDF-5, out of define mode; `variables` gets their numbers. Collective over `comm`.
int create_pnetcdf(MPI_Comm comm, const Schema &schema, const std::string &path, const Hints &hints,
                   std::vector<int> &variables);

}  // namespace sv_bench
