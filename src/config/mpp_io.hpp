// Translates the namelist group of FMS's parallel I/O, &mpp_io_nml (Yang, Ward, Evans 2020, section 2; FMS's
// mpp_io.F90), into assignments of our keys. The configuration calls it for a file that is a namelist.
#pragma once

#include <string>
#include <vector>

#include "config/assignment.hpp"

namespace sv {

struct MppIo {
  std::vector<Assignment> settings;  // for the whole run
  std::vector<std::string> notes;    // accepted keys without an effect, with the reason
};

/// Keys that are not given have FMS's defaults. Throws Error(config) where the group is missing or given twice, for
/// unknown keys (with the nearest), keys given twice, and bad values.
MppIo read_mpp_io(const std::string &text, const std::string &path);

}  // namespace sv
