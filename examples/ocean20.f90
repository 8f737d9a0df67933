program ocean20
  use mpi_f08
  use sverdrup
  implicit none
  integer, parameter :: nx = 72, ny = 36
  integer :: rank, ranks, js, nj, lon, lat, time, sst, n, j
  type(sv_context_t) :: io
  type(sv_decomp_t) :: grid
  type(sv_file_t) :: file
  real, allocatable, save :: t(:, :)

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call sv_block(ny, ranks, rank, js, nj)          ! this rank computes the rows js ... js + nj - 1
  allocate (t(nx, js - 1:js + nj))                ! and has a halo of one row on either side

  call sv_init(io, MPI_COMM_WORLD)
  call sv_def_decomp(io, grid, [nx, ny], start=[1, js], count=[nx, nj], halo=[0, 1])
  call sv_create(io, 'ocean20.nc', file)
  call sv_def_dim(file, 'lon', nx, lon)
  call sv_def_dim(file, 'lat', ny, lat)
  call sv_def_dim(file, 'time', SV_UNLIMITED, time)
  call sv_def_var(file, 'sst', SV_FLOAT, [lon, lat, time], sst)
  call sv_put_att(file, sst, 'units', 'degC')
  call sv_enddef(file)
  do n = 1, 3
    do j = js, js + nj - 1
      t(:, j) = 28.5 - abs(2*j - ny - 1) + n      ! an ocean, of sorts
    end do
    call sv_put(file, sst, grid, t, record=n)
    call sv_end_step(io)                          ! commits the record
  end do
  call sv_close(file)
  call sv_finalize(io)
  call MPI_Finalize()
end program ocean20
