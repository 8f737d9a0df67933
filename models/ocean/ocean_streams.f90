! Streams: the section `streams:` of the configuration selects fields, means, extremes and stations
! (docs/streams.md). The model declares its fields and sends those that a stream needs.
module ocean_streams
  use, intrinsic :: iso_fortran_env, only: int64
  use sverdrup
  use sverdrup_streams
  use ocean_options, only: dp
  use ocean_grid, only: grid_type, halo, longitude, latitude
  use ocean_output, only: date_of, missing
  use ocean_state, only: state_type, temperature, salinity
  implicit none
  private
  public :: ocean_streams_type, begin_streams, send_fields, save_streams, close_streams

  type ocean_streams_type
    type(sv_streams_t) :: streams
    integer :: sst = 0, sss = 0, psi = 0, temp = 0, salt = 0
  end type ocean_streams_type

contains

  ! Collective. config: blank for the file that SV_CONFIG names. continues: the run began from a
  ! restart.
  subroutine begin_streams(io, decomp, config, g, dt, s, continues, out)
    type(sv_context_t), intent(in) :: io
    type(sv_decomp_t), intent(in) :: decomp
    character(*), intent(in) :: config
    type(grid_type), intent(in) :: g
    real(dp), intent(in) :: dt
    type(state_type), intent(in) :: s
    logical, intent(in) :: continues
    type(ocean_streams_type), intent(out) :: out
    type(sv_stream_axis_t) :: axes(3)
    integer :: n
    if (config == ' ') then
      call sv_open_streams(io, out%streams)
    else
      call sv_open_streams(io, out%streams, config)
    end if
    axes = [axis('lon', 'longitude', 'degrees_east', 'X', [(longitude(g, n), n=1, g%nx)], &
      [(n*g%dlon, n=0, g%nx)]), &
      axis('lat', 'latitude', 'degrees_north', 'Y', [(latitude(g, n), n=1, g%ny)], &
      [(-90 + n*g%dlat, n=0, g%ny)]), &
      axis('lev', 'depth', 'm', 'Z', g%depth, g%depth_edge)]
    axes(3)%positive = 'down'
    call declare('sst', 'sea_surface_temperature', 'degC', 2, out%sst)
    call declare('sss', 'sea_surface_salinity', '1e-3', 2, out%sss)
    call declare('psi', 'ocean_barotropic_streamfunction', 'm3 s-1', 2, out%psi)
    call declare('temp', 'sea_water_potential_temperature', 'degC', 3, out%temp)
    call declare('salt', 'sea_water_salinity', '1e-3', 3, out%salt)
    call sv_begin_streams(out%streams, date_of(s%step*dt), calendar='noleap', step_seconds=nint(dt), &
      continues=continues)

  contains

    subroutine declare(name, standard_name, units, dims, number)
      character(*), intent(in) :: name, standard_name, units
      integer, intent(in) :: dims
      integer, intent(out) :: number
      type(sv_stream_field_t) :: field
      field = sv_stream_field_t(name=name, standard_name=standard_name, units=units, type=SV_DOUBLE, &
        file_type=SV_FLOAT, fill_value=real(missing, dp), axes=axes(:dims), decomp=decomp)
      call sv_def_stream_field(out%streams, field, number)
    end subroutine declare

  end subroutine begin_streams

  function axis(name, standard_name, units, letter, centres, edges)
    character(*), intent(in) :: name, standard_name, units, letter
    real(dp), intent(in) :: centres(:), edges(:)
    type(sv_stream_axis_t) :: axis
    axis%name = name
    axis%standard_name = standard_name
    axis%units = units
    axis%axis = letter
    allocate (axis%values, source=centres)
    allocate (axis%bounds(2, size(centres)))
    axis%bounds(1, :) = edges(:size(centres))
    axis%bounds(2, :) = edges(2:)
  end function axis

  ! Collective. Of the end of a step. sent: a stream needed one of them.
  subroutine send_fields(g, dt, s, out, sent)
    type(grid_type), intent(in) :: g
    real(dp), intent(in) :: dt
    type(state_type), intent(in) :: s
    type(ocean_streams_type), intent(in) :: out
    logical, intent(out) :: sent
    integer :: date(6)
    date = date_of(s%step*dt)
    sent = .false.
    call send(out%sst, s%tracer(:, :, 1:1, temperature))
    call send(out%sss, s%tracer(:, :, 1:1, salinity))
    call send(out%psi, reshape(s%psi, [shape(s%psi), 1]))
    call send(out%temp, s%tracer(:, :, :, temperature))
    call send(out%salt, s%tracer(:, :, :, salinity))

  contains

    subroutine send(field, values)
      integer, intent(in) :: field
      real(dp), intent(in) :: values(:, :, :)
      if (.not. sv_inq_field_wanted(out%streams, field, date)) return
      sent = .true.
      call sv_send_field(out%streams, field, date, &
        merge(values, real(missing, dp), g%tmask(:, :, :size(values, 3)) > 0.5_dp))
    end subroutine send

  end subroutine send_fields

  ! Collective. The part of a restart that streams need.
  subroutine save_streams(dt, s, out)
    real(dp), intent(in) :: dt
    type(state_type), intent(in) :: s
    type(ocean_streams_type), intent(in) :: out
    call sv_save_streams(out%streams, date_of(s%step*dt))
  end subroutine save_streams

  subroutine close_streams(out)
    type(ocean_streams_type), intent(inout) :: out
    call sv_close_streams(out%streams)
  end subroutine close_streams

end module ocean_streams
