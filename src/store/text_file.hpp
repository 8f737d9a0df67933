// Small text files, such as the summary of a run.
#pragma once

#include <string>

namespace sv {

/// Writes a text into a file, in place of its contents. Follows links, and writes to pipes and devices. Throws
/// system_error with `what` and the path.
void write_text(const std::string &path, const std::string &text, const std::string &what);

}  // namespace sv
