// Copies "hostile.zarr" to "copy.nc" as sv-copy does, once for each line that it reads, and answers each with a line:
// "read" or "refused", the most kB of memory that it has had so far, and the cause of a refusal. To start a program
// for each group takes longer than all else.
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <iostream>

#include "support/program.hpp"

namespace {

/// The copy of what claims to be large would be large; only what reading it takes is looked at.
void limit(int resource, rlim_t most) {
  const rlimit both{most, most};
  if (setrlimit(static_cast<__rlimit_resource>(resource), &both) != 0) std::abort();
}

long most_kb() {
#ifdef SV_SANITIZED
  return 0;
#else
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
#endif
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  std::signal(SIGXFSZ, SIG_IGN);
  limit(RLIMIT_FSIZE, rlim_t{4} << 20);
#ifndef SV_SANITIZED
  limit(RLIMIT_AS, rlim_t{4} << 30);
#endif
  for (std::string line; std::getline(std::cin, line);) {
    std::string verdict = "read", cause;
    try {
      sv_tools::copy_file({"sv-copy", "hostile.zarr", "copy.nc", SV_PUBLISHED, {}, true});
    } catch (const std::exception &error) {
      verdict = "refused";
      cause = error.what();
      std::replace(cause.begin(), cause.end(), '\n', ' ');
    }
    std::cout << verdict << ' ' << most_kb() << ' ' << cause << std::endl;
  }
  return MPI_Finalize();
}
