// MPI: beginning and end, which provide the identity of this process for the trace's header.
#include "tracer/mpi.hpp"

namespace sv::profile {
namespace {

void has_begun(const void *function) {
  if (trace::Recorder *traced = recorder()) {
    describe_world(*traced, mpi_library(function));
  }
}

void is_ending() {
  if (trace::Recorder *traced = recorder()) {
    traced->header().mpi_end_ns = traced->now_ns();
  }
}

#define SV_MPI_BEGINNING(name, parameters, values)           \
  SV_TRACED int name parameters {                            \
    static Traced<int parameters> traced(Layer::mpi, #name); \
    const auto real = traced.real();                         \
    const int status = real values;                          \
    if (status == 0) {                                       \
      has_begun(reinterpret_cast<const void *>(real));       \
    }                                                        \
    return status;                                           \
  }
#define SV_MPI_ENDING(name)                         \
  SV_TRACED int name() {                            \
    static Traced<int()> traced(Layer::mpi, #name); \
    is_ending();                                    \
    return traced.real()();                         \
  }

}  // namespace

SV_MPI_BEGINNING(MPI_Init, (int *argc, char ***argv), (argc, argv))
SV_MPI_BEGINNING(PMPI_Init, (int *argc, char ***argv), (argc, argv))
SV_MPI_BEGINNING(MPI_Init_thread, (int *argc, char ***argv, int wanted, int *given), (argc, argv, wanted, given))
SV_MPI_BEGINNING(PMPI_Init_thread, (int *argc, char ***argv, int wanted, int *given), (argc, argv, wanted, given))
SV_MPI_ENDING(MPI_Finalize)
SV_MPI_ENDING(PMPI_Finalize)

// Does not return: the trace contains an unfinished call.
SV_MPI_BOTH(Layer::mpi, false, Abort, (Word comm, int status), (comm, status), call->argument(Argument::status, status))

}  // namespace sv::profile
