! Restart files: all of the state in double precision, in a published file, read back on any number
! of ranks, with a mask or without. Land has the fill value.
module ocean_restart
  use, intrinsic :: iso_fortran_env, only: int64
  use sverdrup
  use ocean_options, only: dp
  use ocean_grid, only: grid_type, halo, longitude, latitude
  use ocean_state, only: state_type, refresh_halos, temperature, salinity, age
  use ocean_output, only: fill => missing
  implicit none
  private
  public :: write_restart, read_restart

  character(*), parameter :: names(*) = [character(4) :: 'temp', 'salt', 'age', 'u', 'v', 'psi']
  character(*), parameter :: units(*) = [character(6) :: 'degC', '1e-3', 'day', 'm s-1', 'm s-1', &
    'm3 s-1']
  character(*), parameter :: long_names(*) = [character(36) :: 'temperature', 'salinity', &
    'time since last at the surface', 'eastward velocity at corners', &
    'northward velocity at corners', &
    'streamfunction']

contains

  ! Collective.
  subroutine write_restart(io, decomp, path, g, dt, s)
    type(sv_context_t), intent(in) :: io
    type(sv_decomp_t), intent(in) :: decomp
    character(*), intent(in) :: path
    type(grid_type), intent(in) :: g
    real(dp), intent(in) :: dt
    type(state_type), intent(in) :: s
    type(sv_file_t) :: file
    integer :: id(size(names)), axes(2, 3), step, seconds, n
    integer, allocatable :: dims(:)
    real(dp) :: volume(1 - halo:g%ni + halo, 1 - halo:g%nj + halo, g%nz)
    call sv_create(io, path, file, SV_PUBLISHED)
    call put_global(file)
    call define_axis(file, 'lon', [character(13) :: 'longitude', 'degrees_east'], g%nx, axes(:, 1))
    call define_axis(file, 'lat', [character(13) :: 'latitude', 'degrees_north'], g%ny, axes(:, 2))
    call define_axis(file, 'lev', [character(13) :: 'depth', 'm'], g%nz, axes(:, 3))
    call sv_put_att(file, axes(2, 3), 'positive', 'down')
    do n = 1, size(names)
      dims = axes(1, :)
      if (names(n) == 'psi') dims = axes(1, :2)
      call sv_def_var(file, trim(names(n)), SV_DOUBLE, dims, id(n))
      call sv_def_fill(file, id(n), fill)
      call sv_put_att(file, id(n), 'long_name', trim(long_names(n)))
      call sv_put_att(file, id(n), 'units', trim(units(n)))
    end do
    call sv_def_var(file, 'step', SV_INT, [integer ::], step)
    call sv_put_att(file, step, 'long_name', 'time steps since the start')
    call sv_def_var(file, 'dt', SV_DOUBLE, [integer ::], seconds)
    call sv_put_att(file, seconds, 'long_name', 'length of a time step')
    call sv_put_att(file, seconds, 'units', 's')
    call sv_enddef(file)
    call sv_put_var(file, axes(2, 1), [(longitude(g, n), n=1, g%nx)])
    call sv_put_var(file, axes(2, 2), [(latitude(g, n), n=1, g%ny)])
    call sv_put_var(file, axes(2, 3), g%depth)
    do n = 1, 3
      volume = merge(s%tracer(:, :, :, n), fill, g%tmask > 0.5_dp)
      call sv_put(file, id(n), decomp, volume)
    end do
    do n = 1, 2
      volume = merge(s%velocity(:, :, :, n), fill, g%umask > 0.5_dp)
      call sv_put(file, id(3 + n), decomp, volume)
    end do
    volume(:, :, 1) = merge(s%psi, fill, g%kmt > 0)
    call sv_put(file, id(6), decomp, volume(:, :, 1))
    call sv_put_var(file, step, s%step)
    call sv_put_var(file, seconds, dt)
    call sv_close(file)
  end subroutine write_restart

  subroutine put_global(file)
    type(sv_file_t), intent(in) :: file
    call sv_put_att(file, SV_GLOBAL, 'Conventions', 'CF-1.11')
    call sv_put_att(file, SV_GLOBAL, 'title', 'Restart of the Sverdrup ocean model')
    call sv_put_att(file, SV_GLOBAL, 'institution', 'Sverdrup')
    call sv_put_att(file, SV_GLOBAL, 'source', 'models/ocean of Sverdrup')
    call sv_put_att(file, SV_GLOBAL, 'history', 'written by the model as it ended')
    call sv_put_att(file, SV_GLOBAL, 'references', 'docs/ocean.md of Sverdrup')
  end subroutine put_global

  subroutine define_axis(file, name, texts, length, ids)
    type(sv_file_t), intent(in) :: file
    character(*), intent(in) :: name, texts(2)   ! standard name and units
    integer, intent(in) :: length
    integer, intent(out) :: ids(2)               ! of dimension and variable
    call sv_def_dim(file, name, length, ids(1))
    call sv_def_var(file, name, SV_DOUBLE, [ids(1)], ids(2))
    call sv_put_att(file, ids(2), 'standard_name', trim(texts(1)))
    call sv_put_att(file, ids(2), 'units', trim(texts(2)))
  end subroutine define_axis

  ! Collective. `error` is empty, or says on every rank what does not suit this run.
  subroutine read_restart(io, decomp, path, g, dt, s, error)
    type(sv_context_t), intent(in) :: io
    type(sv_decomp_t), intent(in) :: decomp
    character(*), intent(in) :: path
    type(grid_type), intent(in) :: g
    real(dp), intent(in) :: dt
    type(state_type), intent(inout) :: s
    character(:), allocatable, intent(out) :: error
    type(sv_file_t) :: file
    integer :: id, n
    real(dp) :: dt_then
    call sv_open(io, path, file)
    error = ''
    call check_length('lon', g%nx)
    call check_length('lat', g%ny)
    call check_length('lev', g%nz)
    call sv_inq_varid(file, 'dt', id)
    call sv_get_var(file, id, dt_then)
    if (abs(dt_then - dt) > 0) &
      error = path//': the time step differs from that of this run: give the same --dt'
    if (len(error) == 0) then
      do n = 1, 3
        call sv_inq_varid(file, trim(names(n)), id)
        call sv_get(file, id, decomp, s%tracer(:, :, :, n))
        where (g%tmask < 0.5_dp) s%tracer(:, :, :, n) = 0
      end do
      do n = 1, 2
        call sv_inq_varid(file, trim(names(3 + n)), id)
        call sv_get(file, id, decomp, s%velocity(:, :, :, n))
        where (g%umask < 0.5_dp) s%velocity(:, :, :, n) = 0
      end do
      call sv_inq_varid(file, 'psi', id)
      call sv_get(file, id, decomp, s%psi)
      where (g%kmt == 0) s%psi = 0
      call sv_inq_varid(file, 'step', id)
      call sv_get_var(file, id, s%step)
    end if
    call sv_close(file)
    if (len(error) == 0) call refresh_halos(g, s)

  contains

    subroutine check_length(name, expected)
      character(*), intent(in) :: name
      integer, intent(in) :: expected
      integer :: dim
      integer(int64) :: length
      character(20) :: text
      call sv_inq_dimid(file, name, dim)
      call sv_inq_dim(file, dim, length=length)
      write (text, '(i0)') length
      if (length /= expected) &
        error = path//': '//name//' has '//trim(text)//' cells: give the grid of this file'
    end subroutine check_length

  end subroutine read_restart

end module ocean_restart
