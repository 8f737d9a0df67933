! The state of the ocean, its initial values, and its forcing: functions of latitude, so that
! the model needs no data but its grid.
module points_state
  use points_options, only: dp
  use points_grid, only: grid_type, pi
  use points_halo, only: exchange
  implicit none
  private
  public :: state_type, start_state, refresh_halos, density, climate, wind_stress
  public :: temperature, salinity, rho0, gravity, day

  integer, parameter :: temperature = 1, salinity = 2   ! the tracers
  real(dp), parameter :: rho0 = 1026, gravity = 9.81_dp, day = 86400

  ! All there is to restart from; of this rank's cells and, where the last extent is g%total, its
  ! halo. Vectors are Cartesian and tangent to the sphere: no metric terms, and no seam at the edges
  ! of a cube.
  type state_type
    real(dp), allocatable :: tracer(:, :, :)     ! degC, psu: (nz, 2, total)
    real(dp), allocatable :: velocity(:, :, :)   ! m/s: (nz, 3, total)
    real(dp), allocatable :: transport(:, :)     ! depth-integrated, m2/s: (3, total)
    real(dp), allocatable :: height(:)           ! that drives it (points_barotropic), m: (total)
    ! how much higher columns are than at the start, m: (n). Levels share it in proportion.
    real(dp), allocatable :: swell(:)
    integer :: step = 0
  end type state_type

contains

  ! Collective. At rest.
  subroutine start_state(g, s)
    type(grid_type), intent(inout) :: g
    type(state_type), intent(out) :: s
    integer :: i, k
    allocate (s%tracer(g%nz, 2, g%total), s%velocity(g%nz, 3, g%total), source=0.0_dp)
    allocate (s%transport(3, g%total), s%height(g%total), s%swell(g%n), source=0.0_dp)
    do i = 1, g%n
      do k = 1, g%kmt(i)
        s%tracer(k, :, i) = climate(g%lat(i), g%depth(k))
      end do
    end do
    call refresh_halos(g, s)
  end subroutine start_state

  subroutine refresh_halos(g, s)
    type(grid_type), intent(inout) :: g
    type(state_type), intent(inout), target :: s
    real(dp), pointer, contiguous :: rows(:, :)
    call exchange(g%halo, 3, s%transport)
    rows(1:1, 1:g%total) => s%height
    call exchange(g%halo, 1, rows)
    rows(1:2*g%nz, 1:g%total) => s%tracer
    call exchange(g%halo, 2*g%nz, rows)
    rows(1:3*g%nz, 1:g%total) => s%velocity
    call exchange(g%halo, 3*g%nz, rows)
  end subroutine refresh_halos

  ! Temperature and salinity at a latitude (degrees) and depth (m): warm, salty subtropics over cold
  ! and even deep water; the thermocline is deepest in the subtropics.
  pure function climate(lat, depth) result(ts)
    real(dp), intent(in) :: lat, depth
    real(dp) :: ts(2), warmth, thickness
    warmth = cos(lat*pi/180)**2
    thickness = 250 + 600*exp(-((abs(lat) - 30)/14)**2)
    ts(temperature) = 0.5_dp + (-2 + 29*warmth)*exp(-depth/thickness)
    ts(salinity) = 34.7_dp + (1.6_dp*exp(-((abs(lat) - 25)/16)**2) - 1.2_dp*(1 - warmth)**2) &
      *exp(-depth/thickness)
  end function climate

  ! Eastward stress of the wind (N/m2) at a latitude: the knots of NeverWorld2 (Marques et al. 2022,
  ! Geosci. Model Dev. 15), with cubics that are level at the knots.
  pure real(dp) function wind_stress(lat)
    real(dp), intent(in) :: lat
    real(dp), parameter :: knot(*) = [-90, -70, -45, -15, 0, 15, 45, 70, 90]
    real(dp), parameter :: stress(*) = [0.0_dp, 0.0_dp, 0.2_dp, -0.1_dp, -0.02_dp, -0.1_dp, &
      0.1_dp, 0.0_dp, 0.0_dp]
    real(dp) :: x
    integer :: n
    n = min(max(count(knot <= lat), 1), size(knot) - 1)
    x = (lat - knot(n))/(knot(n + 1) - knot(n))
    wind_stress = stress(n) + (stress(n + 1) - stress(n))*x*x*(3 - 2*x)
  end function wind_stress

  ! Density anomaly (kg/m3) at temperature t (degC) and salinity s (psu): the simplified equation of
  ! state of Roquet, Madec, Brodeau & Nycander 2015 (J. Phys. Oceanogr. 45), without depth.
  elemental real(dp) function density(t, s)
    real(dp), intent(in) :: t, s
    density = -0.0055_dp*(t + 4.5_dp)**2 + 0.77_dp*s
  end function density

end module points_state
