#include "servers/idle_cores.hpp"

#include <sched.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>

namespace sv {

double idle_core_seconds() {
  cpu_set_t mine;
  CPU_ZERO(&mine);
  const auto ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
  if (ticks <= 0 || sched_getaffinity(0, sizeof mine, &mine) != 0) return 0;
  std::ifstream statistics("/proc/stat");
  double idle = 0;
  for (std::string line; std::getline(statistics, line) && line.compare(0, 3, "cpu") == 0;) {
    if (line.compare(3, 1, " ") == 0) continue;  // the sum of all
    int core = 0;
    unsigned long long user = 0, nice = 0, system = 0, nothing = 0, waits_for_disk = 0;
    if (std::sscanf(line.c_str(), "cpu%d %llu %llu %llu %llu %llu", &core, &user, &nice, &system, &nothing,
                    &waits_for_disk) == 6 &&
        core < CPU_SETSIZE && CPU_ISSET(core, &mine))
      idle += static_cast<double>(nothing + waits_for_disk) / ticks;
  }
  return idle;
}

}  // namespace sv
