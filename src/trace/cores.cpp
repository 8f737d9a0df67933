#include "trace/cores.hpp"

#include <sched.h>

#include <array>

namespace sv::trace {

namespace {

constexpr int most_cores = 8 * CPU_SETSIZE;  // the kernel refuses a mask that is smaller than its own

}  // namespace

std::string cores_of_process() {
  std::array<cpu_set_t, most_cores / CPU_SETSIZE> mask{};
  if (sched_getaffinity(0, sizeof mask, mask.data()) != 0) return "";
  const auto is_mine = [&mask](int core) {
    return core < most_cores && CPU_ISSET_S(static_cast<size_t>(core), sizeof mask, mask.data());
  };
  std::string list;  // by append(): GCC 12 wrongly warns that operator+ may overlap
  for (int first = 0; first < most_cores; ++first) {
    if (!is_mine(first)) continue;
    int last = first;
    while (is_mine(last + 1)) ++last;
    if (!list.empty()) list.push_back(',');
    list.append(std::to_string(first));
    if (last > first) list.append(1, '-').append(std::to_string(last));
    first = last;
  }
  return list;
}

std::string cores_note() {
  return std::string(R"({"kind":"cores","may_use":")").append(cores_of_process()).append("\"}");
}

}  // namespace sv::trace
