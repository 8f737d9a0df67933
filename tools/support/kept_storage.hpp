// Stores the variables of a copy as those of the file that is copied, except where settings say otherwise. Copying
// calls this unit, which uses the public interface alone. Local; errors are std::runtime_error, as of must().
#pragma once

#include <sverdrup/sverdrup.h>

#include <string>
#include <vector>

namespace sv_tools {

/// The parts of the storage of variables that a copy keeps.
struct KeptStorage {
  bool chunks = true;
  bool filters = true;  // compression and checksums
};

/// Keeps a part unless the settings of the run, "key=value", or its configuration set a key of it for the file `out`.
KeptStorage kept_storage(const sv_context *io, const std::string &out, const std::vector<std::string> &settings);

/// In define mode of `to`: requests for its variable the storage of the one of `from`, which is open for reading.
/// Returns in words what cannot be kept; "" if everything is.
std::string keep_storage(sv_file *from, int from_var, sv_file *to, int to_var, const KeptStorage &kept);

}  // namespace sv_tools
