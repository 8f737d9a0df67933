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

void CellExchange::Messages::add(size_t rank, size_t length) {
  if (length == 0) return;
  ranks.push_back(static_cast<int>(rank));
  counts.push_back(static_cast<int>(length));
  begins.push_back(static_cast<int>(cells));
  cells += length;
}

CellExchange::CellExchange(sv_context *io, int64_t cells, const Numbers &own, const Numbers &needed)
    : own_(own.size()), places_(needed.size(), no_place) {
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
  const Lists requested = exchanged(io, requests);
  auto place = static_cast<uint32_t>(own_);
  for (size_t rank = 0; rank < ranks; ++rank) {
    for (const size_t number : numbers[rank]) places_[number] = place++;
    received_.add(rank, numbers[rank].size());
    for (const int64_t cell : requested[rank]) sent_cells_.push_back(static_cast<uint32_t>(*place_in(own, cell)));
    sent_.add(rank, requested[rank].size());
  }
  connect(io);
}

void CellExchange::connect(sv_context *io) {
  MPI_Comm model = MPI_COMM_NULL, made = MPI_COMM_NULL;
  must(sv_model_comm(io, &model));
  const auto size = [](const Messages &of) { return static_cast<int>(of.ranks.size()); };
  must_mpi(MPI_Dist_graph_create_adjacent(model, size(received_), received_.ranks.data(), MPI_UNWEIGHTED, size(sent_),
                                          sent_.ranks.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made),
           "MPI_Dist_graph_create_adjacent");
  neighbours_.reset(new MPI_Comm{made});
}

template <class Value>
void CellExchange::pack(const Value *values, size_t outer, size_t inner) {
  auto *to = reinterpret_cast<Value *>(sent_values_.data());
  for (const uint32_t cell : sent_cells_)
    for (size_t i = 0; i < outer; ++i)
      for (size_t k = 0; k < inner; ++k) *to++ = values[(i * own_ + cell) * inner + k];
}

const void *CellExchange::bring(int type, const void *values, size_t outer, size_t inner) {
  size_t bytes = outer * inner;
  with_type(type, [&](auto zero) {
    bytes *= sizeof zero;
    sent_values_.resize(sent_.cells * bytes);
    pack(static_cast<const decltype(zero) *>(values), outer, inner);
  });
  received_values_.resize(received_.cells * bytes);
  MPI_Datatype cell = MPI_DATATYPE_NULL;
  must_mpi(MPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &cell), "MPI_Type_contiguous");
  must_mpi(MPI_Type_commit(&cell), "MPI_Type_commit");
  const int code = MPI_Neighbor_alltoallv(sent_values_.data(), sent_.counts.data(), sent_.begins.data(), cell,
                                          received_values_.data(), received_.counts.data(), received_.begins.data(),
                                          cell, *neighbours_);
  MPI_Type_free(&cell);  // the error of the exchange is the one to report
  must_mpi(code, "MPI_Neighbor_alltoallv");
  return received_values_.data();
}

}  // namespace sv::streams
