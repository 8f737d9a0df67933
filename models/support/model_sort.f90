! Whole numbers in double precision, which holds more of them than an integer: sorted, and found
! again.
module model_sort
  use, intrinsic :: iso_fortran_env, only: dp => real64
  implicit none
  private
  public :: sort, position_of

contains

  ! Heap sort, ascending.
  pure subroutine sort(a)
    real(dp), intent(inout) :: a(:)
    real(dp) :: top
    integer :: n
    do n = size(a)/2, 1, -1
      call sift(a, n, size(a))
    end do
    do n = size(a), 2, -1
      top = a(1)
      a(1) = a(n)
      a(n) = top
      call sift(a, 1, n - 1)
    end do
  end subroutine sort

  pure subroutine sift(a, first, last)
    real(dp), intent(inout) :: a(:)
    integer, intent(in) :: first, last
    real(dp) :: value
    integer :: parent, child
    value = a(first)
    parent = first
    do
      child = 2*parent
      if (child > last) exit
      if (child < last) then
        if (a(child + 1) > a(child)) child = child + 1
      end if
      if (a(child) <= value) exit
      a(parent) = a(child)
      parent = child
    end do
    a(parent) = value
  end subroutine sift

  ! Bisection; 0 if `value` is not there.
  pure integer function position_of(value, sorted)
    real(dp), intent(in) :: value, sorted(:)
    integer :: low, high, middle
    low = 1
    high = size(sorted)
    position_of = 0
    do while (low <= high)
      middle = (low + high)/2
      if (sorted(middle) < value) then
        low = middle + 1
      else if (sorted(middle) > value) then
        high = middle - 1
      else
        position_of = middle
        return
      end if
    end do
  end function position_of

end module model_sort
