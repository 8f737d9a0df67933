#include "room.hpp"

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <stdexcept>

namespace sv_bench {

namespace {

/// Memory that processes of this machine can still take; no limit if it is unknown.
int64_t free_memory_bytes() {
  std::ifstream file("/proc/meminfo");
  for (std::string key, rest; file >> key && std::getline(file, rest);) {
    if (key == "MemAvailable:") return std::stoll(rest) * 1024;
  }
  return std::numeric_limits<int64_t>::max();
}

int64_t needed_on_node(const Team &team, int64_t mine) {
  MPI_Comm node = MPI_COMM_NULL;
  if (MPI_Comm_split_type(team.comm, MPI_COMM_TYPE_SHARED, team.rank, MPI_INFO_NULL, &node) != MPI_SUCCESS)
    throw std::runtime_error("MPI cannot tell which ranks share a node");
  MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_INT64_T, MPI_SUM, node);
  MPI_Comm_free(&node);
  return mine;
}

std::string in_gigabytes(int64_t bytes) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g GB", static_cast<double>(bytes) / 1e9);
  return text.data();
}

/// Of the rank that lacks most: bytes that are needed, and that are there.
std::array<int64_t, 2> scarcest(const Team &team, int64_t needed, int64_t there) {
  struct {
    double lacking;
    int rank;
  } mine{static_cast<double>(needed) - static_cast<double>(there), team.rank}, most{};
  MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE_INT, MPI_MAXLOC, team.comm);
  std::array<int64_t, 2> found{needed, there};
  MPI_Bcast(found.data(), 2, MPI_INT64_T, most.rank, team.comm);
  return found;
}

}  // namespace

void require_room(const Team &team, const Need &need, const std::string &directory, const std::string &advice) {
  const auto memory = scarcest(team, needed_on_node(team, need.memory_bytes), free_memory_bytes());
  if (memory[0] > memory[1])
    throw std::invalid_argument("the ranks of a node need " + in_gigabytes(memory[0]) + " of memory, and " +
                                in_gigabytes(memory[1]) + " are free: " + advice);
  const auto there = static_cast<int64_t>(std::filesystem::space(directory).available);
  const auto files = scarcest(team, need.file_bytes, there);
  if (files[0] > files[1])
    throw std::invalid_argument("the files need " + in_gigabytes(files[0]) + " in '" + directory + "', where " +
                                in_gigabytes(files[1]) + " are free: " + advice);
}

}  // namespace sv_bench
