// Copies between two files, at least one of which is taken over. The numbers are those of the program.
#pragma once

namespace sv::netcdf {

int copy_att(int from, int from_variable, const char *name, int to, int to_variable);
int copy_var(int from, int number, int to);

}  // namespace sv::netcdf
