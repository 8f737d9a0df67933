! Names of integers, of module sverdrup: all of it local. See include/sverdrup/enums.h and docs/fortran.md.
module sverdrup_enums
  use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_char
  use sverdrup_types, only: sv_file_t
  implicit none
  private
  public :: sv_def_var_enum, sv_inq_var_enum, sv_inq_var_enum_member

  interface
    ! In define mode; the same on every rank. values(i) has the name names(i).
    subroutine sv_def_var_enum(file, var, type_name, names, values, ierr) bind(C, name='svf_def_var_enum')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      character(kind=c_char, len=*), intent(in) :: type_name, names(:)
      integer(c_int64_t), intent(in) :: values(:)
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_def_var_enum

    ! The number of names, 0 if there are none; the name of the type, blank if attributes hold the names.
    subroutine sv_inq_var_enum(file, var, type_name, nmembers, ierr) bind(C, name='svf_inq_var_enum')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      character(kind=c_char, len=*), intent(inout), optional :: type_name
      integer(c_int), intent(inout), optional :: nmembers
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_inq_var_enum

    ! One name and its value; member counts from 1.
    subroutine sv_inq_var_enum_member(file, var, member, name, value, ierr) bind(C, name='svf_inq_var_enum_member')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var, member
      character(kind=c_char, len=*), intent(inout), optional :: name
      integer(c_int64_t), intent(inout), optional :: value
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_inq_var_enum_member
  end interface

end module sverdrup_enums
