! Definitions that change, and the rest of inquiry, of module sverdrup. See docs/fortran.md.
module sverdrup_redefine
  use, intrinsic :: iso_c_binding, only: c_char, c_int
  use sverdrup_types, only: sv_file_t
  implicit none
  private
  public :: sv_redef, sv_rename_dim, sv_rename_var, sv_rename_att, sv_del_att, sv_copy_att
  public :: sv_inq_path, sv_inq_kind, sv_inq_type, sv_inq_fill, sv_inq_packing, sv_inq_attid

  interface
    ! Collective. Goes back to define mode, for a file of sv_create or a file opened with SV_WRITE.
    ! sv_enddef ends this define mode.
    subroutine sv_redef(file, ierr) bind(C, name='svf_redef')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_redef

    ! Local, in define mode. These calls rename and delete.
    subroutine sv_rename_dim(file, dim, name, ierr) bind(C, name='svf_rename_dim')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: dim
      character(kind=c_char, len=*), intent(in) :: name
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_rename_dim

    ! Local, in define mode.
    subroutine sv_rename_var(file, var, name, ierr) bind(C, name='svf_rename_var')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      character(kind=c_char, len=*), intent(in) :: name
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_rename_var

    ! Local, in define mode. var: a variable or SV_GLOBAL.
    subroutine sv_rename_att(file, var, name, new_name, ierr) bind(C, name='svf_rename_att')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      character(kind=c_char, len=*), intent(in) :: name, new_name
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_rename_att

    ! Local, in define mode.
    subroutine sv_del_att(file, var, name, ierr) bind(C, name='svf_del_att')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      character(kind=c_char, len=*), intent(in) :: name
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_del_att

    ! Local. Copies an attribute; it replaces one of the same name. `to` is in define mode; `from`
    ! is any open file.
    subroutine sv_copy_att(from, from_var, name, to, to_var, ierr) bind(C, name='svf_copy_att')
      import
      type(sv_file_t), intent(in) :: from, to
      integer(c_int), value :: from_var, to_var
      character(kind=c_char, len=*), intent(in) :: name
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_copy_att

    ! Returns the path given to sv_create or sv_open, padded with blanks.
    subroutine sv_inq_path(file, path, ierr) bind(C, name='svf_inq_path')
      import
      type(sv_file_t), intent(in) :: file
      character(kind=c_char, len=*), intent(inout) :: path
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_inq_path

    ! Returns SV_PUBLISHED or SV_GROWING, or SV_NOWRITE if the file is open for reading.
    subroutine sv_inq_kind(file, kind, ierr) bind(C, name='svf_inq_kind')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), intent(inout) :: kind
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_inq_kind

    ! Returns the name of a type, and the bytes of one value.
    subroutine sv_inq_type(type, name, bytes, ierr) bind(C, name='svf_inq_type')
      import
      integer(c_int), value :: type
      character(kind=c_char, len=*), intent(inout), optional :: name
      integer(c_int), intent(inout), optional :: bytes
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_inq_type

    ! Returns the value of cells that no rank writes: one value of the variable's type. defined is 1
    ! if the variable has the attribute _FillValue.
    subroutine sv_inq_fill(file, var, defined, value, ierr) bind(C, name='svf_inq_fill')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      integer(c_int), intent(inout), optional :: defined
      type(*), intent(inout), optional :: value(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_inq_fill

    ! on is 1 if puts and gets pack and unpack.
    subroutine sv_inq_packing(file, var, on, ierr) bind(C, name='svf_inq_packing')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      integer(c_int), intent(inout) :: on
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_inq_packing

    ! The number of an attribute counts from 1.
    subroutine sv_inq_attid(file, var, name, number, ierr) bind(C, name='svf_inq_attid')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      character(kind=c_char, len=*), intent(in) :: name
      integer(c_int), intent(inout) :: number
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_inq_attid
  end interface

end module sverdrup_redefine
