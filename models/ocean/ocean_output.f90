! Diagnostics: single precision, one record every so many steps, with the metadata of CF-1.11.
! Velocities are averaged from corners to cell centres, so that all fields share one grid.
module ocean_output
  use, intrinsic :: iso_fortran_env, only: sp => real32, int64
  use sverdrup
  use ocean_options, only: dp
  use ocean_grid, only: grid_type, halo, longitude, latitude
  use ocean_state, only: state_type, temperature, salinity, age, day
  implicit none
  private
  public :: output_type, create_output, write_record, close_output
  public :: axes_type, define_axes, write_axes, put_global, date_of, missing

  real(sp), parameter :: missing = 1.0e20_sp      ! on land

  ! Dimensions and coordinate variables that every file of the model has.
  type axes_type
    integer :: lon = 0, lat = 0, lev = 0, two = 0                  ! dimensions
    integer :: lon_id = 0, lat_id = 0, lev_id = 0, lon_bnds = 0, lat_bnds = 0, lev_bnds = 0
  end type axes_type

  type output_type
    type(sv_file_t) :: file
    type(axes_type) :: axes
    integer :: time = 0, area = 0, floor = 0
    integer :: sst = 0, sss = 0, psi = 0, temp = 0, salt = 0, u = 0, v = 0, age = 0
    integer :: records = 0
    logical :: series = .false.        ! a file for each period: the path has date fields
  end type output_type

