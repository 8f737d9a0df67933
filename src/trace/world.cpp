#include "trace/world.hpp"

#include <charconv>
#include <cstdlib>
#include <cstring>

namespace sv::trace {

namespace {

// -1 where the variable is not set, or is no number.
int number_in(const char *variable) {
  const char *const text = std::getenv(variable);
  int number = -1;
  if (text == nullptr) return -1;
  const auto [end, error] = std::from_chars(text, text + std::strlen(text), number);
  return error == std::errc() && *end == '\0' && number >= 0 ? number : -1;
}

}  // namespace

World world_of_environment() {
  // PMIx says no number of ranks. Slurm comes last: its variables also stand in the scripts that start a launcher.
  constexpr const char *variables[][2] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                          {"PMI_RANK", "PMI_SIZE"},
                                          {"PMIX_RANK", "SLURM_NTASKS"},
                                          {"SLURM_PROCID", "SLURM_NTASKS"}};
  for (const auto &[rank, ranks] : variables) {
    World world{number_in(rank), number_in(ranks)};
    if (world.rank < 0) continue;
    if (world.ranks <= world.rank) world.ranks = 0;
    return world;
  }
  return {};
}

}  // namespace sv::trace
