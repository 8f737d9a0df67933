! Diagnostics: single precision, one record every so many steps: six fields on cells, and five on
! levels and cells.
module points_output
  use, intrinsic :: iso_fortran_env, only: sp => real32
  use sverdrup
  use points_options, only: dp
  use points_grid, only: grid_type
  use points_state, only: state_type, density, temperature, salinity, gravity, day
  use points_barotropic, only: barotropic_type, wave_speed
  use points_tracers, only: column_flow
  use points_files, only: mesh_type, define_mesh, write_mesh, put_global, define_field, missing
  implicit none
  private
  public :: output_type, create_output, write_record, close_output

  ! of the fields, the flat ones first
  integer, parameter :: flat = 6, all = 11
  integer, parameter :: eta = 1, sst = 2, sss = 3, ubar = 4, vbar = 5, mld = 6
  integer, parameter :: temp = 7, salt = 8, u = 9, v = 10, w = 11
  character(*), parameter :: names(all) = [character(4) :: 'eta', 'sst', 'sss', 'ubar', 'vbar', &
    'mld', 'temp', 'salt', 'u', 'v', 'w']
  character(*), parameter :: units(all) = [character(5) :: 'm', 'degC', '1e-3', 'm s-1', &
    'm s-1', 'm', 'degC', '1e-3', 'm s-1', 'm s-1', 'm s-1']
  character(*), parameter :: standard_names(all) = [character(42) :: &
    'sea_surface_height_above_geoid', 'sea_surface_temperature', 'sea_surface_salinity', &
    'barotropic_eastward_sea_water_velocity', 'barotropic_northward_sea_water_velocity', &
    'ocean_mixed_layer_thickness', 'sea_water_potential_temperature', 'sea_water_salinity', &
    'eastward_sea_water_velocity', 'northward_sea_water_velocity', 'upward_sea_water_velocity']
  character(*), parameter :: long_names(all) = [character(48) :: &
    'height of the surface under the depth mean flow', 'temperature of the top level', &
    'salinity of the top level', 'eastward velocity, depth mean', &
    'northward velocity, depth mean', &
    'depth where density is 0.03 kg m-3 above the top', 'temperature', 'salinity', &
    'eastward velocity', 'northward velocity', 'upward velocity']

  type output_type
    type(sv_file_t) :: file
    type(mesh_type) :: mesh
    integer :: time = 0, id(all) = 0, records = 0
  end type output_type

