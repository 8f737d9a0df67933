// MPI-IO: reads and writes. Bytes: count * size of the datatype, as requested. Offsets: in the file if there is no
// file type, otherwise unknown. MPI 4's functions with large counts (_c) too.
#include "tracer/mpi_files.hpp"

namespace sv::profile {
namespace {

void transfers(MpiCall &call, Word file, int64_t count, Word datatype) {
  mpi_files().about(call, file);
  const int64_t bytes = call.library().type_bytes(datatype);
  if (call && bytes >= 0) {
    call->bytes(count * bytes);
  }
}

void transfers_at(MpiCall &call, Word file, int64_t offset, int64_t count, Word datatype) {
  transfers(call, file, count, datatype);
  if (call) {
    call->offset(mpi_files().offset(file, offset));
  }
}

// At the file's pointer; `out`: a status or a request.
#define SV_MPI_HERE_OF(name, Count)                                                                       \
  SV_MPI_BOTH(Layer::mpi_io, false, name, (Word file, void *data, Count count, Word datatype, void *out), \
              (file, data, count, datatype, out), transfers(call, file, count, datatype))
// At an offset.
#define SV_MPI_AT_OF(name, Count)                                                             \
  SV_MPI_BOTH(Layer::mpi_io, false, name,                                                     \
              (Word file, int64_t offset, void *data, Count count, Word datatype, void *out), \
              (file, offset, data, count, datatype, out), transfers_at(call, file, offset, count, datatype))
#define SV_MPI_HERE_BEGINS_OF(name, Count)                                                     \
  SV_MPI_BOTH(Layer::mpi_io, false, name, (Word file, void *data, Count count, Word datatype), \
              (file, data, count, datatype), transfers(call, file, count, datatype))
#define SV_MPI_AT_BEGINS_OF(name, Count)                                                                       \
  SV_MPI_BOTH(Layer::mpi_io, false, name, (Word file, int64_t offset, void *data, Count count, Word datatype), \
              (file, offset, data, count, datatype), transfers_at(call, file, offset, count, datatype))
#define SV_MPI_ENDS(name)                                                                              \
  SV_MPI_BOTH(Layer::mpi_io, false, name, (Word file, void *data, void *status), (file, data, status), \
              mpi_files().about(call, file))
#define SV_MPI_COUNTS(kind, name) kind##_OF(name, int) kind##_OF(name##_c, int64_t)

#define SV_MPI_DIRECTION(read)                                   \
  SV_MPI_COUNTS(SV_MPI_HERE, File_##read)                        \
  SV_MPI_COUNTS(SV_MPI_HERE, File_##read##_all)                  \
  SV_MPI_COUNTS(SV_MPI_HERE, File_##read##_shared)               \
  SV_MPI_COUNTS(SV_MPI_HERE, File_##read##_ordered)              \
  SV_MPI_COUNTS(SV_MPI_HERE, File_i##read)                       \
  SV_MPI_COUNTS(SV_MPI_HERE, File_i##read##_all)                 \
  SV_MPI_COUNTS(SV_MPI_HERE, File_i##read##_shared)              \
  SV_MPI_COUNTS(SV_MPI_AT, File_##read##_at)                     \
  SV_MPI_COUNTS(SV_MPI_AT, File_##read##_at_all)                 \
  SV_MPI_COUNTS(SV_MPI_AT, File_i##read##_at)                    \
  SV_MPI_COUNTS(SV_MPI_AT, File_i##read##_at_all)                \
  SV_MPI_COUNTS(SV_MPI_HERE_BEGINS, File_##read##_all_begin)     \
  SV_MPI_COUNTS(SV_MPI_HERE_BEGINS, File_##read##_ordered_begin) \
  SV_MPI_COUNTS(SV_MPI_AT_BEGINS, File_##read##_at_all_begin)    \
  SV_MPI_ENDS(File_##read##_all_end)                             \
  SV_MPI_ENDS(File_##read##_ordered_end)                         \
  SV_MPI_ENDS(File_##read##_at_all_end)

}  // namespace

SV_MPI_DIRECTION(read)
SV_MPI_DIRECTION(write)

}  // namespace sv::profile
