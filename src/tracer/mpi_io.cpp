// MPI-IO: functions that open, close, size and view files. Offsets are 64-bit (MPI_Offset).
#include "tracer/mpi_files.hpp"

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
  const char *name;
  Word comm;
  int mode;
  Word info;
};

template <typename Real>
int opens(MpiCall &call, const Opening &opening, const Word *file, Real real) {
  std::string path;
  if (call) {
    path = traced_file(opening.name);
    is_about(call, path);
    call->argument(Argument::mode, opening.mode);
    call->argument(Argument::communicator, call.library().ranks(opening.comm));
  }
  const int status = call.returns(real());
  if (status == 0 && file != nullptr) {
    if (call && call.library().rank(opening.comm) == 0 && mpi_files().is_new(path)) {
      note_hints(call, path, opening.info, *file);
    }
    mpi_files().opened(*file, std::move(path));
  }
  return status;
}

// The handle is gone when the function returns.
template <typename Real>
int closes(MpiCall &call, Word file, Real real) {
  mpi_files().about(call, file);
  const int status = call.returns(real());
  mpi_files().closed(file);
  return status;
}

struct View {
  int64_t displacement;
  Word unit, type;
};

template <typename Real>
int views(MpiCall &call, Word file, const View &view, Real real) {
  mpi_files().about(call, file);
  const int status = call.returns(real());
  if (status == 0) {
    const MpiLibrary &mpi = call.library();
    mpi_files().viewed(file, view.displacement, mpi.type_bytes(view.unit), mpi.same(view.unit, view.type));
  }
  if (call) {
    call->offset(view.displacement);
  }
  return status;
}

}  // namespace

SV_MPI_DOING(Layer::mpi_io, false, File_open, (Word comm, const char *name, int mode, Word info, Word *file),
             (comm, name, mode, info, file), return opens(call, {name, comm, mode, info}, file, real))
SV_MPI_DOING(Layer::mpi_io, false, File_close, (Word * file), (file), return closes(call, *file, real))
SV_MPI_DOING(Layer::mpi_io, false, File_set_view,
             (Word file, int64_t displacement, Word unit, Word type, const char *form, Word info),
             (file, displacement, unit, type, form, info), return views(call, file, {displacement, unit, type}, real))
SV_MPI_BOTH(Layer::mpi_io, false, File_delete, (const char *path, Word info), (path, info),
            is_about(call, traced_file(path)))
SV_MPI_FILE(File_set_size, (Word file, int64_t bytes), (file, bytes), call->argument(Argument::length, bytes))
SV_MPI_FILE(File_preallocate, (Word file, int64_t bytes), (file, bytes), call->argument(Argument::length, bytes))
SV_MPI_FILE(File_get_size, (Word file, int64_t *bytes), (file, bytes))
SV_MPI_FILE(File_sync, (Word file), (file))
SV_MPI_FILE(File_set_atomicity, (Word file, int on), (file, on), call->argument(Argument::mode, on))

}  // namespace sv::profile
