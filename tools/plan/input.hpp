// The text files that sv-plan reads: masks, machine profiles, cases and lists of configurations.
#pragma once

#include <string>

namespace sv_plan {

/// The whole text of a file. Throws Error(access) with the remedy where the file cannot be read, and Error(config)
/// where it is longer than 64 MiB, as devices such as /dev/zero are.
std::string input_text(const std::string &path, const std::string &what, const std::string &remedy);

}  // namespace sv_plan
