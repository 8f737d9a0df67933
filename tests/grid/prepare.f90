! The preparation of a grid from Fortran, as grid_test.py asks sv-grid for it: prepare SOURCE OUT.
program prepare
  use checking, only: check
  use mpi_f08
  use sverdrup
  use sverdrup_grid
  implicit none
  type(sv_grid_request_t) :: request
  type(sv_grid_report_t) :: report
  character(1000) :: source, out
  integer :: ierr

  call MPI_Init()
  call get_command_argument(1, source)
  call get_command_argument(2, out)
  request%source = trim(source)
  request%variable = 'height'
  request%kind = SV_GRID_CUBED_SPHERE
  request%order = SV_GRID_CURVE
  request%nx = 12
  request%ranks = [5, 3]
  request%level_tops = [0.d0, 100.d0, 1000.d0]
  call sv_prepare_grid(MPI_COMM_WORLD, request, out, report)
  call check(report%full_cells == 864, 'the cells of the full grid')
  call check(report%kept_cells > report%ocean_cells .and. report%ocean_cells > 0, 'the cells')
  call check(size(report%partitions) == 2, 'the number of partitions')
  call check(report%partitions(2)%ranks == 3, 'the ranks of the second partition')
  call check(report%partitions(2)%edge_cut > 0, 'the edge cut of the second partition')
  call check(report%peak_bytes(SV_GRID_WRITE) > 0, 'the memory')
  request%source = 'nowhere.nc'
  call sv_prepare_grid(MPI_COMM_WORLD%mpi_val, request, out, ierr=ierr)
  call check(ierr == SV_ENOTFOUND, 'the code for a source that is missing')
  call MPI_Finalize()

end program prepare
