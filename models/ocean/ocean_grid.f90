! The grid: a global longitude-latitude B grid (tracers at cell centres, velocities at the
! north-east corners of cells), split into px x py blocks with halos of two cells, and the exchange
! of halos. Lengths in m.
module ocean_grid
  use mpi_f08
  use ocean_options, only: dp, options_type
  implicit none
  private
  public :: grid_type, make_grid, set_depth, exchange, halo, longitude, latitude, pi

  integer, parameter :: halo = 2
  real(dp), parameter :: pi = acos(-1.0_dp), radius = 6.371e6_dp, omega = 7.292e-5_dp

  type grid_type
    type(MPI_Comm) :: comm
    integer :: rank = 0, ranks = 1
    integer :: nx = 0, ny = 0, nz = 0            ! global shape
    ! blocks, and this rank's place among them; ranks are x-fastest
    integer :: px = 0, py = 0, ix = 0, iy = 0
    integer :: i0 = 0, j0 = 0, ni = 0, nj = 0    ! this block: cells before it, and its cells
    integer :: west = 0, east = 0, south = 0, north = 0
    real(dp) :: dlon = 0, dlat = 0, dy = 0       ! degrees, degrees, m
    ! of rows: cells, corners, cells, corners, cells
    real(dp), allocatable :: dx(:), dxu(:), area(:), f(:), beta(:)
    ! thickness; edges 0..nz; centres
    real(dp), allocatable :: dz(:), depth_edge(:), depth(:)
    ! wet levels of cells and corners
    integer, allocatable :: kmt(:, :), kmu(:, :)
    real(dp), allocatable :: tmask(:, :, :), umask(:, :, :)         ! 1 wet, 0 dry
    real(dp), allocatable :: hu(:, :)                               ! depth at corners
  end type grid_type

