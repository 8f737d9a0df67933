/* layers_calls PART...: calls the parts that are named, on all ranks of MPI_COMM_WORLD. */
#include <string.h>

#include "layers.h"

int main(int argc, char **argv) {
  int rank = 0, ranks = 0;
  MUST(MPI_Init(&argc, &argv));
  MUST(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  MUST(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
  MUST(MPI_Barrier(MPI_COMM_WORLD)); /* not inside another traced call: not recorded */
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "mpi_io") == 0) call_mpi_io(rank, ranks);
#ifdef WITH_NETCDF
    else if (strcmp(argv[i], "netcdf") == 0)
      call_netcdf(rank, ranks);
#endif
#ifdef WITH_NETCDF_PARALLEL
    else if (strcmp(argv[i], "netcdf_parallel") == 0)
      call_netcdf_parallel(rank, ranks);
#endif
#ifdef WITH_PNETCDF
    else if (strcmp(argv[i], "pnetcdf") == 0)
      call_pnetcdf(rank, ranks);
#endif
    else if (strcmp(argv[i], "sverdrup") == 0)
      call_sverdrup(rank, ranks);
    else {
      fprintf(stderr, "layers_calls: no such part: %s\n", argv[i]);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
  }
  MUST(MPI_Finalize());
  return 0;
}
