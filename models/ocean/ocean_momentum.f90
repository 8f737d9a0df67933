! Velocities at corners. Their vertical shear obeys linear momentum equations (no advection of
! momentum) with hydrostatic pressure, Coriolis force (implicit), Rayleigh and lateral friction, and
! the wind as a body force over the top 50 m; their depth mean comes from the streamfunction, so
! that the transport through the walls of every column of cells sums to zero.
module ocean_momentum
  use ocean_options, only: dp
  use ocean_grid, only: grid_type, exchange, halo
  use ocean_state, only: state_type, density, temperature, salinity, rho0, gravity
  implicit none
  private
  public :: step_momentum

  ! 1/s; the second near the poles
  real(dp), parameter :: rayleigh = 3.0e-6_dp, polar = 4.0e-5_dp
  real(dp), parameter :: viscosity = 2.0e4_dp   ! m2/s at 1 degree, in proportion to the cell
  ! m; m/s, of the first internal mode
  real(dp), parameter :: wind_depth = 50, wave_speed = 3

contains

  ! Collective. Advances s%velocity by `dt` seconds under the stress over density taux, tauy (m2/s2,
  ! corners 0:ni, 0:nj).
  subroutine step_momentum(g, dt, taux, tauy, s)
    type(grid_type), intent(in) :: g
    real(dp), intent(in) :: dt, taux(0:, 0:), tauy(0:, 0:)
    type(state_type), intent(inout) :: s
    real(dp) :: pressure(1:g%ni + 1, 1:g%nj + 1), anomaly(1:g%ni + 1, 1:g%nj + 1), &
      above(1:g%ni + 1, 1:g%nj + 1)
    real(dp) :: u(g%ni, g%nj, g%nz), v(g%ni, g%nj, g%nz)
    integer :: k
    associate (ni => g%ni, nj => g%nj)
      pressure = 0
      above = 0
      do k = 1, g%nz
        anomaly = density(s%tracer(1:ni + 1, 1:nj + 1, k, temperature), &
                          s%tracer(1:ni + 1, 1:nj + 1, k, salinity), g%depth(k))
        pressure = pressure + 0.5_dp*gravity/rho0*g%dz(k)*anomaly + above
        above = 0.5_dp*gravity/rho0*g%dz(k)*anomaly
        call step_level(g, dt, k, pressure, s%velocity(:, :, k, 1), s%velocity(:, :, k, 2), &
          u(:, :, k), v(:, :, k))
        call add_wind(g, dt, k, taux(1:, 1:), tauy(1:, 1:), u(:, :, k), v(:, :, k))
      end do
      call replace_mean(g, s%psi, u, v)
      s%velocity(1:ni, 1:nj, :, 1) = u
      s%velocity(1:ni, 1:nj, :, 2) = v
    end associate
    call exchange(g, 2*g%nz, s%velocity)
  end subroutine step_momentum

  ! One level, from u0, v0 to u, v.
  subroutine step_level(g, dt, k, pressure, u0, v0, u, v)
    type(grid_type), intent(in) :: g
    real(dp), intent(in) :: dt, pressure(1:, 1:)
    integer, intent(in) :: k
    real(dp), intent(in) :: u0(1 - halo:, 1 - halo:), v0(1 - halo:, 1 - halo:)
    real(dp), intent(out) :: u(:, :), v(:, :)
    real(dp) :: px, py, ax, ay, cx, cy, r, f, scale, determinant, along, across
    integer :: i, j
    cy = lateral(viscosity*g%dlat, g%dy, dt)
    do j = 1, g%nj
      f = g%f(j)*dt
      scale = polar_scale(g%dxu(j), dt, f)
      r = 1 + dt*(rayleigh + polar*(1 - scale))
      ax = 0.5_dp*scale/g%dxu(j)
      ay = 0.5_dp*scale/g%dy
      cx = lateral(viscosity*g%dlat, g%dxu(j), dt)
      determinant = 1/(r*r + f*f)
      do i = 1, g%ni
        px = ((pressure(i + 1, j) + pressure(i + 1, j + 1)) &
          - (pressure(i, j) + pressure(i, j + 1)))*ax
        py = ((pressure(i, j + 1) + pressure(i + 1, j + 1)) &
          - (pressure(i, j) + pressure(i + 1, j)))*ay
        along = u0(i, j) - dt*px + cx*((u0(i + 1, j) + u0(i - 1, j)) - 2*u0(i, j)) &
          + cy*((u0(i, j + 1) + u0(i, j - 1)) - 2*u0(i, j))
        across = v0(i, j) - dt*py + cx*((v0(i + 1, j) + v0(i - 1, j)) - 2*v0(i, j)) &
          + cy*((v0(i, j + 1) + v0(i, j - 1)) - 2*v0(i, j))
        u(i, j) = (r*along + f*across)*determinant*g%umask(i, j, k)
        v(i, j) = (r*across - f*along)*determinant*g%umask(i, j, k)
      end do
    end do
  end subroutine step_level

  ! The factor of the pressure gradient, in place of a polar filter: below 1 where meridians
  ! are so close that internal waves cross a cell in a step (with the Coriolis force, f times dt,
  ! implicit). Both its components, or geostrophic flow would diverge. Friction is raised there.
  pure real(dp) function polar_scale(dx, dt, f)
    real(dp), intent(in) :: dx, dt, f
    polar_scale = min(1.0_dp, 0.5_dp*(dx/(wave_speed*dt))**2*(1 + f*f))
  end function polar_scale

  ! The number K dt / d2 of an explicit diffusion, bounded for stability where cells are narrow.
  pure real(dp) function lateral(coefficient, distance, dt)
    real(dp), intent(in) :: coefficient, distance, dt
    lateral = min(coefficient*dt/distance**2, 0.1_dp)
  end function lateral

  ! The share of the stress in level k, as a force that falls linearly to zero at wind_depth;
  ! Coriolis implicit as above.
  subroutine add_wind(g, dt, k, taux, tauy, u, v)
    type(grid_type), intent(in) :: g
    real(dp), intent(in) :: dt, taux(:, :), tauy(:, :)
    integer, intent(in) :: k
    real(dp), intent(inout) :: u(:, :), v(:, :)
    real(dp) :: top, bottom, force, r, f, wet(g%ni)
    integer :: j
    top = min(g%depth_edge(k - 1)/wind_depth, 1.0_dp)
    bottom = min(g%depth_edge(k)/wind_depth, 1.0_dp)
    if (bottom <= top) return
    force = dt*((2*bottom - bottom**2) - (2*top - top**2))/g%dz(k)
    do j = 1, g%nj
      f = g%f(j)*dt
      r = 1 + dt*(rayleigh + polar*(1 - polar_scale(g%dxu(j), dt, f)))
      wet = force/(r*r + f*f)*g%umask(1:g%ni, j, k)
      u(:, j) = u(:, j) + wet*(r*taux(:g%ni, j) + f*tauy(:g%ni, j))
      v(:, j) = v(:, j) + wet*(r*tauy(:g%ni, j) - f*taux(:g%ni, j))
    end do
  end subroutine add_wind

  ! Puts the depth mean that follows from psi in the place of the one that u and v have. Dry corners
  ! get a zero without a sign, as in blocks without a rank.
  subroutine replace_mean(g, psi, u, v)
    type(grid_type), intent(in) :: g
    real(dp), intent(in) :: psi(1 - halo:, 1 - halo:)
    real(dp), intent(inout) :: u(:, :, :), v(:, :, :)
    real(dp) :: mean_u(g%ni), mean_v(g%ni), depth(g%ni)
    integer :: i, j, k
    do j = 1, g%nj
      depth = max(g%hu(1:g%ni, j), g%dz(1))
      mean_u = 0
      mean_v = 0
      do k = 1, g%nz
        mean_u = mean_u - u(:, j, k)*g%dz(k)
        mean_v = mean_v - v(:, j, k)*g%dz(k)
      end do
      do i = 1, g%ni
        mean_u(i) = mean_u(i) - ((psi(i, j + 1) + psi(i + 1, j + 1)) &
          - (psi(i, j) + psi(i + 1, j)))*0.5_dp/g%dy
        mean_v(i) = mean_v(i) + ((psi(i + 1, j) + psi(i + 1, j + 1)) &
          - (psi(i, j) + psi(i, j + 1)))*0.5_dp/g%dxu(j)
      end do
      do k = 1, g%nz
        u(:, j, k) = merge(u(:, j, k) + mean_u/depth, 0.0_dp, g%umask(1:g%ni, j, k) > 0.5_dp)
        v(:, j, k) = merge(v(:, j, k) + mean_v/depth, 0.0_dp, g%umask(1:g%ni, j, k) > 0.5_dp)
      end do
    end do
  end subroutine replace_mean

end module ocean_momentum
