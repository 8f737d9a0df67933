! Requests that wait, and lists of puts and gets, through the Fortran module: sections, halos, records, handles, the
! buffer, and refused calls.
! run: ranks=3 limit=60 env=SV_TESTING_RANKS_PER_NODE=2
program fortran_requests
  use, intrinsic :: iso_fortran_env, only: int16, int64, real32, real64
  use checking, only: check
  use mpi_f08
  use sverdrup
  implicit none
  integer, parameter :: nx = 5, ny = 8
  type(sv_context_t) :: io
  type(sv_decomp_t) :: grid
  type(sv_file_t) :: file
  integer :: rank, ranks, js, nj, warm, cold, land, status
  integer, asynchronous, target :: rows_of_land(nx, ny)

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call sv_block(ny, ranks, rank, js, nj)
  call sv_init(io, MPI_COMM_WORLD, options=['transport.window=1MiB'])
  call sv_def_decomp(io, grid, [nx, ny], start=[1, js], count=[nx, nj], halo=[1, 0])
  call define()
  call puts_that_wait()
  call buffered()
  call gets_that_wait()
  call alone()
  call lists()
  call handles()
  call misuse()
  call leave_one()
  call sv_free_decomp(grid)
  call sv_finalize(io)
  call MPI_Finalize()

