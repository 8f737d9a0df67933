#include "memory.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace sv_bench {

namespace {

constexpr auto pause_between_readings = std::chrono::milliseconds(10);

int ranks_of(MPI_Comm comm) {
  int ranks = 0;
  MPI_Comm_size(comm, &ranks);
  return ranks;
}

}  // namespace

int64_t pss_bytes() {
  // Without buffers of its own: measuring must not change the memory.
  char text[2048];
  const int descriptor = open("/proc/self/smaps_rollup", O_RDONLY | O_CLOEXEC);
  const ssize_t length = descriptor >= 0 ? read(descriptor, text, sizeof text - 1) : -1;
  if (descriptor >= 0) close(descriptor);
  if (length <= 0) throw std::runtime_error("cannot read /proc/self/smaps_rollup, which Linux 4.14 and later have");
  text[length] = '\0';
  const char *line = std::strstr(text, "\nPss:");
  if (line == nullptr) throw std::runtime_error("/proc/self/smaps_rollup reports no Pss");
  return std::strtoll(line + 5, nullptr, 10) * 1024;
}

MemoryWatch::MemoryWatch(MPI_Comm comm)
    : comm_(comm), ranks_(ranks_of(comm)), shared_(comm, static_cast<int64_t>(sizeof(int64_t)) * (ranks_of(comm) + 1)) {
  MPI_Comm_rank(comm, &rank_);
  look();
  thread_ = std::thread([this] {
    while (!ends_) {
      look();
      std::this_thread::sleep_for(pause_between_readings);
    }
  });
}

MemoryWatch::~MemoryWatch() {
  ends_ = true;
  thread_.join();
}

int64_t MemoryWatch::sum_of_ranks() const {
  int64_t sum = 0;
  for (int r = 0; r < ranks_; ++r) sum += samples()[r].load();
  return sum;
}

void MemoryWatch::look() {
  samples()[rank_] = pss_bytes();
  const int64_t sum = sum_of_ranks();
  int64_t before = peak().load();
  while (sum > before && !peak().compare_exchange_weak(before, sum)) {
  }
}

void MemoryWatch::begin() {
  // Two rounds: a page's share changes when another rank maps it.
  for (int round = 0; round < 2; ++round) {
    MPI_Barrier(comm_);
    samples()[rank_] = pss_bytes();
  }
  MPI_Barrier(comm_);
  baseline_ = sum_of_ranks();
  MPI_Bcast(&baseline_, 1, MPI_INT64_T, 0, comm_);
  if (rank_ == 0) peak() = baseline_;
  MPI_Barrier(comm_);
}

int64_t MemoryWatch::peak_bytes_beyond() {
  look();
  MPI_Barrier(comm_);
  int64_t beyond = peak().load() - baseline_;
  MPI_Bcast(&beyond, 1, MPI_INT64_T, 0, comm_);
  MPI_Barrier(comm_);
  return beyond;
}

}  // namespace sv_bench
