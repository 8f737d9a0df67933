#include "cell_exchange.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "failure.hpp"
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

void CellExchange::Runs::add(size_t from, size_t to) {
  if (!all.empty() && all.back().from + all.back().length == from && all.back().to + all.back().length == to)
    ++all.back().length;
  else
    all.push_back({from, to, 1});
}

CellExchange::CellExchange(sv_context *io, int64_t cells, const Numbers &own, const Numbers &needed)
    : own_(own.size()), needed_(needed.size()) {
  const Shares shares{cells, rank_and_ranks(io).second};
  const auto ranks = static_cast<size_t>(shares.ranks);
  Lists asked(ranks), requests(ranks);
  std::vector<std::vector<size_t>> asked_places(ranks), places(ranks);
  for (size_t i = 0; i < needed.size(); ++i) {
    if (const auto at = place_in(own, needed[i])) {
      copies_.add(*at, i);
      continue;
    }
    const auto knows = static_cast<size_t>(shares.owner(needed[i]));
    asked[knows].push_back(needed[i]);
    asked_places[knows].push_back(i);
  }
  const Lists owners = owners_of(io, shares, own, asked);
  for (size_t knows = 0; knows < ranks; ++knows)
    for (size_t i = 0; i < owners[knows].size(); ++i) {
      if (owners[knows][i] < 0) continue;
      const auto owner = static_cast<size_t>(owners[knows][i]);
      requests[owner].push_back(asked[knows][i]);
      places[owner].push_back(asked_places[knows][i]);
    }
  const Lists requested = exchanged(io, requests);
  const auto count = [](Messages &messages, size_t rank, size_t length) {
    if (length == 0) return;
    messages.ranks.push_back(static_cast<int>(rank));
    messages.counts.push_back(static_cast<int>(length));
    messages.begins.push_back(static_cast<int>(messages.cells));
    messages.cells += length;
  };
  for (size_t rank = 0; rank < ranks; ++rank) {
    size_t at = received_.cells;
    for (const size_t place : places[rank]) received_.runs.add(at++, place);
    count(received_, rank, places[rank].size());
    at = sent_.cells;
    for (const int64_t cell : requested[rank]) sent_.runs.add(*place_in(own, cell), at++);
    count(sent_, rank, requested[rank].size());
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

const double *CellExchange::bring(const double *values, size_t outer, size_t inner, const ValueKind &kind) {
  constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
  const size_t count = outer * inner;
  if (values_.size() != needed_ * count) values_.assign(needed_ * count, nothing);  // cells without an owner stay so
  sent_values_.resize(sent_.cells * count);
  received_values_.resize(received_.cells * count);
  const auto take_own = [&](const Runs &runs, double *to) {
    for (const Run &run : runs.all)
      for (size_t i = 0; i < outer; ++i) {
        const double *const from = values + (i * own_ + run.from) * inner;
        double *const at = to + run.to * count + i * inner;
        for (size_t cell = 0; cell < run.length; ++cell)
          for (size_t k = 0; k < inner; ++k) {
            const double value = from[cell * inner + k];
            at[cell * count + k] = is_missing(kind, value) ? nothing : value;
          }
      }
  };
  take_own(sent_.runs, sent_values_.data());
  MPI_Datatype cell = MPI_DATATYPE_NULL;
  must_mpi(MPI_Type_contiguous(static_cast<int>(count), MPI_DOUBLE, &cell), "MPI_Type_contiguous");
  must_mpi(MPI_Type_commit(&cell), "MPI_Type_commit");
  const int code = MPI_Neighbor_alltoallv(sent_values_.data(), sent_.counts.data(), sent_.begins.data(), cell,
                                          received_values_.data(), received_.counts.data(), received_.begins.data(),
                                          cell, *neighbours_);
  MPI_Type_free(&cell);  // the error of the exchange is the one to report
  must_mpi(code, "MPI_Neighbor_alltoallv");
  take_own(copies_, values_.data());
  for (const Run &run : received_.runs.all)
    std::copy_n(received_values_.data() + run.from * count, run.length * count, values_.data() + run.to * count);
  return values_.data();
}

}  // namespace sv::streams
