// Which variables of a file hold the topography and its coordinates. CF conventions 1.11, sections 4.1, 4.2.
#pragma once

#include <string>

#include "sverdrup/grid.h"

namespace sv::grid {

struct SourceVariables {
  int values = -1, longitude = -1, latitude = -1;  // ids
  int ndims = 0;                                   // of `values`; the last two are latitude and longitude
  int64_t ny = 0, nx = 0;
  bool is_depth = false;  // positive down
};

/// Local. By the names in the request, or by attributes. Throws Failure.
SourceVariables find_variables(const sv_file *file, const sv_grid_request &request);

/// "" where there is none, or it is not text.
std::string text_attribute(const sv_file *file, int var, const char *name);

}  // namespace sv::grid
