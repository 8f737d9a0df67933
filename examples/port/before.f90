! Heat in a long sea, written with nf90: one record every ten steps.
program heat
  use mpi_f08
  use netcdf
  implicit none
  integer, parameter :: nx = 72, ny = 90
  integer :: rank, ranks, js, nj, j, n, file, lon, lat, time, temp
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

  call check(nf90_create('heat.nc', ior(NF90_CLOBBER, NF90_64BIT_OFFSET), file, &
                         comm=MPI_COMM_WORLD%MPI_VAL, info=MPI_INFO_NULL%MPI_VAL))
  call check(nf90_def_dim(file, 'time', NF90_UNLIMITED, time))
  call check(nf90_def_dim(file, 'lat', ny, lat))
  call check(nf90_def_dim(file, 'lon', nx, lon))
  call check(nf90_def_var(file, 'temp', NF90_FLOAT, [lon, lat, time], temp))
  call check(nf90_put_att(file, temp, 'units', 'degC'))
  call check(nf90_enddef(file))
  call check(nf90_var_par_access(file, temp, NF90_COLLECTIVE))
  do n = 1, 50
    call advance(t)
    if (modulo(n, 10) /= 0) cycle
    call check(nf90_put_var(file, temp, t(:, 1:nj), start=[1, js, n/10], count=[nx, nj, 1]))
  end do
  call check(nf90_close(file))
  call MPI_Finalize()

contains

  subroutine check(status)
    integer, intent(in) :: status
    if (status == NF90_NOERR) return
    print '(a)', nf90_strerror(status)
    call MPI_Abort(MPI_COMM_WORLD, status)
  end subroutine check

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
