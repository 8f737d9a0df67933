! Connected components of cells on the distributed grid: seas, and the landmasses along whose coasts
! the streamfunction is constant. Cells are connected by corners: a marked corner joins its four
! cells.
module ocean_components
  use mpi_f08
  use model_sort, only: sort, position_of
  use ocean_options, only: dp
  use ocean_grid, only: grid_type, exchange, halo
  implicit none
  private
  public :: find_components

contains

  ! Collective. `component` (1 - halo : ..., like all fields) becomes the number of each cell's
  ! component, 1 .. count, 0 for cells at no marked corner. Components are numbered by their lowest
  ! cell, on any decomposition alike.
  subroutine find_components(g, marked, component, count)
    type(grid_type), intent(in) :: g
    logical, intent(in) :: marked(1 - halo:, 1 - halo:)   ! corners; used for 0:ni, 0:nj
    integer, intent(out) :: component(1 - halo:, 1 - halo:)
    integer, intent(out) :: count
    real(dp), parameter :: none = huge(1.0_dp)
    ! the component's lowest cell, x fastest, from 0
    real(dp), allocatable :: label(:, :)
    logical :: changed
    integer :: i, j
    allocate (label(1 - halo:g%ni + halo, 1 - halo:g%nj + halo), source=none)
    do j = 0, g%nj
      do i = 0, g%ni
        if (.not. marked(i, j)) cycle
        label(i, j) = own_label(g, i, j)
        label(i + 1, j) = own_label(g, i + 1, j)
        label(i, j + 1) = own_label(g, i, j + 1)
        label(i + 1, j + 1) = own_label(g, i + 1, j + 1)
      end do
    end do
    do
      call spread_labels(g, marked, label, changed)
      call MPI_Allreduce(MPI_IN_PLACE, changed, 1, MPI_LOGICAL, MPI_LOR, g%comm)
      if (.not. changed) exit
      call exchange(g, 1, label)
    end do
    call number_components(g, label, component, count)
  end subroutine find_components

  ! Cells beyond the poles have no owner and never give a component its number.
  pure real(dp) function own_label(g, i, j)
    type(grid_type), intent(in) :: g
    integer, intent(in) :: i, j
    own_label = 0.5_dp*huge(1.0_dp)
    if (g%j0 + j >= 1 .and. g%j0 + j <= g%ny) &
      own_label = real(modulo(g%i0 + i - 1, g%nx), dp) + real(g%nx, dp)*(g%j0 + j - 1)
  end function own_label

  ! Local. Sweeps to and fro until nothing changes in this block.
  subroutine spread_labels(g, marked, label, changed)
    type(grid_type), intent(in) :: g
    logical, intent(in) :: marked(1 - halo:, 1 - halo:)
    real(dp), intent(inout) :: label(1 - halo:, 1 - halo:)
    logical, intent(out) :: changed
    logical :: again
    integer :: sweep, i, j, ii, jj
    real(dp) :: lowest
    changed = .false.
    do
      again = .false.
      do sweep = 0, 3
        do jj = 0, g%nj
          j = merge(jj, g%nj - jj, sweep < 2)
          do ii = 0, g%ni
            i = merge(ii, g%ni - ii, mod(sweep, 2) == 0)
            if (.not. marked(i, j)) cycle
            lowest = minval(label(i:i + 1, j:j + 1))
            if (all(label(i:i + 1, j:j + 1) <= lowest)) cycle
            label(i:i + 1, j:j + 1) = lowest
            again = .true.
          end do
        end do
      end do
      changed = changed .or. again
      if (.not. again) exit
    end do
  end subroutine spread_labels

  subroutine number_components(g, label, component, count)
    type(grid_type), intent(in) :: g
    real(dp), intent(inout) :: label(1 - halo:, 1 - halo:)
    integer, intent(out) :: component(1 - halo:, 1 - halo:)
    integer, intent(out) :: count
    real(dp), allocatable :: roots(:), all_roots(:)
    integer, allocatable :: counts(:), starts(:)
    integer :: i, j, r
    call exchange(g, 1, label)
    allocate (roots(0))
    do j = 1, g%nj
      do i = 1, g%ni
        if (abs(label(i, j) - own_label(g, i, j)) < 0.5_dp) roots = [roots, label(i, j)]
      end do
    end do
    allocate (counts(g%ranks), starts(g%ranks))
    call MPI_Allgather(size(roots), 1, MPI_INTEGER, counts, 1, MPI_INTEGER, g%comm)
    starts = [(sum(counts(:r - 1)), r=1, g%ranks)]
    count = sum(counts)
    allocate (all_roots(count))
    call MPI_Allgatherv(roots, size(roots), MPI_DOUBLE_PRECISION, all_roots, counts, starts, &
      MPI_DOUBLE_PRECISION, g%comm)
    call sort(all_roots)
    do j = 1 - halo, g%nj + halo
      do i = 1 - halo, g%ni + halo
        component(i, j) = position_of(label(i, j), all_roots)
      end do
    end do
  end subroutine number_components

end module ocean_components
