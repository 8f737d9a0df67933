#include "config/settings.hpp"

#include <fnmatch.h>

namespace sv {

const FileSettings &Settings::for_file(const std::string &path) const {
  const std::string last = path.substr(path.find_last_of('/') + 1);
  for (const auto &[pattern, file_settings] : patterns)
    if (fnmatch(pattern.c_str(), last.c_str(), 0) == 0 || fnmatch(pattern.c_str(), path.c_str(), 0) == 0)
      return file_settings;
  return file;
}

}  // namespace sv
