#include "config/write_profile.hpp"

#include <algorithm>

#include "config/profile_lines.hpp"

namespace sv {

WriteProfile read_write_profile(const std::string &text, const std::string &path) {
  const auto lines = profile_lines(text, path);
  WriteProfile profile;
  profile.known = lines.count("write_depth") > 0 && lines.count("directory") > 0;
  if (!profile.known) return profile;
  const auto number = [&](const std::string &key, double least, double most) {
    const auto found = lines.find(key);
    return std::min(profile_number(key, found == lines.end() ? "" : found->second, least, path), most);
  };
  const auto best = [&](const std::string &prefix) {
    constexpr double most_depth = 64;
    return WriteProfile::Best{static_cast<int>(number(prefix + "write_depth", 1, most_depth)),
                              number(prefix + "direct_io", 0, 1) > 0};
  };
  profile.written = best("");
  profile.on_disk = best("synced_");
  profile.directory = lines.at("directory");
  const auto date = lines.find("measured");
  profile.date = date == lines.end() ? "unknown date" : date->second;
  return profile;
}

}  // namespace sv
