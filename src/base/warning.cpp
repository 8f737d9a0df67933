#include "base/warning.hpp"

#include <cstdio>

namespace sv {

void warn(const std::string &text) {
  std::fprintf(stderr, "sverdrup: warning: %s\n", text.c_str());
  std::fflush(stderr);
}

}  // namespace sv
