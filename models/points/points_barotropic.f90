! The depth-integrated flow U (m2/s) under the wind, and the height eta of the surface that goes
! with it: the linear equations of an ocean of even depth,
!     dU/dt + f k x U = -c2 grad eta + tau/rho0 - R U + A lap U,
!     d eta/dt = -div U,   R = r0 (1 + (h0/H)^2),
! whose steady state is the balance of Sverdrup (1947) and Stommel (1948): the torque of the bottom
! pressure is neglected; friction that grows over shallow ground stands for its steering. The steady
! state does not depend on c, which is lower than in the sea, so that steps are longer; and time is
! the flow's own: it takes a number of substeps in a step of the model, of any length. The gains and
! losses of columns meanwhile are counted (swell), so that tracers see no other divergence.
!
! Substeps: forward in eta, backward in U (Coriolis and friction implicit). The pressure gradient is
! lowered where cells are too narrow for c, and friction raised, in place of a polar filter.
module points_barotropic
  use points_options, only: dp
  use points_grid, only: grid_type, omega
  use points_halo, only: exchange
  use points_state, only: state_type, wind_stress, rho0
  implicit none
  private
  public :: barotropic_type, make_barotropic, step_barotropic, narrowed, turned, polar, wave_speed

  real(dp), parameter :: wave_speed = 60              ! c, m/s
  real(dp), parameter :: courant = 0.35_dp            ! c times a substep over the size of a cell
  real(dp), parameter :: stommel = 2.0e-11_dp, r0 = 3.0e-7_dp   ! 1/(m s), 1/s: friction
  real(dp), parameter :: h0 = 500                     ! m: shallower ground brakes, and edges narrow
  real(dp), parameter :: polar = 4.0e-5_dp            ! 1/s
  real(dp), parameter :: viscosity = 4.0e4_dp         ! m2/s for cells of 200 km
  real(dp), parameter :: smoothing = 0.1_dp           ! of eta: keeps neighbours together

  type barotropic_type
    real(dp) :: dt = 0                                ! s
    ! of edges (4, n): how open, 0 at coasts to 1; diffusion of eta and of U, m2/s
    real(dp), allocatable :: open(:, :), spread(:, :), viscous(:, :)
    real(dp), allocatable :: pull(:)                  ! c2, lowered where cells are narrow, (n)
    real(dp), allocatable :: friction(:)              ! 1/s, (n)
    real(dp), allocatable :: wind(:, :)               ! stress over density, m2/s2, (3, n)
    ! out of edges, the mean of a step, m3/s, (4, n)
    real(dp), allocatable :: flux(:, :)
  end type barotropic_type

