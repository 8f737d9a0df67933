#include "sharing.hpp"

#include "failure.hpp"

namespace sv::streams {

namespace {

void must_mpi(int code, const char *call) {
  if (code != MPI_SUCCESS)
    throw Failure(SV_EMPI, std::string(call) + " failed", "The communicator's error handler may report more");
}

MPI_Comm comm_of(sv_context *io) {
  MPI_Comm comm = MPI_COMM_NULL;
  must(sv_model_comm(io, &comm));
  return comm;
}

}  // namespace

bool is_first_rank(sv_context *io) {
  int rank = 0;
  must_mpi(MPI_Comm_rank(comm_of(io), &rank), "MPI_Comm_rank");
  return rank == 0;
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

void add_over_ranks(sv_context *io, std::vector<ExactSum> &sums) {
  static_assert(sizeof(ExactSum) == ExactSum::words * sizeof(int64_t));
  if (sums.empty()) return;
  for (ExactSum &sum : sums) sum.carry();
  const auto words = static_cast<int>(sums.size()) * ExactSum::words;
  must_mpi(MPI_Allreduce(MPI_IN_PLACE, sums.front().data(), words, MPI_INT64_T, MPI_SUM, comm_of(io)), "MPI_Allreduce");
}

}  // namespace sv::streams
