#include "cell_exchange.hpp"

#include <algorithm>
#include <optional>

#include "failure.hpp"
#include "number_type.hpp"
#include "shares.hpp"
#include "sharing.hpp"

namespace sv::streams {

namespace {

using Numbers = std::vector<int64_t>;
using Lists = std::vector<Numbers>;

std::optional<size_t> place_in(const Numbers &ascending, int64_t number) {
  const auto at = std::lower_bound(ascending.begin(), ascending.end(), number);
  if (at == ascending.end() || *at != number) return std::nullopt;
  return static_cast<size_t>(at - ascending.begin());
}

/// The owner of each asked cell, by the rank that knows it (Shares of all cells); -1: there is none.
Lists owners_of(sv_context *io, const Shares &shares, const Numbers &own, const Lists &asked) {
  const int64_t rank = rank_and_ranks(io).first;
  Lists mine(static_cast<size_t>(shares.ranks));
  for (const int64_t cell : own) mine[static_cast<size_t>(shares.owner(cell))].push_back(cell);
  const int64_t begin = shares.begin(rank);
  Numbers owners(static_cast<size_t>(shares.begin(rank + 1) - begin), -1);
  const Lists owned = exchanged(io, mine);
  for (size_t from = 0; from < owned.size(); ++from)
    for (const int64_t cell : owned[from]) owners[static_cast<size_t>(cell - begin)] = static_cast<int64_t>(from);
  Lists answers = exchanged(io, asked);
  for (Numbers &list : answers)
    for (int64_t &cell : list) cell = owners[static_cast<size_t>(cell - begin)];
  return exchanged(io, answers);
}

}  // namespace

CellExchange::CellExchange(sv_context *io, const NodeGroup &nodes, int64_t cells, const Numbers &own,
                           const Numbers &needed)
    : nodes_(&nodes), own_(own.size()), places_(needed.size(), no_place) {
  const Shares shares{cells, rank_and_ranks(io).second};
  const auto ranks = static_cast<size_t>(shares.ranks);
  Lists asked(ranks), requests(ranks);
  std::vector<std::vector<size_t>> asked_numbers(ranks), numbers(ranks);
  for (size_t i = 0; i < needed.size(); ++i) {
    if (const auto at = place_in(own, needed[i])) {
      places_[i] = static_cast<uint32_t>(*at);
      continue;
    }
    const auto knows = static_cast<size_t>(shares.owner(needed[i]));
    asked[knows].push_back(needed[i]);
    asked_numbers[knows].push_back(i);
  }
  const Lists owners = owners_of(io, shares, own, asked);
  for (size_t knows = 0; knows < ranks; ++knows)
    for (size_t i = 0; i < owners[knows].size(); ++i) {
      if (owners[knows][i] < 0) continue;
      const auto owner = static_cast<size_t>(owners[knows][i]);
      requests[owner].push_back(asked[knows][i]);
      numbers[owner].push_back(asked_numbers[knows][i]);
    }
  const Lists answers = place_cells(io, own, requests);
  for (size_t owner = 0; owner < ranks; ++owner)
    for (size_t i = 0; i < answers[owner].size(); ++i)
      places_[numbers[owner][i]] = static_cast<uint32_t>(static_cast<int64_t>(own_) +
                                                         blocks_.received[nodes.node_of(owner)] + answers[owner][i]);
}

/// A block has the cells of one rank after those of another, each once.
CellExchange::Lists CellExchange::place_cells(sv_context *io, const Numbers &own, const Lists &requests) {
  Lists answers = exchanged(io, requests), wanted(nodes_->nodes());
  for (size_t rank = 0; rank < answers.size(); ++rank) {
    Numbers &of_node = wanted[nodes_->node_of(rank)];
    of_node.insert(of_node.end(), answers[rank].begin(), answers[rank].end());
  }
  Numbers counts;
  for (Numbers &each : wanted) {
    std::sort(each.begin(), each.end());
    each.erase(std::unique(each.begin(), each.end()), each.end());
    counts.push_back(std::ssize(each));
  }
  const Numbers before = nodes_->add_up(counts);
  lay_out(io, counts, nodes_->swapped(counts));
  for (size_t node = 0; node < wanted.size(); ++node)
    for (size_t i = 0; i < wanted[node].size(); ++i)
      copies_.push_back({static_cast<uint32_t>(*place_in(own, wanted[node][i])),
                         static_cast<uint32_t>(blocks_.sent[node] + before[node] + static_cast<int64_t>(i))});
  for (size_t rank = 0; rank < answers.size(); ++rank) {
    const size_t node = nodes_->node_of(rank);
    for (int64_t &cell : answers[rank]) cell = before[node] + static_cast<int64_t>(*place_in(wanted[node], cell));
  }
  return exchanged(io, answers);
}

/// `sent`, `received`: cells by node.
void CellExchange::lay_out(sv_context *io, const Numbers &sent, const Numbers &received) {
  const size_t own = nodes_->node();
  blocks_.received.resize(sent.size());
  blocks_.sent.resize(sent.size());
  blocks_.cells = sent[own];
  const auto place = [&](Numbers &begins, const Numbers &counts) {
    for (size_t node = 0; node < counts.size(); ++node) {
      if (node == own) continue;
      begins[node] = blocks_.cells;
      blocks_.cells += counts[node];
    }
  };
  place(blocks_.received, received);
  blocks_.first_sent = blocks_.cells;
  place(blocks_.sent, sent);
  is_needed_ = largest_of_ranks(io, blocks_.cells) > 0;
  if (nodes_->is_first() && nodes_->nodes() > 1) connect(sent, received);
}

void CellExchange::connect(const Numbers &sent, const Numbers &received) {
  const auto messages_of = [&](const Numbers &counts, const Numbers &begins, int64_t first) {
    Messages made;
    for (size_t node = 0; node < counts.size(); ++node) {
      if (node == nodes_->node() || counts[node] == 0) continue;
      made.nodes.push_back(static_cast<int>(node));
      made.counts.push_back(static_cast<int>(counts[node]));
      made.begins.push_back(static_cast<int>(begins[node] - first));
    }
    return made;
  };
  sent_ = messages_of(sent, blocks_.sent, blocks_.first_sent);
  received_ = messages_of(received, blocks_.received, 0);
  const auto size = [](const Messages &of) { return static_cast<int>(of.nodes.size()); };
  MPI_Comm made = MPI_COMM_NULL;
  must_mpi(
      MPI_Dist_graph_create_adjacent(nodes_->first_ranks(), size(received_), received_.nodes.data(), MPI_UNWEIGHTED,
                                     size(sent_), sent_.nodes.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made),
      "MPI_Dist_graph_create_adjacent");
  neighbours_.reset(new MPI_Comm{made});
}

SharedRoom &CellExchange::room_of(size_t cell_bytes) {
  const size_t bytes = static_cast<size_t>(blocks_.cells) * cell_bytes;
  turn_ = 1 - turn_;
  std::unique_ptr<SharedRoom> &room = rooms_[turn_];
  if (!room || room->bytes() < bytes) {
    room.reset();
    room = std::make_unique<SharedRoom>(*nodes_, bytes);
  }
  return *room;
}

template <class Value>
void CellExchange::pack(const Value *values, size_t outer, size_t inner, std::byte *to) const {
  for (const auto &[own, place] : copies_) {
    Value *next = reinterpret_cast<Value *>(to) + place * outer * inner;
    for (size_t i = 0; i < outer; ++i)
      for (size_t k = 0; k < inner; ++k) *next++ = values[(i * own_ + own) * inner + k];
  }
}

const void *CellExchange::bring(int type, const void *values, size_t outer, size_t inner) {
  if (!is_needed_) return nullptr;
  size_t cell_bytes = outer * inner;
  with_type(type, [&](auto zero) { cell_bytes *= sizeof zero; });
  const SharedRoom &room = room_of(cell_bytes);
  with_type(type, [&](auto zero) { pack(static_cast<const decltype(zero) *>(values), outer, inner, room.data()); });
  room.meet();
  if (nodes_->nodes() == 1) return room.data();
  if (nodes_->is_first()) send(room.data(), cell_bytes);
  room.meet();
  return room.data();
}

void CellExchange::send(std::byte *cells, size_t cell_bytes) const {
  MPI_Datatype cell = MPI_DATATYPE_NULL;
  must_mpi(MPI_Type_contiguous(static_cast<int>(cell_bytes), MPI_BYTE, &cell), "MPI_Type_contiguous");
  must_mpi(MPI_Type_commit(&cell), "MPI_Type_commit");
  // Two addresses: some libraries refuse one for both.
  const std::byte *const sent = cells + static_cast<size_t>(blocks_.first_sent) * cell_bytes;
  std::byte *const received = received_.nodes.empty() ? nullptr : cells;
  const int code = MPI_Neighbor_alltoallv(sent, sent_.counts.data(), sent_.begins.data(), cell, received,
                                          received_.counts.data(), received_.begins.data(), cell, *neighbours_);
  MPI_Type_free(&cell);  // the error of the exchange is the one to report
  must_mpi(code, "MPI_Neighbor_alltoallv");
}

}  // namespace sv::streams
