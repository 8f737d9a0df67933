! Common code of the tests in Fortran.
module checking
  use, intrinsic :: iso_c_binding, only: c_int
  use, intrinsic :: iso_fortran_env, only: error_unit
  use sverdrup, only: sv_message
  implicit none
  private
  public :: check

  interface
    integer(c_int) function sleep(seconds) bind(c)
      import :: c_int
      integer(c_int), value :: seconds
    end function sleep
  end interface
  integer(c_int), parameter :: grace = 2  ! seconds in which other ranks can report their failures

contains

  ! Reports what does not hold and the last message of Sverdrup, and ends the program with an error.
  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    integer(c_int) :: left
    if (holds) return
    write (error_unit, '(4a)') 'wrong: ', what, '; the last message: ', sv_message()
    left = sleep(grace)
    error stop
  end subroutine check

end module checking
