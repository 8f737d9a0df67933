#include "backend/access.hpp"

#include <cerrno>
#include <cstring>

namespace sv {

void ask_for_stripes(Access &access, const FileStripes &stripes) {
  access.stripes = stripes;
  const auto hint = [&access](const std::string &name, int64_t value) {
    std::erase_if(access.hints, [&name](const auto &each) { return each.first == name; });
    if (value > 0) access.hints.emplace_back(name, std::to_string(value));
  };
  hint("striping_factor", stripes.count);
  hint("striping_unit", stripes.unit_bytes);
}

bool has_changed(const FoundFiles &found, const std::string &path, const FileIdentity &now) {
  const FileIdentity known = found.of(path);
  return known.is_known() && known.modified_ns != now.modified_ns;
}

Error written_meanwhile() {
  return Error(Status::access, "another program wrote it while it was opened", "Open it again");
}

Status status_of_system(int system) { return system == ENOSPC || system == EDQUOT ? Status::no_space : Status::io; }

Error library_error(const LibraryFailure &failure) {
  std::string text = failure.library + ": " + failure.text_of_library;
  if (failure.system != 0) text += std::string(" (the system last said: ") + std::strerror(failure.system) + ")";
  return Error(failure.status, text,
               "The error is " + failure.library +
                   "'s or the file system's; the store 'cdf' reports the cause of a failed write exactly");
}

}  // namespace sv
