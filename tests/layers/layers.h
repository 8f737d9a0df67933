/* Programs that make a known number of calls in each layer; layers_test.py knows what their traces must hold. */
#ifndef LAYERS_H
#define LAYERS_H

#include <mpi.h>
#include <stdio.h>

/* Every rank calls what its calls are about; ends the program where one fails. */
#define MUST(call)                                                            \
  do {                                                                        \
    const int status_ = (call);                                               \
    if (status_ != 0) {                                                       \
      fprintf(stderr, "%s:%d: %s: %d\n", __FILE__, __LINE__, #call, status_); \
      MPI_Abort(MPI_COMM_WORLD, 1);                                           \
    }                                                                         \
  } while (0)

void call_mpi_io(int rank, int ranks);
void call_netcdf(int rank, int ranks);
void call_netcdf_parallel(int rank, int ranks);
void call_pnetcdf(int rank, int ranks);
void call_sverdrup(int rank, int ranks);

#endif
