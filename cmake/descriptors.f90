! Passes an array to descriptors.c; ends with an error where C does not see what it is (cmake/SvFortran.cmake).
program descriptors
  use, intrinsic :: iso_c_binding, only: c_double, c_int
  implicit none
  interface
    integer(c_int) function sv_descriptor_is_known(matrix) bind(C)
      import
      real(c_double), intent(in) :: matrix(..)
    end function sv_descriptor_is_known
  end interface
  real(c_double) :: whole(4, 3)
  integer :: i
  whole = reshape([(real(i, c_double), i=1, 12)], [4, 3])
  if (sv_descriptor_is_known(whole(::2, :)) /= 1) stop 1
end program descriptors
