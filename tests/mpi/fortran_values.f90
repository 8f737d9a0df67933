! Kinds, ranks, sections, halos, records and sub-arrays, through the Fortran module.
! run: ranks=1 limit=60
! run: ranks=2 limit=60
! run: ranks=5 limit=60 env=SV_TESTING_RANKS_PER_NODE=2
program fortran_values
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
  use checking, only: check
  use mpi_f08
  use sverdrup
  implicit none
  integer, parameter :: nx = 7, ny = 11, nz = 3
  type(sv_context_t) :: io
  type(sv_decomp_t) :: grid
  type(sv_file_t) :: file
  integer :: rank, ranks, js, nj, x, y, z, time, id(12), n

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call sv_block(ny, ranks, rank, js, nj)
  call sv_init(io, MPI_COMM_WORLD%mpi_val, options=['format=cdf5', '           '])
  call sv_def_decomp(io, grid, [nx, ny], start=[1, js], count=[nx, nj], halo=[2, 1], &
                 periodic=[.true., .false.])
  call define('values.nc')
  call put_kinds()
  call put_sections()
  call put_replicated()
  call put_subarrays()
  call sv_close(file)

  call sv_open(io, 'values.nc', file)
  call get_kinds()
  call get_sections()
  call get_replicated()
  call get_subarrays()
  call sv_close(file)
  call copy_all()
  call sv_free_decomp(grid)
  call sv_finalize(io)
  call MPI_Finalize()

