// binding.h: memory of a device, and memory that MPI datatypes describe, for callers that have it copied. Local.
#include "mpi/datatype.hpp"

#include "device/device.hpp"
#include "handles.hpp"
#include "mpi/datatype_runs.hpp"

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

/// `several`: becomes 0 where it has several basic types.
Datatype described(MPI_Datatype given, int *several) {
  try {
    return Datatype(given);
  } catch (const SeveralTypes &) {
    if (several != nullptr) *several = 0;
    throw;
  }
}

MPI_Comm comm_of(sv_context *io) {
  require(io, "io");
  return session(io)->context("a call on a datatype").comm.get();
}

}  // namespace

extern "C" {

int sv_inq_datatype(MPI_Datatype given, int64_t items, int *type, int64_t *values, int *contiguous) {
  return guarded([&] {
    const Datatype datatype = described(given, type);
    const DatatypeForm &form = datatype.form();
    if (type != nullptr) *type = static_cast<int>(form.type);
    if (values != nullptr) *values = datatype.values();
    if (contiguous != nullptr) *contiguous = form.is_row(items) && *form.row_begin == 0 ? 1 : 0;
  });
}

int sv_inq_datatype_runs(MPI_Datatype given, int64_t *runs, int64_t *offsets, int64_t *lengths) {
  return guarded([&] {
    const Datatype datatype(given);  // with its checks
    const std::vector<TypeRun> all = runs_of(given);
    for (size_t i = 0; offsets != nullptr && i < all.size(); ++i) offsets[i] = all[i].offset_bytes;
    for (size_t i = 0; lengths != nullptr && i < all.size(); ++i) lengths[i] = all[i].length_bytes;
    if (runs != nullptr) *runs = static_cast<int64_t>(all.size());
  });
}

int sv_inq_memory(const void *pointer, int *on_device) {
  return guarded([&] {
    require(on_device, "on_device");
    *on_device = Device::of(pointer) != nullptr ? 1 : 0;
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