contains

  pure real(dp) function longitude(g, i)  ! degrees east, of the centre of global column i
    type(grid_type), intent(in) :: g
    integer, intent(in) :: i
    longitude = (i - 0.5_dp)*g%dlon
  end function longitude

  pure real(dp) function latitude(g, j)  ! degrees north, of the centre of global row j
    type(grid_type), intent(in) :: g
    integer, intent(in) :: j
    latitude = -90 + (j - 0.5_dp)*g%dlat
  end function latitude

  ! Collective. `error` is empty, or says on every rank why the grid cannot be split so.
  subroutine make_grid(options, comm, g, error)
    type(options_type), intent(in) :: options
    type(MPI_Comm), intent(in) :: comm
    type(grid_type), intent(out) :: g
    character(:), allocatable, intent(out) :: error
    g%comm = comm
    call MPI_Comm_rank(comm, g%rank)
    call MPI_Comm_size(comm, g%ranks)
    g%nx = options%nx
    g%ny = options%ny
    g%nz = options%nz
    g%dlon = 360.0_dp/g%nx
    g%dlat = 180.0_dp/g%ny
    call split(options, g, error)
    if (len(error) > 0) return
    call set_rows(g)
    call set_levels(g)
  end subroutine make_grid

  subroutine split(options, g, error)
    type(options_type), intent(in) :: options
    type(grid_type), intent(inout) :: g
    character(:), allocatable, intent(out) :: error
    integer :: dims(2)
    character(160) :: text
    error = ''
    dims = [options%py, options%px]
    if (product(merge(dims, 1, dims > 0)) > 0) then
      if (mod(g%ranks, product(merge(dims, 1, dims > 0))) /= 0 .or. &
          (all(dims > 0) .and. product(dims) /= g%ranks)) then
        write (text, '(3(a,i0),a)') 'px=', options%px, ' x py=', options%py, &
          ' blocks do not suit ', g%ranks, &
          ' ranks: px*py must equal the number of ranks, or leave one of them out'
        error = trim(text)
        return
      end if
    end if
    call MPI_Dims_create(g%ranks, 2, dims)
    g%px = maxval(dims)
    g%py = minval(dims)
    if (options%px > 0 .or. options%py > 0) then
      g%px = dims(2)
      g%py = dims(1)
    end if
    if (g%nx/g%px < halo .or. g%ny/g%py < halo) then
      write (text, '(2(a,i0),a)') 'blocks would be narrower than the halo on ', g%px, ' x ', g%py, &
        ' ranks: take fewer ranks or a larger grid'
      error = trim(text)
      return
    end if
    g%ix = mod(g%rank, g%px)
    g%iy = g%rank/g%px
    call block_of(g%nx, g%px, g%ix, g%i0, g%ni)
    call block_of(g%ny, g%py, g%iy, g%j0, g%nj)
    g%west = modulo(g%ix - 1, g%px) + g%px*g%iy
    g%east = modulo(g%ix + 1, g%px) + g%px*g%iy
    g%south = merge(g%rank - g%px, MPI_PROC_NULL, g%iy > 0)
    g%north = merge(g%rank + g%px, MPI_PROC_NULL, g%iy < g%py - 1)
  end subroutine split

  pure subroutine block_of(length, parts, part, before, count)
    integer, intent(in) :: length, parts, part
    integer, intent(out) :: before, count
    count = length/parts + merge(1, 0, part < mod(length, parts))
    before = part*(length/parts) + min(part, mod(length, parts))
  end subroutine block_of

  subroutine set_rows(g)
    type(grid_type), intent(inout) :: g
    real(dp) :: phi, phi_u
    integer :: j
    g%dy = radius*g%dlat*pi/180
    allocate (g%dx(1 - halo:g%nj + halo), g%dxu(1 - halo:g%nj + halo), g%area(1 - halo:g%nj + halo))
    allocate (g%f(1 - halo:g%nj + halo), g%beta(1 - halo:g%nj + halo))
    do j = 1 - halo, g%nj + halo
      phi = latitude(g, g%j0 + j)*pi/180
      phi_u = phi + 0.5_dp*g%dlat*pi/180
      g%dx(j) = radius*max(cos(phi), 1e-6_dp)*g%dlon*pi/180
      g%dxu(j) = radius*max(cos(phi_u), 1e-6_dp)*g%dlon*pi/180
      g%area(j) = g%dx(j)*g%dy
      g%f(j) = 2*omega*sin(phi_u)
      g%beta(j) = 2*omega*cos(phi)/radius
    end do
  end subroutine set_rows

  ! Levels from 5500 m up, about 10 m thick at the surface with 20 of them and some 770 m at the
  ! bottom.
  subroutine set_levels(g)
    type(grid_type), intent(inout) :: g
    real(dp), parameter :: bottom = 5500, linear = 0.03_dp, power = 3
    integer :: k
    allocate (g%dz(g%nz), g%depth(g%nz), g%depth_edge(0:g%nz))
    do k = 0, g%nz
      g%depth_edge(k) = bottom*(linear*k/g%nz + (1 - linear)*(real(k, dp)/g%nz)**power)
    end do
    g%dz = g%depth_edge(1:) - g%depth_edge(:g%nz - 1)
    g%depth = 0.5_dp*(g%depth_edge(1:) + g%depth_edge(:g%nz - 1))
  end subroutine set_levels

  ! Masks and depths from g%kmt, whose halo must be set. A corner is as deep as the shallowest of
  ! its four cells.
  subroutine set_depth(g)
    type(grid_type), intent(inout) :: g
    integer :: i, j, k
    associate (h => halo)
      if (.not. allocated(g%kmu)) then
        allocate (g%kmu(1 - h:g%ni + h, 1 - h:g%nj + h), g%hu(1 - h:g%ni + h, 1 - h:g%nj + h))
        allocate (g%tmask(1 - h:g%ni + h, 1 - h:g%nj + h, g%nz))
        allocate (g%umask(1 - h:g%ni + h, 1 - h:g%nj + h, g%nz))
      end if
      g%kmu = 0
      do j = 1 - h, g%nj + h - 1
        do i = 1 - h, g%ni + h - 1
          g%kmu(i, j) = minval(g%kmt(i:i + 1, j:j + 1))
        end do
      end do
      do k = 1, g%nz
        g%tmask(:, :, k) = merge(1.0_dp, 0.0_dp, g%kmt >= k)
        g%umask(:, :, k) = merge(1.0_dp, 0.0_dp, g%kmu >= k)
      end do
      do j = 1 - h, g%nj + h
        do i = 1 - h, g%ni + h
          g%hu(i, j) = g%depth_edge(g%kmu(i, j))
        end do
      end do
    end associate
  end subroutine set_depth

  ! Collective. Fills the halos of `n` fields with the neighbours' values, corners included; beyond
  ! the poles they stay.
  subroutine exchange(g, n, a)
    type(grid_type), intent(in) :: g
    integer, intent(in) :: n
    real(dp), intent(inout) :: a(1 - halo:g%ni + halo, 1 - halo:g%nj + halo, n)
    real(dp), allocatable :: out(:, :, :), in(:, :, :)
    type(MPI_Status) :: status
    integer :: words
    associate (h => halo, ni => g%ni, nj => g%nj)
      words = h*(nj + 2*h)*n
      allocate (out(h, 1 - h:nj + h, n), in(h, 1 - h:nj + h, n))
      out = a(ni - h + 1:ni, :, :)
      call MPI_Sendrecv(out, words, MPI_DOUBLE_PRECISION, g%east, 1, in, words, &
        MPI_DOUBLE_PRECISION, g%west, 1, &
                        g%comm, status)
      a(1 - h:0, :, :) = in
      out = a(1:h, :, :)
      call MPI_Sendrecv(out, words, MPI_DOUBLE_PRECISION, g%west, 2, in, words, &
        MPI_DOUBLE_PRECISION, g%east, 2, &
                        g%comm, status)
      a(ni + 1:ni + h, :, :) = in
      deallocate (out, in)
      words = h*(ni + 2*h)*n
      allocate (out(1 - h:ni + h, h, n), in(1 - h:ni + h, h, n))
      out = a(:, nj - h + 1:nj, :)
      call MPI_Sendrecv(out, words, MPI_DOUBLE_PRECISION, g%north, 3, in, words, &
        MPI_DOUBLE_PRECISION, g%south, 3, &
                        g%comm, status)
      if (g%south /= MPI_PROC_NULL) a(:, 1 - h:0, :) = in
      out = a(:, 1:h, :)
      call MPI_Sendrecv(out, words, MPI_DOUBLE_PRECISION, g%south, 4, in, words, &
        MPI_DOUBLE_PRECISION, g%north, 4, &
                        g%comm, status)
      if (g%north /= MPI_PROC_NULL) a(:, nj + 1:nj + h, :) = in
    end associate
  end subroutine exchange

end module ocean_grid
