! monthly20 FIRST LAST: the days FIRST to LAST - 1 of 2001 (from 0), a record each, in a file a month.
program monthly20
  use, intrinsic :: iso_fortran_env, only: dp => real64
  use mpi_f08
  use sverdrup
  implicit none
  integer, parameter :: nx = 72, ny = 36
  integer, parameter :: days(0:12) = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365]
  integer :: first, last, rank, ranks, js, nj, lon, lat, time, t_id, area_id, sst_id, n, j
  integer :: month, record, date(6)
  logical :: new
  character(10) :: word
  type(sv_context_t) :: io
  type(sv_decomp_t) :: grid
  type(sv_file_t) :: file
  real, allocatable, save :: area(:, :), sst(:, :)

  call get_command_argument(1, word)
  read (word, *) first
  call get_command_argument(2, word)
  read (word, *) last
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call sv_block(ny, ranks, rank, js, nj)
  allocate (area(nx, js:js + nj - 1), sst(nx, js:js + nj - 1))

  call sv_init(io, MPI_COMM_WORLD)
  call sv_def_decomp(io, grid, [nx, ny], start=[1, js], count=[nx, nj])
  call sv_create(io, 'sst_%Y-%m.nc', file, SV_SERIES)
  call sv_def_dim(file, 'lon', nx, lon)
  call sv_def_dim(file, 'lat', ny, lat)
  call sv_def_dim(file, 'time', SV_UNLIMITED, time)
  call sv_def_var(file, 'time', SV_DOUBLE, [time], t_id)
  call sv_put_att(file, t_id, 'units', 'days since 2001-01-01 00:00:00')
  call sv_put_att(file, t_id, 'calendar', 'noleap')
  call sv_def_var(file, 'area', SV_FLOAT, [lon, lat], area_id)
  call sv_def_var(file, 'sst', SV_FLOAT, [lon, lat, time], sst_id)
  call sv_enddef(file)                            ! no file exists yet

  do j = js, js + nj - 1
    area(:, j) = 1 - ((2*j - ny - 1)/real(ny))**2
  end do
  do n = first, last - 1
    sst = 28.5*area + n                           ! the model computes day n
    month = findloc(n < days(1:), .true., 1)
    date = [2001, month, n - days(month - 1) + 1, 12, 0, 0]
    call sv_select_record(file, date, n + 0.5_dp, record, new)
    if (new) call sv_put(file, area_id, grid, area)
    call sv_put(file, sst_id, grid, sst, record)
    call sv_end_step(io)                          ! commits the record
  end do
  call sv_close(file)
  call sv_finalize(io)
  call MPI_Finalize()
end program monthly20
