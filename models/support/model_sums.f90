! Sums over all ranks that do not depend on the decomposition: terms are rounded to 64-bit fixed
! point and added as integers, which is associative (the idea of Hallberg & Adcroft 2014, "An
! order-invariant real-to-integer conversion sum").
module model_sums
  use, intrinsic :: iso_fortran_env, only: int64, dp => real64
  use mpi_f08
  implicit none
  private
  public :: fixed, exact_sum, exact_sums, maximum

contains

  ! A term in fixed point. `scale` must keep the sum of all terms' magnitudes times it below 2**62.
  elemental integer(int64) function fixed(value, scale)
    real(dp), intent(in) :: value, scale
    fixed = nint(value*scale, int64)
  end function fixed

  ! Collective. The sum of all ranks' `partial`.
  real(dp) function exact_sum(comm, partial, scale)
    type(MPI_Comm), intent(in) :: comm
    integer(int64), intent(in) :: partial
    real(dp), intent(in) :: scale
    real(dp) :: total(1)
    total = exact_sums(comm, [partial], scale)
    exact_sum = total(1)
  end function exact_sum

  ! Collective. Element by element. MPI's default error handler ends the job on a failure, here and
  ! in all the models.
  function exact_sums(comm, partial, scale) result(total)
    type(MPI_Comm), intent(in) :: comm
    integer(int64), intent(in) :: partial(:)
    real(dp), intent(in) :: scale
    real(dp) :: total(size(partial))
    integer(int64) :: whole(size(partial))
    call MPI_Allreduce(partial, whole, size(partial), MPI_INTEGER8, MPI_SUM, comm)
    total = real(whole, dp)/scale
  end function exact_sums

  real(dp) function maximum(comm, value)
    type(MPI_Comm), intent(in) :: comm
    real(dp), intent(in) :: value
    call MPI_Allreduce(value, maximum, 1, MPI_DOUBLE_PRECISION, MPI_MAX, comm)
  end function maximum

end module model_sums
