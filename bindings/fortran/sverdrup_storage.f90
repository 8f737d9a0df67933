! How single variables are stored, of module sverdrup: all of it local. The calls that begin with sv_def_ are made in
! define mode, the same on every rank. The numbers are those of include/sverdrup/storage.h. See docs/fortran.md.
module sverdrup_storage
  use, intrinsic :: iso_c_binding, only: c_double, c_int, c_int64_t
  use sverdrup_types, only: sv_file_t
  implicit none
  private
  public :: sv_def_var_nofill, sv_inq_var_nofill
  public :: sv_inq_var_chunking, sv_def_var_deflate, sv_inq_var_deflate, sv_def_var_zstandard, sv_inq_var_zstandard
  public :: sv_def_var_fletcher32, sv_inq_var_fletcher32, sv_def_var_filter, sv_inq_var_filter_ids
  public :: sv_def_var_error_bound, sv_inq_var_error_bound
  public :: sv_def_var_quantize, sv_inq_var_quantize, sv_def_var_endian, sv_inq_var_endian

  integer(c_int), parameter, public :: SV_CHUNKED = 0, SV_CONTIGUOUS = 1
  integer(c_int), parameter, public :: SV_NOQUANTIZE = 0, SV_QUANTIZE_BITGROOM = 1, SV_QUANTIZE_GRANULARBR = 2
  integer(c_int), parameter, public :: SV_QUANTIZE_BITROUND = 3
  integer(c_int), parameter, public :: SV_ERROR_NONE = 0, SV_ERROR_ABSOLUTE = 1, SV_ERROR_RELATIVE = 2
  integer(c_int), parameter, public :: SV_ERROR_INFORMATION = 3
  integer(c_int), parameter, public :: SV_ENDIAN_NATIVE = 0, SV_ENDIAN_LITTLE = 1, SV_ENDIAN_BIG = 2
  integer(c_int), parameter, public :: SV_FILTER_DEFLATE = 1, SV_FILTER_SHUFFLE = 2, SV_FILTER_FLETCHER32 = 3
  integer(c_int), parameter, public :: SV_FILTER_BLOSC = 32001, SV_FILTER_ZSTD = 32015, SV_MAX_FILTERS = 32
  integer(c_int), parameter, public :: SV_FILTER_ZFP = 32013, SV_FILTER_SZ3 = 32024

  interface
    ! After sv_enddef or sv_open. lengths: the cells of a chunk in each dimension, fastest first; 0 without chunks.
    subroutine sv_inq_var_chunking(file, var, storage, lengths, ierr) bind(C, name='svf_inq_var_chunking')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      integer(c_int), intent(inout), optional :: storage
      integer(c_int64_t), intent(inout), optional :: lengths(:)
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_inq_var_chunking

    ! on = 1: cells that no rank writes get no fill value.
    subroutine sv_def_var_nofill(file, var, on, ierr) bind(C, name='svf_def_var_nofill')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var, on
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_def_var_nofill

    subroutine sv_inq_var_nofill(file, var, on, ierr) bind(C, name='svf_inq_var_nofill')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      integer(c_int), intent(inout) :: on
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_inq_var_nofill

    ! shuffle is 1 or 0; level is 1 to 9, or 0 for none.
    subroutine sv_def_var_deflate(file, var, shuffle, level, ierr) bind(C, name='svf_def_var_deflate')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var, shuffle, level
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_def_var_deflate

    subroutine sv_inq_var_deflate(file, var, shuffle, level, ierr) bind(C, name='svf_inq_var_deflate')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      integer(c_int), intent(inout), optional :: shuffle, level
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_inq_var_deflate

    ! level is 1 to 22, or 0 for none.
    subroutine sv_def_var_zstandard(file, var, level, ierr) bind(C, name='svf_def_var_zstandard')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var, level
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_def_var_zstandard

    subroutine sv_inq_var_zstandard(file, var, level, ierr) bind(C, name='svf_inq_var_zstandard')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      integer(c_int), intent(inout) :: level
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_inq_var_zstandard

    ! on is 1 if each chunk has a checksum, or 0.
    subroutine sv_def_var_fletcher32(file, var, on, ierr) bind(C, name='svf_def_var_fletcher32')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var, on
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_def_var_fletcher32

    subroutine sv_inq_var_fletcher32(file, var, on, ierr) bind(C, name='svf_inq_var_fletcher32')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      integer(c_int), intent(inout) :: on
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_inq_var_fletcher32

    ! Adds the filter of number id (SV_FILTER_ZSTD and so on), with its parameters. SV_FILTER_SZ3 and SV_FILTER_ZFP have
    ! none, and follow an absolute error bound (sv_def_var_error_bound).
    subroutine sv_def_var_filter(file, var, id, params, ierr) bind(C, name='svf_def_var_filter')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var, id
      integer(c_int), intent(in) :: params(:)
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_def_var_filter

    ! ids: the numbers of all filters, in the order in which values pass through them. The array needs room for
    ! nfilters of them, at most SV_MAX_FILTERS.
    subroutine sv_inq_var_filter_ids(file, var, nfilters, ids, ierr) bind(C, name='svf_inq_var_filter_ids')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      integer(c_int), intent(inout), optional :: nfilters, ids(:)
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_inq_var_filter_ids

    ! Cuts mantissas, so that values compress better. mode is SV_QUANTIZE_BITROUND and so on; digits are significant
    ! decimal digits, or bits with SV_QUANTIZE_BITROUND.
    subroutine sv_def_var_quantize(file, var, mode, digits, ierr) bind(C, name='svf_def_var_quantize')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var, mode, digits
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_def_var_quantize

    subroutine sv_inq_var_quantize(file, var, mode, digits, ierr) bind(C, name='svf_inq_var_quantize')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      integer(c_int), intent(inout), optional :: mode, digits
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_inq_var_quantize

    ! Cuts mantissas so far that no value changes by more than bound, and checks each chunk before it is written. kind is
    ! SV_ERROR_ABSOLUTE, SV_ERROR_RELATIVE or SV_ERROR_NONE; or SV_ERROR_INFORMATION: bound is the share to keep.
    subroutine sv_def_var_error_bound(file, var, kind, bound, ierr) bind(C, name='svf_def_var_error_bound')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var, kind
      real(c_double), value :: bound
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_def_var_error_bound

    ! largest: the largest error that the file states; the bound, until the file is closed.
    subroutine sv_inq_var_error_bound(file, var, kind, bound, largest, ierr) bind(C, name='svf_inq_var_error_bound')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      integer(c_int), intent(inout), optional :: kind
      real(c_double), intent(inout), optional :: bound, largest
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_inq_var_error_bound

    ! The order of bytes in the file: SV_ENDIAN_BIG and so on.
    subroutine sv_def_var_endian(file, var, endian, ierr) bind(C, name='svf_def_var_endian')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var, endian
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_def_var_endian

    subroutine sv_inq_var_endian(file, var, endian, ierr) bind(C, name='svf_inq_var_endian')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      integer(c_int), intent(inout) :: endian
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_inq_var_endian
  end interface

end module sverdrup_storage