contains

  ! The value of cell i, j, k in record n: fits every kind.
  pure integer function cell(i, j, k, n)
    integer, intent(in) :: i, j, k, n
    cell = mod(i + nx*(j + ny*(k + nz*n)), 113)
  end function cell

  subroutine define(name)
    character(*), intent(in) :: name
    character(2), parameter :: names(6) = ['i1', 'i2', 'i4', 'i8', 'r4', 'r8']
    integer, parameter :: types(6) = [SV_BYTE, SV_SHORT, SV_INT, SV_INT64, SV_FLOAT, SV_DOUBLE]
    call sv_create(io, name, file)
    call sv_def_dim(file, 'x', nx, x)
    call sv_def_dim(file, 'y', int(ny, int64), y)
    call sv_def_dim(file, 'z', nz, z)
    call sv_def_dim(file, 'time', SV_UNLIMITED, time)
    do n = 1, 6
      call sv_def_var(file, names(n), types(n), [x, y], id(n))
    end do
    call sv_def_var(file, 'section', SV_FLOAT, [x, y, z, time], id(7))
    call sv_def_var(file, 'levels_first', SV_DOUBLE, [z, x, y], id(8))
    call sv_def_var(file, 'scalar', SV_INT, [integer ::], id(9))
    call sv_def_var(file, 'clock', SV_DOUBLE, [time], id(10))
    call sv_def_var(file, 'names', SV_CHAR, [x, z], id(11))
    call sv_def_var(file, 'columns', SV_INT, [x, y, time], id(12))
    call sv_enddef(file)
  end subroutine define

  subroutine put_kinds()
    integer(int8) :: i1(-1:nx + 2, js - 1:js + nj)
    integer(int16) :: i2(-1:nx + 2, js - 1:js + nj)
    integer(int32) :: i4(-1:nx + 2, js - 1:js + nj)
    integer(int64) :: i8(-1:nx + 2, js - 1:js + nj)
    real(real32) :: r4(-1:nx + 2, js - 1:js + nj)
    real(real64) :: r8(-1:nx + 2, js - 1:js + nj)
    integer :: i, j
    i4 = -99
    do j = js, js + nj - 1
      i4(1:nx, j) = [(cell(i, j, 1, 1), i=1, nx)]
    end do
    i1 = int(i4, int8)
    i2 = int(i4, int16)
    i8 = i4
    r4 = real(i4, real32)
    r8 = i4
    call sv_put(file, id(1), grid, i1)
    call sv_put(file, id(2), grid, i2)
    call sv_put(file, id(3), grid, i4)
    call sv_put(file, id(4), grid, i8)
    call sv_put(file, id(5), grid, r8)
    call sv_put(file, id(6), grid, r4)
  end subroutine put_kinds

  subroutine get_kinds()
    integer(int8) :: i1(-1:nx + 2, js - 1:js + nj)
    integer(int64) :: i8(-1:nx + 2, js - 1:js + nj)
    real(real32) :: r4(-1:nx + 2, js - 1:js + nj)
    integer :: i, j, each
    do each = 1, 6
      i1 = -7
      i8 = -7
      r4 = -7
      call sv_get(file, id(each), grid, i8)
      call sv_get(file, id(each), grid, r4)
      if (each == 1) call sv_get(file, id(each), grid, i1)
      do j = js, js + nj - 1
        call check(all(i8(1:nx, j) == [(cell(i, j, 1, 1), i=1, nx)]), 'values')
        call check(all(nint(r4(1:nx, j)) == [(cell(i, j, 1, 1), i=1, nx)]), 'converted values')
      end do
      if (each == 1) call check(all(i1(1:nx, js:js + nj - 1) == i8(1:nx, js:js + nj - 1)), 'bytes')
      if (nj > 0) call check(all(i8(:, js - 1) == -7) .and. all(i8(0, :) == -7), 'the halo is kept')
    end do
  end subroutine get_kinds

  ! Every second element, backwards in y, levels in the middle: nothing is contiguous.
  subroutine put_sections()
    real(real64) :: wide(2*(nx + 4), nz, nj + 2)
    real(real64), allocatable, target :: levels(:, :, :)
    integer :: i, j, k
    allocate (levels(nz, -1:nx + 2, js - 1:js + nj))
    levels = -1
    do n = 1, 2
      wide = -1
      do j = js, js + nj - 1
        do k = 1, nz
          wide(5:2*nx + 4:2, k, js + nj + 1 - j) = [(real(cell(i, j, k, n), real64), i=1, nx)]
          levels(k, 1:nx, j) = wide(5:2*nx + 4:2, k, js + nj + 1 - j)
        end do
      end do
      do k = 1, nz
        call put_level(wide(1::2, k, nj + 2:1:-1), k)
      end do
      call put_all(wide)
    end do
    call sv_put(file, id(8), grid, levels)
    call sv_end_step(io)
  end subroutine put_sections

  ! One level of a record, as a sub-array: the dimensions of length 1 are not those of the array.
  subroutine put_level(level, k)
    real(real64), intent(in) :: level(:, :)
    integer, intent(in) :: k
    call sv_put_vara(file, id(7), [1, js, k, n], [nx, nj, 1, 1], level(3:nx + 2, 2:nj + 1))
  end subroutine put_level

  ! The whole record, its dimensions permuted by pointers to sections.
  subroutine put_all(wide)
    real(real64), intent(in) :: wide(:, :, :)
    real(real64), allocatable :: block(:, :, :)
    integer :: k
    allocate (block(nx + 4, nj + 2, nz))
    do k = 1, nz
      block(:, :, k) = wide(1::2, k, nj + 2:1:-1)
    end do
    call sv_put(file, id(7), grid, block, record=int(n, int64))
  end subroutine put_all

  subroutine get_sections()
    real(real32) :: all_levels(nx, ny, nz)
    real(real64) :: levels(nz, nx, ny)
    integer :: i, j, k
    do n = 1, 2
      call sv_get_var(file, id(7), all_levels(:, ny:1:-1, :), record=n)
      do k = 1, nz
        do j = 1, ny
          call check(all(nint(all_levels(:, ny + 1 - j, k)) == [(cell(i, j, k, n), i=1, nx)]), &
                     'sections')
        end do
      end do
    end do
    call sv_get_var(file, id(8), levels)
    do j = 1, ny
      call check(all(nint(levels(2, :, j)) == [(cell(i, j, 2, 2), i=1, nx)]), 'levels first')
    end do
  end subroutine get_sections

  subroutine put_replicated()
    character(nx) :: names(nz)
    names = ['north  ', 'equator', 'south  ']
    call sv_put_var(file, id(9), 42)
    do n = 1, 2
      call sv_put_var(file, id(10), 1.5_real64*n, record=n)
    end do
    call sv_put_var(file, id(11), names)
  end subroutine put_replicated

  subroutine get_replicated()
    character(nx) :: names(nz)
    character :: letters(nx, nz)
    integer(int16) :: scalar
    real(real64) :: clock(1), times(2)
    call sv_get_var(file, id(9), scalar)
    call check(scalar == 42, 'a scalar')
    call sv_get_var(file, id(10), clock, record=2)
    call check(nint(clock(1)) == 3, 'a record of a scalar')
    call sv_get_vara(file, id(10), [1], [2], times)
    call check(all(nint(2*times) == [3, 6]), 'the clock')
    call sv_get_var(file, id(11), names)
    call check(names(2) == 'equator' .and. names(3) == 'south', 'characters')
    call sv_get_var(file, id(11), letters)
    call check(letters(1, 1) == 'n' .and. letters(5, 3) == 'h', 'single characters')
  end subroutine get_replicated

  ! A file of the same definitions, its values copied; records the other way round.
  subroutine copy_all()
    type(sv_file_t) :: from
    integer :: v, ierr
    real(real64) :: times(2)
    call sv_open(io, 'values.nc', from)
    call define('copied.nc')
    do v = 1, 12
      if (any(v == [7, 10, 12])) then
        call sv_copy_var(from, id(v), file, id(v), 1, 2)
        call sv_copy_var(from, id(v), file, id(v), from_record=2_int64, to_record=1_int64)
      else
        call sv_copy_var(from, id(v), file, id(v))
      end if
    end do
    call sv_copy_var(from, id(1), file, id(2), ierr=ierr)
    call check(ierr == SV_ETYPE, 'a copy between types')
    call sv_close(from)
    call sv_close(file)
    call sv_open(io, 'copied.nc', file)
    call get_kinds()
    call sv_get_vara(file, id(10), [1], [2], times)
    call check(all(nint(2*times) == [6, 3]), 'the clock, copied')
    call sv_close(file)
  end subroutine copy_all

  ! Each rank writes a column of both records; unwritten columns are filled.
  subroutine put_subarrays()
    integer :: column(2, ny), i, j
    do i = 1, 2
      column(i, :) = [(cell(rank + 1, j, 1, i), j=1, ny)]
    end do
    call sv_fill_var(file, id(12), record=1)
    call sv_fill_var(file, id(12), record=2_int64)
    call sv_put_vara(file, id(12), int([rank + 1, 1, 1], int64), int([1, ny, 2], int64), &
                     transpose(column))
    call sv_put_vara(file, id(12), [1, 1, 1], [0, 0, 0], column)
  end subroutine put_subarrays

  subroutine get_subarrays()
    integer :: columns(ranks, ny), i, j
    call sv_get_vara(file, id(12), [1, 1, 2], [ranks, ny, 1], columns)
    do i = 1, ranks
      call check(all(columns(i, :) == [(cell(i, j, 1, 2), j=1, ny)]), 'columns')
    end do
  end subroutine get_subarrays

end program fortran_values
