! Requests of module sverdrup: puts and gets that wait for sv_wait. All calls but sv_wait are local.
! See docs/fortran.md.
!
! data, record, start and so on are those of sv_put, sv_put_var, sv_put_vara and sv_put_vars. starts
! and counts are (dimension, region), and the values of the regions follow one another in data.
! sv_iput and sv_iget use the array in place, also a section of an array. The array must exist until
! sv_wait or sv_close: the array of a put must not change before, and the array of a get is filled
! then. So data should be asynchronous, and must not be an expression. sv_bput copies the values.
! request may be absent if the caller will wait for all requests.
module sverdrup_requests
  use, intrinsic :: iso_c_binding, only: c_int, c_int32_t, c_int64_t
  use sverdrup_types, only: sv_decomp_t, sv_file_t, sv_request_t
  implicit none
  private
  public :: sv_iput, sv_iput_var, sv_iput_vara, sv_iput_vars, sv_iput_varn
  public :: sv_bput, sv_bput_var, sv_bput_vara, sv_bput_vars, sv_bput_varn
  public :: sv_iget, sv_iget_var, sv_iget_vara, sv_iget_vars, sv_iget_varn
  public :: sv_wait, sv_cancel, sv_inq_pending
  public :: sv_attach_buffer, sv_detach_buffer, sv_inq_buffer

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
  end interface

  ! Attaches a buffer of so many bytes for the values of sv_bput.
  interface sv_attach_buffer
    subroutine svf_attach_buffer(file, bytes, ierr) bind(C)
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int64_t), intent(in) :: bytes(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_attach_buffer
    subroutine svf_attach_buffer_32(file, bytes, ierr) bind(C, name='svf_attach_buffer')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int32_t), intent(in) :: bytes(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_attach_buffer_32
  end interface sv_attach_buffer

  ! Puts that wait.
  interface sv_iput
    subroutine svf_iput(file, var, decomp, data, record, request, ierr) bind(C)
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      type(sv_decomp_t), intent(in) :: decomp
      type(*), intent(in), asynchronous, target :: data(..)
      integer(c_int64_t), intent(in), optional :: record(..)
      type(sv_request_t), intent(inout), optional :: request
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_iput
    subroutine svf_iput_32(file, var, decomp, data, record, request, ierr) &
      bind(C, name='svf_iput')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      type(sv_decomp_t), intent(in) :: decomp
      type(*), intent(in), asynchronous, target :: data(..)
      integer(c_int32_t), intent(in) :: record(..)
      type(sv_request_t), intent(inout), optional :: request
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_iput_32
  end interface sv_iput

  interface sv_iput_var
    subroutine svf_iput_var(file, var, data, record, request, ierr) bind(C)
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      type(*), intent(in), asynchronous, target :: data(..)
      integer(c_int64_t), intent(in), optional :: record(..)
      type(sv_request_t), intent(inout), optional :: request
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_iput_var
    subroutine svf_iput_var_32(file, var, data, record, request, ierr) &
      bind(C, name='svf_iput_var')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      type(*), intent(in), asynchronous, target :: data(..)
      integer(c_int32_t), intent(in) :: record(..)
      type(sv_request_t), intent(inout), optional :: request
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_iput_var_32
  end interface sv_iput_var

  interface sv_iput_vara
    subroutine svf_iput_vara(file, var, start, count, data, request, ierr) bind(C)
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      integer(c_int32_t), intent(in) :: start(:), count(:)
      type(*), intent(in), asynchronous, target :: data(..)
      type(sv_request_t), intent(inout), optional :: request
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_iput_vara
    subroutine svf_iput_vara_64(file, var, start, count, data, request, ierr) &
      bind(C, name='svf_iput_vara')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      integer(c_int64_t), intent(in) :: start(:), count(:)
      type(*), intent(in), asynchronous, target :: data(..)
      type(sv_request_t), intent(inout), optional :: request
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_iput_vara_64
  end interface sv_iput_vara

  interface sv_iput_vars
    subroutine svf_iput_vars(file, var, start, count, apart, data, request, ierr) bind(C)
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      integer(c_int32_t), intent(in) :: start(:), count(:), apart(:)
      type(*), intent(in), asynchronous, target :: data(..)
      type(sv_request_t), intent(inout), optional :: request
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_iput_vars
    subroutine svf_iput_vars_64(file, var, start, count, apart, data, request, ierr) &
      bind(C, name='svf_iput_vars')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      integer(c_int64_t), intent(in) :: start(:), count(:), apart(:)
      type(*), intent(in), asynchronous, target :: data(..)
      type(sv_request_t), intent(inout), optional :: request
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_iput_vars_64
  end interface sv_iput_vars

  interface sv_iput_varn
    subroutine svf_iput_varn(file, var, starts, counts, data, request, ierr) bind(C)
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      integer(c_int32_t), intent(in) :: starts(:, :), counts(:, :)
      type(*), intent(in), asynchronous, target :: data(..)
      type(sv_request_t), intent(inout), optional :: request
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_iput_varn
    subroutine svf_iput_varn_64(file, var, starts, counts, data, request, ierr) &
      bind(C, name='svf_iput_varn')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      integer(c_int64_t), intent(in) :: starts(:, :), counts(:, :)
      type(*), intent(in), asynchronous, target :: data(..)
      type(sv_request_t), intent(inout), optional :: request
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_iput_varn_64
  end interface sv_iput_varn

  ! Puts that wait; the caller may use the arrays again at once.
  interface sv_bput
    subroutine svf_bput(file, var, decomp, data, record, request, ierr) bind(C)
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      type(sv_decomp_t), intent(in) :: decomp
      type(*), intent(in), asynchronous, target :: data(..)
      integer(c_int64_t), intent(in), optional :: record(..)
      type(sv_request_t), intent(inout), optional :: request
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_bput
    subroutine svf_bput_32(file, var, decomp, data, record, request, ierr) &
      bind(C, name='svf_bput')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      type(sv_decomp_t), intent(in) :: decomp
      type(*), intent(in), asynchronous, target :: data(..)
      integer(c_int32_t), intent(in) :: record(..)
      type(sv_request_t), intent(inout), optional :: request
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_bput_32
  end interface sv_bput

  interface sv_bput_var
    subroutine svf_bput_var(file, var, data, record, request, ierr) bind(C)
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      type(*), intent(in), asynchronous, target :: data(..)
      integer(c_int64_t), intent(in), optional :: record(..)
      type(sv_request_t), intent(inout), optional :: request
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_bput_var
    subroutine svf_bput_var_32(file, var, data, record, request, ierr) &
      bind(C, name='svf_bput_var')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      type(*), intent(in), asynchronous, target :: data(..)
      integer(c_int32_t), intent(in) :: record(..)
      type(sv_request_t), intent(inout), optional :: request
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_bput_var_32
  end interface sv_bput_var

  interface sv_bput_vara
    subroutine svf_bput_vara(file, var, start, count, data, request, ierr) bind(C)
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      integer(c_int32_t), intent(in) :: start(:), count(:)
      type(*), intent(in), asynchronous, target :: data(..)
      type(sv_request_t), intent(inout), optional :: request
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_bput_vara
    subroutine svf_bput_vara_64(file, var, start, count, data, request, ierr) &
      bind(C, name='svf_bput_vara')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      integer(c_int64_t), intent(in) :: start(:), count(:)
      type(*), intent(in), asynchronous, target :: data(..)
      type(sv_request_t), intent(inout), optional :: request
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_bput_vara_64
  end interface sv_bput_vara

  interface sv_bput_vars
    subroutine svf_bput_vars(file, var, start, count, apart, data, request, ierr) bind(C)
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      integer(c_int32_t), intent(in) :: start(:), count(:), apart(:)
      type(*), intent(in), asynchronous, target :: data(..)
      type(sv_request_t), intent(inout), optional :: request
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_bput_vars
    subroutine svf_bput_vars_64(file, var, start, count, apart, data, request, ierr) &
      bind(C, name='svf_bput_vars')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      integer(c_int64_t), intent(in) :: start(:), count(:), apart(:)
      type(*), intent(in), asynchronous, target :: data(..)
      type(sv_request_t), intent(inout), optional :: request
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_bput_vars_64
  end interface sv_bput_vars

  interface sv_bput_varn
    subroutine svf_bput_varn(file, var, starts, counts, data, request, ierr) bind(C)
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      integer(c_int32_t), intent(in) :: starts(:, :), counts(:, :)
      type(*), intent(in), asynchronous, target :: data(..)
      type(sv_request_t), intent(inout), optional :: request
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_bput_varn
    subroutine svf_bput_varn_64(file, var, starts, counts, data, request, ierr) &
      bind(C, name='svf_bput_varn')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      integer(c_int64_t), intent(in) :: starts(:, :), counts(:, :)
      type(*), intent(in), asynchronous, target :: data(..)
      type(sv_request_t), intent(inout), optional :: request
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_bput_varn_64
  end interface sv_bput_varn

  ! Gets that wait.
  interface sv_iget
    subroutine svf_iget(file, var, decomp, data, record, request, ierr) bind(C)
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      type(sv_decomp_t), intent(in) :: decomp
      type(*), intent(inout), asynchronous, target :: data(..)
      integer(c_int64_t), intent(in), optional :: record(..)
      type(sv_request_t), intent(inout), optional :: request
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_iget
    subroutine svf_iget_32(file, var, decomp, data, record, request, ierr) &
      bind(C, name='svf_iget')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      type(sv_decomp_t), intent(in) :: decomp
      type(*), intent(inout), asynchronous, target :: data(..)
      integer(c_int32_t), intent(in) :: record(..)
      type(sv_request_t), intent(inout), optional :: request
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_iget_32
  end interface sv_iget

  interface sv_iget_var
    subroutine svf_iget_var(file, var, data, record, request, ierr) bind(C)
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      type(*), intent(inout), asynchronous, target :: data(..)
      integer(c_int64_t), intent(in), optional :: record(..)
      type(sv_request_t), intent(inout), optional :: request
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_iget_var
    subroutine svf_iget_var_32(file, var, data, record, request, ierr) &
      bind(C, name='svf_iget_var')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      type(*), intent(inout), asynchronous, target :: data(..)
      integer(c_int32_t), intent(in) :: record(..)
      type(sv_request_t), intent(inout), optional :: request
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_iget_var_32
  end interface sv_iget_var

  interface sv_iget_vara
    subroutine svf_iget_vara(file, var, start, count, data, request, ierr) bind(C)
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      integer(c_int32_t), intent(in) :: start(:), count(:)
      type(*), intent(inout), asynchronous, target :: data(..)
      type(sv_request_t), intent(inout), optional :: request
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_iget_vara
    subroutine svf_iget_vara_64(file, var, start, count, data, request, ierr) &
      bind(C, name='svf_iget_vara')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      integer(c_int64_t), intent(in) :: start(:), count(:)
      type(*), intent(inout), asynchronous, target :: data(..)
      type(sv_request_t), intent(inout), optional :: request
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_iget_vara_64
  end interface sv_iget_vara

  interface sv_iget_vars
    subroutine svf_iget_vars(file, var, start, count, apart, data, request, ierr) bind(C)
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      integer(c_int32_t), intent(in) :: start(:), count(:), apart(:)
      type(*), intent(inout), asynchronous, target :: data(..)
      type(sv_request_t), intent(inout), optional :: request
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_iget_vars
    subroutine svf_iget_vars_64(file, var, start, count, apart, data, request, ierr) &
      bind(C, name='svf_iget_vars')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      integer(c_int64_t), intent(in) :: start(:), count(:), apart(:)
      type(*), intent(inout), asynchronous, target :: data(..)
      type(sv_request_t), intent(inout), optional :: request
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_iget_vars_64
  end interface sv_iget_vars

  interface sv_iget_varn
    subroutine svf_iget_varn(file, var, starts, counts, data, request, ierr) bind(C)
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      integer(c_int32_t), intent(in) :: starts(:, :), counts(:, :)
      type(*), intent(inout), asynchronous, target :: data(..)
      type(sv_request_t), intent(inout), optional :: request
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_iget_varn
    subroutine svf_iget_varn_64(file, var, starts, counts, data, request, ierr) &
      bind(C, name='svf_iget_varn')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      integer(c_int64_t), intent(in) :: starts(:, :), counts(:, :)
      type(*), intent(inout), asynchronous, target :: data(..)
      type(sv_request_t), intent(inout), optional :: request
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_iget_varn_64
  end interface sv_iget_varn

end module sverdrup_requests
