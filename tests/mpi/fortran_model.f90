! The rest of netCDF's data model through the Fortran module: redefinition, names and attributes that
! change, fill values, packing, strided sub-arrays, text and scalars.
! run: ranks=3 limit=60
! run: ranks=1 limit=60
program fortran_model
  use, intrinsic :: iso_fortran_env, only: int16, int32, int64, real32, real64
  use, intrinsic :: ieee_arithmetic, only: ieee_is_nan, ieee_quiet_nan, ieee_value
  use checking, only: check
  use mpi_f08
  use sverdrup
  implicit none

  integer, parameter :: nx = 12, ny = 4
  type(sv_context_t) :: io
  type(sv_file_t) :: file
  integer :: rank, ranks, x, y, letters, time, packed, words, number, series, status
  real(real64) :: none

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  none = ieee_value(none, ieee_quiet_nan)
  call sv_init(io, MPI_COMM_WORLD, options=['transport.window=1MiB'])
  call define
  call put_all
  call redefine
  call sv_close(file)
  call read_all
  call sv_finalize(io)
  call MPI_Finalize()

contains

  subroutine define
    call sv_create(io, 'fortran_model.nc', file, SV_GROWING)
    call sv_def_dim(file, 'x', nx, x)
    call sv_def_dim(file, 'y', ny, y)
    call sv_def_dim(file, 'letters', 8, letters)
    call sv_def_dim(file, 'time', SV_UNLIMITED, time)
    call sv_def_var(file, 'packed', SV_SHORT, [x, y], packed)
    call sv_def_fill(file, packed, -99_int16)
    call sv_def_packing(file, packed, 0.5_real64, 100.0_real64)
    call sv_def_var(file, 'words', SV_CHAR, [letters, y], words)
    call sv_def_var(file, 'number', SV_DOUBLE, [integer ::], number)
    call sv_enddef(file)
  end subroutine define

  ! Columns in turn among the ranks, from an array with the dimensions the other way round.
  subroutine put_all
    real(real64), allocatable :: turned(:, :)
    character(8) :: text(ny)
    integer :: mine, i, j
    mine = (nx - rank - 1) / ranks + 1
    allocate (turned(ny, mine))
    do i = 1, mine
      do j = 1, ny
        turned(j, i) = value_at(rank + 1 + (i - 1) * ranks, j)
      end do
    end do
    call sv_put_vars(file, packed, [rank + 1, 1], [mine, ny], [ranks, 1], transpose(turned))
    text = ['atlantic', 'pacific ', 'indian  ', 'arctic  ']
    if (rank == 0) call sv_put_vara(file, words, [1, 1], [8, ny], text)
    if (rank > 0) call sv_put_vara(file, words, [1, 1], [0, 0], text)
    call sv_put_var(file, number, 2.5_real64)
    ! A single value, of one rank; the others bring a count of 0.
    if (rank == 0) call sv_put_vara(file, packed, [5, 2], [1, 1], none)
    if (rank > 0) call sv_put_vara(file, packed, [5, 2], [0, 0], none)
  end subroutine put_all

  pure real(real64) function value_at(i, j)
    integer, intent(in) :: i, j
    value_at = 100 + 0.5_real64 * (10 * j + i)
  end function value_at

  elemental logical function near(a, b)
    real(real64), intent(in) :: a, b
    near = abs(a - b) < 1e-9_real64
  end function near

  subroutine redefine
    integer :: k
    call sv_redef(file)
    call sv_def_var(file, 'series', SV_FLOAT, [x, time], series)
    call sv_rename_dim(file, y, 'rows')
    call sv_rename_var(file, number, 'count')
    call sv_put_att(file, series, 'units', 'm')
    call sv_put_att(file, series, 'old', 1)
    call sv_rename_att(file, series, 'old', 'new')
    call sv_put_att(file, series, 'gone', [1.0, 2.0])
    call sv_del_att(file, series, 'gone')
    call sv_copy_att(file, series, 'units', file, number)
    call sv_rename_var(file, number, 'series', ierr=status)
    call check(status == SV_EEXISTS, 'a name that is taken')
    call sv_enddef(file)
    call sv_redef(file, ierr=status)
    call check(status == SV_OK, 'a second redefinition')
    call sv_enddef(file)
    call sv_put_var(file, series, real([(k, k = 1, nx)], real32), record=1)
  end subroutine redefine

  subroutine read_all
    real(real64) :: field(nx, ny), few(3, 2), scalar
    integer(int16) :: fill
    integer :: defined, found, bytes, kind, on
    character(SV_MAX_NAME) :: name
    character(8) :: text(ny)
    call sv_open(io, 'fortran_model.nc', file)
    call sv_use_packing(file, packed, .true.)
    call sv_inq_packing(file, packed, on)
    call check(on == 1, 'packing is off')
    call sv_get_var(file, packed, field)
    call check(ieee_is_nan(field(5, 2)), 'the missing value is not NaN')
    field(5, 2) = value_at(5, 2)
    call check(near(field(1, 1), value_at(1, 1)), 'an unpacked value')
    call check(near(field(nx, ny), value_at(nx, ny)), 'the last unpacked value')
    call check(near(sum(field), nx * ny * 100 + 0.5_real64 * (100 * nx + 78 * ny)), 'their sum')
    call sv_get_vars(file, packed, [2, 1], [3, 2], [4, 3], few)
    call check(all(near(few, field(2:10:4, 1:4:3))), 'strided values')
    call sv_use_packing(file, packed, .false.)
    call sv_get_var(file, packed, field)
    call check(near(field(5, 2), -99.0_real64), 'the stored fill value')
    call sv_get_var(file, words, text)
    call check(text(1) == 'atlantic' .and. text(4) == 'arctic', 'the text')
    call sv_get_var(file, number, scalar)
    call check(near(scalar, 2.5_real64), 'the scalar')
    call sv_inq_fill(file, packed, defined, fill)
    call check(defined == 1 .and. fill == -99, 'the fill value')
    call sv_inq_fill(file, number, defined)
    call check(defined == 0, 'a fill value that nobody defined')
    call sv_inq_fill(file, number, defined, fill, ierr=status)
    call check(status == SV_ETYPE, 'a fill value of another type')
    call sv_inq_dim(file, y, name=name)
    call check(name == 'rows', 'the renamed dimension')
    call sv_inq_varid(file, 'count', found)
    call check(found == number, 'the renamed variable')
    call sv_inq_attid(file, series, 'new', found)
    call check(found == 2, 'the number of an attribute')
    call sv_inq_attid(file, series, 'gone', found, ierr=status)
    call check(status == SV_ENOTFOUND, 'the deleted attribute')
    call sv_get_att(file, number, 'units', name)
    call check(name == 'm', 'the copied attribute')
    call sv_inq_path(file, name)
    call check(name == 'fortran_model.nc', 'the path')
    call sv_inq_setting(io, name, 'transport.window', text(1))
    call check(text(1) == '1MiB', 'a setting, as text')
    call sv_inq_setting(io, name, 'windows', text(1), ierr=status)
    call check(status == SV_ENOTFOUND, 'a setting that there is not')
    call sv_inq_kind(file, kind)
    call check(kind == SV_NOWRITE, 'the kind')
    call sv_inq_type(SV_DOUBLE, name, bytes)
    call check(name == 'double' .and. bytes == 8, 'the type')
    call sv_close(file)
  end subroutine read_all

end program fortran_model
