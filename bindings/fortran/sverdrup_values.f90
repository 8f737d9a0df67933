! Writing and reading of module sverdrup: all of it collective. See docs/fortran.md.
!
! data: any of integer(1, 2, 4, 8), real(4, 8) and character, of any rank, contiguous or not; taken
! where it lies. Its shape, dimensions of length 1 aside, is checked: a wrong one on any rank is an
! error on every rank. record: from 1; absent for variables without records.
!
! Why these are interfaces of C functions, with no Fortran in between: on the way through a dummy of
! type(*), gfortran 12 loses the strides of components of structures.
module sverdrup_values
  use, intrinsic :: iso_c_binding, only: c_int, c_int32_t, c_int64_t
  use sverdrup_types, only: sv_decomp_t, sv_file_t
  implicit none
  private
  public :: sv_put, sv_put_var, sv_put_vara, sv_put_vars, sv_copy_var
  public :: sv_get, sv_get_var, sv_get_vara, sv_get_vars

  ! A distributed field: this rank's block with its halo, which is not written, in the order of the
  ! variable's dimensions. Ranks that own nothing may pass anything.
  interface sv_put
    subroutine svf_put(file, var, decomp, data, record, ierr) bind(C)
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      type(sv_decomp_t), intent(in) :: decomp
      type(*), intent(in) :: data(..)
      integer(c_int64_t), intent(in), optional :: record(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_put
    subroutine svf_put_32(file, var, decomp, data, record, ierr) bind(C, name='svf_put')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      type(sv_decomp_t), intent(in) :: decomp
      type(*), intent(in) :: data(..)
      integer(c_int32_t), intent(in) :: record(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_put_32
  end interface sv_put

  ! A replicated field: every rank passes the same, the whole variable or record. Scalars, too.
  interface sv_put_var
    subroutine svf_put_var(file, var, data, record, ierr) bind(C)
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      type(*), intent(in) :: data(..)
      integer(c_int64_t), intent(in), optional :: record(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_put_var
    subroutine svf_put_var_32(file, var, data, record, ierr) bind(C, name='svf_put_var')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      type(*), intent(in) :: data(..)
      integer(c_int32_t), intent(in) :: record(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_put_var_32
  end interface sv_put_var

  ! From an open file into another of the same context, without the caller's memory: a record (from 1)
  ! of a variable, or a variable without records, of the same type and shape.
  interface sv_copy_var
    subroutine svf_copy_var(from, from_var, to, to_var, from_record, to_record, ierr) bind(C)
      import
      type(sv_file_t), intent(in) :: from, to
      integer(c_int), value :: from_var, to_var
      integer(c_int64_t), intent(in), optional :: from_record(..), to_record(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_copy_var
    subroutine svf_copy_var_32(from, from_var, to, to_var, from_record, to_record, ierr) &
      bind(C, name='svf_copy_var')
      import
      type(sv_file_t), intent(in) :: from, to
      integer(c_int), value :: from_var, to_var
      integer(c_int32_t), intent(in) :: from_record(..), to_record(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_copy_var_32
  end interface sv_copy_var

  ! A sub-array per rank: start (from 1) and count of all dimensions, the record dimension included.
  ! Those of different ranks must not overlap; a count of 0 means nothing.
  interface sv_put_vara
    subroutine svf_put_vara(file, var, start, count, data, ierr) bind(C)
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      integer(c_int32_t), intent(in) :: start(:), count(:)
      type(*), intent(in) :: data(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_put_vara
    subroutine svf_put_vara_64(file, var, start, count, data, ierr) bind(C, name='svf_put_vara')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      integer(c_int64_t), intent(in) :: start(:), count(:)
      type(*), intent(in) :: data(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_put_vara_64
  end interface sv_put_vara

  ! The counterpart of sv_put; the halo is left as it is.
  interface sv_get
    subroutine svf_get(file, var, decomp, data, record, ierr) bind(C)
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      type(sv_decomp_t), intent(in) :: decomp
      type(*), intent(inout) :: data(..)
      integer(c_int64_t), intent(in), optional :: record(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_get
    subroutine svf_get_32(file, var, decomp, data, record, ierr) bind(C, name='svf_get')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      type(sv_decomp_t), intent(in) :: decomp
      type(*), intent(inout) :: data(..)
      integer(c_int32_t), intent(in) :: record(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_get_32
  end interface sv_get

  ! Every rank gets the whole variable or record.
  interface sv_get_var
    subroutine svf_get_var(file, var, data, record, ierr) bind(C)
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      type(*), intent(inout) :: data(..)
      integer(c_int64_t), intent(in), optional :: record(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_get_var
    subroutine svf_get_var_32(file, var, data, record, ierr) bind(C, name='svf_get_var')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      type(*), intent(inout) :: data(..)
      integer(c_int32_t), intent(in) :: record(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_get_var_32
  end interface sv_get_var

  ! A sub-array per rank; they may overlap.
  interface sv_get_vara
    subroutine svf_get_vara(file, var, start, count, data, ierr) bind(C)
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      integer(c_int32_t), intent(in) :: start(:), count(:)
      type(*), intent(inout) :: data(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_get_vara
    subroutine svf_get_vara_64(file, var, start, count, data, ierr) bind(C, name='svf_get_vara')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      integer(c_int64_t), intent(in) :: start(:), count(:)
      type(*), intent(inout) :: data(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_get_vara_64
  end interface sv_get_vara

  ! Of a sub-array, every apart-th cell of the file in each dimension: count cells from start.
  interface sv_put_vars
    subroutine svf_put_vars(file, var, start, count, apart, data, ierr) bind(C)
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      integer(c_int32_t), intent(in) :: start(:), count(:), apart(:)
      type(*), intent(in) :: data(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_put_vars
    subroutine svf_put_vars_64(file, var, start, count, apart, data, ierr) &
      bind(C, name='svf_put_vars')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      integer(c_int64_t), intent(in) :: start(:), count(:), apart(:)
      type(*), intent(in) :: data(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_put_vars_64
  end interface sv_put_vars

  interface sv_get_vars
    subroutine svf_get_vars(file, var, start, count, apart, data, ierr) bind(C)
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      integer(c_int32_t), intent(in) :: start(:), count(:), apart(:)
      type(*), intent(inout) :: data(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_get_vars
    subroutine svf_get_vars_64(file, var, start, count, apart, data, ierr) &
      bind(C, name='svf_get_vars')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: var
      integer(c_int64_t), intent(in) :: start(:), count(:), apart(:)
      type(*), intent(inout) :: data(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_get_vars_64
  end interface sv_get_vars

end module sverdrup_values
