! Inquiry of module sverdrup: all of it local. See docs/fortran.md.
module sverdrup_inquire
  use, intrinsic :: iso_c_binding, only: c_char, c_double, c_float, c_int, c_int16_t, c_int32_t, &
    c_int64_t, c_int8_t
  use sverdrup_types, only: sv_file_t
  implicit none
  private
  public :: sv_inq, sv_inq_unlimdims, sv_inq_format, sv_inq_dimid, sv_inq_var, sv_inq_varid
  public :: sv_inq_attname, sv_get_att, sv_inq_file_layout, sv_inq_varoffset, sv_inq_range_errors

  interface
    ! record_dim is -1 if the file has no record dimension.
    subroutine sv_inq(file, ndims, nvars, natts, record_dim, ierr) bind(C, name='svf_inq')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), intent(inout), optional :: ndims, nvars, natts, record_dim
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_inq

    ! How many dimensions are unlimited, and their ids: the record dimension, and others whose length a put of
    ! sub-arrays makes longer (netCDF-4, Zarr). dims has room for all.
    subroutine sv_inq_unlimdims(file, count, dims, ierr) bind(C, name='svf_inq_unlimdims')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), intent(inout), optional :: count
      integer(c_int), intent(inout), optional :: dims(*)
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_inq_unlimdims

    ! 1, 2, 5: CDF-1, CDF-2, CDF-5; 3, 4: netCDF-4, and its classic model; 10: Zarr.
    subroutine sv_inq_format(file, cdf_version, ierr) bind(C, name='svf_inq_format')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), intent(inout) :: cdf_version
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_inq_format

    ! Of a CDF file, out of define mode: bytes of its header, the offset of its first variable, and bytes from a record to
    ! the next (0: it has none).
    subroutine sv_inq_file_layout(file, header_bytes, data_begin, record_bytes, ierr) bind(C, name='svf_inq_file_layout')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int64_t), intent(inout), optional :: header_bytes, data_begin, record_bytes
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_inq_file_layout

    ! The offset in bytes of a variable, or of its first record.
    subroutine sv_inq_varoffset(file, var, offset, ierr) bind(C, name='svf_inq_varoffset')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      integer(c_int64_t), intent(inout) :: offset
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_inq_varoffset

    ! How many values of this rank did not fit their type, in puts and gets since the file was opened.
    subroutine sv_inq_range_errors(file, values, ierr) bind(C, name='svf_inq_range_errors')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int64_t), intent(inout) :: values
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_inq_range_errors

    subroutine sv_inq_dimid(file, name, dim, ierr) bind(C, name='svf_inq_dimid')
      import
      type(sv_file_t), intent(in) :: file
      character(kind=c_char, len=*), intent(in) :: name
      integer(c_int), intent(inout) :: dim
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_inq_dimid

    ! dims: the ids of the dimensions, fastest first. The array needs room for ndims ids.
    subroutine sv_inq_var(file, var, name, type, ndims, dims, natts, ierr) &
      bind(C, name='svf_inq_var')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      character(kind=c_char, len=*), intent(inout), optional :: name
      integer(c_int), intent(inout), optional :: type, ndims, dims(:), natts
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_inq_var

    subroutine sv_inq_varid(file, name, var, ierr) bind(C, name='svf_inq_varid')
      import
      type(sv_file_t), intent(in) :: file
      character(kind=c_char, len=*), intent(in) :: name
      integer(c_int), intent(inout) :: var
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_inq_varid

    ! The number of an attribute counts from 1.
    subroutine sv_inq_attname(file, var, number, name, ierr) bind(C, name='svf_inq_attname')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var, number
      character(kind=c_char, len=*), intent(inout) :: name
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_inq_attname
  end interface

  ! Reads an attribute. Text is padded with blanks. Numbers are converted to the kind of values, a
  ! scalar or a vector, which may be longer than the attribute.
  interface sv_get_att
    subroutine svf_get_att_text(file, var, name, text, ierr) bind(C)
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      character(kind=c_char, len=*), intent(in) :: name
      character(kind=c_char, len=*), intent(inout) :: text
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_get_att_text
    subroutine svf_get_att_i1(file, var, name, values, ierr) bind(C, name='svf_get_att')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      character(kind=c_char, len=*), intent(in) :: name
      integer(c_int8_t), intent(inout) :: values(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_get_att_i1
    subroutine svf_get_att_i2(file, var, name, values, ierr) bind(C, name='svf_get_att')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      character(kind=c_char, len=*), intent(in) :: name
      integer(c_int16_t), intent(inout) :: values(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_get_att_i2
    subroutine svf_get_att_i4(file, var, name, values, ierr) bind(C, name='svf_get_att')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      character(kind=c_char, len=*), intent(in) :: name
      integer(c_int32_t), intent(inout) :: values(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_get_att_i4
    subroutine svf_get_att_i8(file, var, name, values, ierr) bind(C, name='svf_get_att')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      character(kind=c_char, len=*), intent(in) :: name
      integer(c_int64_t), intent(inout) :: values(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_get_att_i8
    subroutine svf_get_att_r4(file, var, name, values, ierr) bind(C, name='svf_get_att')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      character(kind=c_char, len=*), intent(in) :: name
      real(c_float), intent(inout) :: values(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_get_att_r4
    subroutine svf_get_att_r8(file, var, name, values, ierr) bind(C, name='svf_get_att')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      character(kind=c_char, len=*), intent(in) :: name
      real(c_double), intent(inout) :: values(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_get_att_r8
  end interface sv_get_att

end module sverdrup_inquire
