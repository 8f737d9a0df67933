/* MPI-IO: one file of all ranks. */
#include "layers.h"

void call_mpi_io(int rank, int ranks) {
  double data[10] = {0};
  int some[4] = {rank, rank, rank, rank};
  MPI_File file;
  MPI_Info info;
  MPI_Request request;
  MPI_Offset bytes;
  MPI_Datatype every_other;
  MUST(MPI_Info_create(&info));
  MUST(MPI_Info_set(info, "cb_nodes", "1"));
  MUST(MPI_File_open(MPI_COMM_WORLD, "mpi_io.bin", MPI_MODE_CREATE | MPI_MODE_RDWR, info, &file));
  MUST(MPI_Info_free(&info));
  MUST(MPI_File_set_size(file, 80 * ranks));
  MUST(MPI_File_write_at(file, 80 * rank, data, 10, MPI_DOUBLE, MPI_STATUS_IGNORE));
  MUST(MPI_File_write_at_all(file, 80 * rank, data, 5, MPI_DOUBLE, MPI_STATUS_IGNORE));
  MUST(MPI_File_iwrite_at(file, 80 * rank, data, 2, MPI_DOUBLE, &request));
  MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
  MUST(MPI_File_write_at_all_begin(file, 80 * rank, data, 3, MPI_DOUBLE));
  MUST(MPI_File_write_at_all_end(file, data, MPI_STATUS_IGNORE));
  /* A view whose own places are the file's, from 240 on, and one whose are not. */
  MUST(MPI_File_set_view(file, 240, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
  MUST(MPI_File_write_at(file, 4 * rank, some, 4, MPI_INT, MPI_STATUS_IGNORE));
  MUST(MPI_Type_vector(4, 1, 2, MPI_INT, &every_other));
  MUST(MPI_Type_commit(&every_other));
  MUST(MPI_File_set_view(file, 4000 + 100 * rank, MPI_INT, every_other, "native", MPI_INFO_NULL));
  MUST(MPI_File_write_all(file, some, 4, MPI_INT, MPI_STATUS_IGNORE));
  MUST(MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
  MUST(MPI_File_read_at_all(file, 80 * rank, data, 1, every_other, MPI_STATUS_IGNORE));
  MUST(MPI_Type_free(&every_other));
  MUST(PMPI_File_sync(file));            /* as Fortran's interfaces call it */
  MUST(MPI_File_get_size(file, &bytes)); /* through tool.c */
  MUST(MPI_File_close(&file));
}
