! Lists of puts and gets of module sverdrup. All calls but sv_values are collective. The requests of
! a list are carried out together. See docs/fortran.md.
!
! A list may differ between ranks, and may be empty. vars holds ids of variables. values holds an
! array for each request, made with sv_values. starts and counts are (dimension, place in the list),
! from 1, the record dimension last; for a variable with fewer dimensions, the first rows count. If
! a request has an error, the message names the request, and nothing of the list is written.
module sverdrup_lists
  use, intrinsic :: iso_c_binding, only: c_int, c_int32_t, c_int64_t
  use sverdrup_types, only: sv_decomp_t, sv_file_t, sv_values_t
  implicit none
  private
  public :: sv_mput, sv_mget, sv_mput_vara, sv_mget_vara, sv_put_varn, sv_get_varn, sv_values

  interface
    ! Local. Notes the address of an array, or of a section of one, for a list. It copies nothing.
    ! data must not be an expression.
    type(sv_values_t) function sv_values(data) bind(C, name='svf_values_of')
      import
      type(*), asynchronous, target :: data(..)
    end function sv_values
  end interface

  ! Distributed fields. decomps and records are one value for all requests, or one for each request.
  interface sv_mput
    subroutine svf_mput(file, vars, decomps, values, records, ierr) bind(C)
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), intent(in) :: vars(:)
      type(sv_decomp_t), intent(in) :: decomps(..)
      type(sv_values_t), intent(in) :: values(:)
      integer(c_int64_t), intent(in), optional :: records(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_mput
    subroutine svf_mput_32(file, vars, decomps, values, records, ierr) bind(C, name='svf_mput')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), intent(in) :: vars(:)
      type(sv_decomp_t), intent(in) :: decomps(..)
      type(sv_values_t), intent(in) :: values(:)
      integer(c_int32_t), intent(in) :: records(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_mput_32
  end interface sv_mput

  ! Sub-arrays.
  interface sv_mput_vara
    subroutine svf_mput_vara(file, vars, starts, counts, values, ierr) bind(C)
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), intent(in) :: vars(:)
      integer(c_int32_t), intent(in) :: starts(:, :), counts(:, :)
      type(sv_values_t), intent(in) :: values(:)
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_mput_vara
    subroutine svf_mput_vara_64(file, vars, starts, counts, values, ierr) &
      bind(C, name='svf_mput_vara')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), intent(in) :: vars(:)
      integer(c_int64_t), intent(in) :: starts(:, :), counts(:, :)
      type(sv_values_t), intent(in) :: values(:)
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_mput_vara_64
  end interface sv_mput_vara

  ! Regions of one variable: the columns of starts and counts. The values of the regions follow one
  ! another in data.
  interface sv_put_varn
    subroutine svf_put_varn(file, var, starts, counts, data, ierr) bind(C)
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      integer(c_int32_t), intent(in) :: starts(:, :), counts(:, :)
      type(*), intent(in) :: data(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_put_varn
    subroutine svf_put_varn_64(file, var, starts, counts, data, ierr) bind(C, name='svf_put_varn')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      integer(c_int64_t), intent(in) :: starts(:, :), counts(:, :)
      type(*), intent(in) :: data(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_put_varn_64
  end interface sv_put_varn

  ! These calls read what the corresponding puts write.
  interface sv_mget
    subroutine svf_mget(file, vars, decomps, values, records, ierr) bind(C)
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), intent(in) :: vars(:)
      type(sv_decomp_t), intent(in) :: decomps(..)
      type(sv_values_t), intent(in) :: values(:)
      integer(c_int64_t), intent(in), optional :: records(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_mget
    subroutine svf_mget_32(file, vars, decomps, values, records, ierr) bind(C, name='svf_mget')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), intent(in) :: vars(:)
      type(sv_decomp_t), intent(in) :: decomps(..)
      type(sv_values_t), intent(in) :: values(:)
      integer(c_int32_t), intent(in) :: records(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_mget_32
  end interface sv_mget

  interface sv_mget_vara
    subroutine svf_mget_vara(file, vars, starts, counts, values, ierr) bind(C)
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), intent(in) :: vars(:)
      integer(c_int32_t), intent(in) :: starts(:, :), counts(:, :)
      type(sv_values_t), intent(in) :: values(:)
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_mget_vara
    subroutine svf_mget_vara_64(file, vars, starts, counts, values, ierr) &
      bind(C, name='svf_mget_vara')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), intent(in) :: vars(:)
      integer(c_int64_t), intent(in) :: starts(:, :), counts(:, :)
      type(sv_values_t), intent(in) :: values(:)
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_mget_vara_64
  end interface sv_mget_vara

  interface sv_get_varn
    subroutine svf_get_varn(file, var, starts, counts, data, ierr) bind(C)
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      integer(c_int32_t), intent(in) :: starts(:, :), counts(:, :)
      type(*), intent(inout) :: data(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_get_varn
    subroutine svf_get_varn_64(file, var, starts, counts, data, ierr) bind(C, name='svf_get_varn')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      integer(c_int64_t), intent(in) :: starts(:, :), counts(:, :)
      type(*), intent(inout) :: data(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_get_varn_64
  end interface sv_get_varn

end module sverdrup_lists