contains

  ! Collective.
  subroutine create_output(io, decomp, path, g, out)
    type(sv_context_t), intent(in) :: io
    type(sv_decomp_t), intent(in) :: decomp
    character(*), intent(in) :: path
    type(grid_type), intent(in) :: g
    type(output_type), intent(out) :: out
    integer :: time
    out%series = index(path, '%') > 0
    call sv_create(io, path, out%file, merge(SV_SERIES, SV_CLOBBER, out%series))
    call put_global(out%file, 'Diagnostics of the Sverdrup ocean model')
    call sv_put_att(out%file, SV_GLOBAL, 'comment', &
      'u and v are averages of the four corners of a cell (B grid)')
    call define_axes(out%file, g, out%axes)
    call sv_def_dim(out%file, 'time', SV_UNLIMITED, time)
    call sv_def_var(out%file, 'time', SV_DOUBLE, [time], out%time)
    call sv_put_att(out%file, out%time, 'standard_name', 'time')
    call sv_put_att(out%file, out%time, 'long_name', 'time')
    call sv_put_att(out%file, out%time, 'units', 'days since 0001-01-01 00:00:00')
    call sv_put_att(out%file, out%time, 'calendar', 'noleap')
    call sv_put_att(out%file, out%time, 'axis', 'T')
    call define_fields(out, time)
    call sv_enddef(out%file)
    if (out%series) return
    call write_axes(out%file, g, out%axes)
    call write_fixed(decomp, g, out)
  end subroutine create_output

  subroutine put_global(file, title)
    type(sv_file_t), intent(in) :: file
    character(*), intent(in) :: title
    call sv_put_att(file, SV_GLOBAL, 'Conventions', 'CF-1.11')
    call sv_put_att(file, SV_GLOBAL, 'title', title)
    call sv_put_att(file, SV_GLOBAL, 'institution', 'Sverdrup')
    call sv_put_att(file, SV_GLOBAL, 'source', &
      'models/ocean of Sverdrup, forced by ETOPO5, Levitus and FNOC winds')
    call sv_put_att(file, SV_GLOBAL, 'history', 'written by the model as it ran')
    call sv_put_att(file, SV_GLOBAL, 'references', 'docs/ocean.md of Sverdrup')
  end subroutine put_global

  ! Local, in define mode: lon, lat, lev with bounds.
  subroutine define_axes(file, g, axes)
    type(sv_file_t), intent(in) :: file
    type(grid_type), intent(in) :: g
    type(axes_type), intent(out) :: axes
    call sv_def_dim(file, 'lon', g%nx, axes%lon)
    call sv_def_dim(file, 'lat', g%ny, axes%lat)
    call sv_def_dim(file, 'lev', g%nz, axes%lev)
    call sv_def_dim(file, 'bnds', 2, axes%two)
    call axis(axes%lon, 'lon', 'longitude', 'degrees_east', 'X', axes%lon_id, axes%lon_bnds)
    call axis(axes%lat, 'lat', 'latitude', 'degrees_north', 'Y', axes%lat_id, axes%lat_bnds)
    call axis(axes%lev, 'lev', 'depth', 'm', 'Z', axes%lev_id, axes%lev_bnds)
    call sv_put_att(file, axes%lev_id, 'positive', 'down')

  contains

    subroutine axis(dim, name, standard_name, units, letter, id, bounds)
      integer, intent(in) :: dim
      character(*), intent(in) :: name, standard_name, units, letter
      integer, intent(out) :: id, bounds
      call sv_def_var(file, name, SV_DOUBLE, [dim], id)
      call sv_put_att(file, id, 'standard_name', standard_name)
      call sv_put_att(file, id, 'long_name', standard_name//' of cell centres')
      call sv_put_att(file, id, 'units', units)
      call sv_put_att(file, id, 'axis', letter)
      call sv_put_att(file, id, 'bounds', name//'_bnds')
      call sv_def_var(file, name//'_bnds', SV_DOUBLE, [axes%two, dim], bounds)
    end subroutine axis

  end subroutine define_axes

  ! Collective.
  subroutine write_axes(file, g, axes)
    type(sv_file_t), intent(in) :: file
    type(grid_type), intent(in) :: g
    type(axes_type), intent(in) :: axes
    integer :: n
    call put(axes%lon_id, axes%lon_bnds, [(longitude(g, n), n=1, g%nx)], [(n*g%dlon, n=0, g%nx)])
    call put(axes%lat_id, axes%lat_bnds, [(latitude(g, n), n=1, g%ny)], &
      [(-90 + n*g%dlat, n=0, g%ny)])
    call put(axes%lev_id, axes%lev_bnds, g%depth, g%depth_edge)

  contains

    subroutine put(id, bounds, centres, edges)
      integer, intent(in) :: id, bounds
      real(dp), intent(in) :: centres(:), edges(:)
      real(dp) :: pairs(2, size(centres))
      pairs(1, :) = edges(:size(centres))
      pairs(2, :) = edges(2:)
      call sv_put_var(file, id, centres)
      call sv_put_var(file, bounds, pairs)
    end subroutine put

  end subroutine write_axes

  subroutine define_fields(out, time)
    type(output_type), intent(inout) :: out
    integer, intent(in) :: time
    integer :: flat(2), surface(3), volume(4)
    flat = [out%axes%lon, out%axes%lat]
    surface = [flat, time]
    volume = [flat, out%axes%lev, time]
    call define('areacello', flat, 'cell_area', 'area of ocean cells', 'm2', '', out%area)
    call define('deptho', flat, 'sea_floor_depth_below_geoid', 'depth of the sea floor', 'm', '', &
      out%floor)
    call define('sst', surface, 'sea_surface_temperature', 'temperature of the top level', &
      'degC', 'point', out%sst)
    call define('sss', surface, 'sea_surface_salinity', 'salinity of the top level', '1e-3', &
      'point', out%sss)
    call define('psi', surface, 'ocean_barotropic_streamfunction', &
      'streamfunction of the depth-integrated flow', &
                'm3 s-1', 'point', out%psi)
    call define('temp', volume, 'sea_water_potential_temperature', 'temperature', 'degC', &
      'point', out%temp)
    call define('salt', volume, 'sea_water_salinity', 'salinity', '1e-3', 'point', out%salt)
    call define('u', volume, 'eastward_sea_water_velocity', 'eastward velocity', 'm s-1', &
      'point', out%u)
    call define('v', volume, 'northward_sea_water_velocity', 'northward velocity', 'm s-1', &
      'point', out%v)
    call define('age', volume, 'sea_water_age_since_surface_contact', &
      'time since last at the surface', 'day', 'point', &
                out%age)

  contains

    subroutine define(name, dims, standard_name, long_name, units, time_method, id)
      character(*), intent(in) :: name, standard_name, long_name, units, time_method
      integer, intent(in) :: dims(:)
      integer, intent(out) :: id
      call sv_def_var(out%file, name, SV_FLOAT, dims, id)
      call sv_def_fill(out%file, id, missing)
      call sv_put_att(out%file, id, 'standard_name', standard_name)
      call sv_put_att(out%file, id, 'long_name', long_name)
      call sv_put_att(out%file, id, 'units', units)
      if (units == 'degC') call sv_put_att(out%file, id, 'units_metadata', 'temperature: on_scale')
      if (name /= 'areacello') call sv_put_att(out%file, id, 'cell_measures', 'area: areacello')
      if (len(time_method) > 0) call sv_put_att(out%file, id, 'cell_methods', 'time: '//time_method)
    end subroutine define

  end subroutine define_fields

  subroutine write_fixed(decomp, g, out)
    type(sv_decomp_t), intent(in) :: decomp
    type(grid_type), intent(in) :: g
    type(output_type), intent(in) :: out
    real(sp) :: field(1 - halo:g%ni + halo, 1 - halo:g%nj + halo)
    integer :: i, j
    do j = 1 - halo, g%nj + halo
      field(:, j) = merge(real(g%area(j), sp), missing, g%kmt(:, j) > 0)
    end do
    call sv_put(out%file, out%area, decomp, field)
    do j = 1 - halo, g%nj + halo
      do i = 1 - halo, g%ni + halo
        field(i, j) = merge(real(g%depth_edge(g%kmt(i, j)), sp), missing, g%kmt(i, j) > 0)
      end do
    end do
    call sv_put(out%file, out%floor, decomp, field)
  end subroutine write_fixed

  ! Collective. One more record, and the end of the step.
  subroutine write_record(io, decomp, g, dt, s, out)
    type(sv_context_t), intent(in) :: io
    type(sv_decomp_t), intent(in) :: decomp
    type(grid_type), intent(in) :: g
    real(dp), intent(in) :: dt
    type(state_type), intent(in) :: s
    type(output_type), intent(inout) :: out
    real(sp) :: field(1 - halo:g%ni + halo, 1 - halo:g%nj + halo, g%nz)
    integer :: n
    call select_record(n)
    field = masked(s%tracer(:, :, :, temperature))
    call sv_put(out%file, out%sst, decomp, field(:, :, 1), record=n)
    call sv_put(out%file, out%temp, decomp, field, record=n)
    field = masked(s%tracer(:, :, :, salinity))
    call sv_put(out%file, out%sss, decomp, field(:, :, 1), record=n)
    call sv_put(out%file, out%salt, decomp, field, record=n)
    field = masked(s%tracer(:, :, :, age))
    call sv_put(out%file, out%age, decomp, field, record=n)
    field(:, :, 1) = real(merge(s%psi, real(missing, dp), g%kmt > 0), sp)
    call sv_put(out%file, out%psi, decomp, field(:, :, 1), record=n)
    field = masked(centred(s%velocity(:, :, :, 1)))
    call sv_put(out%file, out%u, decomp, field, record=n)
    field = masked(centred(s%velocity(:, :, :, 2)))
    call sv_put(out%file, out%v, decomp, field, record=n)
    call sv_end_step(io)

  contains

    subroutine select_record(n)
      integer, intent(out) :: n
      logical :: new
      if (out%series) then
        call sv_select_record(out%file, date_of(s%step*dt), s%step*dt/day, n, new)
        if (new) call write_axes(out%file, g, out%axes)
        if (new) call write_fixed(decomp, g, out)
      else
        out%records = out%records + 1
        n = out%records
        call sv_put_var(out%file, out%time, s%step*dt/day, record=n)
      end if
    end subroutine select_record

    function masked(a)
      real(dp), intent(in) :: a(1 - halo:, 1 - halo:, :)
      real(sp) :: masked(1 - halo:g%ni + halo, 1 - halo:g%nj + halo, g%nz)
      masked = merge(real(a, sp), missing, g%tmask > 0.5_dp)
    end function masked

    function centred(a)
      real(dp), intent(in) :: a(1 - halo:, 1 - halo:, :)
      real(dp) :: centred(1 - halo:g%ni + halo, 1 - halo:g%nj + halo, g%nz)
      centred = 0
      centred(1:g%ni, 1:g%nj, :) = 0.25_dp*((a(1:g%ni, 1:g%nj, :) + a(0:g%ni - 1, 1:g%nj, :)) &
        + (a(1:g%ni, 0:g%nj - 1, :) + a(0:g%ni - 1, 0:g%nj - 1, :)))
    end function centred

  end subroutine write_record

  ! Year, month, day, hour, minute, second after so many seconds, in the calendar of 365 days.
  pure function date_of(seconds) result(date)
    real(dp), intent(in) :: seconds
    integer :: date(6), months(12)
    integer(int64) :: total, days
    total = nint(seconds, int64)
    days = total/86400
    date(1) = int(days/365) + 1
    days = mod(days, 365_int64)
    months = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]
    date(2) = count(months <= days)
    date(3) = int(days) - months(date(2)) + 1
    total = mod(total, 86400_int64)
    date(4:6) = int([total/3600, mod(total/60, 60_int64), mod(total, 60_int64)])
  end function date_of

  subroutine close_output(out)
    type(output_type), intent(inout) :: out
    call sv_close(out%file)
  end subroutine close_output

end module ocean_output
