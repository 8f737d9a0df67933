! The levels of the models.
module model_levels
  use, intrinsic :: iso_fortran_env, only: dp => real64
  implicit none
  private
  public :: set_levels

contains

  ! Levels from 5500 m up, about 10 m thick at the surface with 20 of them and some 770 m at the
  ! bottom. In m, down: edges, thickness and centres.
  pure subroutine set_levels(edge, thickness, centre)
    real(dp), intent(out) :: edge(0:), thickness(:), centre(:)
    real(dp), parameter :: bottom = 5500, linear = 0.03_dp, power = 3
    integer :: k, n
    n = size(thickness)
    do k = 0, n
      edge(k) = bottom*(linear*k/n + (1 - linear)*(real(k, dp)/n)**power)
    end do
    thickness = edge(1:) - edge(:n - 1)
    centre = 0.5_dp*(edge(1:) + edge(:n - 1))
  end subroutine set_levels

end module model_levels
