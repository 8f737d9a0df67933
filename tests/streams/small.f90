! Streams from Fortran: small. Daily means of the number of the hour, as streams_test.py expects them.
program small
  use checking, only: check
  use mpi_f08
  use sverdrup
  use sverdrup_streams
  implicit none
  integer(8), parameter :: nx = 4, ny = 3
  type(sv_context_t) :: io
  type(sv_streams_t) :: streams
  type(sv_stream_axis_t) :: lon, lat
  type(sv_stream_field_t) :: sst, heat, area
  type(sv_decomp_t) :: grid
  integer :: rank, ranks, sst_number, heat_number, hour, ierr, date(6), i
  integer(8) :: js, nj
  real, allocatable :: block(:, :)

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call sv_init(io, MPI_COMM_WORLD)
  call sv_block(ny, ranks, rank, js, nj)
  call sv_def_decomp(io, grid, [nx, ny], [1_8, js], [nx, nj])
  lon%name = 'lon'
  lon%values = [(30.d0*i, i=1, nx)]
  lon%units = 'degrees_east'
  lat%name = 'lat'
  lat%length = ny  ! without a coordinate
  sst = sv_stream_field_t(name='sst', units='K', type=SV_FLOAT, fill_value=-1.d0, axes=[lon, lat], &
    decomp=grid, cell_measures='area: area')
  area = sv_stream_field_t(name='area', units='m2', axes=[lon, lat], decomp=grid)
  heat%name = 'heat'
  call sv_open_streams(io, streams, 'streams.yaml')
  call sv_def_static_field(streams, area, reshape([(real(nx*(js - 1) + i - 1, 8), i=1, int(nx*nj))], [nx, nj]))
  call sv_def_stream(streams, 'model', '{file: model.nc, frequency: 1 day, operation: max, fields: [sst]}')
  call sv_def_stream_field(streams, sst, sst_number)
  call sv_def_stream_field(streams, heat, heat_number)
  call sv_begin_streams(streams, [2001, 1, 1, 0, 0, 0], calendar='noleap', step_seconds=3600)
  allocate (block(nx, nj), source=0.)
  do hour = 1, 48
    date = [2001, 1, 1 + hour/24, mod(hour, 24), 0, 0]
    block = real(hour)
    if (js == 1 .and. nj > 0) block(1, 1) = -1
    if (sv_inq_field_wanted(streams, sst_number, date)) call sv_send_field(streams, sst_number, date, block)
    call check(.not. sv_inq_field_wanted(streams, heat_number, date), 'a field that no stream has')
    call sv_end_step(io)
  end do
  call sv_save_streams(streams, date)
  call sv_send_field(streams, sst_number, [2001, 1, 3, 1, 0, 0], 1.d0*block, ierr)
  call check(ierr == SV_EINVAL, 'the code for values of another type')
  call sv_close_streams(streams)
  call sv_finalize(io)
  call MPI_Finalize()

end program small
