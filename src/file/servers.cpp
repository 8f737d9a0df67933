#include "file/servers.hpp"

#include <atomic>

namespace sv {

namespace {

std::atomic<int64_t> calls{0};  // of all threads
thread_local int64_t own_call = 0;

}  // namespace

void begin_call() { own_call = ++calls; }

int64_t current_call() { return own_call; }

}  // namespace sv
