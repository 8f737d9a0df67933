// The errors of ranks: the same code and the same text, soon.
#pragma once

#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "check.hpp"

namespace svtest {

/// The expected result of a faulty call.
struct Verdict {
  int status;
  std::vector<std::string> mentions;  // of the message
};

constexpr double soon_seconds = 5;
constexpr int most_text = 2048;

/// Collective over all ranks. `call` is made on every rank.
inline void expect(const std::string &name, const Verdict &verdict, const std::function<int()> &call) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  const int status = call();
  const double seconds = MPI_Wtime() - begin;
  const std::string text = status == SV_OK ? "" : sv_message();
  const std::string description = name + ": " + sv_strerror(status) + ", '" + text + "'";
  if (std::getenv("SV_TEST_VERBOSE") != nullptr && rank_in(MPI_COMM_WORLD) == 0)
    std::printf("%s\n", description.c_str());
  require(status == verdict.status, description + ", expected: " + sv_strerror(verdict.status));
  require(seconds < soon_seconds, description + ", but only after " + std::to_string(seconds) + " s");
  for (const std::string &mention : verdict.mentions)
    require(text.find(mention) != std::string::npos, description + " does not mention '" + mention + "'");
  char first[most_text] = "";
  std::strncpy(first, text.c_str(), most_text - 1);
  MPI_Bcast(first, most_text, MPI_CHAR, 0, MPI_COMM_WORLD);
  require(text.substr(0, most_text - 1) == first, description + ", but rank 0 got '" + first + "'");
}

}  // namespace svtest