contains

  subroutine define()
    integer :: x, y, time
    call sv_create(io, 'requests.nc', file)
    call sv_def_dim(file, 'x', nx, x)
    call sv_def_dim(file, 'y', ny, y)
    call sv_def_dim(file, 'time', SV_UNLIMITED, time)
    call sv_def_var(file, 'warm', SV_FLOAT, [x, y, time], warm)
    call sv_def_var(file, 'cold', SV_SHORT, [x, y, time], cold)
    call sv_def_var(file, 'land', SV_INT, [x, y], land)
    call sv_enddef(file)
  end subroutine define

  ! Of record n, rows from j on.
  pure function rows(var, n, j, count) result(values)
    integer, intent(in) :: var, n, j, count
    integer :: values(nx, count), i, k
    do k = 1, count
      values(:, k) = [(((var*20 + n)*10 + j + k - 1)*10 + i, i=1, nx)]
    end do
  end function rows

  ! Collective.
  subroutine check_record(var, n, what)
    integer, intent(in) :: var, n
    character(*), intent(in) :: what
    integer :: found(nx, ny)
    call sv_sync(file)
    if (n == 0) call sv_get_var(file, var, found)
    if (n > 0) call sv_get_var(file, var, found, record=n)
    call check(all(found == rows(var, n, 1, ny)), what)
  end subroutine check_record

  ! Arrays are used in place: changes before the wait are written.
  subroutine puts_that_wait()
    type :: cell_t
      real(real64) :: depth
      integer(int16) :: ice
    end type cell_t
    type(cell_t), asynchronous, target :: cells(nx, nj)
    real(real32), asynchronous, target :: wide(0:nx + 1, 2*nj), whole(nx, ny)
    integer, asynchronous, target :: turn(nx, ny), pile(nx, nj)
    type(sv_request_t) :: r(6), one
    integer :: codes(3), n, k, lines
    wide = -1
    lines = (ny - rank - 1)/ranks + 1
    call sv_iput(file, warm, grid, wide(:, 1::2), 1, r(1))
    call sv_iput_vara(file, cold, [1, js, 1], [nx, nj, 1], cells%ice, r(2))
    call sv_iput_vars(file, warm, [1, rank + 1, 2], [nx, lines, 1], [1, ranks, 1], turn(:, :lines), r(3))
    call sv_iput_varn(file, warm, reshape([1, js, 3, 1, js + 1, 3], [3, 2]), &
                      reshape([nx, 1, 1, nx, nj - 1, 1], [3, 2]), pile, r(4))
    call sv_iput_var(file, warm, whole, 4, one)
    if (rank == 0) call sv_iput_vara(file, land, int([1, 1], int64), int([nx, ny], int64), rows_of_land)
    wide(1:nx, 1::2) = rows(warm, 1, js, nj)
    cells%ice = int(rows(cold, 1, js, nj), int16)
    do k = 1, lines
      turn(:, k:k) = rows(warm, 2, rank + 1 + (k - 1)*ranks, 1)
    end do
    pile = rows(warm, 3, js, nj)
    whole = rows(warm, 4, 1, ny)
    rows_of_land = rows(land, 0, 1, ny)
    call sv_inq_pending(file, n)
    call check(n == merge(6, 5, rank == 0), 'what waits')
    codes = -1
    call sv_wait(file, r(3:1:-2), codes(1:3:2))
    call check(all(codes == [SV_OK, -1, SV_OK]), 'the statuses of some')
    call check(all(r([1, 3, 5]) == SV_NO_REQUEST) .and. r(2) /= SV_NO_REQUEST, 'the handles of some')
    call sv_wait(file, one)
    call check(one == SV_NO_REQUEST, 'the handle of one')
    call sv_wait(file)
    call sv_inq_pending(file, n)
    call check(n == 0, 'nothing waits after a wait for all')
    do k = 1, 4
      call check_record(warm, k, 'warm')
    end do
    call check_record(cold, 1, 'cold')
    call check_record(land, 0, 'land')
  end subroutine puts_that_wait

  ! Arrays that may be used again at once, expressions too.
  subroutine buffered()
    integer :: block(0:nx + 1, nj), regions(3, 2), sizes(3, 2), k
    integer(int64) :: bytes, used
    call sv_inq_buffer(file, bytes, used)
    call check(bytes > 0 .and. used == 0, 'the automatic buffer')
    call sv_attach_buffer(file, 100000)
    block = -1
    block(1:nx, :) = rows(cold, 2, js, nj)
    call sv_bput(file, cold, grid, block, 2)
    block = -1
    call sv_bput_vara(file, cold, [1, js, 3], [nx, nj, 1], rows(cold, 3, js, nj))
    do k = 1, nj
      call sv_bput_vars(file, cold, [1, js + k - 1, 4], [nx, 1, 1], [1, 7, 1], rows(cold, 4, js + k - 1, 1))
    end do
    regions = reshape([1, js + nj - 1, 5, 1, js, 5], [3, 2])
    sizes = reshape([nx, 1, 1, nx, nj - 1, 1], [3, 2])
    call sv_bput_varn(file, cold, regions, sizes, [rows(cold, 5, js + nj - 1, 1), rows(cold, 5, js, nj - 1)])
    call sv_bput_var(file, cold, rows(cold, 6, 1, ny), 6)
    call sv_inq_buffer(file, bytes, used)
    call check(bytes == 100000 .and. used > 0, 'what the buffer holds')
    call sv_detach_buffer(file, status)
    call check(status == SV_EORDER, 'a buffer in use')
    call sv_wait(file)
    call sv_detach_buffer(file)
    do k = 2, 6
      call check_record(cold, k, 'cold, buffered')
    end do
  end subroutine buffered

  subroutine gets_that_wait()
    real(real64), asynchronous, target :: block(0:nx + 1, nj), whole(nx, ny), part(nj, nx), lines(nx, 2*nj)
    integer, asynchronous, target :: pile(nx*nj)
    type(sv_request_t) :: r(5)
    block = -1
    lines = -1
    call sv_iget(file, warm, grid, block, 1, r(1))
    call sv_iget_var(file, warm, whole, 4, r(2))
    call sv_iget_vara(file, warm, [1, js, 3], [nx, 1, 1], part(1, :), r(3))
    call sv_iget_vars(file, cold, [1, js, 1], [nx, nj, 1], [1, 1, 1], lines(:, 2::2), r(4))
    call sv_iget_varn(file, cold, reshape([1, js, 5], [3, 1]), reshape([nx, nj, 1], [3, 1]), pile, r(5))
    call sv_wait(file, r)
    call check(all(nint(block(1:nx, :)) == rows(warm, 1, js, nj)) .and. all(block(0, :) < 0), 'sv_iget')
    call check(all(nint(whole) == rows(warm, 4, 1, ny)), 'sv_iget_var')
    call check(all(nint(part(1, :)) == reshape(rows(warm, 3, js, 1), [nx])), 'sv_iget_vara')
    call check(all(nint(lines(:, 2::2)) == rows(cold, 1, js, nj)) .and. all(lines(:, 1::2) < 0), 'sv_iget_vars')
    call check(all(reshape(pile, [nx, nj]) == rows(cold, 5, js, nj)), 'sv_iget_varn')
  end subroutine gets_that_wait

  ! Ranks put and get in different numbers of calls, without each other.
  subroutine alone()
    integer, asynchronous, target :: mine(nx, nj), read(nx, nj), whole(nx, ny)
    type(sv_request_t) :: request
    integer :: k, codes(1)
    call sv_begin_indep(file)
    do k = 0, rank
      mine = rows(land, 9 + k, js, nj)
      call sv_iput_vara(file, land, [1, js], [nx, nj], mine, request)
      call sv_wait_indep(file, request, codes)
      call check(codes(1) == SV_OK, 'a put alone')
      read = -1
      call sv_iget_vara(file, land, [1, js], [nx, nj], read)
      call sv_wait_indep(file)
      call check(all(read == mine), 'a rank reads what it put alone')
    end do
    call sv_end_indep(file)
    call sv_get_var(file, land, whole)
    do k = 0, ranks - 1
      call sv_block(ny, ranks, k, js, nj)
      call check(all(whole(:, js:js + nj - 1) == rows(land, 9 + k, js, nj)), 'all read what each has put alone')
    end do
    call sv_block(ny, ranks, rank, js, nj)
    call sv_iget_vara(file, land, [1, js], [nx, nj], mine, request)
    call sv_wait_indep(file, request, ierr=status)
    call check(status == SV_EORDER, 'no rank is alone any more')
    call sv_cancel(file, request)
  end subroutine alone

  ! Lists that are not the same everywhere; sections; variables of two and of three dimensions.
  subroutine lists()
    real(real64), asynchronous, target :: a(0:nx + 1, nj), b(0:nx + 1, nj)
    real(real32), asynchronous, target :: wide(2*nx, nj)
    integer, asynchronous, target :: all_land(nx, ny), pile(nx, nj)
    integer :: starts(3, 2), counts(3, 2), n
    a = -1
    b = -1
    a(1:nx, :) = rows(warm, 7, js, nj)
    b(1:nx, :) = rows(cold, 7, js, nj)
    call sv_mput(file, [cold, warm], grid, [sv_values(b), sv_values(a)], 7)
    call check_record(warm, 7, 'sv_mput')
    call check_record(cold, 7, 'sv_mput, the other')
    a = -1
    b = -1
    call sv_mget(file, [warm, cold], [grid, grid], [sv_values(a), sv_values(b)], [7, 6])
    call check(all(nint(a(1:nx, :)) == rows(warm, 7, js, nj)) .and. all(a(0, :) < 0), 'sv_mget')
    call check(all(nint(b(1:nx, :)) == rows(cold, 6, js, nj)), 'sv_mget, the other')

    wide = -1
    wide(::2, :) = rows(warm, 8, js, nj)
    all_land = rows(land, 0, 1, ny)
    starts = reshape([1, js, 8, 1, 1, -9], [3, 2])
    counts = reshape([nx, nj, 1, nx, ny, -9], [3, 2])
    n = merge(2, 1, rank == 1)
    call sv_mput_vara(file, pack_first([warm, land], n), starts(:, :n), counts(:, :n), &
                      pack_values([sv_values(wide(::2, :)), sv_values(all_land)], n))
    call check_record(warm, 8, 'sv_mput_vara')
    call check_record(land, 0, 'sv_mput_vara, the other')
    wide = -1
    all_land = -1
    call sv_mget_vara(file, [land, warm], int(starts(:, 2:1:-1), int64), int(counts(:, 2:1:-1), int64), &
                      [sv_values(all_land), sv_values(wide(2::2, :))])
    call check(all(nint(wide(2::2, :)) == rows(warm, 8, js, nj)) .and. all(wide(::2, :) < 0), 'sv_mget_vara')
    call check(all(all_land == rows(land, 0, 1, ny)), 'sv_mget_vara, the other')

    starts = reshape([1, js + nj - 1, 9, 1, js, 9], [3, 2])
    counts = reshape([nx, 1, 1, nx, nj - 1, 1], [3, 2])
    pile(:, 1:1) = rows(warm, 9, js + nj - 1, 1)
    pile(:, 2:) = rows(warm, 9, js, nj - 1)
    call sv_put_varn(file, warm, starts, counts, pile)
    call check_record(warm, 9, 'sv_put_varn')
    pile = -1
    call sv_get_varn(file, warm, int(starts(:, 2:), int64), int(counts(:, 2:), int64), pile(:, 2:))
    call check(all(pile(:, 2:) == rows(warm, 9, js, nj - 1)), 'sv_get_varn')
  end subroutine lists

  function pack_first(list, n) result(first)
    integer, intent(in) :: list(:), n
    integer :: first(n)
    first = list(:n)
  end function pack_first

  function pack_values(list, n) result(first)
    type(sv_values_t), intent(in) :: list(:)
    integer, intent(in) :: n
    type(sv_values_t) :: first(n)
    first = list(:n)
  end function pack_values

  subroutine handles()
    type(sv_request_t) :: r(2), stale
    integer :: codes(2)
    integer, asynchronous, target :: wrong(nx, nj)
    wrong = 0
    call sv_iput_vara(file, cold, [1, js, 1], [nx, nj, 1], wrong, r(1))
    stale = r(1)
    call sv_cancel(file, r)
    call check(all(r == SV_NO_REQUEST), 'cancelled')
    r(2) = stale
    call sv_cancel(file, r, codes, status)
    call check(status == SV_EINVAL .and. all(codes == [SV_OK, SV_EINVAL]), 'cancelled twice')
    if (rank == 2) r(1) = stale
    call sv_wait(file, r, codes, status)
    call check(status == SV_EINVAL .and. codes(1) == merge(SV_EINVAL, SV_OK, rank == 2), 'a stale handle')
    call sv_iput_vara(file, cold, [1, js, 1], [nx, nj, 1], wrong)
    call sv_cancel(file)
    call sv_wait(file)
    call check_record(cold, 1, 'what was cancelled')
  end subroutine handles

  ! Local calls are refused at once, lists on every rank.
  subroutine misuse()
    real(real32), asynchronous, target :: small(nx - 1, nj), whole(nx, ny), block(0:nx + 1, nj)
    logical, asynchronous, target :: flags(nx, nj)
    type(sv_values_t) :: values(2), unset
    type(sv_request_t) :: r, matrix(1, 2)
    integer :: n, codes(1)
    block = 1
    if (rank == 1) then
      call sv_iput_vara(file, warm, [1, js, 1], [nx, nj, 1], small, r, status)
      call reported(SV_EINVAL, [character(40) :: "'warm'", '(4, '], 'a wrong shape')
      call check(r == SV_NO_REQUEST, 'the handle of what was refused')
      call sv_iput(file, warm, grid, flags, 1, ierr=status)
      call reported(SV_EINVAL, [character(40) :: "'warm'", 'logical'], 'a wrong type')
      call sv_bput_vara(file, warm, [1, js], [nx, nj], small, ierr=status)
      call reported(SV_EINVAL, [character(40) :: "'warm'", 'one entry per dimension'], 'too few starts')
      call sv_iget_varn(file, warm, reshape([1, 1, 1], [3, 1]), reshape([nx, 3, 1], [3, 1]), whole(:, 1:6:2), ierr=status)
      call reported(SV_EINVAL, [character(40) :: "'warm'", 'follow each other'], 'a section for regions')
      call sv_iput_vara(file, warm, [1, 0, 1], [nx, nj, 1], whole(:, :nj), ierr=status)
      call reported(SV_EINVAL, [character(40) :: "'warm'", "'y'"], 'a start of 0')
      call sv_cancel(file, matrix, ierr=status)
      call reported(SV_EINVAL, [character(40) :: 'vectors'], 'a matrix of requests')
      call sv_attach_buffer(file, 0_int64, status)
      call reported(SV_EINVAL, [character(40) :: '0 bytes'], 'a buffer of nothing')
    end if
    call sv_inq_pending(file, n)
    call check(n == 0, 'what was refused waits')
    values = [sv_values(block), sv_values(block)]
    if (rank == 2) values(2) = sv_values(small)
    call sv_mput(file, [warm, cold], grid, values, 1, status)
    call reported(SV_EINVAL, [character(40) :: 'sv_mput', 'request 2 of 2', "'cold'", '(4, '], 'a list with a wrong shape')
    if (rank == 2) values(2) = unset
    call sv_mput(file, [warm, cold], grid, values, 1, status)
    call reported(SV_EINVAL, [character(40) :: 'request 2 of 2', 'sv_values'], 'values that nobody made')
    call sv_mput(file, [warm, cold], grid, values(:merge(1, 2, rank == 0)), 1, status)
    call reported(SV_EINVAL, [character(40) :: 'one entry for each'], 'too few values')
    n = merge(1, 2, rank == 0)
    call sv_mget_vara(file, [warm, cold], reshape([1, 1, 1, 1, 1, 1], [3, n]), reshape([0, 0, 0, 0, 0, 0], [3, n]), &
                      values, status)
    call reported(SV_EINVAL, [character(40) :: 'one column for each'], 'too few starts')
    call sv_wait(file, statuses=codes(:merge(1, 0, rank == 0)), ierr=status)
    call check(status == SV_OK, 'a wait for nothing')
    call sv_wait(file, matrix(1, :), codes, status)
    call reported(SV_EINVAL, [character(40) :: 'statuses'], 'too few statuses')
    call check_record(warm, 1, 'after lists that were refused')
  end subroutine misuse

  subroutine reported(code, mentions, what)
    integer, intent(in) :: code
    character(*), intent(in) :: mentions(:), what
    integer :: i
    call check(status == code, what//': '//sv_strerror(status)//', '//sv_message())
    do i = 1, size(mentions)
      call check(index(sv_message(), trim(mentions(i))) > 0, what//': '//sv_message())
    end do
  end subroutine reported

  ! sv_close waits for the remaining requests.
  subroutine leave_one()
    integer, asynchronous, target :: left(0:nx + 1, nj)
    left = -1
    left(1:nx, :) = rows(cold, 9, js, nj)
    call sv_iput(file, cold, grid, left, 9)
    call sv_close(file)
    call sv_open(io, 'requests.nc', file)
    left = -1
    call sv_get(file, cold, grid, left, 9)
    call check(all(left(1:nx, :) == rows(cold, 9, js, nj)), 'what was left')
    call sv_close(file)
  end subroutine leave_one

end program fortran_requests
