// The method of large writes of a file (store/large_writes.hpp): by the keys write_depth and direct_io and, if these
// are `auto`, by sv-probe's measurements of this storage.
#pragma once

#include <memory>
#include <string>

#include "config/settings.hpp"
#include "store/large_writes.hpp"

namespace sv {

struct ChosenPolicy {
  WritePolicy policy;
  std::string description;  // the policy in force with its reason, for the summary; "": none was requested
};

/// Local. Looks at the file systems of `path` and of the folder that was probed. `lanes`: the context's.
ChosenPolicy write_policy(const Settings &settings, const FileSettings &file, const std::string &path,
                          std::shared_ptr<IoThreads> lanes);

}  // namespace sv
