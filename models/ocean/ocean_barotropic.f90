! The depth-integrated flow: the streamfunction psi (m3/s, at cell centres; U = -dpsi/dy, V =
! dpsi/dx) of the steady, linear balance of Sverdrup (1947) and Stommel (1948),
!     div(R grad psi) + beta dpsi/dx = curl(tau)/rho0,     R = r0 (1 + (h0/H)^2),
! in which the torque of the bottom pressure is neglected; friction that grows over shallow ground
! stands for its steering. Psi is constant along each landmass; its value there follows from the
! circulation around it (the island rule, Godfrey 1989, with friction). Red-black successive
! over-relaxation with the local factor of Botta & Veldman (1982): a point depends on its neighbours
! only, and sums around islands are exact, so that no decomposition changes a bit.
module ocean_barotropic
  use, intrinsic :: iso_fortran_env, only: int64
  use mpi_f08
  use ocean_options, only: dp
  use ocean_grid, only: grid_type, exchange, halo
  use model_sums, only: fixed, exact_sums, maximum
  implicit none
  private
  public :: barotropic_type, make_barotropic, set_circulation, relax_psi, solve_psi, recall_islands
  public :: drake_transport

  real(dp), parameter :: r0 = 8.0e-7_dp, h0 = 800            ! 1/s, m
  real(dp), parameter :: shallowest = 20                  ! m
  real(dp), parameter :: scale = 2.0_dp**30                  ! of fixed-point sums: psi to 1e-9 m3/s

  type barotropic_type
    ! number of the landmass, 0 in open water
    integer, allocatable :: island(:, :)
    integer :: islands = 0, reference = 0                    ! psi is 0 on the landmass `reference`
    integer :: antarctica = 0, america = 0                    ! landmasses beside Drake Passage
    ! the five-point stencil
    real(dp), allocatable :: east(:, :), west(:, :), north(:, :), south(:, :), centre(:, :)
    real(dp), allocatable :: factor(:, :)                    ! of over-relaxation, between 1 and 2
    ! of the faces east, west, north, south in their landmass's mean
    real(dp), allocatable :: weight(:, :, :)
    ! i, j of coastal cells of landmasses, halo included
    integer, allocatable :: coast(:, :)
    ! of the wind stress around each cell, m3/s2
    real(dp), allocatable :: circulation(:, :)
    real(dp), allocatable :: psi_island(:), forcing(:), friction(:)  ! of landmasses
  end type barotropic_type

