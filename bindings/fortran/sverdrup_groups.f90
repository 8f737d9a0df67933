! Groups and strings in netCDF-4 files and Zarr groups, of module sverdrup. The numbers are those of
! include/sverdrup/groups.h. See docs/fortran.md.
module sverdrup_groups
  use, intrinsic :: iso_c_binding, only: c_int, c_char
  use sverdrup_types, only: sv_file_t, SV_GLOBAL
  implicit none
  private
  public :: sv_put_att_string, sv_get_att_string, sv_group, sv_def_grp, sv_inq_grps, sv_inq_grpid, sv_inq_grpname
  public :: sv_inq_grpname_full, sv_inq_grp_parent, sv_inq_grp_varids, sv_inq_grp_dimids, sv_inq_grp_natts

  integer(c_int), parameter, public :: SV_STRING = 12 ! of attributes

  interface
    ! Local, in define mode; the same on every rank. Defines a group in the group `parent`; 0: the outermost one. The
    ! names of its members begin with its name: 'ocean/temp'.
    subroutine sv_def_grp(file, parent, name, grp, ierr) bind(C, name='svf_def_grp')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: parent
      character(kind=c_char, len=*), intent(in) :: name
      integer(c_int), intent(inout) :: grp
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_def_grp

    ! Local. The ids of a group's members: groups, variables, dimensions; and the number of its attributes.
    subroutine sv_inq_grps(file, grp, ngrps, grps, ierr) bind(C, name='svf_inq_grps')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: grp
      integer(c_int), intent(inout), optional :: ngrps, grps(:)
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_inq_grps
    subroutine sv_inq_grp_varids(file, grp, nvars, ids, ierr) bind(C, name='svf_inq_grp_varids')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: grp
      integer(c_int), intent(inout), optional :: nvars, ids(:)
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_inq_grp_varids
    subroutine sv_inq_grp_dimids(file, grp, ndims, ids, ierr) bind(C, name='svf_inq_grp_dimids')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: grp
      integer(c_int), intent(inout), optional :: ndims, ids(:)
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_inq_grp_dimids
    subroutine sv_inq_grp_natts(file, grp, natts, ierr) bind(C, name='svf_inq_grp_natts')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: grp
      integer(c_int), intent(inout) :: natts
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_inq_grp_natts

    ! Local. The id of a group in the group `parent`; its own name, and that with the names of its groups; the group
    ! that it is in.
    subroutine sv_inq_grpid(file, parent, name, grp, ierr) bind(C, name='svf_inq_grpid')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: parent
      character(kind=c_char, len=*), intent(in) :: name
      integer(c_int), intent(inout) :: grp
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_inq_grpid
    subroutine sv_inq_grpname(file, grp, name, ierr) bind(C, name='svf_inq_grpname')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: grp
      character(kind=c_char, len=*), intent(inout) :: name
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_inq_grpname
    subroutine sv_inq_grpname_full(file, grp, name, ierr) bind(C, name='svf_inq_grpname_full')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: grp
      character(kind=c_char, len=*), intent(inout) :: name
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_inq_grpname_full
    subroutine sv_inq_grp_parent(file, grp, parent, ierr) bind(C, name='svf_inq_grp_parent')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: grp
      integer(c_int), intent(inout) :: parent
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_inq_grp_parent
    ! Local, in define mode; the same on every rank. Puts strings, without their trailing blanks, as an attribute.
    subroutine sv_put_att_string(file, var, name, values, ierr) bind(C, name='svf_put_att_string')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      character(kind=c_char, len=*), intent(in) :: name, values(:)
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_put_att_string

    ! Local. Reads the strings of an attribute, as many as sv_inq_att counts, padded with blanks; or its text, as one.
    subroutine sv_get_att_string(file, var, name, values, ierr) bind(C, name='svf_get_att_string')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      character(kind=c_char, len=*), intent(in) :: name
      character(kind=c_char, len=*), intent(inout) :: values(:)
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_get_att_string
  end interface

contains

  ! Local. In place of a variable, in all calls on attributes: the group.
  pure integer(c_int) function sv_group(grp)
    integer(c_int), intent(in) :: grp
    sv_group = SV_GLOBAL - grp
  end function sv_group

end module sverdrup_groups
