! Writing and reading of module sverdrup. All calls are collective. See docs/fortran.md.
!
! data is an array of any rank, contiguous or not, of integer(1, 2, 4, 8), real(4, 8) or character.
! It is used in place. Its shape is checked, except for dimensions of length 1; a wrong shape on any
! rank is an error on every rank. record counts from 1; it is absent for variables without records.
!
! These are interfaces of C functions, without a Fortran procedure in between, because gfortran 12
! loses the strides of components of structures when they pass through a dummy argument of type(*).
module sverdrup_values
  use, intrinsic :: iso_c_binding, only: c_int, c_int32_t, c_int64_t
  use sverdrup_types, only: sv_decomp_t, sv_file_t
  implicit none
  private
  public :: sv_put, sv_put_var, sv_put_vara, sv_put_vars, sv_copy_var
  public :: sv_get, sv_get_var, sv_get_vara, sv_get_vars

  ! Writes a distributed field: this rank's block with its halo, in the order of the variable's
  ! dimensions. The halo is not written. Ranks that own nothing may pass any array.
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

  ! Writes a replicated field: every rank passes the same whole variable or record. Scalars are
  ! written with this call, too.
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

  ! Copies a record (from 1) of a variable, or a variable without records, from an open file into
  ! another file of the same context, without memory of the caller. Both variables have the same
  ! type and shape.
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

  ! Writes a sub-array per rank: start (from 1) and count of all dimensions, including the record
  ! dimension. The sub-arrays of different ranks must not overlap. A rank with a count of 0 puts
  ! nothing.
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

  ! Reads what sv_put writes. The halo does not change.
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

  ! Gives every rank the whole variable or record.
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

  ! Reads a sub-array per rank. The sub-arrays may overlap.
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

  ! Writes or reads a sub-array whose cells are apart cells from each other in the file: count cells
  ! in each dimension, from start.
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
