#include "transport/gate_messages.hpp"

#include <cstring>
#include <iterator>

#include "transport/all_enclosed.hpp"

namespace sv {

namespace {
constexpr int gate_tag = 1, deed_tag = 2;
constexpr size_t head_bytes = offsetof(Ballot, call);  // of a message; then parcels, and the words of the ballot
static_assert(offsetof(Ballot, text) == head_bytes + call_bytes);
}  // namespace

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

/// The message must stay until it has gone.
void GateMessages::begin(int rank, int tag, const std::vector<std::byte> &message) {
  sending_.push_back(MPI_REQUEST_NULL);
  check_mpi(MPI_Isend(message.data(), mpi_count(std::ssize(message)), MPI_BYTE, rank, tag, node_.comm().get(),
                      &sending_.back()),
            "MPI_Isend");
}

std::vector<std::byte> &GateMessages::packed(Ballot ballot, std::span<const std::byte> enclosures,
                                             std::span<const std::byte> pieces) {
  ballot.enclosed_bytes = static_cast<int32_t>(enclosures.size());
  ballot.sent_bytes = static_cast<int32_t>(pieces.size());
  std::vector<std::byte> &message = outbox_.emplace_back();
  const auto whole = std::as_bytes(std::span(&ballot, 1));
  const auto words = [](const char *text) { return std::as_bytes(std::span(text, std::strlen(text) + 1)); };
  for (const auto part :
       {whole.first(head_bytes), enclosures, pieces, words(ballot.call.text()), words(ballot.text.text())})
    message.insert(message.end(), part.begin(), part.end());
  return message;
}

void GateMessages::send(const Ballot &ballot, int rank) { begin(rank, gate_tag, packed(ballot, {}, {})); }

void GateMessages::send_all(const Ballot &ballot, const std::vector<int> &to) {
  const std::vector<std::byte> &message = packed(ballot, enclosed.bytes(), sent.bytes());
  for (const int rank : to) begin(rank, gate_tag, message);
}

void GateMessages::send_deed(const Ballot &ballot, int rank) {
  begin(rank, deed_tag, packed(ballot, {}, sent.bytes()));
}

bool GateMessages::has_deed(int root) const {
  int there = 0;
  check_mpi(MPI_Iprobe(root, deed_tag, node_.comm().get(), &there, MPI_STATUS_IGNORE), "MPI_Iprobe");
  return there != 0;
}

void GateMessages::forget_sent() {
  sending_.clear();
  outbox_.clear();
}

MPI_Request GateMessages::receive(int rank, bool of_deed) {
  auto &inbox = inboxes_[of_deed];
  if (!inbox) inbox = std::make_unique_for_overwrite<std::byte[]>(static_cast<size_t>(most_bytes()));
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Irecv(inbox.get(), mpi_count(most_bytes()), MPI_BYTE, rank, of_deed ? deed_tag : gate_tag,
                      node_.comm().get(), &request),
            "MPI_Irecv");
  return request;
}

Ballot GateMessages::received(bool of_deed) const {
  Ballot ballot;
  std::memcpy(static_cast<void *>(&ballot), inboxes_[of_deed].get(), head_bytes);
  const auto parcels_bytes = static_cast<size_t>(ballot.enclosed_bytes) + static_cast<size_t>(ballot.sent_bytes);
  const auto *words = reinterpret_cast<const char *>(inboxes_[of_deed].get() + head_bytes + parcels_bytes);
  ballot.call = words;
  ballot.text = words + std::strlen(words) + 1;
  return ballot;
}

void GateMessages::take_received(bool of_deed) {
  const Ballot ballot = received(of_deed);
  const auto enclosed_bytes = static_cast<size_t>(ballot.enclosed_bytes);
  const std::span parcels(inboxes_[of_deed].get() + head_bytes,
                          enclosed_bytes + static_cast<size_t>(ballot.sent_bytes));
  enclosed.add(parcels.first(enclosed_bytes));
  sent.add(parcels.subspan(enclosed_bytes));
}

int64_t GateMessages::most_bytes() const {
  const Topology &topology = node_.topology();
  return static_cast<int64_t>(sizeof(Ballot)) + PackedPieces::most_bytes(topology.ranks(), AllEnclosed::most_bytes) +
         PackedPieces::most_bytes(topology.nodes(), most_sent_bytes);
}

}  // namespace sv
