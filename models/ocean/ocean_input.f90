! The observed inputs, read through Sverdrup: each rank reads the rows that it needs and puts them
! on the model's grid. A cell's values depend on its position only, not on the decomposition. The
! topography is ocean_topography's.
module ocean_input
  use, intrinsic :: iso_fortran_env, only: sp => real32, int64
  use mpi_f08, only: MPI_Wtime
  use sverdrup
  use ocean_options, only: dp
  use ocean_grid, only: grid_type, exchange, halo, latitude, longitude
  use ocean_state, only: state_type, forcing_type, temperature, salinity
  implicit none
  private
  public :: read_climatology, read_seasons, read_winds, read_seconds
  public :: source_type, open_source, close_source

  ! Rows first .. last of a variable on a regular, periodic longitude-latitude grid of the file.
  type source_type
    type(sv_file_t) :: file
    integer :: variable = 0, nlon = 0, nlat = 0, first = 0, last = 0
    ! of the first point, and the spacing, degrees
    real(dp) :: lon0 = 0, lat0 = 0, dlon = 0, dlat = 0
    real(dp) :: opened = 0                               ! wall clock, s
  end type source_type

  ! deeper values are missing in the climatologies
  real(sp), parameter :: missing = -1e9_sp

  ! Wall clock seconds that this rank had inputs open.
  real(dp), protected :: read_seconds = 0

