#include "config/site.hpp"

#include "base/this_library.hpp"

namespace sv {

std::string site_config_path(const Environment &variables) {
  if (const auto named = variables.find("SV_SITE_CONFIG"); named != variables.end()) return named->second;
  namespace fs = std::filesystem;
  const fs::path library = file_of_this_library(), of_system = "/etc/sverdrup/sverdrup.yaml";
  std::error_code none;
  if (!library.empty())
    if (const fs::path of_prefix = (library.parent_path() / SV_LIB_TO_SYSCONF / "sverdrup.yaml").lexically_normal();
        fs::exists(of_prefix, none))
      return of_prefix;
  return fs::exists(of_system, none) ? of_system : "";
}

ConfigText read_site_config(const Environment &variables) {
  const std::string path = site_config_path(variables);
  return {path, path.empty() ? "" : read_config_text(path, "the site's configuration")};
}

}  // namespace sv
