! Temperature and salinity: flux-form advection (upwind; in the vertical second order with van
! Leer's limiter), lateral diffusion, implicit vertical diffusion with convection, restoring at the
! surface. The outflow of a cell enters its neighbour: content changes by rounding and by the surface
! flux only. Levels share the swell of their column in proportion to their thickness, so that an
! even tracer stays even.
module points_tracers
  use points_options, only: dp
  use points_grid, only: grid_type
  use points_halo, only: exchange
  use points_state, only: state_type, density, climate, temperature, salinity
  use points_barotropic, only: barotropic_type
  implicit none
  private
  public :: step_tracers, column_flow, stretch, courant

  ! m2/s for cells of 200 km, in proportion to the cell
  real(dp), parameter :: diffusivity = 5.0e2_dp
  ! m2/s, vertical
  real(dp), parameter :: background = 2.0e-5_dp, mixed = 5.0e-3_dp, convective = 1.0_dp
  real(dp), parameter :: mixed_depth = 40         ! m, stirred by the wind

contains

  ! Collective. Advances s%tracer and s%swell by `dt` s. `rate`: of restoring the top level, 1/s.
  subroutine step_tracers(g, dt, rate, b, s)
    type(grid_type), intent(inout) :: g
    real(dp), intent(in) :: dt, rate
    type(barotropic_type), intent(in) :: b
    type(state_type), intent(inout), target :: s
    real(dp), pointer, contiguous :: rows(:, :)
    real(dp) :: new(g%nz, 2, g%n), q(g%nz, 4), up(g%nz + 1), before, after
    integer :: i, k
    do i = 1, g%n
      new(:, :, i) = 0
      k = g%kmt(i)
      if (k == 0) cycle
      call column_flow(g, b, s, i, q, up)
      before = stretch(g, i, s%swell(i))
      s%swell(i) = s%swell(i) - dt/g%area(i)*sum_of_edges(b%flux(:, i))
      after = stretch(g, i, s%swell(i))
      call advect(g, dt, i, q, up, s%tracer, new(:, :, i))
      new(:k, :, i) = (s%tracer(:k, :, i)*before + new(:k, :, i))/after
      new(1, :, i) = new(1, :, i) + dt*rate*(climate(g%lat(i), 0.0_dp) - s%tracer(1, :, i))
      call diffuse(g, dt, after, s%tracer(:k, :, i), new(:k, :, i))
    end do
    s%tracer(:, :, :g%n) = new
    rows(1:2*g%nz, 1:g%total) => s%tracer
    call exchange(g%halo, 2*g%nz, rows)
  end subroutine step_tracers

  pure real(dp) function sum_of_edges(flux)
    real(dp), intent(in) :: flux(4)
    sum_of_edges = (flux(1) + flux(2)) + (flux(3) + flux(4))
  end function sum_of_edges

  ! The thickness that the levels of a column have gained since the start.
  pure real(dp) function stretch(g, i, swell)
    type(grid_type), intent(in) :: g
    integer, intent(in) :: i
    real(dp), intent(in) :: swell
    stretch = 1 + swell/g%depth_edge(max(g%kmt(i), 1))
  end function stretch

  ! Volume fluxes (m3/s) of a column: q out of the edges of each level, whose sums over the levels
  ! are b%flux; and up through the upper faces, between levels that swell together.
  pure subroutine column_flow(g, b, s, i, q, up)
    type(grid_type), intent(in) :: g
    type(barotropic_type), intent(in) :: b
    type(state_type), intent(in) :: s
    integer, intent(in) :: i
    real(dp), intent(out) :: q(:, :), up(:)
    real(dp) :: excess
    integer :: e, j, k, levels
    q = 0
    do e = 1, 4
      j = g%beside(e, i)
      if (j == 0) cycle
      levels = min(g%kmt(i), g%kmt(j))
      if (levels == 0) cycle
      excess = -b%flux(e, i)
      do k = 1, levels
        q(k, e) = 0.5_dp*g%dz(k)*((s%velocity(k, 1, i) + s%velocity(k, 1, j))*g%normal(1, e, i) &
          + (s%velocity(k, 2, i) + s%velocity(k, 2, j))*g%normal(2, e, i) &
          + (s%velocity(k, 3, i) + s%velocity(k, 3, j))*g%normal(3, e, i))
        excess = excess + q(k, e)
      end do
      q(:levels, e) = q(:levels, e) - (excess/g%depth_edge(levels))*g%dz(:levels)
    end do
    up = 0
    excess = sum_of_edges(b%flux(:, i))/g%depth_edge(max(g%kmt(i), 1))
    do k = g%kmt(i), 2, -1
      up(k) = up(k + 1) - sum_of_edges(q(k, :)) + excess*g%dz(k)
    end do
  end subroutine column_flow

  ! Advection and lateral diffusion of a column, explicit: the change of the tracers, times the
  ! stretch.
  pure subroutine advect(g, dt, i, q, up, tracer, change)
    type(grid_type), intent(in) :: g
    real(dp), intent(in) :: dt, q(:, :), up(:), tracer(:, :, :)
    integer, intent(in) :: i
    real(dp), intent(out) :: change(:, :)
    real(dp) :: spread, flux(g%nz + 1)
    integer :: e, j, k, m
    change = 0
    do e = 1, 4
      j = g%beside(e, i)
      if (j == 0) cycle
      spread = min(diffusivity*g%size/2.0e5_dp*g%ratio(e, i), 0.05_dp*min(g%area(i), g%area(j))/dt)
      do m = 1, 2
        do k = 1, min(g%kmt(i), g%kmt(j))
          change(k, m) = change(k, m) &
            - q(k, e)*merge(tracer(k, m, i), tracer(k, m, j), q(k, e) >= 0) &
            - spread*g%dz(k)*(tracer(k, m, i) - tracer(k, m, j))
        end do
      end do
    end do
    do m = 1, 2
      flux = vertical_flux(g, dt, i, up, tracer(:, m, i))
      do k = 1, g%kmt(i)
        change(k, m) = (change(k, m) + (flux(k + 1) - flux(k)))*dt/(g%area(i)*g%dz(k))
      end do
    end do
  end subroutine advect

  ! Through the upper faces of a column, upwards.
  pure function vertical_flux(g, dt, i, up, t) result(flux)
    type(grid_type), intent(in) :: g
    real(dp), intent(in) :: dt, up(:), t(:)
    integer, intent(in) :: i
    real(dp) :: flux(g%nz + 1), d, c
    integer :: k, last
    flux = 0
    last = g%kmt(i)
    do k = 2, last
      d = t(k - 1) - t(k)
      c = dt/g%area(i)*abs(up(k))
      if (up(k) >= 0) then
        flux(k) = up(k)*(t(k) + (1 - c/g%dz(k))*limited(t(k) - t(min(k + 1, last)), d))
      else
        flux(k) = up(k)*(t(k - 1) - (1 - c/g%dz(k - 1))*limited(t(max(k - 2, 1)) - t(k - 1), d))
      end if
    end do
  end function vertical_flux

  ! Half of van Leer's (1974) harmonic mean of two differences; 0 at an extremum.
  elemental real(dp) function limited(p, q)
    real(dp), intent(in) :: p, q
    limited = max(p*q, 0.0_dp)/merge(p + q, 1.0_dp, p*q > 0)
  end function limited

  ! Implicit vertical diffusion of a column whose levels are stretched (Thomas's algorithm): much
  ! where the water was unstable, some where the wind stirs. `old`: tracers before the step.
  pure subroutine diffuse(g, dt, stretched, old, t)
    type(grid_type), intent(in) :: g
    real(dp), intent(in) :: dt, stretched, old(:, :)
    real(dp), intent(inout) :: t(:, :)
    real(dp) :: c(0:size(t, 1)), rho(size(t, 1)), pivot, above, below, kappa
    integer :: k, last
    last = size(t, 1)
    rho = density(old(:, temperature), old(:, salinity))
    c(0) = 0
    below = 0
    do k = 1, last
      above = below*g%dz(max(k - 1, 1))/g%dz(k)
      below = 0
      if (k < last) then
        kappa = merge(mixed, background, g%depth_edge(k) < mixed_depth)
        if (rho(k) > rho(k + 1)) kappa = convective
        below = dt*kappa/((g%depth(k + 1) - g%depth(k))*g%dz(k)*stretched)
      end if
      pivot = 1 + above + below - above*c(k - 1)
      c(k) = below/pivot
      t(k, :) = (t(k, :) + above*t(max(k - 1, 1), :))/pivot
    end do
    do k = last - 1, 1, -1
      t(k, :) = t(k, :) + c(k)*t(k + 1, :)
    end do
  end subroutine diffuse

  ! Local. The largest sum of the Courant numbers of the outflows of a cell; infinite where it is
  ! not a number, or where a column has lost half of its water.
  real(dp) function courant(g, dt, b, s)
    type(grid_type), intent(in) :: g
    real(dp), intent(in) :: dt
    type(barotropic_type), intent(in) :: b
    type(state_type), intent(in) :: s
    real(dp) :: q(g%nz, 4), up(g%nz + 1), out
    integer :: i, k
    courant = 0
    do i = 1, g%n
      call column_flow(g, b, s, i, q, up)
      do k = 1, g%kmt(i)
        out = 0.5_dp*(sum(abs(q(k, :))) + abs(up(k)) + abs(up(k + 1)))*dt/(g%area(i)*g%dz(k))
        courant = merge(max(courant, out), huge(courant), out < huge(out))
      end do
      if (.not. abs(stretch(g, i, s%swell(i)) - 1) < 0.5_dp) courant = huge(courant)
    end do
  end function courant

end module points_tracers
