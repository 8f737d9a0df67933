! Heat in a long sea, written by Sverdrup: one record every ten steps.
program heat
  use mpi_f08
  use sverdrup
  implicit none
  integer, parameter :: nx = 72, ny = 90
  integer :: rank, ranks, js, nj, j, n, lon, lat, time, temp
  type(sv_context_t) :: io
  type(sv_decomp_t) :: rows
  type(sv_file_t) :: file
  real, allocatable :: t(:, :)

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  js = ny*rank/ranks + 1
  nj = ny*(rank + 1)/ranks - js + 1
  allocate (t(nx, 0:nj + 1), source=0.)
  do j = 1, nj
    t(:, j) = real(modulo(js - 1 + j, 30))
  end do

  call sv_init(io, MPI_COMM_WORLD)
  call sv_def_decomp(io, rows, [nx, ny], start=[1, js], count=[nx, nj])
  call sv_create(io, 'heat.nc', file, flags=SV_64BIT_OFFSET)
  call sv_def_dim(file, 'time', SV_UNLIMITED, time)
  call sv_def_dim(file, 'lat', ny, lat)
  call sv_def_dim(file, 'lon', nx, lon)
  call sv_def_var(file, 'temp', SV_FLOAT, [lon, lat, time], temp)
  call sv_put_att(file, temp, 'units', 'degC')
  call sv_enddef(file)
  do n = 1, 50
    call advance(t)
    if (modulo(n, 10) /= 0) cycle
    call sv_put(file, temp, rows, t(:, 1:nj), record=n/10)
    call sv_end_step(io)
  end do
  call sv_close(file)
  call sv_finalize(io)
  call MPI_Finalize()

contains

  ! One step of diffusion on a block with a halo of one row on either side.
  subroutine advance(t)
    real, intent(inout) :: t(:, 0:)
    integer :: south, north
    south = merge(rank - 1, MPI_PROC_NULL, rank > 0)
    north = merge(rank + 1, MPI_PROC_NULL, rank < ranks - 1)
    call MPI_Sendrecv(t(1, nj), nx, MPI_REAL, north, 1, t(1, 0), nx, MPI_REAL, south, 1, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call MPI_Sendrecv(t(1, 1), nx, MPI_REAL, south, 2, t(1, nj + 1), nx, MPI_REAL, north, 2, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    t(:, 1:nj) = t(:, 1:nj) + 0.2*(t(:, 0:nj - 1) - 2*t(:, 1:nj) + t(:, 2:nj + 1))
  end subroutine advance
end program heat
