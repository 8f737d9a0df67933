! The grid: cells with four edges each, from a file of sv-grid, those of this rank and their halo,
! with geometry on the sphere and levels. Lengths in m, vectors in Cartesian coordinates of the
! Earth.
!
! Both cells at an edge compute its quantities; every expression here gives both the same bits,
! with the other sign for a direction.
module points_grid
  use, intrinsic :: iso_fortran_env, only: int64
  use mpi_f08
  use sverdrup
  use model_levels, only: set_levels
  use model_sort, only: sort, position_of
  use points_options, only: dp, options_type
  use points_directory, only: deliver, look_up, home_of
  use points_halo, only: halo_type, make_halo, exchange
  implicit none
  private
  public :: grid_type, read_grid, pi, omega

  real(dp), parameter :: pi = acos(-1.0_dp), omega = 7.292e-5_dp
  ! degrees north: land beyond on longitude-latitude grids, where meridians meet
  real(dp), parameter :: polar_cap = 86

  type grid_type
    type(MPI_Comm) :: comm = MPI_COMM_NULL
    integer :: rank = 0, ranks = 1
    character(40) :: kind = ' '
    integer :: cells = 0, nodes = 0, nz = 0      ! of the whole grid
    integer :: n = 0, total = 0                  ! cells of this rank; and with the halo
    logical :: partitioned = .false.             ! owners are those of the file
    real(dp) :: radius = 0, size = 0             ! of the Earth; of a cell, typically
    type(sv_decomp_t) :: points                  ! who has which cells
    type(halo_type) :: halo
    integer, allocatable :: cell(:)              ! numbers from 0, (total)
    integer, allocatable :: face_nodes(:, :)     ! from 0, (4, n)
    integer, allocatable :: beside(:, :)         ! the cell over each edge, 0: none, (4, n)
    real(dp), allocatable :: lon(:), lat(:)      ! degrees, (n)
    real(dp), allocatable :: up(:, :), east(:, :), north(:, :)   ! unit vectors, (3, total)
    real(dp), allocatable :: area(:)             ! m2, (total)
    real(dp), allocatable :: width(:)            ! m, over the longest edge, (n)
    ! of edges: outward unit vector times length (3, 4, n); length over distance (4, n)
    real(dp), allocatable :: normal(:, :, :), ratio(:, :)
    integer, allocatable :: kmt(:)               ! wet levels, (total)
    real(dp), allocatable :: dz(:), depth_edge(:), depth(:)      ! levels, edges from 0
    ! of the first nodes of this rank's block, which it reads and writes: degrees
    integer :: first_node = 1
    real(dp), allocatable :: node_lon(:), node_lat(:)
  end type grid_type

