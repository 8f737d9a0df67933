! Restart files: all of the state in double precision, in a published file, read back on any number
! of ranks, by the owners of the cells, in any order of the file. Land has zeros.
module points_restart
  use sverdrup
  use points_options, only: dp
  use points_grid, only: grid_type
  use points_state, only: state_type, refresh_halos
  use points_files, only: mesh_type, define_mesh, write_mesh, put_global, define_field
  implicit none
  private
  public :: write_restart, read_restart

  character(*), parameter :: names(*) = [character(9) :: 'temp', 'salt', 'u', 'v', 'w', &
    'transport', 'height', 'swell']
  character(*), parameter :: units(*) = [character(6) :: 'degC', '1e-3', 'm s-1', 'm s-1', &
    'm s-1', 'm2 s-1', 'm', 'm']
  character(*), parameter :: long_names(*) = [character(48) :: 'temperature', 'salinity', &
    'velocity towards 0 E on the equator', 'velocity towards 90 E on the equator', &
    'velocity towards the north pole', 'depth-integrated velocity, the same components', &
    'height that drives it', 'height gained by columns']

contains

  ! Collective. `follows`: cells are in the order of `ordered`.
  subroutine write_restart(io, path, g, ordered, follows, dt, s)
    type(sv_context_t), intent(in) :: io
    character(*), intent(in) :: path
    type(grid_type), intent(in) :: g
    type(sv_decomp_t), intent(in) :: ordered
    logical, intent(in) :: follows
    real(dp), intent(in) :: dt
    type(state_type), intent(in) :: s
    type(sv_file_t) :: file
    type(mesh_type) :: mesh
    integer :: id(size(names)), step, seconds, axis, n
    integer, allocatable :: dims(:)
    call sv_create(io, path, file, SV_PUBLISHED)
    call put_global(file, 'Restart of the Sverdrup points model')
    call define_mesh(file, g, ordered, follows, mesh)
    call sv_def_dim(file, 'axis', 3, axis)
    do n = 1, size(names)
      dims = [mesh%lev, mesh%cell]   ! as in memory
      if (names(n) == 'transport') dims = [axis, mesh%cell]
      if (n > size(names) - 2) dims = [mesh%cell]
      call define_field(file, trim(names(n)), SV_DOUBLE, dims, id(n))
      call sv_put_att(file, id(n), 'long_name', trim(long_names(n)))
      call sv_put_att(file, id(n), 'units', trim(units(n)))
    end do
    call sv_def_var(file, 'step', SV_INT, [integer ::], step)
    call sv_put_att(file, step, 'long_name', 'time steps since the start')
    call sv_def_var(file, 'dt', SV_DOUBLE, [integer ::], seconds)
    call sv_put_att(file, seconds, 'long_name', 'length of a time step')
    call sv_put_att(file, seconds, 'units', 's')
    call sv_enddef(file)
    call write_mesh(file, g, mesh)
    do n = 1, 2
      call sv_put(file, id(n), g%points, s%tracer(:, n, :g%n))
    end do
    do n = 1, 3
      call sv_put(file, id(2 + n), g%points, s%velocity(:, n, :g%n))
    end do
    call sv_put(file, id(6), g%points, s%transport(:, :g%n))
    call sv_put(file, id(7), g%points, s%height(:g%n))
    call sv_put(file, id(8), g%points, s%swell)
    call sv_put_var(file, step, s%step)
    call sv_put_var(file, seconds, dt)
    call sv_close(file)
  end subroutine write_restart

  ! Collective. `error` is empty, or says on every rank what does not suit this run.
  subroutine read_restart(io, path, g, dt, s, error)
    type(sv_context_t), intent(in) :: io
    character(*), intent(in) :: path
    type(grid_type), intent(inout) :: g
    real(dp), intent(in) :: dt
    type(state_type), intent(inout) :: s
    character(:), allocatable, intent(out) :: error
    type(sv_file_t) :: file
    integer :: n
    real(dp) :: dt_then
    call sv_open(io, path, file)
    error = ''
    call check_length('cell', g%cells, ' cells: give the grid of this file')
    call check_length('lev', g%nz, ' levels: give the same --nz')
    call sv_get_var(file, id_of('dt'), dt_then)
    if (abs(dt_then - dt) > 0) &
      error = path//': the time step differs from that of this run: give the same --dt'
    if (len(error) == 0) then
      do n = 1, 2
        call sv_get(file, id_of(names(n)), g%points, s%tracer(:, n, :g%n))
      end do
      do n = 1, 3
        call sv_get(file, id_of(names(2 + n)), g%points, s%velocity(:, n, :g%n))
      end do
      call sv_get(file, id_of('transport'), g%points, s%transport(:, :g%n))
      call sv_get(file, id_of('height'), g%points, s%height(:g%n))
      call sv_get(file, id_of('swell'), g%points, s%swell)
      call sv_get_var(file, id_of('step'), s%step)
    end if
    call sv_close(file)
    if (len(error) == 0) call refresh_halos(g, s)

  contains

    integer function id_of(name)
      character(*), intent(in) :: name
      call sv_inq_varid(file, trim(name), id_of)
    end function id_of

    subroutine check_length(name, expected, remedy)
      character(*), intent(in) :: name, remedy
      integer, intent(in) :: expected
      integer :: dim, length
      character(20) :: text
      call sv_inq_dimid(file, name, dim)
      call sv_inq_dim(file, dim, length=length)
      write (text, '(i0)') length
      if (length /= expected) error = path//': '//name//' has '//trim(text)//remedy
    end subroutine check_length

  end subroutine read_restart

end module points_restart
