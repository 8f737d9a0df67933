! Output through streams: the model declares its fields and sends those that a stream needs. Its own
! stream `diagnostics` has all fields; the section `streams:` of the configuration may replace it, and
! adds others (docs/streams.md). Velocities are averaged from corners to cell centres, so that all
! fields share one grid.
module ocean_output
  use, intrinsic :: iso_fortran_env, only: sp => real32, int64
  use sverdrup
  use sverdrup_streams
  use ocean_options, only: dp, options_type
  use ocean_grid, only: grid_type, halo, longitude, latitude
  use ocean_state, only: state_type, temperature, salinity, age
  implicit none
  private
  public :: output_type, begin_output, send_fields, save_output, close_output, missing

  real(dp), parameter :: missing = real(1.0e20_sp, dp)      ! on land

  type output_type
    private
    type(sv_streams_t) :: streams
    integer :: sst = 0, sss = 0, psi = 0, temp = 0, salt = 0, u = 0, v = 0, age = 0
  end type output_type

contains

  ! Collective.
  subroutine begin_output(io, decomp, options, g, s, out)
    type(sv_context_t), intent(in) :: io
    type(sv_decomp_t), intent(in) :: decomp
    type(options_type), intent(in) :: options
    type(grid_type), intent(in) :: g
    type(state_type), intent(in) :: s
    type(output_type), intent(out) :: out
    type(sv_stream_axis_t) :: axes(3)
    integer :: n
    if (options%config == ' ') then
      call sv_open_streams(io, out%streams)
    else
      call sv_open_streams(io, out%streams, trim(options%config))
    end if
    axes = [axis('lon', 'longitude', 'degrees_east', 'X', [(longitude(g, n), n=1, g%nx)], &
      [(n*g%dlon, n=0, g%nx)]), &
      axis('lat', 'latitude', 'degrees_north', 'Y', [(latitude(g, n), n=1, g%ny)], &
      [(-90 + n*g%dlat, n=0, g%ny)]), &
      axis('lev', 'depth', 'm', 'Z', g%depth, g%depth_edge)]
    axes(3)%positive = 'down'
    call declare_fixed(decomp, axes(:2), g, out)
    call declare_fields(decomp, axes, out)
    if (options%every > 0) call sv_def_stream(out%streams, 'diagnostics', diagnostics(options))
    call sv_begin_streams(out%streams, date_of(s%step*options%dt), calendar='noleap', &
      step_seconds=nint(options%dt), continues=options%restart_in /= ' ')
  end subroutine begin_output

  ! The keys of the model's own stream. Its records are counted from the start of the first run.
  function diagnostics(options) result(keys)
    type(options_type), intent(in) :: options
    character(:), allocatable :: keys
    character(*), parameter :: on_scale = '{attributes: {units_metadata: "temperature: on_scale"}}'
    character(20) :: seconds
    write (seconds, '(i0)') options%every*nint(options%dt, int64)
    keys = '{file: "'//trim(options%output)//'", frequency: '//trim(seconds)//' seconds, '// &
      'time_units: "days since 0001-01-01 00:00:00", '// &
      'fields: [sst: '//on_scale//', temp: '//on_scale//', "*"], '// &
      'attributes: {title: Diagnostics of the Sverdrup ocean model, institution: Sverdrup, '// &
      'source: "models/ocean of Sverdrup, forced by ETOPO5, Levitus and FNOC winds", '// &
      'history: written by the model as it ran, references: docs/ocean.md of Sverdrup, '// &
      'comment: u and v are averages of the four corners of a cell (B grid)}}'
  end function diagnostics

  function axis(name, standard_name, units, letter, centres, edges)
    character(*), intent(in) :: name, standard_name, units, letter
    real(dp), intent(in) :: centres(:), edges(:)
    type(sv_stream_axis_t) :: axis
    axis%name = name
    axis%standard_name = standard_name
    axis%long_name = standard_name//' of cell centres'
    axis%units = units
    axis%axis = letter
    allocate (axis%values, source=centres)
    allocate (axis%bounds(2, size(centres)))
    axis%bounds(1, :) = edges(:size(centres))
    axis%bounds(2, :) = edges(2:)
  end function axis

  ! Collective. Fields without time.
  subroutine declare_fixed(decomp, axes, g, out)
    type(sv_decomp_t), intent(in) :: decomp
    type(sv_stream_axis_t), intent(in) :: axes(:)
    type(grid_type), intent(in) :: g
    type(output_type), intent(inout) :: out
    type(sv_stream_field_t) :: field
    real(dp), dimension(1 - halo:g%ni + halo, 1 - halo:g%nj + halo) :: area, depth
    integer :: i, j
    do j = 1 - halo, g%nj + halo
      do i = 1 - halo, g%ni + halo
        area(i, j) = merge(g%area(j), missing, g%kmt(i, j) > 0)
        depth(i, j) = merge(g%depth_edge(g%kmt(i, j)), missing, g%kmt(i, j) > 0)
      end do
    end do
    field = sv_stream_field_t(name='areacello', standard_name='cell_area', &
      long_name='area of ocean cells', units='m2', file_type=SV_FLOAT, fill_value=missing, &
      axes=axes, decomp=decomp)
    call sv_def_static_field(out%streams, field, area)
    field = sv_stream_field_t(name='deptho', standard_name='sea_floor_depth_below_geoid', &
      long_name='depth of the sea floor', units='m', file_type=SV_FLOAT, fill_value=missing, &
      axes=axes, decomp=decomp, cell_measures='area: areacello')
    call sv_def_static_field(out%streams, field, depth)
  end subroutine declare_fixed

  ! Collective. Fields that are sent, in double precision, and written in single precision.
  subroutine declare_fields(decomp, axes, out)
    type(sv_decomp_t), intent(in) :: decomp
    type(sv_stream_axis_t), intent(in) :: axes(:)
    type(output_type), intent(inout) :: out
    call declare('sst', 'sea_surface_temperature', 'temperature of the top level', 'degC', 2, out%sst)
    call declare('sss', 'sea_surface_salinity', 'salinity of the top level', '1e-3', 2, out%sss)
    call declare('psi', 'ocean_barotropic_streamfunction', &
      'streamfunction of the depth-integrated flow', 'm3 s-1', 2, out%psi)
    call declare('temp', 'sea_water_potential_temperature', 'temperature', 'degC', 3, out%temp)
    call declare('salt', 'sea_water_salinity', 'salinity', '1e-3', 3, out%salt)
    call declare('u', 'eastward_sea_water_velocity', 'eastward velocity', 'm s-1', 3, out%u)
    call declare('v', 'northward_sea_water_velocity', 'northward velocity', 'm s-1', 3, out%v)
    call declare('age', 'sea_water_age_since_surface_contact', 'time since last at the surface', &
      'day', 3, out%age)

  contains

    subroutine declare(name, standard_name, long_name, units, dims, number)
      character(*), intent(in) :: name, standard_name, long_name, units
      integer, intent(in) :: dims
      integer, intent(out) :: number
      call sv_def_stream_field(out%streams, sv_stream_field_t(name=name, &
        standard_name=standard_name, long_name=long_name, units=units, type=SV_DOUBLE, &
        file_type=SV_FLOAT, fill_value=missing, axes=axes(:dims), decomp=decomp, &
        cell_measures='area: areacello', ancillary_variables='deptho'), number)
    end subroutine declare

  end subroutine declare_fields

  ! Collective. Of the end of a step. sent: a stream needed one of them.
  subroutine send_fields(g, dt, s, out, sent)
    type(grid_type), intent(in) :: g
    real(dp), intent(in) :: dt
    type(state_type), intent(in) :: s
    type(output_type), intent(in) :: out
    logical, intent(out) :: sent
    integer :: date(6)
    date = date_of(s%step*dt)
    sent = .false.
    if (wanted(out%sst)) call send(out%sst, s%tracer(:, :, 1:1, temperature))
    if (wanted(out%sss)) call send(out%sss, s%tracer(:, :, 1:1, salinity))
    if (wanted(out%psi)) call send(out%psi, reshape(s%psi, [shape(s%psi), 1]))
    if (wanted(out%temp)) call send(out%temp, s%tracer(:, :, :, temperature))
    if (wanted(out%salt)) call send(out%salt, s%tracer(:, :, :, salinity))
    if (wanted(out%age)) call send(out%age, s%tracer(:, :, :, age))
    if (wanted(out%u)) call send(out%u, centred(s%velocity(:, :, :, 1)))
    if (wanted(out%v)) call send(out%v, centred(s%velocity(:, :, :, 2)))

  contains

    logical function wanted(field)
      integer, intent(in) :: field
      wanted = sv_inq_field_wanted(out%streams, field, date)
    end function wanted

    subroutine send(field, values)
      integer, intent(in) :: field
      real(dp), intent(in) :: values(:, :, :)
      sent = .true.
      call sv_send_field(out%streams, field, date, &
        merge(values, missing, g%tmask(:, :, :size(values, 3)) > 0.5_dp))
    end subroutine send

    function centred(a)
      real(dp), intent(in) :: a(1 - halo:, 1 - halo:, :)
      real(dp) :: centred(1 - halo:g%ni + halo, 1 - halo:g%nj + halo, g%nz)
      centred = 0
      centred(1:g%ni, 1:g%nj, :) = 0.25_dp*((a(1:g%ni, 1:g%nj, :) + a(0:g%ni - 1, 1:g%nj, :)) &
        + (a(1:g%ni, 0:g%nj - 1, :) + a(0:g%ni - 1, 0:g%nj - 1, :)))
    end function centred

  end subroutine send_fields

  ! Collective. The part of a restart that streams need.
  subroutine save_output(dt, s, out)
    real(dp), intent(in) :: dt
    type(state_type), intent(in) :: s
    type(output_type), intent(in) :: out
    call sv_save_streams(out%streams, date_of(s%step*dt))
  end subroutine save_output

  subroutine close_output(out)
    type(output_type), intent(inout) :: out
    call sv_close_streams(out%streams)
  end subroutine close_output

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

end module ocean_output