contains

  ! Collective.
  subroutine read_grid(options, io, comm, g)
    type(options_type), intent(in) :: options
    type(sv_context_t), intent(in) :: io
    type(MPI_Comm), intent(in) :: comm
    type(grid_type), intent(out) :: g
    type(sv_file_t) :: file
    integer, allocatable :: neighbours(:, :)
    real(dp), allocatable :: owner(:, :), depth(:)
    integer :: shape(16), id, values
    g%comm = comm
    call MPI_Comm_rank(comm, g%rank)
    call MPI_Comm_size(comm, g%ranks)
    g%nz = options%nz
    allocate (g%dz(g%nz), g%depth(g%nz), g%depth_edge(0:g%nz))
    call set_levels(g%depth_edge, g%dz, g%depth)
    call sv_open(io, trim(options%grid), file)
    call sv_get_att(file, SV_GLOBAL, 'grid_kind', g%kind)
    call sv_get_att(file, SV_GLOBAL, 'earth_radius', g%radius)
    call sv_inq_att(file, SV_GLOBAL, 'grid_shape', count=values)
    call sv_get_att(file, SV_GLOBAL, 'grid_shape', shape)
    g%size = sqrt(4*pi/product(real(shape(:values), dp)))*g%radius
    g%cells = length('cell')
    g%nodes = length('node')
    call choose_cells(file, options%owners, g, owner)
    call sv_def_points(io, g%points, [g%cells], g%cell + 1)
    allocate (neighbours(4, g%n), g%face_nodes(4, g%n), g%lon(g%n), g%lat(g%n), depth(g%n))
    call sv_inq_varid(file, 'neighbours', id)
    call sv_get(file, id, g%points, neighbours)
    call sv_inq_varid(file, 'face_nodes', id)
    call sv_get(file, id, g%points, g%face_nodes)
    call sv_inq_varid(file, 'lon', id)
    call sv_get(file, id, g%points, g%lon)
    call sv_inq_varid(file, 'lat', id)
    call sv_get(file, id, g%points, g%lat)
    call sv_inq_varid(file, 'depth', id)
    call sv_get(file, id, g%points, depth)
    call find_halo(io, neighbours, owner, g)
    allocate (g%area(g%total))
    call sv_inq_varid(file, 'area', id)
    call sv_get(file, id, g%points, g%area(:g%n))
    call read_nodes(file, g)
    call sv_close(file)
    call set_cells(depth, g)
    call set_edges(g)

  contains

    integer function length(name)
      character(*), intent(in) :: name
      integer :: dim
      call sv_inq_dimid(file, name, dim)
      call sv_inq_dim(file, dim, length=length)
    end function length

  end subroutine read_grid

  ! Collective. The owner, from the file's variable for this number of ranks or else by blocks, of
  ! the cells of this rank's block (1, :); and the cells that this rank has.
  subroutine choose_cells(file, owners, g, owner)
    type(sv_file_t), intent(in) :: file
    character(*), intent(in) :: owners
    type(grid_type), intent(inout) :: g
    real(dp), allocatable, intent(out) :: owner(:, :)
    character(20) :: name
    integer :: first, count, id, status
    write (name, '(a,i0)') 'owner_', g%ranks
    call sv_block(g%cells, g%ranks, g%rank, first, count)
    allocate (owner(1, count), source=real(g%rank, dp))
    status = SV_ENOTFOUND
    if (owners == 'grid') call sv_inq_varid(file, trim(name), id, ierr=status)
    g%partitioned = status == SV_OK
    if (g%partitioned) call sv_get_vara(file, id, [first], [count], owner(1, :))
    call deliver(g%comm, first - 1, nint(owner(1, :)), g%cell)
    g%n = size(g%cell)
  end subroutine choose_cells

  ! Collective. Extends g%cell by the neighbours that other ranks have, by rank and number.
  subroutine find_halo(io, neighbours, owner, g)
    type(sv_context_t), intent(in) :: io
    integer, intent(in) :: neighbours(:, :)
    real(dp), intent(in) :: owner(:, :)
    type(grid_type), intent(inout) :: g
    integer, allocatable :: wanted(:)
    real(dp), allocatable :: found(:, :), key(:), halo(:), own(:)
    integer :: n, i, e
    wanted = pack(neighbours, neighbours >= 0)
    allocate (found(1, size(wanted)))
    call look_up(g%comm, g%cells, owner, wanted, found)
    key = found(1, :)*g%cells + wanted
    halo = pack(key, nint(found(1, :)) /= g%rank)
    call sort(halo)
    halo = pack(halo, [(n == 1 .or. halo(max(n - 1, 1)) < halo(n), n=1, size(halo))])
    own = real(g%cell, dp) + real(g%rank, dp)*g%cells
    allocate (g%beside(4, g%n), source=0)
    n = 0
    do i = 1, g%n
      do e = 1, 4
        if (neighbours(e, i) < 0) cycle
        n = n + 1
        if (nint(found(1, n)) == g%rank) then
          g%beside(e, i) = position_of(key(n), own)
        else
          g%beside(e, i) = g%n + position_of(key(n), halo)
        end if
      end do
    end do
    g%total = g%n + size(halo)
    g%cell = [g%cell, nint(modulo(halo, real(g%cells, dp)))]
    call make_halo(io, g%comm, g%n, g%cell, int(halo/g%cells), g%halo)
  end subroutine find_halo

  ! Collective. This rank's block of nodes.
  subroutine read_nodes(file, g)
    type(sv_file_t), intent(in) :: file
    type(grid_type), intent(inout) :: g
    integer :: count, id
    call sv_block(g%nodes, g%ranks, g%rank, g%first_node, count)
    allocate (g%node_lon(count), g%node_lat(count))
    call sv_inq_varid(file, 'node_lon', id)
    call sv_get_vara(file, id, [g%first_node], [count], g%node_lon)
    call sv_inq_varid(file, 'node_lat', id)
    call sv_get_vara(file, id, [g%first_node], [count], g%node_lat)
  end subroutine read_nodes

  ! Collective. Places, areas and wet levels, in the halo too. A wet cell has at least two levels.
  subroutine set_cells(depth, g)
    real(dp), intent(in) :: depth(:)   ! m, 0 on land
    type(grid_type), intent(inout) :: g
    real(dp), allocatable :: known(:, :)
    integer :: i
    allocate (known(5, g%total), g%up(3, g%total), g%east(3, g%total), g%north(3, g%total))
    known(1:3, :g%n) = place_on_sphere(g%lon, g%lat)
    known(4, :g%n) = g%area(:g%n)
    do i = 1, g%n
      known(5, i) = merge(max(count(g%depth < depth(i)), 2), 0, depth(i) > 0)
      if (g%kind == 'lonlat' .and. g%lat(i) > polar_cap) known(5, i) = 0
    end do
    call exchange(g%halo, 5, known)
    g%up = known(1:3, :)
    g%area = known(4, :)
    g%kmt = nint(known(5, :))
    do i = 1, g%total
      g%east(:, i) = [-g%up(2, i), g%up(1, i), 0.0_dp]/max(hypot(g%up(1, i), g%up(2, i)), 1e-12_dp)
      g%north(:, i) = cross(g%up(:, i), g%east(:, i))
    end do
  end subroutine set_cells

  ! Collective. Directions and lengths of edges: great circles between nodes.
  subroutine set_edges(g)
    type(grid_type), intent(inout) :: g
    real(dp), allocatable :: found(:, :)
    real(dp) :: a(3), b(3), across(3), length(4)
    integer :: i, j, e
    allocate (found(3, 4*g%n), g%normal(3, 4, g%n), g%ratio(4, g%n), g%width(g%n))
    call look_up(g%comm, g%nodes, place_on_sphere(g%node_lon, g%node_lat), &
      [g%face_nodes], found)
    g%ratio = 0
    do i = 1, g%n
      do e = 1, 4
        a = found(:, 4*(i - 1) + e)
        b = found(:, 4*(i - 1) + mod(e, 4) + 1)
        across = cross(b, a)
        length(e) = g%radius*angle(a, b)
        g%normal(:, e, i) = across/max(norm(across), 1e-12_dp)*length(e)
        j = g%beside(e, i)
        if (j > 0) g%ratio(e, i) = length(e)/(g%radius*angle(g%up(:, i), g%up(:, j)))
      end do
      g%width(i) = g%area(i)/maxval(length)
    end do
  end subroutine set_edges

  pure function place_on_sphere(lon, lat) result(place)
    real(dp), intent(in) :: lon(:), lat(:)   ! degrees
    real(dp) :: place(3, size(lon))
    place(1, :) = cos(lat*pi/180)*cos(lon*pi/180)
    place(2, :) = cos(lat*pi/180)*sin(lon*pi/180)
    place(3, :) = sin(lat*pi/180)
  end function place_on_sphere

  pure function cross(a, b)
    real(dp), intent(in) :: a(3), b(3)
    real(dp) :: cross(3)
    cross = [a(2)*b(3) - a(3)*b(2), a(3)*b(1) - a(1)*b(3), a(1)*b(2) - a(2)*b(1)]
  end function cross

  pure real(dp) function norm(a)
    real(dp), intent(in) :: a(3)
    norm = sqrt(a(1)*a(1) + a(2)*a(2) + a(3)*a(3))
  end function norm

  pure real(dp) function angle(a, b)
    real(dp), intent(in) :: a(3), b(3)
    angle = atan2(norm(cross(a, b)), a(1)*b(1) + a(2)*b(2) + a(3)*b(3))
  end function angle

end module points_grid
