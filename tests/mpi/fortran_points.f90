! Points from Fortran: every rank owns every ranks-th cell, backwards, with a halo behind its points.
! run: ranks=3 limit=60
program fortran_points
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use checking, only: check
  use mpi_f08
  use sverdrup
  implicit none
  integer, parameter :: cells = 50, levels = 3, halo = 4
  integer :: rank, ranks, n, i, k, cell, lev, time, temp, depth, ierr
  integer(int64) :: owned
  integer, allocatable, save :: mine(:)
  type(sv_context_t) :: io
  type(sv_decomp_t) :: points, flawed, backwards, curve
  type(sv_file_t) :: file
  real(real64), allocatable, save, target :: t(:, :), d(:), back(:, :)

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  allocate (mine, source=[(i, i=cells - rank, 1, -ranks)])
  n = size(mine)
  allocate (t(n + halo, levels), d(n), back(n + halo, levels))
  t = -1
  do k = 1, levels
    t(:n, k) = mine + 1000*k
  end do
  d = 2*mine
  call sv_init(io, MPI_COMM_WORLD)
  call sv_def_points(io, points, [cells], mine)
  call sv_inq_points(points, owned=owned)
  call check(owned == n, 'sv_inq_points reports the points of the rank')
  call sv_def_points(io, flawed, [cells], [mine, 1], ierr=ierr)
  call check(ierr == SV_ELAYOUT, 'a cell of two ranks')
  call sv_def_points(io, flawed, [cells + 1_int64], int(mine, int64), ierr=ierr)
  call check(ierr == SV_ELAYOUT, 'a cell of no rank')
  call sv_create(io, 'fortran_points.nc', file)
  call sv_def_dim(file, 'cell', cells, cell)
  call sv_def_dim(file, 'lev', levels, lev)
  call sv_def_dim(file, 'time', SV_UNLIMITED, time)
  call sv_def_var(file, 'temp', SV_FLOAT, [cell, lev, time], temp)
  call sv_def_var(file, 'depth', SV_DOUBLE, [cell], depth)
  call sv_enddef(file)
  call sv_put(file, depth, points, d)
  call sv_put(file, temp, points, t(:n, :), record=1)
  call sv_end_step(io)
  call sv_put(file, temp, points, t(:n - 1, :), record=2, ierr=ierr)
  call check(ierr == SV_EINVAL, 'an array that does not fit')
  call sv_close(file)
  call sv_open(io, 'fortran_points.nc', file)
  call sv_inq_varid(file, 'temp', temp)
  back = -1
  call sv_get(file, temp, points, back(:n, :), record=1)
  call check(all(abs(back - t) < 0.5), 'values are read back, and the halo left alone')
  call sv_close(file)
  call write_in_order()
  call sv_finalize(io)
  call MPI_Finalize()

contains

  ! The first cell stands at the last place; the file undoes it.
  subroutine write_in_order()
    integer :: order, along
    real(real64) :: east(n), all(cells), again(n)
    east = 360.0_real64*mine/cells
    call sv_order_points(points, cells + 1 - mine, backwards)
    call sv_order_points(points, int(mine, int64), flawed, ierr=ierr)
    call check(ierr == 0, 'positions of 64 bits')
    call sv_order_points(points, mine(2:), flawed, ierr=ierr)
    call check(ierr == SV_EINVAL, 'too few positions')
    call sv_order_points_along_curve(points, east, 0*east, curve)
    call sv_order_points_along_curve(points, east, east(2:), flawed, ierr=ierr)
    call check(ierr == SV_EINVAL, 'too few latitudes')
    call sv_create(io, 'fortran_orders.nc', file)
    call sv_def_dim(file, 'cell', cells, cell)
    call sv_def_order(file, cell, 'order', backwards, order)
    call sv_def_var(file, 'depth', SV_DOUBLE, [cell], depth)
    call sv_def_dim(file, 'along', cells, cell)
    call sv_def_order(file, cell, 'curve', curve, along)
    call sv_enddef(file)
    call sv_put(file, depth, points, d)
    call sv_close(file)
    call sv_open(io, 'fortran_orders.nc', file)
    call sv_get_var(file, depth, all)
    call check(all(1) > 2*cells - 0.5 .and. all(cells) < 2.5, 'the file is in the order')
    call sv_get_var(file, order, all)
    call check(nint(all(1)) == cells - 1, 'the order is reported')
    call sv_get(file, depth, points, again)
    call check(maxval(abs(again - d)) < 0.5, 'the order is undone')
    call sv_close(file)
  end subroutine write_in_order

end program fortran_points
