! Messages for callers in Fortran: records count from 1, and an array that was never allocated
! is called so, except on ranks that own nothing, which may pass one.
! run: ranks=1 limit=60
! run: ranks=3 limit=60
program fortran_messages
  use mpi
  use sverdrup
  implicit none
  integer, parameter :: n = 4
  type(sv_context_t) :: io
  type(sv_decomp_t) :: grid
  type(sv_file_t) :: file
  integer :: rank, ranks, owners, js, nj, dims(3), var, fixed, error, status
  real, allocatable :: block(:, :), nothing(:, :)

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  owners = max(1, ranks - 1)   ! the last of several owns nothing
  call sv_block(n, owners, min(rank, owners - 1), js, nj)
  if (rank >= owners) nj = 0
  allocate (block(n, max(nj, 1)), nothing(n, 1))
  block = 1
  deallocate (nothing)
  if (rank >= owners) deallocate (block)
  call sv_init(io, MPI_COMM_WORLD)
  call sv_def_decomp(io, grid, [n, n], [1, js], [n, nj])
  call sv_create(io, 'messages.nc', file)
  call sv_def_dim(file, 'x', n, dims(1))
  call sv_def_dim(file, 'y', n, dims(2))
  call sv_def_dim(file, 'time', SV_UNLIMITED, dims(3))
  call sv_def_var(file, 'field', SV_FLOAT, dims, var)
  call sv_def_var(file, 'fixed', SV_FLOAT, dims(:2), fixed)
  call sv_enddef(file)

  call sv_put(file, var, grid, nothing, record=1, ierr=status)
  call expect('no array', SV_EINVAL, ["'field'      ", 'not allocated', 'record 1     '])
  call sv_put_var(file, fixed, nothing, ierr=status)
  call expect('no whole array', SV_EINVAL, ["'fixed'      ", 'not allocated'])
  call sv_put(file, var, grid, block, record=1)   ! not allocated where nothing is owned
  call sv_end_step(io)
  call sv_get(file, var, grid, block, record=3, ierr=status)
  call expect('no such record', SV_ENOTFOUND, ['record 3 of 1       ', 'Records count from 1'])
  call sv_put(file, var, grid, block, ierr=status)
  call expect('no record', SV_EINVAL, ['Records count from 1'])
  call sv_put(file, var, grid, block, record=3)
  call sv_get(file, var, grid, block, record=2, ierr=status)   ! refused by the store
  call expect('not committed', SV_ENOTFOUND, ['record 2 (from 1)', 'there are 1      '])
  call sv_close(file)
  if (allocated(block)) deallocate (block)
  call sv_finalize(io)
  call MPI_Finalize(error)

contains

  subroutine expect(what, wanted, mentions)
    character(*), intent(in) :: what, mentions(:)
    integer, intent(in) :: wanted
    integer :: i
    if (status /= wanted) call fail(what)
    do i = 1, size(mentions)
      if (index(sv_message(), trim(mentions(i))) == 0) call fail(what//' lacks '//trim(mentions(i)))
    end do
  end subroutine expect

  subroutine fail(what)
    character(*), intent(in) :: what
    integer :: ierror
    print '(4a)', 'FAILED: ', what, ': ', sv_message()
    call MPI_Abort(MPI_COMM_WORLD, 1, ierror)
  end subroutine fail

end program fortran_messages
