! Calls of Fortran's interfaces arrive in the layers under their C names: MPI-IO by both modules of MPI, PnetCDF,
! netCDF, Sverdrup. layers_test.py knows what the traces must hold.
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
#ifdef WITH_NETCDF
  use layers_netcdf, only: call_netcdf
#endif
  implicit none
  interface ! older.F90
    subroutine call_older_mpi(rank)
      integer, intent(in) :: rank
    end subroutine call_older_mpi
    subroutine call_pnetcdf(rank, ranks)
      integer, intent(in) :: rank, ranks
    end subroutine call_pnetcdf
  end interface
  integer :: rank, ranks, x, field
  type(MPI_File) :: file
  double precision :: data(2)
  type(sv_context_t) :: io
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
  call sv_def_decomp(io, line, [2*ranks], start=[2*rank + 1], count=[2])
  call sv_create(io, 'sverdrup.nc', output)
  call sv_def_dim(output, 'x', 2*ranks, x)
  call sv_def_var(output, 'field', SV_DOUBLE, [x], field)
  call sv_enddef(output)
  call sv_put(output, field, line, data)
  call sv_close(output)
  call sv_finalize(io)
  call MPI_Finalize()
end program layers_fortran
