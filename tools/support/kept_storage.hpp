// How the variables of a copy are stored: as those of the file that is copied, but for what the settings say. Copying
// asks; on the public interface alone. Local.
#pragma once

#include <sverdrup/sverdrup.h>

#include <string>
#include <vector>

namespace sv_tools {

/// What of the storage of variables a copy keeps.
struct KeptStorage {
  bool chunks = true;
  bool filters = true;  // compression and checksums
};

/// Not what the settings of a run, "key=value", or its configuration say otherwise for the file `out`.
KeptStorage kept_storage(const sv_context *io, const std::string &out, const std::vector<std::string> &settings);

/// In define mode of `to`: asks for its variable what the one of `from`, which is open for reading, has. Returns what
/// of it cannot be kept, in words; "" where all is.
std::string keep_storage(sv_file *from, int from_var, sv_file *to, int to_var, const KeptStorage &kept);

}  // namespace sv_tools