contains

  ! Collective. Psi is 0 on Asia.
  subroutine make_barotropic(g, b)
    type(grid_type), intent(in) :: g
    type(barotropic_type), intent(out) :: b
    associate (ni => g%ni, nj => g%nj)
      allocate (b%east(ni, nj), b%west(ni, nj), b%north(ni, nj), b%south(ni, nj), &
        b%centre(ni, nj), b%factor(ni, nj))
      allocate (b%weight(ni, nj, 4), b%circulation(ni, nj))
      b%island = g%island
      b%islands = g%islands
      b%reference = max(g%asia, 1)
      b%antarctica = g%antarctica
      b%america = g%america
      allocate (b%psi_island(b%islands), b%forcing(b%islands), b%friction(b%islands), source=0.0_dp)
      call set_stencil(g, b)
      call set_weights(g, b)
      call list_coast(g, b)
    end associate
  end subroutine make_barotropic

  ! Centred differences, with friction raised where a cell is wider than the boundary layer beta/R
  ! resolves.
  subroutine set_stencil(g, b)
    type(grid_type), intent(in) :: g
    type(barotropic_type), intent(inout) :: b
    real(dp) :: half_beta, drag(0:g%ni, 0:g%nj)
    integer :: i, j
    drag = r0*(1 + (h0/max(g%hu(0:g%ni, 0:g%nj), shallowest))**2)
    do j = 1, g%nj
      half_beta = 0.5_dp*g%beta(j)*g%dy
      do i = 1, g%ni
        b%east(i, j) = max(0.5_dp*(drag(i, j) + drag(i, j - 1))*g%dy/g%dx(j), half_beta)
        b%west(i, j) = max(0.5_dp*(drag(i - 1, j) + drag(i - 1, j - 1))*g%dy/g%dx(j), half_beta)
        b%north(i, j) = 0.5_dp*(drag(i, j) + drag(i - 1, j))*g%dxu(j)/g%dy
        b%south(i, j) = 0.5_dp*(drag(i, j - 1) + drag(i - 1, j - 1))*g%dxu(j - 1)/g%dy
      end do
    end do
  end subroutine set_stencil

  ! The faces between a landmass and open water carry its circulation; beta has no part in it (no
  ! flow crosses the coast).
  subroutine set_weights(g, b)
    type(grid_type), intent(in) :: g
    type(barotropic_type), intent(inout) :: b
    integer(int64) :: total(b%islands)
    real(dp) :: half_beta, radius   ! of the spectrum of Jacobi's iteration
    integer :: i, j, n
    total = 0
    b%weight = 0
    do j = 1, g%nj
      do i = 1, g%ni
        n = b%island(i, j)
        if (n == 0) cycle
        b%weight(i, j, 1) = merge(b%east(i, j), 0.0_dp, b%island(i + 1, j) == 0)
        b%weight(i, j, 2) = merge(b%west(i, j), 0.0_dp, b%island(i - 1, j) == 0)
        if (g%j0 + j < g%ny) &
          b%weight(i, j, 3) = merge(b%north(i, j), 0.0_dp, b%island(i, j + 1) == 0)
        if (g%j0 + j > 1) b%weight(i, j, 4) = merge(b%south(i, j), 0.0_dp, b%island(i, j - 1) == 0)
        total(n) = total(n) + fixed(sum(b%weight(i, j, :)), 2.0_dp**50)
      end do
    end do
    b%friction = exact_sums(g%comm, total, 2.0_dp**50)
    do j = 1, g%nj
      half_beta = 0.5_dp*g%beta(j)*g%dy
      do i = 1, g%ni
        n = b%island(i, j)
        if (n > 0) then
          if (b%friction(n) > 0) b%weight(i, j, :) = b%weight(i, j, :)/b%friction(n)
        end if
        b%east(i, j) = b%east(i, j) + half_beta
        b%west(i, j) = b%west(i, j) - half_beta
        b%centre(i, j) = b%east(i, j) + b%west(i, j) + b%north(i, j) + b%south(i, j)
        radius = 0.999_dp*2*(sqrt(b%east(i, j)*b%west(i, j)) &
          + sqrt(b%north(i, j)*b%south(i, j)))/b%centre(i, j)
        b%factor(i, j) = 2/(1 + sqrt(1 - min(radius, 0.999_dp)**2))
      end do
    end do
  end subroutine set_weights

  ! Collective. From the wind stress over density (m2/s2) at corners 0:ni, 0:nj. A landmass's
  ! circulation is summed along its outline: common edges of its cells cancel, so that blocks
  ! of land without a rank add nothing.
  subroutine set_circulation(g, taux, tauy, b)
    type(grid_type), intent(in) :: g
    real(dp), intent(in) :: taux(0:, 0:), tauy(0:, 0:)
    type(barotropic_type), intent(inout) :: b
    integer(int64) :: total(b%islands)
    integer :: i, j, n
    total = 0
    do j = 1, g%nj
      do i = 1, g%ni
        b%circulation(i, j) = 0.5_dp*((tauy(i, j) + tauy(i, j - 1)) &
          - (tauy(i - 1, j) + tauy(i - 1, j - 1)))*g%dy &
          - 0.5_dp*((taux(i, j) + taux(i - 1, j))*g%dxu(j) &
          - (taux(i, j - 1) + taux(i - 1, j - 1))*g%dxu(j - 1))
        n = b%island(i, j)
        if (n == 0) cycle
        associate (other => b%island)
          if (other(i + 1, j) /= n) total(n) = total(n) + along_y(i, j)
          if (other(i - 1, j) /= n) total(n) = total(n) - along_y(i - 1, j)
          if (g%j0 + j < g%ny .and. other(i, j + 1) /= n) total(n) = total(n) - along_x(i, j)
          if (g%j0 + j > 1 .and. other(i, j - 1) /= n) total(n) = total(n) + along_x(i, j - 1)
        end associate
      end do
    end do
    b%forcing = exact_sums(g%comm, total, scale)

  contains

    ! The stress along the eastern and northern faces of cells, in fixed point.
    integer(int64) function along_y(i, j)
      integer, intent(in) :: i, j
      along_y = fixed(0.5_dp*(tauy(i, j) + tauy(i, j - 1))*g%dy, scale)
    end function along_y

    integer(int64) function along_x(i, j)
      integer, intent(in) :: i, j
      along_x = fixed(0.5_dp*(taux(i, j) + taux(i - 1, j))*g%dxu(j), scale)
    end function along_x

  end subroutine set_circulation

  ! Collective. `sweeps` sweeps over psi, whose halo must be set and is set again.
  subroutine relax_psi(g, b, sweeps, psi)
    type(grid_type), intent(in) :: g
    type(barotropic_type), intent(inout) :: b
    integer, intent(in) :: sweeps
    real(dp), intent(inout) :: psi(1 - halo:, 1 - halo:)
    integer :: sweep
    do sweep = 1, sweeps
      call relax_colour(g, b, 0, psi)
      call exchange(g, 1, psi)
      call relax_colour(g, b, 1, psi)
      call exchange(g, 1, psi)
      call relax_islands(g, b, psi)
    end do
    call set_islands(b, psi)
  end subroutine relax_psi

  subroutine relax_colour(g, b, colour, psi)
    type(grid_type), intent(in) :: g
    type(barotropic_type), intent(in) :: b
    integer, intent(in) :: colour
    real(dp), intent(inout) :: psi(1 - halo:, 1 - halo:)
    real(dp) :: balance
    integer :: i, j
    do j = 1, g%nj
      do i = 1 + modulo(colour + g%i0 + g%j0 + j + 1, 2), g%ni, 2
        if (b%island(i, j) > 0) cycle
        balance = b%east(i, j)*psi(i + 1, j) + b%west(i, j)*psi(i - 1, j) &
          + b%north(i, j)*psi(i, j + 1) &
          + b%south(i, j)*psi(i, j - 1) - b%circulation(i, j)
        psi(i, j) = psi(i, j) + b%factor(i, j)*(balance/b%centre(i, j) - psi(i, j))
      end do
    end do
  end subroutine relax_colour

  subroutine relax_islands(g, b, psi)
    type(grid_type), intent(in) :: g
    type(barotropic_type), intent(inout) :: b
    real(dp), intent(inout) :: psi(1 - halo:, 1 - halo:)
    integer(int64) :: total(b%islands)
    real(dp) :: mean(b%islands)
    integer :: c, n
    total = 0
    do c = 1, size(b%coast, 2)
      associate (i => b%coast(1, c), j => b%coast(2, c))
        if (i < 1 .or. i > g%ni .or. j < 1 .or. j > g%nj) cycle
        n = b%island(i, j)
        total(n) = total(n) + fixed(b%weight(i, j, 1)*psi(i + 1, j) &
          + b%weight(i, j, 2)*psi(i - 1, j) + b%weight(i, j, 3)*psi(i, j + 1) &
          + b%weight(i, j, 4)*psi(i, j - 1), scale)
      end associate
    end do
    mean = exact_sums(g%comm, total, scale)
    where (b%friction > 0) b%psi_island = mean - b%forcing/b%friction
    b%psi_island(b%reference) = 0
    do c = 1, size(b%coast, 2)
      associate (i => b%coast(1, c), j => b%coast(2, c))
        psi(i, j) = b%psi_island(b%island(i, j))
      end associate
    end do
  end subroutine relax_islands

  ! The coast, of 0:ni+1, 0:nj+1.
  subroutine list_coast(g, b)
    type(grid_type), intent(in) :: g
    type(barotropic_type), intent(inout) :: b
    integer :: i, j, pass, n
    do pass = 1, 2
      n = 0
      do j = 0, g%nj + 1
        do i = 0, g%ni + 1
          if (b%island(i, j) == 0 .or. all(b%island(i - 1:i + 1, j - 1:j + 1) > 0)) cycle
          n = n + 1
          if (pass == 2) b%coast(:, n) = [i, j]
        end do
      end do
      if (pass == 1) allocate (b%coast(2, n))
    end do
  end subroutine list_coast

  ! All cells of the landmasses, inland too.
  pure subroutine set_islands(b, psi)
    type(barotropic_type), intent(in) :: b
    real(dp), intent(inout) :: psi(1 - halo:, 1 - halo:)
    integer :: i, j
    do j = 1 - halo, ubound(psi, 2)
      do i = 1 - halo, ubound(psi, 1)
        if (b%island(i, j) > 0) psi(i, j) = b%psi_island(b%island(i, j))
      end do
    end do
  end subroutine set_islands

  ! Collective. Sweeps until psi changes by less than 1e-4 Sv in 20 of them, at most `most`. Returns
  ! how many it took.
  integer function solve_psi(g, b, most, psi) result(sweeps)
    type(grid_type), intent(in) :: g
    type(barotropic_type), intent(inout) :: b
    integer, intent(in) :: most
    real(dp), intent(inout) :: psi(1 - halo:, 1 - halo:)
    real(dp), parameter :: tolerance = 1e2_dp
    real(dp), allocatable :: before(:, :)
    sweeps = 0
    do while (sweeps < most)
      before = psi
      call relax_psi(g, b, min(20, most - sweeps), psi)
      sweeps = sweeps + min(20, most - sweeps)
      if (maximum(g%comm, maxval(abs(psi - before))) < tolerance) exit
    end do
  end function solve_psi

  ! Collective. The landmasses' values, from a psi that was read: of their wet cells, for dry ones
  ! are not in files. Sets psi on all their cells.
  subroutine recall_islands(g, b, psi)
    type(grid_type), intent(in) :: g
    type(barotropic_type), intent(inout) :: b
    real(dp), intent(inout) :: psi(1 - halo:, 1 - halo:)
    real(dp) :: value(b%islands)
    integer :: i, j
    value = -huge(1.0_dp)
    do j = 1, g%nj
      do i = 1, g%ni
        if (b%island(i, j) > 0 .and. g%kmt(i, j) > 0) value(b%island(i, j)) = psi(i, j)
      end do
    end do
    call MPI_Allreduce(value, b%psi_island, b%islands, MPI_DOUBLE_PRECISION, MPI_MAX, g%comm)
    call set_islands(b, psi)
  end subroutine recall_islands

  ! m3/s, eastwards.
  pure real(dp) function drake_transport(b)
    type(barotropic_type), intent(in) :: b
    drake_transport = 0
    if (min(b%antarctica, b%america) > 0) &
      drake_transport = b%psi_island(b%antarctica) - b%psi_island(b%america)
  end function drake_transport

end module ocean_barotropic
