// Chunks are compressed with as many threads as the system gives: with four, with two, and with no other than the
// caller's. An error in one of them is the caller's in each case.
#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <vector>

#include "backend/netcdf4/encoder.hpp"
#include "base/error.hpp"

namespace {

std::atomic<int> allowed{0}, denied{0};

constexpr size_t jobs = 200;

bool all_are_done(int threads) {
  std::vector<sv::netcdf4::Encoder> encoders;
  for (int i = 0; i < 4; ++i) encoders.emplace_back("auto");
  allowed = threads;
  denied = 0;
  std::vector<std::atomic<int>> done(jobs);
  sv::netcdf4::encode_all(encoders, jobs, [&](auto &, size_t number) { ++done[number]; });
  for (const auto &each : done)
    if (each != 1) return false;
  return (denied > 0) == (threads < 3);
}

bool error_comes(int threads) {
  std::vector<sv::netcdf4::Encoder> encoders;
  for (int i = 0; i < 4; ++i) encoders.emplace_back("auto");
  allowed = threads;
  try {
    sv::netcdf4::encode_all(encoders, jobs, [](auto &, size_t number) {
      if (number == 7) throw sv::Error(sv::Status::format, "the seventh", "none");
    });
  } catch (const sv::Error &) {
    return true;
  }
  return false;
}

}  // namespace

/// The one that std::thread calls.
extern "C" __attribute__((visibility("default"))) int pthread_create(pthread_t *thread, const pthread_attr_t *how,
                                                                     void *(*work)(void *), void *with) {
  using Create = int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  static const auto create = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  if (allowed-- > 0) return create(thread, how, work, with);
  ++denied;
  return EAGAIN;
}

int main() {
  int wrong = 0;
  for (const int threads : {3, 1, 0}) {
    if (!all_are_done(threads)) ++wrong, std::printf("with %d more threads: not all is done once\n", threads);
    if (!error_comes(threads)) ++wrong, std::printf("with %d more threads: the error does not come\n", threads);
  }
  return wrong;
}
