#include "sharing.hpp"

#include <numeric>

#include "failure.hpp"

namespace sv::streams {

namespace {

MPI_Comm comm_of(sv_context *io) {
  MPI_Comm comm = MPI_COMM_NULL;
  must(sv_model_comm(io, &comm));
  return comm;
}

std::vector<int> begins_of(const std::vector<int> &counts) {
  std::vector<int> begins(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), begins.begin(), 0);
  return begins;
}

template <class Number>
std::vector<Number> joined_of(sv_context *io, const std::vector<Number> &numbers, MPI_Datatype type) {
  const auto own = static_cast<int>(numbers.size());
  std::vector<int> counts(static_cast<size_t>(rank_and_ranks(io).second));
  must_mpi(MPI_Allgather(&own, 1, MPI_INT, counts.data(), 1, MPI_INT, comm_of(io)), "MPI_Allgather");
  const std::vector<int> begins = begins_of(counts);
  std::vector<Number> made(static_cast<size_t>(begins.back() + counts.back()));
  must_mpi(MPI_Allgatherv(numbers.data(), own, type, made.data(), counts.data(), begins.data(), type, comm_of(io)),
           "MPI_Allgatherv");
  return made;
}

}  // namespace

void must_mpi(int code, const char *call) {
  if (code != MPI_SUCCESS)
    throw Failure(SV_EMPI, std::string(call) + " failed", "The communicator's error handler may report more");
}

bool is_first_rank(sv_context *io) { return rank_and_ranks(io).first == 0; }

std::pair<int64_t, int64_t> rank_and_ranks(sv_context *io) {
  int rank = 0, ranks = 0;
  must_mpi(MPI_Comm_rank(comm_of(io), &rank), "MPI_Comm_rank");
  must_mpi(MPI_Comm_size(comm_of(io), &ranks), "MPI_Comm_size");
  return {rank, ranks};
}

void share(sv_context *io, int &number) { must_mpi(MPI_Bcast(&number, 1, MPI_INT, 0, comm_of(io)), "MPI_Bcast"); }

void share(sv_context *io, std::string &text) {
  auto length = static_cast<int>(text.size());
  share(io, length);
  text.resize(static_cast<size_t>(length));
  must_mpi(MPI_Bcast(text.data(), length, MPI_CHAR, 0, comm_of(io)), "MPI_Bcast");
}

int64_t largest_of_ranks(sv_context *io, int64_t number) {
  must_mpi(MPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_INT64_T, MPI_MAX, comm_of(io)), "MPI_Allreduce");
  return number;
}

void take_least(sv_context *io, std::vector<int64_t> &numbers) {
  must_mpi(
      MPI_Allreduce(MPI_IN_PLACE, numbers.data(), static_cast<int>(numbers.size()), MPI_INT64_T, MPI_MIN, comm_of(io)),
      "MPI_Allreduce");
}

void take_least(sv_context *io, std::vector<double> &numbers) {
  must_mpi(
      MPI_Allreduce(MPI_IN_PLACE, numbers.data(), static_cast<int>(numbers.size()), MPI_DOUBLE, MPI_MIN, comm_of(io)),
      "MPI_Allreduce");
}

std::vector<int64_t> joined(sv_context *io, const std::vector<int64_t> &numbers) {
  return joined_of(io, numbers, MPI_INT64_T);
}

std::vector<double> joined(sv_context *io, const std::vector<double> &numbers) {
  return joined_of(io, numbers, MPI_DOUBLE);
}

void exchange_counts(sv_context *io, const std::vector<int> &counts, std::vector<int> &received) {
  received.resize(counts.size());
  must_mpi(MPI_Alltoall(counts.data(), 1, MPI_INT, received.data(), 1, MPI_INT, comm_of(io)), "MPI_Alltoall");
}

void exchange_items(sv_context *io, const ItemCounts &counts, const void *items, void *received) {
  const std::vector<int> begins = begins_of(counts.sent), received_begins = begins_of(counts.received);
  MPI_Datatype item = MPI_DATATYPE_NULL;
  must_mpi(MPI_Type_contiguous(static_cast<int>(counts.item_bytes), MPI_BYTE, &item), "MPI_Type_contiguous");
  must_mpi(MPI_Type_commit(&item), "MPI_Type_commit");
  const int code = MPI_Alltoallv(items, counts.sent.data(), begins.data(), item, received, counts.received.data(),
                                 received_begins.data(), item, comm_of(io));
  MPI_Type_free(&item);  // the error of the exchange is the one to report
  must_mpi(code, "MPI_Alltoallv");
}

void add_over_ranks(sv_context *io, std::vector<ExactSum> &sums) {
  static_assert(sizeof(ExactSum) == ExactSum::words * sizeof(int64_t));
  if (sums.empty()) return;
  for (ExactSum &sum : sums) sum.carry();
  const auto words = static_cast<int>(sums.size()) * ExactSum::words;
  must_mpi(MPI_Allreduce(MPI_IN_PLACE, sums.front().data(), words, MPI_INT64_T, MPI_SUM, comm_of(io)), "MPI_Allreduce");
}

}  // namespace sv::streams
