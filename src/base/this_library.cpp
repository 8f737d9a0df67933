#include "base/this_library.hpp"

#include <dlfcn.h>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>

namespace sv {

std::filesystem::path file_of_this_library() {
  Dl_info reported{};
  dladdr(reinterpret_cast<const void *>(&file_of_this_library), &reported);
  const std::filesystem::path found = reported.dli_fname == nullptr ? "" : reported.dli_fname;
  if (found.is_absolute()) return found;
  const auto here = reinterpret_cast<uintptr_t>(&file_of_this_library);
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    uintptr_t begin = 0, end = 0;
    const size_t path = line.find('/');
    if (path == line.npos || std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR, &begin, &end) != 2) continue;
    if (begin <= here && here < end) return line.substr(path);
  }
  return {};
}

}  // namespace sv
