! What Fortran's interfaces call arrives in the layers under their C names: MPI-IO by both modules of MPI, PnetCDF,
! netCDF, Sverdrup. layers_test.py knows what the traces must hold.
module layers_older
  use mpi
  implicit none
contains
  subroutine call_older_mpi(rank)
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
    integer, intent(in) :: status
    integer :: error
    if (status /= 0) call MPI_Abort(MPI_COMM_WORLD, 1, error)
  end subroutine must

  subroutine call_pnetcdf(rank, ranks)
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
end module layers_older

#ifdef WITH_NETCDF
module layers_netcdf
  use netcdf
  implicit none
contains
  subroutine call_netcdf(rank)
    integer, intent(in) :: rank
    integer :: id, dim, field, status
    character(len=24) :: name
    write (name, '(a,i0,a)') 'netcdf.', rank, '.nc'
    status = nf90_create(name, NF90_CLOBBER, id)
    status = nf90_def_dim(id, 'x', 6, dim)
    status = nf90_def_var(id, 'field', NF90_DOUBLE, [dim], field)
    status = nf90_enddef(id)
    status = nf90_put_var(id, field, [1d0, 2d0, 3d0], start=[2], count=[3])
    status = nf90_close(id)
  end subroutine call_netcdf
end module layers_netcdf
#endif

program layers_fortran
  use mpi_f08
  use sverdrup
  use layers_older, only: call_older_mpi
#ifdef WITH_PNETCDF
  use layers_older, only: call_pnetcdf
#endif
#ifdef WITH_NETCDF
  use layers_netcdf, only: call_netcdf
#endif
  implicit none
  integer :: rank, ranks, x, field
  type(MPI_File) :: file
  double precision :: data(2)
  type(sv_io_t) :: io
  type(sv_decomp_t) :: line
  type(sv_file_t) :: output

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  data = rank
  call MPI_File_open(MPI_COMM_WORLD, 'newer.bin', MPI_MODE_CREATE + MPI_MODE_WRONLY, MPI_INFO_NULL, file)
  call MPI_File_write_at(file, int(16*rank, MPI_OFFSET_KIND), data, 2, MPI_DOUBLE_PRECISION, MPI_STATUS_IGNORE)
  call MPI_File_close(file)
  call call_older_mpi(rank)
#ifdef WITH_PNETCDF
  call call_pnetcdf(rank, ranks)
#endif
#ifdef WITH_NETCDF
  call call_netcdf(rank)
#endif
  call sv_init(io, MPI_COMM_WORLD)
  call sv_decomp(io, line, [2*ranks], start=[2*rank + 1], count=[2])
  call sv_create(io, 'sverdrup.nc', output)
  call sv_def_dim(output, 'x', 2*ranks, x)
  call sv_def_var(output, 'field', SV_DOUBLE, [x], field)
  call sv_enddef(output)
  call sv_put(output, field, line, data)
  call sv_close(output)
  call sv_finalize(io)
  call MPI_Finalize()
end program layers_fortran
