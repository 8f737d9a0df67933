! The grid: a global longitude-latitude B grid (tracers at cell centres, velocities at the
! north-east corners of cells), split into px x py blocks with halos of two cells, and the exchange
! of halos. Blocks that are all land may be left out. Lengths in m.
module ocean_grid
  use mpi_f08
  use sverdrup, only: sv_context_t, sv_pause_forwarding, sv_resume_forwarding
  use model_levels, only: set_levels
  use ocean_options, only: dp, options_type
  implicit none
  private
  public :: blocks_type, plain_blocks, block_of, check_width
  public :: grid_type, make_grid, make_strips, set_depth, exchange, halo, longitude, latitude, pi

  integer, parameter :: halo = 2
  real(dp), parameter :: pi = acos(-1.0_dp), radius = 6.371e6_dp, omega = 7.292e-5_dp

  ! px x py blocks; those with ocean have a rank each, numbered x-fastest.
  type blocks_type
    integer :: px = 0, py = 0
    logical, allocatable :: wet(:, :)            ! (0:px-1, 0:py-1)
  end type blocks_type

  type grid_type
    type(sv_context_t) :: io                          ! its forwarding pauses in exchanges
    type(MPI_Comm) :: comm = MPI_COMM_NULL
    integer :: rank = 0, ranks = 1
    integer :: nx = 0, ny = 0, nz = 0            ! global shape
    ! blocks, and this rank's place among them
    integer :: px = 0, py = 0, ix = 0, iy = 0
    ! by block, (0:px-1, 0:py-1); MPI_PROC_NULL for land without a rank, as for the next four
    integer, allocatable :: rank_of(:, :)
    integer :: west = 0, east = 0, south = 0, north = 0
    integer :: i0 = 0, j0 = 0, ni = 0, nj = 0    ! this block: cells before it, and its cells
    real(dp) :: dlon = 0, dlat = 0, dy = 0       ! degrees, degrees, m
    ! of rows: cells, corners, cells, corners, cells
    real(dp), allocatable :: dx(:), dxu(:), area(:), f(:), beta(:)
    ! thickness; edges 0..nz; centres
    real(dp), allocatable :: dz(:), depth_edge(:), depth(:)
    ! wet levels of cells and corners
    integer, allocatable :: kmt(:, :), kmu(:, :)
    real(dp), allocatable :: tmask(:, :, :), umask(:, :, :)         ! 1 wet, 0 dry
    real(dp), allocatable :: hu(:, :)                               ! depth at corners
    ! number of each cell's landmass, coast included; 0 in open water
    integer, allocatable :: island(:, :)
    integer :: islands = 0, asia = 0, antarctica = 0, america = 0
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

  ! Collective. One block for each rank of `comm`: as many as `blocks` has with ocean.
  subroutine make_grid(options, io, comm, blocks, g)
    type(options_type), intent(in) :: options
    type(sv_context_t), intent(in) :: io
    type(MPI_Comm), intent(in) :: comm
    type(blocks_type), intent(in) :: blocks
    type(grid_type), intent(out) :: g
    integer :: ix, iy, next
    call set_shape(options, g)
    g%io = io
    g%comm = comm
    call MPI_Comm_rank(comm, g%rank)
    call MPI_Comm_size(comm, g%ranks)
    g%px = blocks%px
    g%py = blocks%py
    allocate (g%rank_of(0:g%px - 1, 0:g%py - 1), source=MPI_PROC_NULL)
    next = 0
    do iy = 0, g%py - 1
      do ix = 0, g%px - 1
        if (.not. blocks%wet(ix, iy)) cycle
        g%rank_of(ix, iy) = next
        if (next == g%rank) then
          g%ix = ix
          g%iy = iy
        end if
        next = next + 1
      end do
    end do
    call block_of(g%nx, g%px, g%ix, g%i0, g%ni)
    call block_of(g%ny, g%py, g%iy, g%j0, g%nj)
    g%west = g%rank_of(modulo(g%ix - 1, g%px), g%iy)
    g%east = g%rank_of(modulo(g%ix + 1, g%px), g%iy)
    g%south = MPI_PROC_NULL
    g%north = MPI_PROC_NULL
    if (g%iy > 0) g%south = g%rank_of(g%ix, g%iy - 1)
    if (g%iy < g%py - 1) g%north = g%rank_of(g%ix, g%iy + 1)
    call set_rows(g)
    allocate (g%dz(g%nz), g%depth(g%nz), g%depth_edge(0:g%nz))
    call set_levels(g%depth_edge, g%dz, g%depth)
  end subroutine make_grid

  subroutine set_shape(options, g)
    type(options_type), intent(in) :: options
    type(grid_type), intent(inout) :: g
    g%nx = options%nx
    g%ny = options%ny
    g%nz = options%nz
    g%dlon = 360.0_dp/g%nx
    g%dlat = 180.0_dp/g%ny
  end subroutine set_shape

  ! Collective. Strips of whole rows, for data that are needed before there are blocks. The first
  ! ranks have one each, and g%comm; where rows are too few for all, the others have no rows and no
  ! communicator.
  subroutine make_strips(options, io, comm, g)
    type(options_type), intent(in) :: options
    type(sv_context_t), intent(in) :: io
    type(MPI_Comm), intent(in) :: comm
    type(grid_type), intent(out) :: g
    type(blocks_type) :: blocks
    type(MPI_Comm) :: some
    integer :: rank, ranks
    call MPI_Comm_rank(comm, rank)
    call MPI_Comm_size(comm, ranks)
    blocks = blocks_type(1, min(ranks, options%ny/halo))
    allocate (blocks%wet(0:0, 0:blocks%py - 1), source=.true.)
    call MPI_Comm_split(comm, merge(0, MPI_UNDEFINED, rank < blocks%py), rank, some)
    if (rank < blocks%py) then
      call make_grid(options, io, some, blocks, g)
    else
      call set_shape(options, g)
      g%px = blocks%px
      g%py = blocks%py
      g%ni = g%nx
      g%j0 = g%ny
    end if
  end subroutine make_strips

  ! A block for each of `ranks` ranks. `error` is empty, or says why the grid cannot be split so.
  subroutine plain_blocks(options, ranks, blocks, error)
    type(options_type), intent(in) :: options
    integer, intent(in) :: ranks
    type(blocks_type), intent(out) :: blocks
    character(:), allocatable, intent(out) :: error
    integer :: dims(2)
    character(160) :: text
    error = ''
    dims = [options%py, options%px]
    if (mod(ranks, product(merge(dims, 1, dims > 0))) /= 0 .or. &
        (all(dims > 0) .and. product(dims) /= ranks)) then
      write (text, '(3(a,i0),a)') 'px=', options%px, ' x py=', options%py, &
        ' blocks do not suit ', ranks, &
        ' ranks: px*py must equal the number of ranks, or leave one of them out'
      error = trim(text)
      return
    end if
    call MPI_Dims_create(ranks, 2, dims)
    blocks%px = maxval(dims)
    blocks%py = minval(dims)
    if (options%px > 0 .or. options%py > 0) then
      blocks%px = dims(2)
      blocks%py = dims(1)
    end if
    call check_width(options, blocks%px, blocks%py, error)
    allocate (blocks%wet(0:blocks%px - 1, 0:blocks%py - 1), source=.true.)
  end subroutine plain_blocks

  subroutine check_width(options, px, py, error)
    type(options_type), intent(in) :: options
    integer, intent(in) :: px, py
    character(:), allocatable, intent(inout) :: error
    character(160) :: text
    if (options%nx/px >= halo .and. options%ny/py >= halo) return
    write (text, '(2(a,i0),a)') 'blocks would be narrower than the halo on ', px, ' x ', py, &
      ' ranks: take fewer ranks or a larger grid'
    error = trim(text)
  end subroutine check_width

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

  ! Collective. Fills the halos of `n` fields with the neighbours' values, corners included. Beyond
  ! the poles and in blocks without a rank they stay; so may corners next to such a block, on
  ! which nothing depends: the corner point between is dry.
  subroutine exchange(g, n, a)
    type(grid_type), intent(in) :: g
    integer, intent(in) :: n
    real(dp), intent(inout) :: a(1 - halo:g%ni + halo, 1 - halo:g%nj + halo, n)
    real(dp), allocatable :: out(:, :, :), in(:, :, :)
    type(MPI_Status) :: status
    integer :: words
    call sv_pause_forwarding(g%io)
    associate (h => halo, ni => g%ni, nj => g%nj)
      words = h*(nj + 2*h)*n
      allocate (out(h, 1 - h:nj + h, n), in(h, 1 - h:nj + h, n))
      out = a(ni - h + 1:ni, :, :)
      call MPI_Sendrecv(out, words, MPI_DOUBLE_PRECISION, g%east, 1, in, words, &
        MPI_DOUBLE_PRECISION, g%west, 1, &
                        g%comm, status)
      if (g%west /= MPI_PROC_NULL) a(1 - h:0, :, :) = in
      out = a(1:h, :, :)
      call MPI_Sendrecv(out, words, MPI_DOUBLE_PRECISION, g%west, 2, in, words, &
        MPI_DOUBLE_PRECISION, g%east, 2, &
                        g%comm, status)
      if (g%east /= MPI_PROC_NULL) a(ni + 1:ni + h, :, :) = in
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
    call sv_resume_forwarding(g%io)
  end subroutine exchange

end module ocean_grid
