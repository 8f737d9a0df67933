// What was taken over, and what was not and why, which sv-run prints at the end: a line for each opening (told.hpp).
#pragma once

#include <string>

namespace sv::netcdf {

struct Dataset;

void tell_taken(const Dataset &own, int code);
/// `reason`: in words.
void tell_left(const std::string &path, const std::string &reason);

}  // namespace sv::netcdf
