! What the tests in Fortran have in common.
module checking
  use, intrinsic :: iso_fortran_env, only: error_unit
  use sverdrup, only: sv_message
  implicit none
  private
  public :: check

contains

  ! Ends the program with an error, and says what does not hold, and the last message of Sverdrup.
  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (holds) return
    write (error_unit, '(4a)') 'wrong: ', what, '; the last message: ', sv_message()
    error stop
  end subroutine check

end module checking