contains

  ! Collective.
  subroutine make_barotropic(g, b)
    type(grid_type), intent(inout) :: g
    type(barotropic_type), intent(out) :: b
    real(dp) :: scale(1, g%total), depth
    integer :: i, j, e
    b%dt = courant*g%size/wave_speed
    allocate (b%open(4, g%n), b%spread(4, g%n), b%viscous(4, g%n), b%flux(4, g%n), source=0.0_dp)
    allocate (b%pull(g%n), b%friction(g%n), b%wind(3, g%n))
    do i = 1, g%n
      scale(1, i) = narrowed(g%width(i), wave_speed*b%dt)
      b%pull(i) = scale(1, i)*wave_speed**2
      depth = max(g%depth_edge(g%kmt(i)), g%depth_edge(1))
      b%friction(i) = max(stommel*g%size, r0)*(1 + (h0/depth)**2) + polar*(1 - scale(1, i))
      b%wind(:, i) = wind_stress(g%lat(i))/rho0*g%east(:, i)
      if (g%kmt(i) == 0) b%wind(:, i) = 0
    end do
    call exchange(g%halo, 1, scale)
    do i = 1, g%n
      do e = 1, 4
        j = g%beside(e, i)
        if (j == 0) cycle
        b%open(e, i) = min(g%depth_edge(min(g%kmt(i), g%kmt(j)))/h0, 1.0_dp)
        b%spread(e, i) = smoothing*wave_speed**2*b%dt*g%ratio(e, i)*b%open(e, i) &
          *min(scale(1, i), scale(1, j))
        if (b%open(e, i) > 0) b%viscous(e, i) = min(viscosity*g%size/2.0e5_dp*g%ratio(e, i), &
          0.05_dp*min(g%area(i), g%area(j))/b%dt)
      end do
    end do
  end subroutine make_barotropic

  ! The factor of a pressure gradient where waves cross more than half a cell in a step.
  elemental real(dp) function narrowed(width, way)
    real(dp), intent(in) :: width, way
    narrowed = min(1.0_dp, (0.5_dp*width/way)**2)
  end function narrowed

  ! Collective. `substeps`, which b%flux becomes the mean of.
  subroutine step_barotropic(g, substeps, b, s)
    type(grid_type), intent(inout) :: g
    integer, intent(in) :: substeps
    type(barotropic_type), intent(inout) :: b
    type(state_type), intent(inout), target :: s
    real(dp), pointer, contiguous :: height(:, :)
    real(dp) :: flux(4), new(3, g%n)
    integer :: n, i
    height(1:1, 1:g%total) => s%height
    b%flux = 0
    do n = 1, substeps
      do i = 1, g%n
        if (g%kmt(i) == 0) cycle
        flux = outflow(g, b, s, i)
        b%flux(:, i) = b%flux(:, i) + flux/substeps
        new(1, i) = s%height(i) - b%dt/g%area(i)*((flux(1) + flux(2)) + (flux(3) + flux(4)))
      end do
      where (g%kmt(:g%n) > 0) s%height(:g%n) = new(1, :)
      call exchange(g%halo, 1, height)
      do i = 1, g%n
        new(:, i) = 0
        if (g%kmt(i) > 0) new(:, i) = accelerated(g, b, s, i)
      end do
      s%transport(:, :g%n) = new
      call exchange(g%halo, 3, s%transport)
    end do
  end subroutine step_barotropic

  ! m3/s through the four edges of a cell.
  pure function outflow(g, b, s, i) result(flux)
    type(grid_type), intent(in) :: g
    type(barotropic_type), intent(in) :: b
    type(state_type), intent(in) :: s
    integer, intent(in) :: i
    real(dp) :: flux(4), u(3)
    integer :: e, j
    flux = 0
    do e = 1, 4
      if (b%open(e, i) <= 0) cycle
      j = g%beside(e, i)
      u = (0.5_dp*b%open(e, i))*(s%transport(:, i) + s%transport(:, j))*g%normal(:, e, i)
      flux(e) = (u(1) + u(2) + u(3)) + b%spread(e, i)*(s%height(i) - s%height(j))
    end do
  end function outflow

  pure function accelerated(g, b, s, i) result(u)
    type(grid_type), intent(in) :: g
    type(barotropic_type), intent(in) :: b
    type(state_type), intent(in) :: s
    integer, intent(in) :: i
    real(dp) :: u(3), force(3), row(1, 3), slope
    integer :: e, j
    force = 0
    do e = 1, 4
      if (b%open(e, i) <= 0) cycle
      j = g%beside(e, i)
      slope = 0.5_dp*b%pull(i)*b%open(e, i)*(s%height(j) - s%height(i))
      force = force - slope*g%normal(:, e, i) &
        + b%viscous(e, i)*(s%transport(:, j) - s%transport(:, i))
    end do
    row(1, :) = s%transport(:, i) + b%dt*(force/g%area(i) + b%wind(:, i))
    call turned(g%up(:, i), b%dt*2*omega*g%up(3, i), 1 + b%dt*b%friction(i), row)
    u = row(1, :)
  end function accelerated

  ! Solves brake u' + turn (up x u') = u in the plane across `up`; u(:, 3) in place.
  pure subroutine turned(up, turn, brake, u)
    real(dp), intent(in) :: up(3), turn, brake
    real(dp), intent(inout) :: u(:, :)
    real(dp) :: along, across, a(3)
    integer :: k
    along = brake/(brake*brake + turn*turn)
    across = turn/(brake*brake + turn*turn)
    do k = 1, size(u, 1)
      a = u(k, :) - (u(k, 1)*up(1) + u(k, 2)*up(2) + u(k, 3)*up(3))*up
      u(k, 1) = along*a(1) - across*(up(2)*a(3) - up(3)*a(2))
      u(k, 2) = along*a(2) - across*(up(3)*a(1) - up(1)*a(3))
      u(k, 3) = along*a(3) - across*(up(1)*a(2) - up(2)*a(1))
    end do
  end subroutine turned

end module points_barotropic
