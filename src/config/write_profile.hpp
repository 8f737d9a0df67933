// The part of a machine profile (docs/probe.md) about large writes on the probed storage. The settings hold it;
// `file/write_policy.hpp` applies it to a file.
#pragma once

#include <string>

namespace sv {

struct WriteProfile {
  struct Best {
    int depth = 1;
    bool direct = false;
  };
  Best written, on_disk;        // where writes are waited for; where they are waited for until they are on the disk
  std::string directory, date;  // that was probed, and when
  bool known = false;           // there is a profile, and it has all of these
};

/// From the text of a profile: throws Error(config) for one that is malformed. Profiles that were made before these
/// keys say nothing.
WriteProfile read_write_profile(const std::string &text, const std::string &path);

}  // namespace sv
