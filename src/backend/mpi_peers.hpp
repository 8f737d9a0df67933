// Peers over MPI. The library makes one for the stores of a file (src/file/stores.hpp); the stores over MPI-IO, which
// open files with its communicator, know it by this type, and all others as Peers.
#pragma once

#include <list>

#include "backend/peers.hpp"
#include "mpi/comm.hpp"
#include "mpi/watch.hpp"

namespace sv {

class MpiPeers final : public Peers {
 public:
  /// This rank alone.
  explicit MpiPeers(const WatchSettings &watch) : watch_(watch) {}
  /// The ranks of `comm`, which is borrowed; rank 0 of it is the file's owner.
  MpiPeers(const Comm &comm, const WatchSettings &watch)
      : Peers(comm.rank(), comm.size()), comm_(comm.get()), watch_(watch) {}
  ~MpiPeers() override;

  MPI_Comm comm() const { return comm_; }
  const WatchSettings &watch_settings() const { return watch_; }

  void broadcast(std::vector<int64_t> &numbers) override;
  void send(int to, int tag, std::vector<int64_t> numbers) override;
  std::vector<int64_t> receive(int from, int tag) override;

 private:
  struct Sent {
    std::vector<int64_t> numbers;
    MPI_Request request;
  };
  void agree(const std::optional<Error> &error) override;
  int64_t largest(int64_t mine) override;
  Watch watch(const std::string &what) const { return {watch_, comm_, what}; }

  const MPI_Comm comm_ = MPI_COMM_SELF;
  const WatchSettings watch_;
  std::list<Sent> sent_;  // messages that MPI may still read
};

}  // namespace sv
