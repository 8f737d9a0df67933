! Temperature, salinity and age: flux-form advection (second order with van Leer's limiter, monotone
! while the Courant numbers of the outflows of a cell sum to less than 1/2), lateral diffusion,
! implicit vertical diffusion with convection, sources. The outflow of a cell enters its neighbour:
! content changes by rounding and by the surface flux only.
module ocean_tracers
  use ocean_options, only: dp
  use ocean_grid, only: grid_type, exchange, halo
  use ocean_state, only: state_type, density, temperature, salinity, age, day
  implicit none
  private
  public :: step_tracers, courant

  ! m2/s at 1 degree, in proportion to the cell
  real(dp), parameter :: diffusivity = 1.0e3_dp
  ! m2/s, vertical
  real(dp), parameter :: background = 2.0e-5_dp, mixed = 5.0e-3_dp, convective = 1.0_dp
  real(dp), parameter :: mixed_depth = 40                             ! m, stirred by the wind

contains

  ! Collective. Advances s%tracer by `dt` s. The top level's temperature and salinity are
  ! restored to `surface` at `rate` (1/s).
  subroutine step_tracers(g, dt, rate, surface, s)
    type(grid_type), intent(in) :: g
    real(dp), intent(in) :: dt, rate, surface(:, :, :)
    type(state_type), intent(inout) :: s
    real(dp), allocatable :: new(:, :, :, :), kappa(:, :, :), fx(:, :, :), fy(:, :, :), fz(:, :, :)
    integer :: m
    ! Some compilers put local arrays on the stack, where they would not have room.
    allocate (new(g%ni, g%nj, g%nz, 3), kappa(g%ni, g%nj, g%nz))
    allocate (fx(0:g%ni, 1:g%nj, g%nz), fy(1:g%ni, 0:g%nj, g%nz), fz(g%ni, g%nj, g%nz + 1))
    call transports(g, s%velocity(:, :, :, 1), s%velocity(:, :, :, 2), fx, fy, fz)
    call mixing(g, s, kappa)
    do m = 1, 3
      call advect(g, dt, fx, fy, fz, s%tracer(:, :, :, m), new(:, :, :, m))
    end do
    do m = temperature, salinity
      new(:, :, 1, m) = new(:, :, 1, m) + dt*rate*g%tmask(1:g%ni, 1:g%nj, 1) &
        *(surface(:, :, m) - s%tracer(1:g%ni, 1:g%nj, 1, m))
    end do
    new(:, :, :, age) = new(:, :, :, age) + dt/day*g%tmask(1:g%ni, 1:g%nj, :)
    call diffuse(g, dt, kappa, new)
    new(:, :, 1, age) = 0
    s%tracer(1:g%ni, 1:g%nj, :, :) = new
    call exchange(g, 3*g%nz, s%tracer)
  end subroutine step_tracers

  ! Volume fluxes (m3/s) through the east, north and upper faces of cells; the last from continuity,
  ! upwards.
  subroutine transports(g, u, v, fx, fy, fz)
    type(grid_type), intent(in) :: g
    real(dp), intent(in) :: u(1 - halo:, 1 - halo:, :), v(1 - halo:, 1 - halo:, :)
    real(dp), intent(out) :: fx(0:, 1:, :), fy(1:, 0:, :), fz(:, :, :)
    integer :: j, k
    associate (ni => g%ni)
      fz(:, :, g%nz + 1) = 0
      do k = g%nz, 1, -1
        do j = 0, g%nj
          if (j > 0) fx(:, j, k) = 0.5_dp*g%dz(k)*g%dy*(u(0:ni, j, k) + u(0:ni, j - 1, k))
          fy(:, j, k) = 0.5_dp*g%dz(k)*g%dxu(j)*(v(1:ni, j, k) + v(0:ni - 1, j, k))
        end do
        fz(:, :, k) = fz(:, :, k + 1) - ((fx(1:, :, k) - fx(:ni - 1, :, k)) &
          + (fy(:, 1:, k) - fy(:, :g%nj - 1, k)))
      end do
      fz(:, :, 1) = 0
    end associate
  end subroutine transports

  ! Diffusivity at the upper face of each cell: much where the water is unstable, some where the
  ! wind stirs.
  subroutine mixing(g, s, kappa)
    type(grid_type), intent(in) :: g
    type(state_type), intent(in) :: s
    real(dp), intent(out) :: kappa(:, :, :)
    real(dp) :: quiet, z, upper, lower
    integer :: i, j, k
    kappa(:, :, 1) = 0
    do k = 2, g%nz
      z = g%depth_edge(k - 1)
      quiet = merge(mixed, background, z < mixed_depth)
      do j = 1, g%nj
        do i = 1, g%ni
          upper = density(s%tracer(i, j, k - 1, temperature), s%tracer(i, j, k - 1, salinity), z)
          lower = density(s%tracer(i, j, k, temperature), s%tracer(i, j, k, salinity), z)
          kappa(i, j, k) = merge(convective, quiet, upper > lower)*g%tmask(i, j, k)
        end do
      end do
    end do
  end subroutine mixing

  ! Advection and lateral diffusion of one tracer, explicit in time.
  subroutine advect(g, dt, fx, fy, fz, t, new)
    type(grid_type), intent(in) :: g
    real(dp), intent(in) :: dt, fx(0:, 1:, :), fy(1:, 0:, :), fz(:, :, :)
    real(dp), intent(in) :: t(1 - halo:, 1 - halo:, :)
    real(dp), intent(out) :: new(:, :, :)
    real(dp) :: east(0:g%ni), north(g%ni), south(g%ni), up(g%ni), down(g%ni, g%nj), d(0:g%ni, 3)
    real(dp) :: volume, c, spread
    integer :: j, k
    associate (ni => g%ni, nj => g%nj, m => g%tmask)
      down = 0
      do k = g%nz, 1, -1
        do j = 0, nj
          c = dt/(g%area(j)*g%dz(k))
          if (j > 0) then
            volume = g%area(j)*g%dz(k)
            d(:, 1) = (t(0:ni, j, k) - t(-1:ni - 1, j, k))*m(0:ni, j, k)*m(-1:ni - 1, j, k)
            d(:, 2) = (t(1:ni + 1, j, k) - t(0:ni, j, k))*m(1:ni + 1, j, k)*m(0:ni, j, k)
            d(:, 3) = (t(2:ni + 2, j, k) - t(1:ni + 1, j, k))*m(2:ni + 2, j, k)*m(1:ni + 1, j, k)
            spread = spread_rate(g%dlat, g%dx(j), dt)*volume/dt
            east = flux(fx(:, j, k), c, c, t(0:ni, j, k), t(1:ni + 1, j, k), &
                        d(:, 1), d(:, 2), d(:, 3)) - spread*d(:, 2)
          end if
          d(1:, 1) = (t(1:ni, j, k) - t(1:ni, j - 1, k))*m(1:ni, j, k)*m(1:ni, j - 1, k)
          d(1:, 2) = (t(1:ni, j + 1, k) - t(1:ni, j, k))*m(1:ni, j + 1, k)*m(1:ni, j, k)
          d(1:, 3) = (t(1:ni, j + 2, k) - t(1:ni, j + 1, k))*m(1:ni, j + 2, k)*m(1:ni, j + 1, k)
          spread = spread_rate(g%dlat, g%dy, dt)*g%dxu(j)*g%dy*g%dz(k)/dt
          north = flux(fy(:, j, k), c, dt/(g%area(j + 1)*g%dz(k)), t(1:ni, j, k), &
                       t(1:ni, j + 1, k), d(1:, 1), d(1:, 2), d(1:, 3)) - spread*d(1:, 2)
          if (j > 0) then
            up = vertical_flux(g, dt, j, k, fz(:, j, k), t)
            new(:, j, k) = t(1:ni, j, k) &
              + dt/volume*((east(:ni - 1) - east(1:)) + (south - north) + (down(:, j) - up))
            down(:, j) = up
          end if
          south = north
        end do
      end do
    end associate
  end subroutine advect

  ! The number K dt / d2 of the explicit lateral diffusion, bounded for stability where cells are
  ! narrow.
  pure real(dp) function spread_rate(dlat, distance, dt)
    real(dp), intent(in) :: dlat, distance, dt
    spread_rate = min(diffusivity*dlat*dt/distance**2, 0.1_dp)
  end function spread_rate

  ! The flux of a tracer by the volume flux q from cell a to cell b (both ways); ca, cb: dt over
  ! their volumes; da, d, db: the differences behind, across and ahead of the face, zero where land
  ! is between.
  elemental real(dp) function flux(q, ca, cb, a, b, da, d, db)
    real(dp), intent(in) :: q, ca, cb, a, b, da, d, db
    real(dp) :: forward, backward
    forward = a + (1 - q*ca)*limited(da, d)
    backward = b - (1 + q*cb)*limited(db, d)
    flux = q*merge(forward, backward, q >= 0)
  end function flux

  ! Half of van Leer's (1974) harmonic mean of two differences; 0 at an extremum.
  elemental real(dp) function limited(p, q)
    real(dp), intent(in) :: p, q
    limited = max(p*q, 0.0_dp)/merge(p + q, 1.0_dp, p*q > 0)
  end function limited

  ! Through the upper faces of row j, level k, upwards.
  function vertical_flux(g, dt, j, k, q, t) result(up)
    type(grid_type), intent(in) :: g
    real(dp), intent(in) :: dt, q(:), t(1 - halo:, 1 - halo:, :)
    integer, intent(in) :: j, k
    real(dp) :: up(g%ni), d(g%ni, 3)
    integer :: lower, upper
    up = 0
    if (k == 1) return
    associate (ni => g%ni, m => g%tmask)
      lower = min(k + 1, g%nz)
      upper = max(k - 2, 1)
      d(:, 1) = (t(1:ni, j, k) - t(1:ni, j, lower))*m(1:ni, j, lower)
      d(:, 2) = (t(1:ni, j, k - 1) - t(1:ni, j, k))*m(1:ni, j, k)
      d(:, 3) = t(1:ni, j, upper) - t(1:ni, j, k - 1)
      up = flux(q, dt/(g%area(j)*g%dz(k)), dt/(g%area(j)*g%dz(k - 1)), t(1:ni, j, k), &
        t(1:ni, j, k - 1), d(:, 1), &
                d(:, 2), d(:, 3))
    end associate
  end function vertical_flux

  ! Implicit vertical diffusion of all tracers (Thomas's algorithm, one factorisation for the
  ! three).
  subroutine diffuse(g, dt, kappa, t)
    type(grid_type), intent(in) :: g
    real(dp), intent(in) :: dt, kappa(:, :, :)
    real(dp), intent(inout) :: t(:, :, :, :)
    real(dp) :: c(g%ni, g%nz), pivot(g%ni), above(g%ni), below(g%ni)
    integer :: j, k, m
    do j = 1, g%nj
      below = 0
      do k = 1, g%nz
        above = below
        below = 0
        if (k < g%nz) below = dt*kappa(:, j, k + 1)/(g%depth(k + 1) - g%depth(k))/g%dz(k)
        if (k > 1) above = dt*kappa(:, j, k)/(g%depth(k) - g%depth(k - 1))/g%dz(k)
        pivot = 1 + above + below
        if (k > 1) pivot = pivot - above*c(:, k - 1)
        c(:, k) = below/pivot
        do m = 1, 3
          if (k > 1) t(:, j, k, m) = t(:, j, k, m) + above*t(:, j, k - 1, m)
          t(:, j, k, m) = t(:, j, k, m)/pivot
        end do
      end do
      do m = 1, 3
        do k = g%nz - 1, 1, -1
          t(:, j, k, m) = t(:, j, k, m) + c(:, k)*t(:, j, k + 1, m)
        end do
      end do
    end do
  end subroutine diffuse

  ! Local. The largest sum of the Courant numbers of the outflows of a cell; infinite where it is
  ! not a number.
  real(dp) function courant(g, dt, s)
    type(grid_type), intent(in) :: g
    real(dp), intent(in) :: dt
    type(state_type), intent(in) :: s
    real(dp) :: fx(0:g%ni, 1:g%nj, g%nz), fy(1:g%ni, 0:g%nj, g%nz), fz(g%ni, g%nj, g%nz + 1), out
    integer :: i, j, k
    call transports(g, s%velocity(:, :, :, 1), s%velocity(:, :, :, 2), fx, fy, fz)
    courant = 0
    do k = 1, g%nz
      do j = 1, g%nj
        do i = 1, g%ni
          ! Inflow equals outflow: half of the sum of both.
          out = 0.5_dp*(abs(fx(i, j, k)) + abs(fx(i - 1, j, k)) + abs(fy(i, j, k)) &
            + abs(fy(i, j - 1, k)) &
            + abs(fz(i, j, k)) + abs(fz(i, j, k + 1)))*dt/(g%area(j)*g%dz(k))
          courant = merge(max(courant, out), huge(courant), out < huge(out))
        end do
      end do
    end do
  end function courant

end module ocean_tracers
