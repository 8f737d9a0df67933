! Eight small fields a record: each is recorded where the model computes it, and all are written together.
program requests20
  use mpi_f08
  use sverdrup
  implicit none
  integer, parameter :: nx = 72, ny = 36, fields = 8
  integer :: rank, ranks, js, nj, lon, lat, time, tracer(fields), n, v, j
  type(sv_context_t) :: io
  type(sv_decomp_t) :: grid
  type(sv_file_t) :: file
  real, allocatable, asynchronous, target, save :: t(:, :, :)

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call sv_block(ny, ranks, rank, js, nj)
  allocate (t(nx, js:js + nj - 1, fields))

  call sv_init(io, MPI_COMM_WORLD)
  call sv_def_decomp(io, grid, [nx, ny], start=[1, js], count=[nx, nj])
  call sv_create(io, 'requests20.nc', file)
  call sv_def_dim(file, 'lon', nx, lon)
  call sv_def_dim(file, 'lat', ny, lat)
  call sv_def_dim(file, 'time', SV_UNLIMITED, time)
  do v = 1, fields
    call sv_def_var(file, 'tr'//achar(iachar('0') + v), SV_FLOAT, [lon, lat, time], tracer(v))
  end do
  call sv_enddef(file)
  do n = 1, 3
    do v = 1, fields
      do j = js, js + nj - 1
        t(:, j, v) = 1000*v + 100*n + j
      end do
      call sv_iput(file, tracer(v), grid, t(:, :, v), record=n)  ! which must stay as it is
    end do
    call sv_wait(file)                                           ! until here
    call sv_end_step(io)
  end do
  call sv_close(file)
  call sv_finalize(io)
  call MPI_Finalize()
end program requests20
