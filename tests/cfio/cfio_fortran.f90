! The module cfio: every kind of value and attribute, sections, records, define mode again, reading
! on another decomposition, texts of errors.
! run: ranks=4 limit=60 name=servers env=SV_ASYNC_MEMORY=8MiB args=server server
program cfio_fortran
  use checking, only: check
  use mpi
  use cfio
  implicit none
  integer, parameter :: nx = 6, ny = 5, steps = 2
  integer :: ierr, rank, clients, comm, ncid, t, i
  integer :: x_dim, y_dim, time_dim, real_id, double_id, int_id, time_id
  integer :: start(3), count(3)
  real :: reals(nx, ny, steps)
  double precision :: doubles(nx, ny, steps), times(steps)
  integer :: ints(nx, ny)

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, clients, ierr)
  clients = clients - command_argument_count()  ! an argument for each server
  call must(cfio_init(clients, 1, 2), 'cfio_init')
  if (cfio_proc_type() == CFIO_PROC_CLIENT) then
    call must(cfio_client_comm(comm), 'cfio_client_comm')
    call MPI_Comm_rank(comm, rank, ierr)
    reals = reshape([(i, i=1, size(reals))], shape(reals))
    doubles = reals/4
    ints = nint(1000*reals(:, :, 1))
    call define()
    call put_all()
    call must(cfio_io_end(), 'cfio_io_end')
    call must(cfio_redef(ncid), 'cfio_redef')
    call must(cfio_put_att(ncid, NF_GLOBAL, 'more', 'text '), 'cfio_put_att')
    call must(cfio_enddef(ncid), 'cfio_enddef')
    call must(cfio_close(ncid), 'cfio_close')
    call must(cfio_end_io(), 'cfio_end_io')
    call read_all()
    call refused()
  end if
  call must(cfio_final(), 'cfio_final')
  call MPI_Finalize(ierr)

contains

  subroutine must(status, what)
    integer, intent(in) :: status
    character(*), intent(in) :: what
    if (status == NF_NOERR) return
    print '(5a)', 'wrong: ', what, ': ', cfio_strerror(status), cfio_message()
    error stop
  end subroutine must

  subroutine define()
    call must(cfio_create('fortran.nc  ', NF_CLOBBER, ncid), 'cfio_create')
    call must(cfio_def_dim(ncid, 'x', nx, x_dim), 'x')
    call must(cfio_def_dim(ncid, 'y', ny, y_dim), 'y')
    call must(cfio_def_dim(ncid, 'time', NF_UNLIMITED, time_dim), 'time')
    call must(cfio_def_var(ncid, 'reals', NF_REAL, 3, [x_dim, y_dim, time_dim], real_id), 'reals')
    call must(cfio_def_var(ncid, 'doubles', CFIO_DOUBLE, 3, [x_dim, y_dim, time_dim], [1, 1, 1], &
                           [nx, ny, 1], double_id), 'doubles, as in the library')
    call must(cfio_def_var(ncid, 'ints', NF_INT, 2, [x_dim, y_dim], int_id), 'ints')
    call must(cfio_def_var(ncid, 'time', NF_DOUBLE, 1, [time_dim], time_id), 'time')
    call check(real_id == 0 .and. time_id == 3, 'ids of variables count from 0')
    call must(cfio_put_att(ncid, real_id, 'text', 'of the first variable'), 'text')
    call must(cfio_put_att(ncid, int_id, 'one', 1), 'an integer')
    call must(cfio_put_att(ncid, int_id, 'three', [1, 2, 3]), 'integers')
    call must(cfio_put_att(ncid, int_id, 'real', 0.5), 'a real')
    call must(cfio_put_att_double(ncid, NF_GLOBAL, 'doubles', [0.25d0, 0.5d0]), 'doubles')
    call must(cfio_enddef(ncid), 'cfio_enddef')
  end subroutine define

  ! Rows in turn: client c of n puts c + 1, c + 1 + n and so on, one at a time; those without a row
  ! pass nothing.
  subroutine put_all()
    integer :: j, row
    do row = 1, ny, clients
      j = min(row + rank, ny)
      count = [nx, merge(1, 0, row + rank <= ny), 1]
      do t = 1, steps
        start = [1, j, t]
        call must(cfio_put_vara_real(ncid, real_id, 3, start, count, reals(:, j, t)), 'reals')
        call must(cfio_put_vara(ncid, double_id, 3, start, count, doubles(:, j, t)), 'doubles')
      end do
      call must(cfio_put_vara_int(ncid, int_id, 2, start(:2), count(:2), ints(:, j)), 'ints')
    end do
    do t = 1, steps
      call must(cfio_put_vara(ncid, time_id, 1, [t], [1], [t/2d0]), 'time')  ! every client the same
    end do
  end subroutine put_all

  ! Columns: client c of n gets those from c + 1 on, as many as there are.
  subroutine read_all()
    real :: got(nx, ny, steps)
    double precision :: got_doubles(nx, ny, steps)
    integer :: got_ints(nx, ny), id, length
    call must(cfio_open('fortran.nc', NF_NOWRITE, ncid), 'cfio_open')
    call must(cfio_inq_dimid(ncid, 'time', id), 'cfio_inq_dimid')
    call must(cfio_inq_dimlen(ncid, id, length), 'cfio_inq_dimlen')
    call check(length == steps, 'the number of records')
    call must(cfio_inq_varid(ncid, 'reals', id), 'cfio_inq_varid')
    got = -1
    start = [rank + 1, 1, 1]
    count = [nx - rank, ny, steps]
    call must(cfio_get_vara_real(ncid, id, 3, start, count, got(rank + 1:, :, :)), 'reals')
    call check(all(nint(got(rank + 1:, :, :)) == nint(reals(rank + 1:, :, :))), 'reals as read')
    call check(all(nint(got(:rank, :, :)) == -1), 'what was not read of reals')
    call must(cfio_get_vara_double(ncid, double_id, 3, [1, 1, 1], shape(doubles), got_doubles), &
              'doubles')
    call check(all(nint(4*got_doubles) == nint(4*doubles)), 'what was read of doubles')
    call must(cfio_get_vara_int(ncid, int_id, 2, [1, 1], shape(ints), got_ints), 'ints')
    call check(all(got_ints == ints), 'what was read of ints')
    call must(cfio_get_vara(ncid, time_id, 1, [1], [steps], times), 'time')
    call check(all(nint(2*times) == [1, 2]), 'what was read of time')
  end subroutine read_all

  ! A start of 0, which in Fortran is before the first cell; puts into a file that is open for
  ! reading.
  subroutine refused()
    start = [0, 1, 1]
    count = 1
    call check(cfio_get_vara_real(ncid, real_id, 3, start, count, reals) /= 0, 'a start of 0')
    call check(index(cfio_message(), 'fortran.nc') > 0, 'the file in: '//cfio_message())
    call check(cfio_put_vara_int(ncid, int_id, 2, start, count, ints) /= 0, 'a put where one reads')
    call must(cfio_close(ncid), 'cfio_close')
    call check(cfio_strerror(cfio_close(ncid)) == 'invalid argument', 'cfio_strerror')
  end subroutine refused

end program cfio_fortran
