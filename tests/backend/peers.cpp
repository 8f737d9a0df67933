// The contract of Peers: over MPI, and of one rank alone.
// run: ranks=1 limit=30
// run: ranks=3 limit=30
#include "backend/mpi_peers.hpp"

#include <cstdio>
#include <string>

namespace {

int failures = 0;

void expect(bool holds, const char *what) {
  if (holds) return;
  ++failures;
  std::fprintf(stderr, "not so: %s\n", what);
}

std::string thrown(sv::Peers &peers, int failing) {
  try {
    peers.together([&] {
      if (peers.rank() >= failing)
        throw sv::Error(sv::Status::no_space, "rank " + std::to_string(peers.rank()), "none");
    });
  } catch (const sv::Error &error) {
    return (error.status() == sv::Status::no_space ? "" : "another status: ") + std::string(error.what());
  }
  return "";
}

void check(sv::Peers &peers) {
  const int last = peers.size() - 1;
  expect(peers.is_owner() == (peers.rank() == 0) && peers.alone() == (peers.size() == 1), "who is the owner and alone");
  expect(thrown(peers, peers.size()).empty(), "nothing is thrown where no rank fails");
  for (int failing = 0; failing <= last; ++failing)
    expect(thrown(peers, failing).find("rank " + std::to_string(failing)) != std::string::npos,
           "the error of the lowest failed rank");
  expect(peers.most(peers.rank() + 2) == last + 2, "the largest number");
  expect(peers.most(peers.rank() == last ? -1 : 7) == 0, "0 where a number is negative");
  std::vector<int64_t> numbers{peers.rank() == 0 ? 5 : 9};
  if (peers.rank() == 0) numbers.push_back(6);
  peers.broadcast(numbers);
  expect(numbers == std::vector<int64_t>{5, 6}, "the owner's numbers");
  constexpr int tag = 30000;
  for (int64_t number = 0; number < 3 && peers.rank() == last && last > 0; ++number)
    peers.send(0, tag, std::vector<int64_t>(static_cast<size_t>(number), number));
  for (int64_t number = 0; number < 3 && peers.is_owner() && last > 0; ++number)
    expect(peers.receive(last, tag) == std::vector<int64_t>(static_cast<size_t>(number), number), "messages in order");
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  sv::Peers alone;
  check(alone);
  sv::MpiPeers self{sv::WatchSettings()};
  check(self);
  sv::Comm comm = sv::Comm::duplicate(MPI_COMM_WORLD);
  {
    sv::MpiPeers all(comm, sv::WatchSettings());
    check(all);
  }
  comm.free();
  MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return failures == 0 ? 0 : 1;
}
