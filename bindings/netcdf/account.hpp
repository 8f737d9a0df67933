// What was taken over, and what was not and why: a line for each file, which sv-run prints at the end, in the file that
// the variable SV_RUN_FILES names; without it, nobody is told. tools/run/taken.hpp reads them.
#pragma once

#include <string>

namespace sv::netcdf {

struct Dataset;

void tell_taken(const Dataset &own, int code);
/// `reason`: in words.
void tell_left(const std::string &path, const std::string &reason);

}  // namespace sv::netcdf
