! Files and definitions of module sverdrup. See docs/fortran.md.
module sverdrup_define
  use, intrinsic :: iso_c_binding, only: c_char, c_double, c_float, c_int, c_int16_t, c_int32_t, &
    c_int64_t, c_int8_t
  use sverdrup_types, only: sv_context_t, sv_decomp_t, sv_file_t
  implicit none
  private
  public :: sv_create, sv_open, sv_enddef, sv_sync, sv_close, sv_abort
  public :: sv_def_var, sv_def_fill, sv_def_var_decomp_dim, sv_put_att
  public :: sv_def_packing, sv_use_packing, sv_def_alignment

  interface
    ! Collective. Makes a file, in define mode. flags: a sum of SV_CLOBBER, SV_GROWING and so on.
    subroutine sv_create(io, path, file, flags, ierr) bind(C, name='svf_create')
      import
      type(sv_context_t), intent(in) :: io
      character(kind=c_char, len=*), intent(in) :: path
      type(sv_file_t), intent(inout) :: file
      integer(c_int), intent(in), optional :: flags
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_create

    ! Collective. Opens a CDF file, a netCDF-4 file, a Zarr group or the pieces of a set as one file. flags: SV_NOWRITE
    ! (default) or SV_WRITE, and SV_LITERAL.
    subroutine sv_open(io, path, file, flags, ierr) bind(C, name='svf_open')
      import
      type(sv_context_t), intent(in) :: io
      character(kind=c_char, len=*), intent(in) :: path
      type(sv_file_t), intent(inout) :: file
      integer(c_int), intent(in), optional :: flags
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_open

    ! Collective. Compares the definitions of all ranks and writes the header.
    subroutine sv_enddef(file, ierr) bind(C, name='svf_enddef')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_enddef

    ! Collective. Commits all puts into this file so far.
    subroutine sv_sync(file, ierr) bind(C, name='svf_sync')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_sync

    ! Collective. Completes and publishes the file. The call always frees the handle.
    subroutine sv_close(file, ierr) bind(C, name='svf_close')
      import
      type(sv_file_t), intent(inout) :: file
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_close

    ! Collective. sv_close without the definitions in progress: after sv_redef the file keeps its old ones; before the
    ! first sv_enddef nothing is left of it.
    subroutine sv_abort(file, ierr) bind(C, name='svf_abort')
      import
      type(sv_file_t), intent(inout) :: file
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_abort

    ! Local. dims: ids of dimensions, fastest first. Only the last may be the record dimension. A
    ! scalar has the dims [integer ::].
    subroutine sv_def_var(file, name, type, dims, var, ierr) bind(C, name='svf_def_var')
      import
      type(sv_file_t), intent(in) :: file
      character(kind=c_char, len=*), intent(in) :: name
      integer(c_int), value :: type
      integer(c_int), intent(in) :: dims(:)
      integer(c_int), intent(inout) :: var
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_def_var

    ! Local. Sets the value of cells that no rank writes: one value of the variable's type. It is
    ! also written as the attribute _FillValue.
    subroutine sv_def_fill(file, var, value, ierr) bind(C, name='svf_def_fill')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      type(*), intent(in) :: value(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_def_fill

    ! Local. Packed data (CF, section 8.1): value = packed * scale_factor + add_offset. The call
    ! defines the two attributes, and makes puts and gets of this variable pack and unpack.
    subroutine sv_def_packing(file, var, scale_factor, add_offset, ierr) &
      bind(C, name='svf_def_packing')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      real(c_double), value :: scale_factor, add_offset
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_def_packing

    ! Local. Switches packing on (.true.) or off (.false.) for a variable that has such attributes.
    subroutine sv_use_packing(file, var, on, ierr) bind(C, name='svf_use_packing')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      type(*), intent(in) :: on(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_use_packing

    ! Local. For a variable whose dimensions match the grid's shape in several places: first_dim is
    ! the first (fastest) of the variable's dimensions that belongs to the grid, from 1.
    subroutine sv_def_var_decomp_dim(file, var, decomp, first_dim, ierr) bind(C, name='svf_def_var_decomp_dim')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      type(sv_decomp_t), intent(in) :: decomp
      integer(c_int), value :: first_dim
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_def_var_decomp_dim

    ! Local, in define mode; the same on every rank. The free space and alignment of new parts of a CDF file for
    ! sv_enddef, in bytes: free behind the header and behind the variables without records; multiples at which the
    ! first variable, each other one without records, and the first record begin. An absent argument changes nothing.
    subroutine sv_def_alignment(file, header_free, data_align, variable_align, fixed_free, record_align, ierr) &
      bind(C, name='svf_def_alignment')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int64_t), intent(in), optional :: header_free, data_align, variable_align, fixed_free, record_align
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_def_alignment
  end interface

  ! Local. Writes a text, a number, or a vector of numbers as an attribute. Text is stored as it is.
  ! var: a variable, or SV_GLOBAL for an attribute of the file. type: the type of the attribute, if
  ! it differs from that of the values (an unsigned type of the same size).
  interface sv_put_att
    subroutine svf_put_att_text(file, var, name, text, ierr) bind(C)
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      character(kind=c_char, len=*), intent(in) :: name, text
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_put_att_text
    subroutine svf_put_att_i1(file, var, name, values, type, ierr) bind(C, name='svf_put_att')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      character(kind=c_char, len=*), intent(in) :: name
      integer(c_int8_t), intent(in) :: values(..)
      integer(c_int), intent(in), optional :: type
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_put_att_i1
    subroutine svf_put_att_i2(file, var, name, values, type, ierr) bind(C, name='svf_put_att')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      character(kind=c_char, len=*), intent(in) :: name
      integer(c_int16_t), intent(in) :: values(..)
      integer(c_int), intent(in), optional :: type
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_put_att_i2
    subroutine svf_put_att_i4(file, var, name, values, type, ierr) bind(C, name='svf_put_att')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      character(kind=c_char, len=*), intent(in) :: name
      integer(c_int32_t), intent(in) :: values(..)
      integer(c_int), intent(in), optional :: type
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_put_att_i4
    subroutine svf_put_att_i8(file, var, name, values, type, ierr) bind(C, name='svf_put_att')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      character(kind=c_char, len=*), intent(in) :: name
      integer(c_int64_t), intent(in) :: values(..)
      integer(c_int), intent(in), optional :: type
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_put_att_i8
    subroutine svf_put_att_r4(file, var, name, values, type, ierr) bind(C, name='svf_put_att')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      character(kind=c_char, len=*), intent(in) :: name
      real(c_float), intent(in) :: values(..)
      integer(c_int), intent(in), optional :: type
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_put_att_r4
    subroutine svf_put_att_r8(file, var, name, values, type, ierr) bind(C, name='svf_put_att')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      character(kind=c_char, len=*), intent(in) :: name
      real(c_double), intent(in) :: values(..)
      integer(c_int), intent(in), optional :: type
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_put_att_r8
  end interface sv_put_att

end module sverdrup_define
