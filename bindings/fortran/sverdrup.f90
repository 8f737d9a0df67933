! Sverdrup for Fortran: the calls of include/sverdrup/sverdrup.h.
! SPDX-License-Identifier: Apache-2.0
!
! What differs from C:
!   - shapes, starts, counts and dimensions are fastest first, the record dimension last;
!   - starts and records count from 1;
!   - every call takes an optional ierr: SV_OK or an error code, which sv_message() explains.
!     Without ierr, an error is printed and the job ends with a status that is not zero.
! The reference is docs/fortran.md.
module sverdrup
  use, intrinsic :: iso_c_binding, only: c_char, c_f_pointer, c_int, c_ptr, c_size_t
  use sverdrup_types
  use sverdrup_context
  use sverdrup_counts_32
  use sverdrup_counts_64
  use sverdrup_define
  use sverdrup_enums
  use sverdrup_groups
  use sverdrup_inquire
  use sverdrup_points
  use sverdrup_redefine
  use sverdrup_requests
  use sverdrup_servers
  use sverdrup_storage
  implicit none
  private :: c_char, c_f_pointer, c_int, c_ptr, c_size_t, text_of

contains

  ! Local. Returns the text of the last error of this thread: file, variable, rank, cause, remedy.
  function sv_message() result(text)
    character(:), allocatable :: text
    interface
      type(c_ptr) function characters() bind(C, name='svf_message')
        import :: c_ptr
      end function characters
    end interface
    text = text_of(characters())
  end function sv_message

  ! Local. Returns the short name of a status.
  function sv_strerror(status) result(text)
    integer(c_int), intent(in) :: status
    character(:), allocatable :: text
    interface
      type(c_ptr) function characters(status) bind(C, name='sv_strerror')
        import :: c_ptr, c_int
        integer(c_int), value :: status
      end function characters
    end interface
    text = text_of(characters(status))
  end function sv_strerror

  ! Local. Returns the version of the linked library.
  function sv_version() result(text)
    character(:), allocatable :: text
    interface
      type(c_ptr) function characters() bind(C, name='sv_version')
        import :: c_ptr
      end function characters
    end interface
    text = text_of(characters())
  end function sv_version

  ! Returns a copy of a C string.
  function text_of(characters) result(text)
    type(c_ptr), intent(in) :: characters
    character(:), allocatable :: text
    character(kind=c_char), pointer :: each(:)
    integer :: i
    interface
      integer(c_size_t) function strlen(text) bind(C)
        import :: c_ptr, c_size_t
        type(c_ptr), value :: text
      end function strlen
    end interface
    call c_f_pointer(characters, each, [strlen(characters)])
    allocate (character(size(each)) :: text)
    do i = 1, size(each)
      text(i:i) = each(i)
    end do
  end function text_of

end module sverdrup
