// MPI: calls in which ranks wait, recorded if they are inside another traced call. Arguments are words, in the order of
// the standard.
#include "tracer/mpi.hpp"

namespace sv::profile {
namespace {

#define SV_WORDS_1 (Word a), (a)
#define SV_WORDS_2 (Word a, Word b), (a, b)
#define SV_WORDS_3 (Word a, Word b, Word c), (a, b, c)
#define SV_WORDS_4 (Word a, Word b, Word c, Word d), (a, b, c, d)
#define SV_WORDS_5 (Word a, Word b, Word c, Word d, Word e), (a, b, c, d, e)
#define SV_WORDS_6 (Word a, Word b, Word c, Word d, Word e, Word f), (a, b, c, d, e, f)
#define SV_WORDS_7 (Word a, Word b, Word c, Word d, Word e, Word f, Word g), (a, b, c, d, e, f, g)
#define SV_WORDS_8 (Word a, Word b, Word c, Word d, Word e, Word f, Word g, Word h), (a, b, c, d, e, f, g, h)
#define SV_WORDS_9 (Word a, Word b, Word c, Word d, Word e, Word f, Word g, Word h, Word i), (a, b, c, d, e, f, g, h, i)
#define SV_WORDS_12                                                                                 \
  (Word a, Word b, Word c, Word d, Word e, Word f, Word g, Word h, Word i, Word j, Word k, Word l), \
      (a, b, c, d, e, f, g, h, i, j, k, l)

// Two steps, so that SV_WORDS_n has become two arguments.
#define SV_MPI_WAITING(name, words, ...) SV_MPI_WAITING_OF(name, words, __VA_ARGS__)
#define SV_MPI_WAITING_OF(name, ...) SV_MPI_BOTH(Layer::mpi, true, name, __VA_ARGS__)

void among(MpiCall &call, Word communicator) {
  call->argument(Argument::communicator, call.library().ranks(communicator));
}

void moves(MpiCall &call, Word count, Word datatype) {
  const int64_t bytes = call.library().type_bytes(datatype);
  if (bytes >= 0) {
    call->bytes(static_cast<int>(count) * bytes);
  }
}

void with(MpiCall &call, Word peer) { call->argument(Argument::peer, static_cast<int>(peer)); }

void waits_for(MpiCall &call, Word requests) { call->argument(Argument::requests, static_cast<int>(requests)); }

}  // namespace

SV_MPI_WAITING(Barrier, SV_WORDS_1, among(call, a))
SV_MPI_WAITING(Bcast, SV_WORDS_5, (moves(call, b, c), among(call, e)))
SV_MPI_WAITING(Reduce, SV_WORDS_7, (moves(call, c, d), among(call, g)))
SV_MPI_WAITING(Allreduce, SV_WORDS_6, (moves(call, c, d), among(call, f)))
SV_MPI_WAITING(Scan, SV_WORDS_6, (moves(call, c, d), among(call, f)))
SV_MPI_WAITING(Exscan, SV_WORDS_6, (moves(call, c, d), among(call, f)))
SV_MPI_WAITING(Reduce_scatter, SV_WORDS_6, among(call, f))
SV_MPI_WAITING(Reduce_scatter_block, SV_WORDS_6, among(call, f))
SV_MPI_WAITING(Gather, SV_WORDS_8, among(call, h))
SV_MPI_WAITING(Gatherv, SV_WORDS_9, among(call, i))
SV_MPI_WAITING(Scatter, SV_WORDS_8, among(call, h))
SV_MPI_WAITING(Scatterv, SV_WORDS_9, among(call, i))
SV_MPI_WAITING(Allgather, SV_WORDS_7, among(call, g))
SV_MPI_WAITING(Allgatherv, SV_WORDS_8, among(call, h))
SV_MPI_WAITING(Alltoall, SV_WORDS_7, among(call, g))
SV_MPI_WAITING(Alltoallv, SV_WORDS_9, among(call, i))
SV_MPI_WAITING(Alltoallw, SV_WORDS_9, among(call, i))
SV_MPI_WAITING(Send, SV_WORDS_6, (moves(call, b, c), with(call, d)))
SV_MPI_WAITING(Ssend, SV_WORDS_6, (moves(call, b, c), with(call, d)))
SV_MPI_WAITING(Recv, SV_WORDS_7, (moves(call, b, c), with(call, d)))
SV_MPI_WAITING(Sendrecv, SV_WORDS_12, (moves(call, b, c), with(call, d)))
SV_MPI_WAITING(Probe, SV_WORDS_4, with(call, a))
SV_MPI_WAITING(Mprobe, SV_WORDS_5, with(call, a))
SV_MPI_WAITING(Mrecv, SV_WORDS_5, moves(call, b, c))
SV_MPI_WAITING(Wait, SV_WORDS_2, waits_for(call, 1))
SV_MPI_WAITING(Waitall, SV_WORDS_3, waits_for(call, a))
SV_MPI_WAITING(Waitany, SV_WORDS_4, waits_for(call, a))
SV_MPI_WAITING(Waitsome, SV_WORDS_5, waits_for(call, a))
SV_MPI_WAITING(Comm_dup, SV_WORDS_2, among(call, a))
SV_MPI_WAITING(Comm_split, SV_WORDS_4, among(call, a))
SV_MPI_WAITING(Comm_split_type, SV_WORDS_5, among(call, a))
SV_MPI_WAITING(Comm_create, SV_WORDS_3, among(call, a))
SV_MPI_WAITING(Win_create, SV_WORDS_6, among(call, e))
SV_MPI_WAITING(Win_allocate_shared, SV_WORDS_6, among(call, d))
SV_MPI_WAITING(Win_fence, SV_WORDS_2)
SV_MPI_WAITING(Win_lock, SV_WORDS_4, with(call, b))
SV_MPI_WAITING(Win_unlock, SV_WORDS_2, with(call, a))
SV_MPI_WAITING(Win_unlock_all, SV_WORDS_1)
SV_MPI_WAITING(Win_flush, SV_WORDS_2, with(call, a))
SV_MPI_WAITING(Win_flush_all, SV_WORDS_1)
SV_MPI_WAITING(Win_complete, SV_WORDS_1)
SV_MPI_WAITING(Win_wait, SV_WORDS_1)
SV_MPI_WAITING(Win_free, SV_WORDS_1)

}  // namespace sv::profile
