// sverdrup.h: memory that MPI datatypes describe, for callers that have it copied. Local.
#include "mpi/datatype.hpp"

#include "handles.hpp"

using namespace sv;
using namespace sv::c;

namespace {

Datatype copyable(int64_t items, MPI_Datatype given, MPI_Comm comm) {
  const Datatype datatype(given);
  if (items < 0) throw Error(Status::invalid, std::to_string(items) + " items", "Pass how many there are");
  datatype.check_committed(comm);
  datatype.check_copyable();
  return datatype;
}

MPI_Comm comm_of(sv_context *io) {
  require(io, "io");
  return session(io)->context("a call on a datatype").comm.get();
}

}  // namespace

extern "C" {

int sv_inq_datatype(MPI_Datatype given, int64_t items, int *type, int64_t *values, int *contiguous) {
  return guarded([&] {
    const Datatype datatype(given);
    const DatatypeForm &form = datatype.form();
    if (type != nullptr) *type = static_cast<int>(form.type);
    if (values != nullptr) *values = datatype.values();
    if (contiguous != nullptr) *contiguous = form.is_row(items) && *form.row_begin == 0 ? 1 : 0;
  });
}

int sv_gather_items(sv_context *io, const void *from, int64_t items, MPI_Datatype given, void *to) {
  return guarded([&] {
    const MPI_Comm comm = comm_of(io);
    copyable(items, given, comm).gather(from, items, static_cast<std::byte *>(to), comm);
  });
}

int sv_scatter_items(sv_context *io, const void *from, int64_t items, MPI_Datatype given, void *to) {
  return guarded([&] {
    const MPI_Comm comm = comm_of(io);
    copyable(items, given, comm).scatter(static_cast<const std::byte *>(from), items, to, comm);
  });
}
}
