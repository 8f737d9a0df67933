! Velocities at cell centres. Their vertical shear obeys linear momentum equations with hydrostatic
! pressure, Coriolis force (implicit), Rayleigh and lateral friction, and the wind as a body force
! over the top 50 m; their depth mean is that of points_barotropic.
module points_momentum
  use points_options, only: dp
  use points_grid, only: grid_type, omega
  use points_halo, only: exchange
  use points_state, only: state_type, density, temperature, salinity, rho0, gravity
  use points_barotropic, only: barotropic_type, turned, narrowed, polar
  implicit none
  private
  public :: step_momentum

  real(dp), parameter :: rayleigh = 3.0e-6_dp   ! 1/s
  ! m2/s for cells of 200 km, in proportion to the cell
  real(dp), parameter :: viscosity = 4.0e4_dp
  ! m; m/s, of the first internal mode
  real(dp), parameter :: wind_depth = 50, internal_speed = 3

contains

  ! Collective. Advances s%velocity by `dt` seconds.
  subroutine step_momentum(g, dt, b, s)
    type(grid_type), intent(inout) :: g
    real(dp), intent(in) :: dt
    type(barotropic_type), intent(in) :: b
    type(state_type), intent(inout), target :: s
    real(dp), pointer, contiguous :: rows(:, :)
    real(dp) :: pressure(g%nz, g%total), new(g%nz, 3, g%n)
    integer :: i
    do i = 1, g%total
      call set_pressure(g, s%tracer(:, :, i), pressure(:, i))
    end do
    do i = 1, g%n
      if (g%kmt(i) > 0) then
        call step_column(g, dt, i, pressure, s%velocity, new(:, :, i))
        call add_wind(g, dt, b%wind(:, i), new(:g%kmt(i), :, i))
        call finish_column(g, dt, i, s%transport(:, i), new(:g%kmt(i), :, i))
      else
        new(:, :, i) = 0
      end if
    end do
    s%velocity(:, :, :g%n) = new
    rows(1:3*g%nz, 1:g%total) => s%velocity
    call exchange(g%halo, 3*g%nz, rows)
  end subroutine step_momentum

  ! Over rho0, m2/s2, at the centres of levels.
  pure subroutine set_pressure(g, tracer, pressure)
    type(grid_type), intent(in) :: g
    real(dp), intent(in) :: tracer(:, :)
    real(dp), intent(out) :: pressure(:)
    real(dp) :: half, above
    integer :: k
    above = 0
    do k = 1, g%nz
      half = 0.5_dp*gravity/rho0*g%dz(k)*density(tracer(k, temperature), tracer(k, salinity))
      pressure(k) = above + half
      above = pressure(k) + half
    end do
  end subroutine set_pressure

  ! Pressure and lateral friction, explicit: the slopes of wet neighbours only.
  pure subroutine step_column(g, dt, i, pressure, velocity, new)
    type(grid_type), intent(in) :: g
    real(dp), intent(in) :: dt, pressure(:, :), velocity(:, :, :)
    integer, intent(in) :: i
    real(dp), intent(out) :: new(:, :)
    real(dp) :: pull, viscous
    integer :: e, j, k, m
    new = velocity(:, :, i)
    pull = 0.5_dp*dt/g%area(i)*narrowed(g%width(i), internal_speed*dt)
    do e = 1, 4
      j = g%beside(e, i)
      if (j == 0) cycle
      viscous = min(dt/g%area(i)*viscosity*g%size/2.0e5_dp*g%ratio(e, i), 0.05_dp)
      do m = 1, 3
        do k = 1, min(g%kmt(i), g%kmt(j))
          new(k, m) = new(k, m) - (pull*g%normal(m, e, i))*(pressure(k, j) - pressure(k, i)) &
            + viscous*(velocity(k, m, j) - velocity(k, m, i))
        end do
      end do
    end do
  end subroutine step_column

  ! `stress` over density as a force that falls linearly to zero at wind_depth.
  pure subroutine add_wind(g, dt, stress, u)
    type(grid_type), intent(in) :: g
    real(dp), intent(in) :: dt, stress(:)
    real(dp), intent(inout) :: u(:, :)
    real(dp) :: top, bottom
    integer :: k
    do k = 1, size(u, 1)
      top = min(g%depth_edge(k - 1)/wind_depth, 1.0_dp)
      bottom = min(g%depth_edge(k)/wind_depth, 1.0_dp)
      if (bottom <= top) exit
      u(k, :) = u(k, :) + dt*((2*bottom - bottom**2) - (2*top - top**2))/g%dz(k)*stress
    end do
  end subroutine add_wind

  ! Coriolis force and friction, implicit; then the depth mean of the transport.
  pure subroutine finish_column(g, dt, i, transport, u)
    type(grid_type), intent(in) :: g
    real(dp), intent(in) :: dt, transport(:)
    integer, intent(in) :: i
    real(dp), intent(inout) :: u(:, :)
    real(dp) :: excess, brake
    integer :: k, m
    brake = rayleigh + polar*(1 - narrowed(g%width(i), internal_speed*dt))
    call turned(g%up(:, i), dt*2*omega*g%up(3, i), 1 + dt*brake, u)
    do m = 1, 3
      excess = -transport(m)
      do k = 1, size(u, 1)
        excess = excess + u(k, m)*g%dz(k)
      end do
      u(:, m) = u(:, m) - excess/g%depth_edge(size(u, 1))
    end do
  end subroutine finish_column

end module points_momentum
