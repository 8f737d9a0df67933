// MPI-IO: functions that open, close, size and view files. Offsets are 64-bit (MPI_Offset).
#include "profile/mpi_files.hpp"

namespace sv::profile {
namespace {

#define SV_MPI_FILE(name, parameters, values, ...) \
  SV_MPI_BOTH(Layer::mpi_io, false, name, parameters, values, mpi_files().about(call, file); __VA_ARGS__)

// Names: of traced_file().
void is_about(MpiCall &call, const std::string &path) {
  if (path.empty()) {
    call->forget();
  } else {
    call->about(call->recorder().file(path));
  }
}

struct Opening {
  Word comm;
  int mode;
  Word info;
};

std::string opens(MpiCall &call, const char *name, const Opening &opening) {
  if (!call) {
    return "";
  }
  std::string path = traced_file(name);
  is_about(call, path);
  call->argument(Argument::mode, opening.mode);
  call->argument(Argument::communicator, call.library().ranks(opening.comm));
  return path;
}

int opened(MpiCall &call, int status, std::string path, const Opening &opening, const Word *file) {
  call.returns(status);
  if (status == 0 && file != nullptr) {
    if (call && call.library().rank(opening.comm) == 0 && mpi_files().is_new(path)) {
      note_hints(call, path, opening.info, *file);
    }
    mpi_files().opened(*file, std::move(path));
  }
  return status;
}

#define SV_MPI_OPENING(function)                                                                  \
  SV_TRACED int function(Word comm, const char *name, int mode, Word info, Word *file) {          \
    using Type = int(Word, const char *, int, Word, Word *);                                      \
    static Traced<Type> traced(Layer::mpi_io, "MPI_File_open"), target(Layer::mpi_io, #function); \
    const auto real = target.real();                                                              \
    MpiCall call(traced, reinterpret_cast<const void *>(real), false);                            \
    std::string path = opens(call, name, {comm, mode, info});                                     \
    const int status = real(comm, name, mode, info, file);                                        \
    return opened(call, status, std::move(path), {comm, mode, info}, file);                       \
  }

// The handle is gone when the function returns.
#define SV_MPI_CLOSING(function)                                                                          \
  SV_TRACED int function(Word *file) {                                                                    \
    static Traced<int(Word *)> traced(Layer::mpi_io, "MPI_File_close"), target(Layer::mpi_io, #function); \
    const auto real = target.real();                                                                      \
    MpiCall call(traced, reinterpret_cast<const void *>(real), false);                                    \
    const Word closed = *file;                                                                            \
    mpi_files().about(call, closed);                                                                      \
    const int status = call.returns(real(file));                                                          \
    mpi_files().closed(closed);                                                                           \
    return status;                                                                                        \
  }

#define SV_MPI_VIEWING(function)                                                                               \
  SV_TRACED int function(Word file, int64_t displacement, Word unit, Word view, const char *form, Word info) { \
    using Type = int(Word, int64_t, Word, Word, const char *, Word);                                           \
    static Traced<Type> traced(Layer::mpi_io, "MPI_File_set_view"), target(Layer::mpi_io, #function);          \
    const auto real = target.real();                                                                           \
    MpiCall call(traced, reinterpret_cast<const void *>(real), false);                                         \
    mpi_files().about(call, file);                                                                             \
    const int status = call.returns(real(file, displacement, unit, view, form, info));                         \
    if (status == 0) {                                                                                         \
      const MpiLibrary &mpi = call.library();                                                                  \
      mpi_files().viewed(file, displacement, mpi.type_bytes(unit), mpi.same(unit, view));                      \
    }                                                                                                          \
    if (call) {                                                                                                \
      call->offset(displacement);                                                                              \
    }                                                                                                          \
    return status;                                                                                             \
  }

}  // namespace

SV_MPI_OPENING(MPI_File_open)
SV_MPI_OPENING(PMPI_File_open)
SV_MPI_CLOSING(MPI_File_close)
SV_MPI_CLOSING(PMPI_File_close)
SV_MPI_VIEWING(MPI_File_set_view)
SV_MPI_VIEWING(PMPI_File_set_view)
SV_MPI_BOTH(Layer::mpi_io, false, File_delete, (const char *path, Word info), (path, info),
            is_about(call, traced_file(path)))
SV_MPI_FILE(File_set_size, (Word file, int64_t bytes), (file, bytes), call->argument(Argument::length, bytes))
SV_MPI_FILE(File_preallocate, (Word file, int64_t bytes), (file, bytes), call->argument(Argument::length, bytes))
SV_MPI_FILE(File_get_size, (Word file, int64_t *bytes), (file, bytes))
SV_MPI_FILE(File_sync, (Word file), (file))
SV_MPI_FILE(File_set_atomicity, (Word file, int on), (file, on), call->argument(Argument::mode, on))

}  // namespace sv::profile
