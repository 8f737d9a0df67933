! The calls of layers_fortran through the older module of MPI. In a file of its own, without a module that a program with mpi_f08
! could use: flang 19 compiles no program that sees both modules, even if only through another one.
subroutine call_older_mpi(rank)
  use mpi
  implicit none
  integer, intent(in) :: rank
  integer :: file, status(MPI_STATUS_SIZE), error
  double precision :: data(4)
  data = rank
  call MPI_File_open(MPI_COMM_WORLD, 'older.bin', ior(MPI_MODE_CREATE, MPI_MODE_WRONLY), MPI_INFO_NULL, file, error)
  call MPI_File_write_at_all(file, int(32*rank, MPI_OFFSET_KIND), data, 4, MPI_DOUBLE_PRECISION, status, error)
  call MPI_File_close(file, error)
end subroutine call_older_mpi

#ifdef WITH_PNETCDF
subroutine must(status)
  use mpi
  implicit none
  integer, intent(in) :: status
  integer :: error
  if (status /= 0) call MPI_Abort(MPI_COMM_WORLD, 1, error)
end subroutine must

subroutine call_pnetcdf(rank, ranks)
  use mpi
  implicit none
  include 'pnetcdf.inc'
  integer, intent(in) :: rank, ranks
  integer :: id, dim, field
  double precision :: data(2)
  data = rank
  call must(nfmpi_create(MPI_COMM_WORLD, 'pnetcdf.nc', NF_CLOBBER, MPI_INFO_NULL, id))
  call must(nfmpi_def_dim(id, 'x', int(2*ranks, MPI_OFFSET_KIND), dim))
  call must(nfmpi_def_var(id, 'field', NF_DOUBLE, 1, [dim], field))
  call must(nfmpi_enddef(id))
  call must(nfmpi_put_vara_double_all(id, field, [int(2*rank + 1, MPI_OFFSET_KIND)], [int(2, MPI_OFFSET_KIND)], data))
  call must(nfmpi_close(id))
end subroutine call_pnetcdf
#endif
