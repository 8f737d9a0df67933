! The state of the ocean, and the density of sea water.
module ocean_state
  use ocean_options, only: dp
  use ocean_grid, only: grid_type, exchange, halo
  implicit none
  private
  public :: state_type, forcing_type, allocate_state, refresh_halos, density
  public :: temperature, salinity, age, rho0, gravity, day

  integer, parameter :: temperature = 1, salinity = 2, age = 3    ! the tracers
  real(dp), parameter :: rho0 = 1026, gravity = 9.81_dp, day = 86400

  ! All there is to restart from. Shapes: (1 - halo : ni + halo, 1 - halo : nj + halo, levels,
  ! which).
  type state_type
    real(dp), allocatable :: tracer(:, :, :, :)    ! degC, psu, days
    real(dp), allocatable :: velocity(:, :, :, :)  ! east and north, at corners, m/s
    real(dp), allocatable :: psi(:, :)             ! m3/s
    integer :: step = 0
  end type state_type

  ! The forcing of the middle of each month: stress over density (m2/s2) at corners (0:ni,
  ! 0:nj), and how much warmer than the year's mean the surface is; and the year's mean temperature
  ! and salinity of the top level, (ni, nj, 2).
  type forcing_type
    real(dp), allocatable :: taux(:, :, :), tauy(:, :, :)
    real(dp), allocatable :: season(:, :, :), surface(:, :, :)
  end type forcing_type

contains

  subroutine allocate_state(g, s)
    type(grid_type), intent(in) :: g
    type(state_type), intent(out) :: s
    associate (h => halo, ni => g%ni, nj => g%nj)
      allocate (s%tracer(1 - h:ni + h, 1 - h:nj + h, g%nz, 3), source=0.0_dp)
      allocate (s%velocity(1 - h:ni + h, 1 - h:nj + h, g%nz, 2), source=0.0_dp)
      allocate (s%psi(1 - h:ni + h, 1 - h:nj + h), source=0.0_dp)
    end associate
  end subroutine allocate_state

  subroutine refresh_halos(g, s)
    type(grid_type), intent(in) :: g
    type(state_type), intent(inout) :: s
    call exchange(g, 3*g%nz, s%tracer)
    call exchange(g, 2*g%nz, s%velocity)
    call exchange(g, 1, s%psi)
  end subroutine refresh_halos

  ! Density anomaly (kg/m3) at temperature t (degC), salinity s (psu) and depth z (m): the
  ! simplified equation of state of Roquet, Madec, Brodeau & Nycander 2015 (J. Phys. Oceanogr. 45),
  ! with cabbeling and the thermobaric effect.
  elemental real(dp) function density(t, s, z)
    real(dp), intent(in) :: t, s, z
    density = -0.0055_dp*(t + 4.5_dp)**2 - 2.5e-5_dp*z*t + 0.77_dp*s
  end function density

end module ocean_state
