#include "faults.hpp"

#include <fnmatch.h>

#include <csignal>
#include <cstring>
#include <ctime>

#include "call.hpp"
#include "shared_state.hpp"
#include "shim.h"

namespace sv_shim {

namespace {

std::atomic<int64_t> own_operations[max_faults];

bool concerns(const Configuration &c, const char *path) {
  if (!c.faults_on_this_rank || !is_below(c.fault_directory, path)) return false;
  const char *slash = std::strrchr(path, '/');
  return c.fault_match == nullptr || fnmatch(c.fault_match, slash != nullptr ? slash + 1 : path, 0) == 0;
}

void wait_for(int milliseconds) {
  const timespec time{milliseconds / 1000, milliseconds % 1000 * 1000000L};
  nanosleep(&time, nullptr);
}

}  // namespace

Verdict judge(Operation operation, const char *path) {
  const Configuration &c = configuration();
  Verdict verdict;
  if (c.n_faults == 0 || !concerns(c, path)) return verdict;
  for (int f = 0; f < c.n_faults; ++f) {
    const Fault &fault = c.faults[f];
    if (fault.operation != operation && fault.operation != Operation::any) continue;
    std::atomic<int64_t> &counter = c.faults_per_process ? own_operations[f] : shared_state().fault_operations[f];
    const int64_t number = ++counter;
    if (number < fault.first || number > fault.last) continue;
    if (fault.effect == Effect::kill) raise(SIGKILL);
    if (fault.effect == Effect::delay) wait_for(fault.error);
    if (fault.effect == Effect::shorten) verdict.shorten = true;
    if (fault.effect == Effect::error) verdict.error = fault.error;
  }
  return verdict;
}

}  // namespace sv_shim

SV_SHIM_EXPORT int sv_shim_change_faults(const char *faults) {
  using namespace sv_shim;
  if (!change_faults(faults)) return 0;
  for (int f = 0; f < max_faults; ++f) {
    own_operations[f] = 0;
    shared_state().fault_operations[f] = 0;
  }
  return 1;
}

SV_SHIM_EXPORT int64_t sv_shim_fault_operations(int fault) {
  using namespace sv_shim;
  return fault >= 0 && fault < configuration().n_faults ? shared_state().fault_operations[fault].load() : 0;
}
