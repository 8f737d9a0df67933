#include "shared_block.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <stdexcept>

namespace sv_bench {

bool on_one_node(MPI_Comm comm) {
  MPI_Comm node = MPI_COMM_NULL;
  int here = 0, all = 0;
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_size(node, &here);
  MPI_Comm_size(comm, &all);
  MPI_Comm_free(&node);
  int equal = here == all ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &equal, 1, MPI_INT, MPI_MIN, comm);
  return equal == 1;
}

SharedBlock::SharedBlock(MPI_Comm comm, int64_t bytes) : bytes_(bytes) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  int descriptor = -1;
  std::array<int, 2> place{getpid(), -1};
  if (rank == 0) {
    descriptor = memfd_create("sv-bench", MFD_CLOEXEC);
    if (descriptor >= 0 && ftruncate(descriptor, bytes) == 0) place[1] = descriptor;
  }
  MPI_Bcast(place.data(), 2, MPI_INT, 0, comm);
  if (rank != 0 && place[1] >= 0) {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%d/fd/%d", place[0], place[1]);
    descriptor = open(path, O_RDWR | O_CLOEXEC);
  }
  void *memory = MAP_FAILED;
  if (descriptor >= 0 && place[1] >= 0)
    memory = mmap(nullptr, static_cast<size_t>(bytes), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  int good = memory != MAP_FAILED ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &good, 1, MPI_INT, MPI_MIN, comm);  // only then may rank 0 close
  if (descriptor >= 0) close(descriptor);
  if (memory != MAP_FAILED) data_ = static_cast<std::byte *>(memory);
  if (good == 0) {
    if (data_ != nullptr) munmap(data_, static_cast<size_t>(bytes));
    throw std::runtime_error("the ranks cannot share " + std::to_string(bytes) +
                             " bytes of memory: too little of it, or not all are on one node");
  }
}

SharedBlock::~SharedBlock() { munmap(data_, static_cast<size_t>(bytes_)); }

SharedBarrier::SharedBarrier(MPI_Comm comm) : memory_(comm, sizeof(pthread_barrier_t)) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  pthread_barrierattr_t attributes;
  int good = 1;
  if (rank == 0 && (pthread_barrierattr_init(&attributes) != 0 ||
                    pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED) != 0 ||
                    pthread_barrier_init(reinterpret_cast<pthread_barrier_t *>(memory_.data()), &attributes,
                                         static_cast<unsigned>(ranks)) != 0))
    good = 0;
  MPI_Bcast(&good, 1, MPI_INT, 0, comm);
  if (good == 0) throw std::runtime_error("floor: processes cannot share a barrier here");
}

}  // namespace sv_bench