contains

  ! Collective. `follows`: cells are in the order of `ordered`.
  subroutine create_output(io, path, g, ordered, follows, out)
    type(sv_context_t), intent(in) :: io
    character(*), intent(in) :: path
    type(grid_type), intent(in) :: g
    type(sv_decomp_t), intent(in) :: ordered
    logical, intent(in) :: follows
    type(output_type), intent(out) :: out
    integer :: time, n
    integer, allocatable :: dims(:)
    call sv_create(io, path, out%file)
    call put_global(out%file, 'Diagnostics of the Sverdrup points model')
    call define_mesh(out%file, g, ordered, follows, out%mesh)
    call sv_def_dim(out%file, 'time', SV_UNLIMITED, time)
    call sv_def_var(out%file, 'time', SV_DOUBLE, [time], out%time)
    call sv_put_att(out%file, out%time, 'standard_name', 'time')
    call sv_put_att(out%file, out%time, 'long_name', 'time')
    call sv_put_att(out%file, out%time, 'units', 'days since 0001-01-01 00:00:00')
    call sv_put_att(out%file, out%time, 'calendar', 'noleap')
    call sv_put_att(out%file, out%time, 'axis', 'T')
    do n = 1, all
      dims = [out%mesh%cell, out%mesh%lev, time]
      if (n <= flat) dims = [out%mesh%cell, time]
      call define_field(out%file, trim(names(n)), SV_FLOAT, dims, out%id(n))
      call sv_put_att(out%file, out%id(n), 'standard_name', trim(standard_names(n)))
      call sv_put_att(out%file, out%id(n), 'long_name', trim(long_names(n)))
      call sv_put_att(out%file, out%id(n), 'units', trim(units(n)))
      if (units(n) == 'degC') call sv_put_att(out%file, out%id(n), 'units_metadata', &
        'temperature: on_scale')
      call sv_put_att(out%file, out%id(n), 'cell_methods', 'time: point')
    end do
    call sv_enddef(out%file)
    call write_mesh(out%file, g, out%mesh)
  end subroutine create_output

  ! Collective. One more record, and the end of the step.
  subroutine write_record(io, g, dt, b, s, out)
    type(sv_context_t), intent(in) :: io
    type(grid_type), intent(in) :: g
    real(dp), intent(in) :: dt
    type(barotropic_type), intent(in) :: b
    type(state_type), intent(in) :: s
    type(output_type), intent(inout) :: out
    real(sp) :: plane(g%n, flat), volume(g%n, g%nz, flat + 1:all)
    integer :: n
    plane = missing
    volume = missing
    do n = 1, g%n
      if (g%kmt(n) == 0) cycle
      call set_volume(g, b, s, n, volume(n, :, :))
      plane(n, eta) = real(wave_speed**2/(gravity*g%depth_edge(g%nz))*s%height(n), sp)
      plane(n, [sst, sss]) = volume(n, 1, [temp, salt])
      plane(n, ubar) = along(g%east(:, n), s%transport(:, n)/g%depth_edge(g%kmt(n)))
      plane(n, vbar) = along(g%north(:, n), s%transport(:, n)/g%depth_edge(g%kmt(n)))
      plane(n, mld) = mixed_layer(g, n, s%tracer(:, :, n))
    end do
    out%records = out%records + 1
    call sv_put_var(out%file, out%time, s%step*dt/day, record=out%records)
    do n = 1, flat
      call sv_put(out%file, out%id(n), g%points, plane(:, n), record=out%records)
    end do
    do n = flat + 1, all
      call sv_put(out%file, out%id(n), g%points, volume(:, :, n), record=out%records)
    end do
    call sv_end_step(io)
  end subroutine write_record

  pure real(sp) function along(direction, vector)
    real(dp), intent(in) :: direction(3), vector(3)
    along = real(direction(1)*vector(1) + direction(2)*vector(2) + direction(3)*vector(3), sp)
  end function along

  ! The wet levels of a column, at their centres.
  pure subroutine set_volume(g, b, s, i, column)
    type(grid_type), intent(in) :: g
    type(barotropic_type), intent(in) :: b
    type(state_type), intent(in) :: s
    integer, intent(in) :: i
    real(sp), intent(inout) :: column(:, temp:)
    real(dp) :: q(g%nz, 4), up(g%nz + 1)
    integer :: k
    call column_flow(g, b, s, i, q, up)
    do k = 1, g%kmt(i)
      column(k, temp) = real(s%tracer(k, temperature, i), sp)
      column(k, salt) = real(s%tracer(k, salinity, i), sp)
      column(k, u) = along(g%east(:, i), s%velocity(k, :, i))
      column(k, v) = along(g%north(:, i), s%velocity(k, :, i))
      column(k, w) = real(0.5_dp*(up(k) + up(k + 1))/g%area(i), sp)
    end do
  end subroutine set_volume

  pure real(sp) function mixed_layer(g, i, tracer)
    type(grid_type), intent(in) :: g
    integer, intent(in) :: i
    real(dp), intent(in) :: tracer(:, :)
    real(dp) :: surface
    integer :: k
    surface = density(tracer(1, temperature), tracer(1, salinity))
    do k = 2, g%kmt(i)
      if (density(tracer(k, temperature), tracer(k, salinity)) > surface + 0.03_dp) exit
    end do
    mixed_layer = real(g%depth_edge(k - 1), sp)
  end function mixed_layer

  subroutine close_output(out)
    type(output_type), intent(inout) :: out
    call sv_close(out%file)
  end subroutine close_output

end module points_output
