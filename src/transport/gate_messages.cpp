#include "transport/gate_messages.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "transport/all_enclosed.hpp"

namespace sv {

namespace {
constexpr int gate_tag = 1;
}

GateMessages::~GateMessages() {
  static auto &kept = *new std::vector<std::vector<std::byte>>;  // MPI may still read them
  std::move(outbox_.begin(), outbox_.end(), std::back_inserter(kept));
}

void GateMessages::clear() {
  enclosed.clear();
  sent.clear();
}

void GateMessages::sort_sent() {
  sent_by_.assign(static_cast<size_t>(node_.topology().nodes()), {});
  sent.for_each([&](int32_t node, std::span<const std::byte> piece) { sent_by_[static_cast<size_t>(node)] = piece; });
}

void GateMessages::send(const Ballot &ballot, int rank) {
  sending_.push_back(MPI_REQUEST_NULL);
  check_mpi(MPI_Isend(&ballot, sizeof ballot, MPI_BYTE, rank, gate_tag, node_.comm().get(), &sending_.back()),
            "MPI_Isend");
}

void GateMessages::send_all(Ballot ballot, const std::vector<int> &to) {
  ballot.enclosed_bytes = static_cast<int32_t>(enclosed.bytes().size());
  ballot.sent_bytes = static_cast<int32_t>(sent.bytes().size());
  std::vector<std::byte> &message = outbox_.emplace_back();
  for (const auto part : {std::as_bytes(std::span(&ballot, 1)), enclosed.bytes(), sent.bytes()})
    message.insert(message.end(), part.begin(), part.end());
  for (const int rank : to) {
    sending_.push_back(MPI_REQUEST_NULL);
    check_mpi(MPI_Isend(message.data(), mpi_count(std::ssize(message)), MPI_BYTE, rank, gate_tag, node_.comm().get(),
                        &sending_.back()),
              "MPI_Isend");
  }
}

void GateMessages::forget_sent() {
  sending_.clear();
  outbox_.clear();
}

MPI_Request GateMessages::receive(int rank) {
  if (!inbox_) inbox_ = std::make_unique_for_overwrite<std::byte[]>(static_cast<size_t>(most_bytes()));
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Irecv(inbox_.get(), mpi_count(most_bytes()), MPI_BYTE, rank, gate_tag, node_.comm().get(), &request),
            "MPI_Irecv");
  return request;
}

Ballot GateMessages::received() const {
  Ballot ballot;
  std::memcpy(&ballot, inbox_.get(), sizeof ballot);
  return ballot;
}

void GateMessages::take_received() {
  const Ballot ballot = received();
  const auto enclosed_bytes = static_cast<size_t>(ballot.enclosed_bytes);
  const std::span parcels(inbox_.get() + sizeof ballot, enclosed_bytes + static_cast<size_t>(ballot.sent_bytes));
  enclosed.add(parcels.first(enclosed_bytes));
  sent.add(parcels.subspan(enclosed_bytes));
}

int64_t GateMessages::most_bytes() const {
  const Topology &topology = node_.topology();
  return static_cast<int64_t>(sizeof(Ballot)) + Parcels::most_bytes(topology.ranks(), AllEnclosed::most_bytes) +
         Parcels::most_bytes(topology.nodes(), most_sent_bytes);
}

}  // namespace sv