contains

  ! Collective. Opens `path` for `variable` on the axes `x`, `y`.
  subroutine open_source(io, path, variable, axes, source)
    type(sv_context_t), intent(in) :: io
    character(*), intent(in) :: path, variable, axes(2)
    type(source_type), intent(out) :: source
    integer :: dim, id
    integer(int64) :: length(2)
    real(dp), allocatable :: x(:), y(:)
    source%opened = MPI_Wtime()
    call sv_open(io, path, source%file)
    call sv_inq_dimid(source%file, trim(axes(1)), dim)
    call sv_inq_dim(source%file, dim, length=length(1))
    call sv_inq_dimid(source%file, trim(axes(2)), dim)
    call sv_inq_dim(source%file, dim, length=length(2))
    allocate (x(length(1)), y(length(2)))
    call sv_inq_varid(source%file, trim(axes(1)), id)
    call sv_get_var(source%file, id, x)
    call sv_inq_varid(source%file, trim(axes(2)), id)
    call sv_get_var(source%file, id, y)
    call sv_inq_varid(source%file, variable, source%variable)
    source%nlon = size(x)
    source%nlat = size(y)
    source%lon0 = x(1)
    source%lat0 = y(1)
    source%dlon = 360.0_dp/size(x)
    source%dlat = (y(size(y)) - y(1))/(size(y) - 1)
  end subroutine open_source

  subroutine close_source(source)
    type(source_type), intent(inout) :: source
    call sv_close(source%file)
    read_seconds = read_seconds + (MPI_Wtime() - source%opened)
  end subroutine close_source

  ! The rows that bilinear interpolation in the latitudes of this block needs, and `margin` more on
  ! both sides.
  subroutine choose_rows(g, margin, source)
    type(grid_type), intent(in) :: g
    integer, intent(in) :: margin
    type(source_type), intent(inout) :: source
    source%first = floor((latitude(g, g%j0) - source%lat0)/source%dlat) - margin + 1
    source%last = ceiling((latitude(g, g%j0 + g%nj + 1) - source%lat0)/source%dlat) + margin + 1
    source%first = min(max(source%first, 1), source%nlat)
    source%last = min(max(source%last, 1), source%nlat)
  end subroutine choose_rows

  ! Bilinear interpolation of values(:, first:last) to a place in degrees; nearest row beyond the
  ! ends.
  pure real(dp) function bilinear(source, values, lon, lat)
    type(source_type), intent(in) :: source
    real(dp), intent(in) :: values(:, source%first:)
    real(dp), intent(in) :: lon, lat
    real(dp) :: x, y
    integer :: i, j, i1, j1
    x = modulo((lon - source%lon0)/source%dlon, real(source%nlon, dp))
    y = min(max((lat - source%lat0)/source%dlat, source%first - 1.0_dp), source%last - 1.0_dp)
    i = min(int(x), source%nlon - 1)
    j = int(y)
    x = x - i
    y = y - j
    i1 = mod(i + 1, source%nlon) + 1
    j1 = min(j + 2, source%last)
    bilinear = (1 - y)*((1 - x)*values(i + 1, j + 1) + x*values(i1, j + 1)) &
      + y*((1 - x)*values(i + 1, j1) + x*values(i1, j1))
  end function bilinear

  ! Collective. Initial T and S of s, and the surface climatology, from Levitus.
  subroutine read_climatology(io, directory, g, s, forcing)
    type(sv_context_t), intent(in) :: io
    character(*), intent(in) :: directory
    type(grid_type), intent(in) :: g
    type(state_type), intent(inout) :: s
    type(forcing_type), intent(inout) :: forcing
    character(*), parameter :: names(2) = ['TEMP', 'SALT']
    ! where a row has no observation at the surface
    real(dp), parameter :: polar(2) = [-1.5_dp, 34.0_dp]
    integer, parameter :: dilations = 3
    type(source_type) :: source
    real(sp), allocatable :: values(:, :, :)
    real(dp), allocatable :: depth(:)
    integer :: m, id, dim
    integer(int64) :: levels
    do m = temperature, salinity
      call open_source(io, directory//'/levitus_climatology.cdf', names(m), &
        [character(9) :: 'XAXLEVITR', 'YAXLEVITR'], &
                       source)
      call choose_rows(g, dilations, source)
      call sv_inq_dimid(source%file, 'ZAXLEVITR', dim)
      call sv_inq_dim(source%file, dim, length=levels)
      if (.not. allocated(depth)) allocate (depth(levels))
      call sv_inq_varid(source%file, 'ZAXLEVITR', id)
      call sv_get_var(source%file, id, depth)
      allocate (values(source%nlon, source%first:source%last, levels))
      call sv_get_vara(source%file, source%variable, [1, source%first, 1], shape(values), values)
      call close_source(source)
      call fill_gaps(dilations, polar(m), values)
      call interpolate(g, source, depth, values, s%tracer(:, :, :, m))
      deallocate (values)
    end do
    forcing%surface = s%tracer(1:g%ni, 1:g%nj, 1, temperature:salinity)
    call exchange(g, 3*g%nz, s%tracer)
  end subroutine read_climatology

  ! Collective. The seasonal cycle of the surface temperature, from COADS; where a month is missing,
  ! that of the nearest point with all of them.
  subroutine read_seasons(io, directory, g, forcing)
    type(sv_context_t), intent(in) :: io
    character(*), intent(in) :: directory
    type(grid_type), intent(in) :: g
    type(forcing_type), intent(inout) :: forcing
    integer, parameter :: dilations = 2
    type(source_type) :: source
    real(sp), allocatable :: values(:, :, :), mean(:, :)
    real(dp), allocatable :: anomaly(:, :)
    logical, allocatable :: absent(:, :)
    integer :: month, i, j
    call open_source(io, directory//'/coads_climatology.cdf', 'SST', ['COADSX', 'COADSY'], source)
    call choose_rows(g, dilations, source)
    allocate (values(source%nlon, source%first:source%last, 12), forcing%season(g%ni, g%nj, 12))
    call sv_get_vara(source%file, source%variable, [1, source%first, 1], shape(values), values)
    call close_source(source)
    absent = any(values < missing, dim=3)
    mean = sum(values, dim=3)/12
    do month = 1, 12
      values(:, :, month) = merge(10*missing, values(:, :, month) - mean, absent)
    end do
    call fill_gaps(dilations, 0.0_dp, values)
    do month = 1, 12
      anomaly = values(:, :, month)
      do j = 1, g%nj
        do i = 1, g%ni
          forcing%season(i, j, month) = bilinear(source, anomaly, longitude(g, g%i0 + i), &
                                                 latitude(g, g%j0 + j))
        end do
      end do
    end do
  end subroutine read_seasons

  ! Missing values are large and negative. First the mean of neighbours, a few cells into the land;
  ! then the nearest value of the row; then the level above. `last_resort` where there is none.
  subroutine fill_gaps(dilations, last_resort, values)
    integer, intent(in) :: dilations
    real(dp), intent(in) :: last_resort
    real(sp), intent(inout) :: values(:, :, :)
    real(sp), allocatable :: before(:, :)
    integer :: k, n, i, j
    do k = 1, size(values, 3)
      do n = 1, dilations
        before = values(:, :, k)
        do j = 1, size(values, 2)
          do i = 1, size(values, 1)
            if (before(i, j) < missing) values(i, j, k) = neighbour_mean(before, i, j)
          end do
        end do
      end do
      before = values(:, :, k)
      do j = 1, size(values, 2)
        if (all(before(:, j) >= missing)) cycle
        values(:, j, k) = nearest_of(before(:, j))
        if (values(1, j, k) >= missing) cycle  ! as all others
        if (k > 1) then
          values(:, j, k) = values(:, j, k - 1)
        else
          values(:, j, k) = real(last_resort, sp)
        end if
      end do
    end do
  end subroutine fill_gaps

  ! At each place of a circle of latitude the nearest value, the larger one of two; a row without
  ! values as it is.
  pure function nearest_of(row) result(nearest)
    real(sp), intent(in) :: row(:)
    real(sp) :: nearest(size(row))
    integer :: west(size(row)), east(size(row)), n, i, turn, distance
    nearest = row
    if (all(row < missing)) return
    n = size(row)
    west = 0
    east = 0
    do turn = 1, 2  ! the first finds no value beyond its ends
      do i = 1, n
        west(i) = merge(0, west(modulo(i - 2, n) + 1) + 1, row(i) >= missing)
      end do
      do i = n, 1, -1
        east(i) = merge(0, east(modulo(i, n) + 1) + 1, row(i) >= missing)
      end do
    end do
    do i = 1, n
      distance = min(west(i), east(i))
      nearest(i) = max(row(modulo(i - 1 - distance, n) + 1), row(modulo(i - 1 + distance, n) + 1))
    end do
  end function nearest_of

  pure real(sp) function neighbour_mean(a, i, j)
    real(sp), intent(in) :: a(:, :)
    integer, intent(in) :: i, j
    integer :: di, jj, ii, found
    neighbour_mean = 0
    found = 0
    do jj = max(j - 1, 1), min(j + 1, size(a, 2))
      do di = -1, 1
        ii = modulo(i + di - 1, size(a, 1)) + 1
        if (a(ii, jj) < missing) cycle
        neighbour_mean = neighbour_mean + a(ii, jj)
        found = found + 1
      end do
    end do
    neighbour_mean = merge(neighbour_mean/max(found, 1), 10*missing, found > 0)
  end function neighbour_mean

  ! Linear in depth, bilinear in the horizontal; 0 in dry cells.
  subroutine interpolate(g, source, depth, values, field)
    type(grid_type), intent(in) :: g
    type(source_type), intent(in) :: source
    real(dp), intent(in) :: depth(:)
    real(sp), intent(in) :: values(:, :, :)
    real(dp), intent(inout) :: field(1 - halo:, 1 - halo:, :)
    real(dp), allocatable :: level(:, :)
    real(dp) :: w
    integer :: i, j, k, l
    do k = 1, g%nz
      l = min(max(count(depth <= g%depth(k)), 1), size(depth) - 1)
      w = min(max((g%depth(k) - depth(l))/(depth(l + 1) - depth(l)), 0.0_dp), 1.0_dp)
      level = (1 - w)*values(:, :, l) + w*values(:, :, l + 1)
      do j = 1, g%nj
        do i = 1, g%ni
          if (g%kmt(i, j) < k) cycle
          field(i, j, k) = bilinear(source, level, longitude(g, g%i0 + i), latitude(g, g%j0 + j))
        end do
      end do
    end do
  end subroutine interpolate

  ! Collective. The stress over density of each calendar month, at corners, from the Navy's monthly
  ! winds of eleven years by the bulk formula; gusts of 5 m/s stand for the weather that monthly
  ! means lack.
  subroutine read_winds(io, directory, g, rho, forcing)
    type(sv_context_t), intent(in) :: io
    character(*), intent(in) :: directory
    type(grid_type), intent(in) :: g
    real(dp), intent(in) :: rho
    type(forcing_type), intent(inout) :: forcing
    real(dp), parameter :: air = 1.22_dp, drag = 1.3e-3_dp, gusts = 5
    type(source_type) :: source
    real(sp), allocatable :: u(:, :, :), v(:, :, :)
    real(dp), allocatable :: factor(:, :), x(:, :), y(:, :)
    real(dp) :: lon, lat
    integer :: dim, id, month, n, i, j
    integer(int64) :: months
    call open_source(io, directory//'/monthly_navy_winds.cdf', 'UWND', ['FNOCX', 'FNOCY'], source)
    call choose_rows(g, 0, source)
    call sv_inq_dimid(source%file, 'TIME', dim)
    call sv_inq_dim(source%file, dim, length=months)
    allocate (u(source%nlon, source%first:source%last, months))
    allocate (v, mold=u)
    call sv_get_vara(source%file, source%variable, [1, source%first, 1], shape(u), u)
    call sv_inq_varid(source%file, 'VWND', id)
    call sv_get_vara(source%file, id, [1, source%first, 1], shape(v), v)
    call close_source(source)
    allocate (forcing%taux(0:g%ni, 0:g%nj, 12), forcing%tauy(0:g%ni, 0:g%nj, 12))
    allocate (x(source%nlon, source%first:source%last), y(source%nlon, source%first:source%last))
    do month = 1, 12
      x = 0
      y = 0
      do n = month, int(months), 12
        factor = air*drag/rho*sqrt(real(u(:, :, n), dp)**2 + real(v(:, :, n), dp)**2 &
          + gusts**2)/(months/12)
        x = x + factor*u(:, :, n)
        y = y + factor*v(:, :, n)
      end do
      do j = 0, g%nj
        do i = 0, g%ni
          lon = (g%i0 + i)*g%dlon
          lat = -90 + (g%j0 + j)*g%dlat
          forcing%taux(i, j, month) = bilinear(source, x, lon, lat)
          forcing%tauy(i, j, month) = bilinear(source, y, lon, lat)
        end do
      end do
    end do
  end subroutine read_winds

end module ocean_input
