! Where the ocean is, from ETOPO5: wet levels of cells, and landmasses. Found on strips of rows,
! before there are blocks, since blocks that are all land may be left out; then given to the blocks.
module ocean_topography
  use, intrinsic :: iso_fortran_env, only: sp => real32, int64
  use mpi_f08
  use sverdrup
  use ocean_options, only: dp
  use ocean_grid, only: grid_type, block_of, set_depth, exchange, halo, latitude
  use ocean_components, only: find_components
  use ocean_input, only: source_type, open_source, close_source
  use model_sums, only: fixed, exact_sums
  implicit none
  private
  public :: read_topography, distribute_topography

  ! degrees north: land beyond, where meridians meet
  real(dp), parameter :: polar_cap = 86
  ! m2: smaller ones (Caspian, Black Sea) become land
  real(dp), parameter :: smallest_sea = 8.0e11_dp

contains

  ! Collective. Wet levels of cells from ETOPO5: a cell is wet where more than half of its points
  ! are below sea level, and as deep as they are on average. Small enclosed seas and cells without
  ! flow become land. Then the landmasses. Ranks without rows only take part in reading.
  subroutine read_topography(io, directory, g)
    type(sv_context_t), intent(in) :: io
    character(*), intent(in) :: directory
    type(grid_type), intent(inout) :: g
    type(source_type) :: source
    real(sp), allocatable :: relief(:, :)
    real(dp), allocatable :: wet(:, :)
    integer :: i, j, west, east, south, north, c1, c2, r1, r2
    call open_source(io, directory//'/etopo5.cdf', 'ROSE', ['ETOPO05_X', 'ETOPO05_Y'], source)
    call span(source%nlon, g%i0*g%dlon/source%dlon, (g%i0 + g%ni)*g%dlon/source%dlon, west, east)
    call span(source%nlat, g%j0*g%dlat/source%dlat, (g%j0 + g%nj)*g%dlat/source%dlat, south, north)
    allocate (relief(west:east, south:north))
    call sv_get_vara(source%file, source%variable, [west, south], shape(relief), relief)
    call close_source(source)
    if (g%nj == 0) return
    allocate (g%kmt(1 - halo:g%ni + halo, 1 - halo:g%nj + halo), source=0)
    allocate (wet(1 - halo:g%ni + halo, 1 - halo:g%nj + halo), source=0.0_dp)
    do j = 1, g%nj
      if (latitude(g, g%j0 + j) > polar_cap) cycle
      call span(source%nlat, (g%j0 + j - 1)*g%dlat/source%dlat, (g%j0 + j)*g%dlat/source%dlat, &
        r1, r2)
      do i = 1, g%ni
        call span(source%nlon, (g%i0 + i - 1)*g%dlon/source%dlon, (g%i0 + i)*g%dlon/source%dlon, &
          c1, c2)
        wet(i, j) = wet_levels(g, relief(c1:c2, r1:r2))
      end do
    end do
    call close_panama(g, wet)
    call exchange(g, 1, wet)
    g%kmt = nint(wet)
    call set_depth(g)
    call remove_small_seas(g)
    allocate (g%island, mold=g%kmt)
    call find_components(g, g%kmu == 0, g%island, g%islands)
    g%asia = landmass(g, 90.0_dp, 50.0_dp)
    g%antarctica = landmass(g, 300.0_dp, -85.0_dp)
    g%america = landmass(g, 290.0_dp, -40.0_dp)
  end subroutine read_topography

  ! Collective. The landmass at a place in degrees; 0 in open water.
  integer function landmass(g, lon, lat)
    type(grid_type), intent(in) :: g
    real(dp), intent(in) :: lon, lat
    integer :: j
    landmass = 0
    j = ceiling((lat + 90)/g%dlat) - g%j0
    if (j >= 1 .and. j <= g%nj) landmass = g%island(ceiling(lon/g%dlon), j)
    call MPI_Allreduce(MPI_IN_PLACE, landmass, 1, MPI_INTEGER, MPI_MAX, g%comm)
  end function landmass

  ! Collective over g%comm. Gives the blocks of `g` the wet levels and landmasses of the strips.
  subroutine distribute_topography(strips, g)
    type(grid_type), intent(in) :: strips
    type(grid_type), intent(inout) :: g
    integer :: known(4)
    allocate (g%kmt(1 - halo:g%ni + halo, 1 - halo:g%nj + halo), source=0)
    allocate (g%island, source=g%kmt)
    call to_blocks(strips, g, strips%kmt, g%kmt)
    call to_blocks(strips, g, strips%island, g%island)
    known = [strips%islands, strips%asia, strips%antarctica, strips%america]
    call MPI_Bcast(known, size(known), MPI_INTEGER, 0, g%comm)
    g%islands = known(1)
    g%asia = known(2)
    g%antarctica = known(3)
    g%america = known(4)
    call set_depth(g)
  end subroutine distribute_topography

  ! Collective over g%comm. A field of cells, halos included; rows beyond the poles stay. Strips
  ! are in the order of the rows, so that what arrives is in place. `from` is not allocated on ranks
  ! without rows.
  subroutine to_blocks(strips, g, from, to)
    type(grid_type), intent(in) :: strips, g
    integer, allocatable, intent(in) :: from(:, :)
    integer, intent(inout) :: to(1 - halo:, 1 - halo:)
    integer, dimension(0:g%ranks - 1) :: out_count, out_start, in_count, in_start
    integer, allocatable :: out(:), in(:, :)
    integer :: ix, iy, i0, ni, j0, nj, r, rows(2), before, length, first, last
    out_count = 0
    in_count = 0
    allocate (out(0))
    do iy = 0, g%py - 1
      call block_of(g%ny, g%py, iy, j0, nj)
      rows = common_rows(strips%j0, strips%nj, max(j0 - halo, 0), min(j0 + nj + halo, g%ny))
      do ix = 0, g%px - 1
        r = g%rank_of(ix, iy)
        if (r == MPI_PROC_NULL .or. rows(2) < rows(1)) cycle
        call block_of(g%nx, g%px, ix, i0, ni)
        out_count(r) = (ni + 2*halo)*(rows(2) - rows(1) + 1)
        out = [out, reshape(from(i0 + 1 - halo:i0 + ni + halo, rows(1):rows(2)), [out_count(r)])]
      end do
    end do
    first = max(1 - halo, 1 - g%j0)
    last = min(g%nj + halo, g%ny - g%j0)
    do r = 0, strips%py - 1
      call block_of(g%ny, strips%py, r, before, length)
      rows = common_rows(before, length, g%j0 + first - 1, g%j0 + last)
      in_count(r) = (g%ni + 2*halo)*max(rows(2) - rows(1) + 1, 0)
    end do
    out_start = [(sum(out_count(:r - 1)), r=0, g%ranks - 1)]
    in_start = [(sum(in_count(:r - 1)), r=0, g%ranks - 1)]
    allocate (in(1 - halo:g%ni + halo, first:last))
    call MPI_Alltoallv(out, out_count, out_start, MPI_INTEGER, in, in_count, in_start, &
      MPI_INTEGER, g%comm)
    to(:, first:last) = in
  end subroutine to_blocks

  ! The first and the last row in (begin, end], counted from `before`.
  pure function common_rows(before, length, begin, end) result(rows)
    integer, intent(in) :: before, length, begin, end
    integer :: rows(2)
    rows = [max(begin - before, 0) + 1, min(end - before, length)]
  end function common_rows

  ! The isthmus is narrower than a coarse cell: cells on its line are land on every grid.
  subroutine close_panama(g, wet)
    type(grid_type), intent(in) :: g
    real(dp), intent(inout) :: wet(1 - halo:, 1 - halo:)
    real(dp), parameter :: lon(*) = [276.0_dp, 277.5_dp, 279.7_dp, 280.4_dp, 281.8_dp, 282.7_dp, &
      283.2_dp]
    real(dp), parameter :: lat(*) = [10.5_dp, 8.7_dp, 8.6_dp, 9.2_dp, 9.0_dp, 8.0_dp, 7.0_dp]
    integer, parameter :: pieces = 100
    integer :: n, m, i, j
    do n = 1, size(lon) - 1
      do m = 0, pieces
        i = ceiling((lon(n) + (lon(n + 1) - lon(n))*m/pieces)/g%dlon) - g%i0
        j = ceiling((lat(n) + (lat(n + 1) - lat(n))*m/pieces + 90)/g%dlat) - g%j0
        if (i >= 1 .and. i <= g%ni .and. j >= 1 .and. j <= g%nj) wet(i, j) = 0
      end do
    end do
  end subroutine close_panama

  ! The points 1 .. n (at 0, 1, 2 ...) in [from, to), or the nearest one.
  pure subroutine span(n, from, to, first, last)
    integer, intent(in) :: n
    real(dp), intent(in) :: from, to
    integer, intent(out) :: first, last
    real(dp), parameter :: slack = 1e-9_dp
    first = ceiling(from - slack) + 1
    last = ceiling(to - slack)
    if (last < first) then
      first = nint(0.5_dp*(from + to)) + 1
      last = first
    end if
    first = min(max(first, 1), n)
    last = min(max(last, 1), n)
  end subroutine span

  pure integer function wet_levels(g, relief)
    type(grid_type), intent(in) :: g
    real(sp), intent(in) :: relief(:, :)
    integer :: points
    real(dp) :: depth
    wet_levels = 0
    points = count(relief < 0)
    if (2*points <= size(relief)) return
    depth = -sum(real(relief, dp), mask=relief < 0)/points
    wet_levels = max(count(g%depth < depth), 2)
  end function wet_levels

  subroutine remove_small_seas(g)
    type(grid_type), intent(inout) :: g
    ! areas to 0.001 m2, their sum below 2**62 of that
    real(dp), parameter :: scale = 1.0e3_dp
    integer, allocatable :: sea(:, :)
    integer(int64), allocatable :: partial(:)
    real(dp), allocatable :: area(:)
    integer :: seas, i, j
    allocate (sea(1 - halo:g%ni + halo, 1 - halo:g%nj + halo))
    call find_components(g, g%kmu > 0, sea, seas)
    allocate (partial(seas), source=0_int64)
    do j = 1, g%nj
      do i = 1, g%ni
        if (sea(i, j) > 0) partial(sea(i, j)) = partial(sea(i, j)) + fixed(g%area(j), scale)
      end do
    end do
    area = exact_sums(g%comm, partial, scale)
    do j = 1 - halo, g%nj + halo
      do i = 1 - halo, g%ni + halo
        if (sea(i, j) == 0) then
          g%kmt(i, j) = 0
        else if (area(sea(i, j)) < smallest_sea) then
          g%kmt(i, j) = 0
        end if
      end do
    end do
    call set_depth(g)
  end subroutine remove_small_seas

end module ocean_topography
