#include "transport/transfers.hpp"

#include "base/error.hpp"
#include "transport/patience.hpp"

namespace sv {

void Transfers::send(const std::byte *from, const Message &message, const Signal &signal) {
  in_flight_.push_back({MPI_REQUEST_NULL, signal});
  check_mpi(MPI_Isend(from, mpi_count(message.bytes), MPI_BYTE, message.rank, message.tag, node_.comm().get(),
                      &in_flight_.back().request),
            "MPI_Isend");
  ++sent_;
  sent_bytes_ += message.bytes;
}

void Transfers::receive(std::byte *to, const Message &message, const Signal &signal) {
  in_flight_.push_back({MPI_REQUEST_NULL, signal});
  check_mpi(MPI_Irecv(to, mpi_count(message.bytes), MPI_BYTE, message.rank, message.tag, node_.comm().get(),
                      &in_flight_.back().request),
            "MPI_Irecv");
}

void Transfers::progress() {
  std::erase_if(in_flight_, [](Transfer &transfer) {
    const bool done = is_done(transfer.request);
    if (done && transfer.signal.counter != nullptr) advance(*transfer.signal.counter, 1, transfer.signal.target);
    return done;
  });
}

void Transfers::wait(Counter &counter, uint32_t target, std::string_view whom) {
  Patience patience(node_);
  for (YieldBackoff rest; !in_flight_.empty(); rest()) {
    progress();
    if (node_.has_reached(counter, target)) return;
    node_.waits();
    if (patience.passed()) give_up(whom);
  }
  if (!patience.wait(counter, target)) give_up(whom);
}

void Transfers::wait(MPI_Request &request, std::string_view whom) {
  Patience patience(node_);
  for (YieldBackoff rest; !is_done(request); rest()) {
    progress();
    node_.check_poison();
    node_.waits();
    if (patience.passed()) give_up(whom);
  }
}

void Transfers::finish(std::string_view whom) {
  Patience patience(node_);
  YieldBackoff rest;
  for (progress(); !in_flight_.empty(); progress()) {
    node_.check_poison();
    node_.waits();
    if (patience.passed()) give_up(whom);
    rest();
  }
}

void Transfers::give_up(std::string_view whom) const {
  node_.give_up(Error(Status::timeout,
                      "the watchdog gave up: rank " + std::to_string(node_.rank()) + ", " + std::string(doing_) +
                          ", awaited " + std::string(whom) + " for " +
                          std::to_string(static_cast<int>(node_.watchdog_seconds())) + " s",
                      "See whether the file system or a rank is stuck; 'watchdog' sets the limit"));
}

}  // namespace sv
