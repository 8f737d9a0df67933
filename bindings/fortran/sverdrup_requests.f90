! Waiting for requests (sverdrup_requests.inc), and the arrays of lists (sverdrup_lists.inc), of module sverdrup. See
! docs/fortran.md.
module sverdrup_requests
  use, intrinsic :: iso_c_binding, only: c_int, c_int64_t
  use sverdrup_types, only: sv_file_t, sv_request_t, sv_values_t
  implicit none
  private
  public :: sv_begin_indep, sv_end_indep, sv_wait_indep
  public :: sv_wait, sv_cancel, sv_inq_pending, sv_detach_buffer, sv_inq_buffer, sv_values

  interface
    ! Collective. Carries out requests of this rank: a vector, one request, or (if absent) all. The
    ! handles become SV_NO_REQUEST; handles that already have this value are skipped. statuses has
    ! as many elements as requests.
    subroutine sv_wait(file, requests, statuses, ierr) bind(C, name='svf_wait')
      import
      type(sv_file_t), intent(in) :: file
      type(sv_request_t), intent(inout), optional :: requests(..)
      integer(c_int), intent(inout), optional :: statuses(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_wait

    ! Collective. Between the two calls, ranks put and get by themselves: with sv_wait_indep.
    subroutine sv_begin_indep(file, ierr) bind(C, name='svf_begin_indep')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_begin_indep

    subroutine sv_end_indep(file, ierr) bind(C, name='svf_end_indep')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_end_indep

    ! Local. As sv_wait, for requests of sub-arrays of this rank, without the other ranks.
    subroutine sv_wait_indep(file, requests, statuses, ierr) bind(C, name='svf_wait_indep')
      import
      type(sv_file_t), intent(in) :: file
      type(sv_request_t), intent(inout), optional :: requests(..)
      integer(c_int), intent(inout), optional :: statuses(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_wait_indep

    ! Local. Cancels requests; none of their data are transferred.
    subroutine sv_cancel(file, requests, statuses, ierr) bind(C, name='svf_cancel')
      import
      type(sv_file_t), intent(in) :: file
      type(sv_request_t), intent(inout), optional :: requests(..)
      integer(c_int), intent(inout), optional :: statuses(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_cancel

    ! Returns the number of pending requests of this rank.
    subroutine sv_inq_pending(file, pending, ierr) bind(C, name='svf_inq_pending')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), intent(inout) :: pending
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_inq_pending

    subroutine sv_detach_buffer(file, ierr) bind(C, name='svf_detach_buffer')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_detach_buffer

    ! Returns the size of the buffer of this rank and file, and the bytes in use.
    subroutine sv_inq_buffer(file, bytes, used_bytes, ierr) bind(C, name='svf_inq_buffer')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int64_t), intent(inout), optional :: bytes, used_bytes
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_inq_buffer

    ! Local. Notes the address of an array, or of a section of one, for a list. It copies nothing.
    ! data must not be an expression.
    type(sv_values_t) function sv_values(data) bind(C, name='svf_values_of')
      import
      type(*), asynchronous, target :: data(..)
    end function sv_values
  end interface

end module sverdrup_requests
