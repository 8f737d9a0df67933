! Makes one error without asking for ierr: stop CASE, on several ranks.
program stop_job
  use mpi_f08
  use sverdrup
  implicit none
  type(sv_context_t) :: io
  type(sv_file_t) :: file
  character(20) :: which
  integer :: rank, id

  call get_command_argument(1, which)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  if (which == 'init') call sv_init(io, MPI_COMM_WORLD, options=['writer=3'])
  call sv_init(io, MPI_COMM_WORLD)
  if (which == 'collective') call sv_open(io, 'missing.nc', file)
  if (which == 'handle') call sv_enddef(file)
  call sv_create(io, 'stop.nc', file)
  if (rank == 2) call sv_inq_varid(file, 'nobody defined this', id)
  call MPI_Barrier(MPI_COMM_WORLD)
  error stop 'went on after an error'
end program stop_job
