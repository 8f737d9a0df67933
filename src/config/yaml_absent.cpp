#ifndef SV_HAVE_YAML
#include "base/error.hpp"
#include "config/yaml_source.hpp"

namespace sv {

std::vector<Assignment> parse_yaml(const std::string &, const std::string &path) {
  throw Error(Status::not_compiled, "configuration files are not compiled into this Sverdrup",
              "Build it with yaml-cpp, or use environment variables (SV_ROUTE=serial) or arguments instead")
      .in_file(path);
}

}  // namespace sv
#endif
