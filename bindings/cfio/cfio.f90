! The interface of CFIO over Sverdrup: cfio.h in Fortran. It is that of Huang et al. 2013,
! section 4, Listing 1 and Table 1.
! SPDX-License-Identifier: Apache-2.0
!
! Dimensions, starts and counts are fastest first and starts count from 1; ids of dimensions and
! variables count from 0. Every function returns 0 or a status code, whose cause cfio_message()
! returns. docs/cfio.md is the reference.
module cfio
  use, intrinsic :: iso_c_binding, only: c_char, c_double, c_f_pointer, c_float, c_int, c_loc, &
    c_null_char, c_ptr, c_size_t
  implicit none
  private

  ! Results of cfio_proc_type: the names of the paper, and those of its authors' library.
  integer(c_int), parameter, public :: CFIO_TYPE_CLIENT = 1, CFIO_TYPE_SERVER = 2
  integer(c_int), parameter, public :: CFIO_TYPE_BLANK = 3
  integer(c_int), parameter, public :: CFIO_PROC_CLIENT = 1, CFIO_PROC_SERVER = 2
  integer(c_int), parameter, public :: CFIO_PROC_BLANK = 3
  ! Types: the numbers of netCDF.
  integer(c_int), parameter, public :: CFIO_BYTE = 1, CFIO_CHAR = 2, CFIO_SHORT = 3
  integer(c_int), parameter, public :: CFIO_INT = 4, CFIO_FLOAT = 5, CFIO_DOUBLE = 6
  integer(c_int), parameter, public :: NF_BYTE = 1, NF_INT1 = 1, NF_CHAR = 2, NF_SHORT = 3
  integer(c_int), parameter, public :: NF_INT2 = 3, NF_INT = 4, NF_FLOAT = 5, NF_REAL = 5
  integer(c_int), parameter, public :: NF_DOUBLE = 6
  integer(c_int), parameter, public :: NF_NOERR = 0, NF_UNLIMITED = 0
  integer(c_int), parameter, public :: NF_CLOBBER = 0, NF_NOCLOBBER = 4
  integer(c_int), parameter, public :: NF_64BIT_OFFSET = 512, NF_64BIT_DATA = 32
  integer(c_int), parameter, public :: NF_NOWRITE = 0, NF_WRITE = 1
  ! The id for attributes of the file. Not netCDF's 0, which is the first variable here; its name in
  ! netCDF's module stands here as well, so that a program that takes it from there does not compile
  ! instead of meaning a variable.
  integer(c_int), parameter, public :: NF_GLOBAL = -1, NF90_GLOBAL = -1

  public :: cfio_init, cfio_proc_type, cfio_client_comm
  public :: cfio_io_end, cfio_end_io, cfio_finalize, cfio_final
  public :: cfio_strerror, cfio_message
  public :: cfio_create, cfio_open, cfio_redef, cfio_enddef, cfio_close
  public :: cfio_def_dim, cfio_def_var, cfio_inq_varid, cfio_inq_dimid, cfio_inq_dimlen
  public :: cfio_put_att, cfio_put_att_str, cfio_put_att_int, cfio_put_att_real, cfio_put_att_double
  public :: cfio_put_vara, cfio_put_vara_real, cfio_put_vara_double, cfio_put_vara_int
  public :: cfio_get_vara, cfio_get_vara_real, cfio_get_vara_double, cfio_get_vara_int

  interface
    ! Collective over MPI_COMM_WORLD. N ranks have N / ratio servers, which stay in here until the
    ! clients have finalized; lat_proc x lon_proc must be the number of the others.
    integer(c_int) function cfio_init(lat_proc, lon_proc, ratio) bind(C)
      import
      integer(c_int), value :: lat_proc, lon_proc, ratio
    end function cfio_init

    ! Local. CFIO_TYPE_...
    integer(c_int) function cfio_proc_type() bind(C)
      import
    end function cfio_proc_type

    ! Local, on clients: their communicator (of mpi_f08: comm%mpi_val).
    integer(c_int) function cfio_client_comm(comm) bind(C, name='cfio_client_comm_fortran')
      import
      integer(c_int), intent(out) :: comm
    end function cfio_client_comm

    ! Collective. The end of an I/O phase; the paper has both names.
    integer(c_int) function cfio_io_end() bind(C)
      import
    end function cfio_io_end
    integer(c_int) function cfio_end_io() bind(C)
      import
    end function cfio_end_io

    ! Collective, and on servers: returns when everything is written. Before MPI_Finalize.
    integer(c_int) function cfio_finalize() bind(C)
      import
    end function cfio_finalize
    integer(c_int) function cfio_final() bind(C)
      import
    end function cfio_final

    ! Collective. Back to define mode; its end; the end of the file.
    integer(c_int) function cfio_redef(ncid) bind(C)
      import
      integer(c_int), value :: ncid
    end function cfio_redef
    integer(c_int) function cfio_enddef(ncid) bind(C)
      import
      integer(c_int), value :: ncid
    end function cfio_enddef
    integer(c_int) function cfio_close(ncid) bind(C)
      import
      integer(c_int), value :: ncid
    end function cfio_close
  end interface

  ! Local. With 8 arguments as in the library of the paper's authors, which also takes this
  ! process's part of the variable: it is not used.
  interface cfio_def_var
    procedure cfio_def_var, cfio_def_var_part
  end interface cfio_def_var

  ! Local. `values`: text, a number, or a vector of numbers.
  interface cfio_put_att
    procedure cfio_put_att_str, cfio_put_att_int, cfio_put_att_real, cfio_put_att_double
  end interface cfio_put_att

  ! Collective. This process's part of a variable. `ndims`: as many as the variable has, with the
  ! record dimension, which is the last; a count of 0: nothing. `values`: an array of any rank; by
  ! the generic name, of rank 1.
  interface cfio_put_vara
    procedure cfio_put_vara_real, cfio_put_vara_double, cfio_put_vara_int
  end interface cfio_put_vara
  interface cfio_get_vara
    procedure cfio_get_vara_real, cfio_get_vara_double, cfio_get_vara_int
  end interface cfio_get_vara

  ! The functions of cfio.h that are called from here.
  interface
    integer(c_int) function c_create(path, cmode, ncid) bind(C, name='cfio_create')
      import
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int), value :: cmode
      integer(c_int), intent(inout) :: ncid
    end function c_create
    integer(c_int) function c_open(path, mode, ncid) bind(C, name='cfio_open')
      import
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int), value :: mode
      integer(c_int), intent(inout) :: ncid
    end function c_open
    integer(c_int) function c_def_dim(ncid, name, length, dimid) bind(C, name='cfio_def_dim')
      import
      integer(c_int), value :: ncid
      character(kind=c_char), intent(in) :: name(*)
      integer(c_size_t), value :: length
      integer(c_int), intent(inout) :: dimid
    end function c_def_dim
    integer(c_int) function c_def_var(ncid, name, xtype, ndims, dimids, varid) &
      bind(C, name='cfio_def_var')
      import
      integer(c_int), value :: ncid, xtype, ndims
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int), intent(in) :: dimids(*)
      integer(c_int), intent(inout) :: varid
    end function c_def_var
    integer(c_int) function c_put_att(ncid, varid, name, xtype, length, values) &
      bind(C, name='cfio_put_att')
      import
      integer(c_int), value :: ncid, varid, xtype
      character(kind=c_char), intent(in) :: name(*)
      integer(c_size_t), value :: length
      type(c_ptr), value :: values
    end function c_put_att
    integer(c_int) function c_inq_varid(ncid, name, varid) bind(C, name='cfio_inq_varid')
      import
      integer(c_int), value :: ncid
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int), intent(inout) :: varid
    end function c_inq_varid
    integer(c_int) function c_inq_dimid(ncid, name, dimid) bind(C, name='cfio_inq_dimid')
      import
      integer(c_int), value :: ncid
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int), intent(inout) :: dimid
    end function c_inq_dimid
    integer(c_int) function c_inq_dimlen(ncid, dimid, length) bind(C, name='cfio_inq_dimlen')
      import
      integer(c_int), value :: ncid, dimid
      integer(c_size_t), intent(inout) :: length
    end function c_inq_dimlen
  end interface

  abstract interface
    integer(c_int) function c_put(ncid, varid, ndims, start, count, values) bind(C)
      import
      integer(c_int), value :: ncid, varid, ndims
      integer(c_size_t), intent(in) :: start(*), count(*)
      type(*), intent(in) :: values(*)
    end function c_put
    integer(c_int) function c_get(ncid, varid, ndims, start, count, values) bind(C)
      import
      integer(c_int), value :: ncid, varid, ndims
      integer(c_size_t), intent(in) :: start(*), count(*)
      type(*), intent(inout) :: values(*)
    end function c_get
  end interface
  procedure(c_put), bind(C, name='cfio_put_vara_float') :: c_put_float
  procedure(c_put), bind(C, name='cfio_put_vara_double') :: c_put_double
  procedure(c_put), bind(C, name='cfio_put_vara_int') :: c_put_int
  procedure(c_get), bind(C, name='cfio_get_vara_float') :: c_get_float
  procedure(c_get), bind(C, name='cfio_get_vara_double') :: c_get_double
  procedure(c_get), bind(C, name='cfio_get_vara_int') :: c_get_int

contains

  ! Collective. A new file, in define mode.
  integer(c_int) function cfio_create(path, cmode, ncid)
    character(*), intent(in) :: path
    integer(c_int), intent(in) :: cmode
    integer(c_int), intent(inout) :: ncid
    cfio_create = c_create(trim(path)//c_null_char, cmode, ncid)
  end function cfio_create

  ! Collective. A file that exists.
  integer(c_int) function cfio_open(path, mode, ncid)
    character(*), intent(in) :: path
    integer(c_int), intent(in) :: mode
    integer(c_int), intent(inout) :: ncid
    cfio_open = c_open(trim(path)//c_null_char, mode, ncid)
  end function cfio_open

  integer(c_int) function cfio_def_dim(ncid, name, length, dimid)
    integer(c_int), intent(in) :: ncid, length
    character(*), intent(in) :: name
    integer(c_int), intent(inout) :: dimid
    cfio_def_dim = c_def_dim(ncid, trim(name)//c_null_char, int(length, c_size_t), dimid)
  end function cfio_def_dim

  integer(c_int) function cfio_def_var(ncid, name, xtype, ndims, dimids, varid)
    integer(c_int), intent(in) :: ncid, xtype, ndims, dimids(*)
    character(*), intent(in) :: name
    integer(c_int), intent(inout) :: varid
    cfio_def_var = c_def_var(ncid, trim(name)//c_null_char, xtype, ndims, dimids(ndims:1:-1), varid)
  end function cfio_def_var

  integer(c_int) function cfio_def_var_part(ncid, name, xtype, ndims, dimids, start, count, &
                                             varid)
    integer(c_int), intent(in) :: ncid, xtype, ndims, dimids(*), start(*), count(*)
    character(*), intent(in) :: name
    integer(c_int), intent(inout) :: varid
    associate (unused_start => start(1), unused_count => count(1))
    end associate
    cfio_def_var_part = cfio_def_var(ncid, name, xtype, ndims, dimids, varid)
  end function cfio_def_var_part

  integer(c_int) function cfio_put_att_str(ncid, varid, name, values)
    integer(c_int), intent(in) :: ncid, varid
    character(*), intent(in) :: name
    character(*), intent(in), target :: values
    cfio_put_att_str = c_put_att(ncid, varid, trim(name)//c_null_char, CFIO_CHAR, &
                                 len(values, c_size_t), c_loc(values))
  end function cfio_put_att_str

  integer(c_int) function cfio_put_att_int(ncid, varid, name, values)
    integer(c_int), intent(in) :: ncid, varid
    character(*), intent(in) :: name
    integer(c_int), intent(in), contiguous, target :: values(..)
    cfio_put_att_int = c_put_att(ncid, varid, trim(name)//c_null_char, CFIO_INT, &
                                 size(values, kind=c_size_t), c_loc(values))
  end function cfio_put_att_int

  integer(c_int) function cfio_put_att_real(ncid, varid, name, values)
    integer(c_int), intent(in) :: ncid, varid
    character(*), intent(in) :: name
    real(c_float), intent(in), contiguous, target :: values(..)
    cfio_put_att_real = c_put_att(ncid, varid, trim(name)//c_null_char, CFIO_FLOAT, &
                                  size(values, kind=c_size_t), c_loc(values))
  end function cfio_put_att_real

  integer(c_int) function cfio_put_att_double(ncid, varid, name, values)
    integer(c_int), intent(in) :: ncid, varid
    character(*), intent(in) :: name
    real(c_double), intent(in), contiguous, target :: values(..)
    cfio_put_att_double = c_put_att(ncid, varid, trim(name)//c_null_char, CFIO_DOUBLE, &
                                    size(values, kind=c_size_t), c_loc(values))
  end function cfio_put_att_double

  ! Local.
  integer(c_int) function cfio_inq_varid(ncid, name, varid)
    integer(c_int), intent(in) :: ncid
    character(*), intent(in) :: name
    integer(c_int), intent(inout) :: varid
    cfio_inq_varid = c_inq_varid(ncid, trim(name)//c_null_char, varid)
  end function cfio_inq_varid

  integer(c_int) function cfio_inq_dimid(ncid, name, dimid)
    integer(c_int), intent(in) :: ncid
    character(*), intent(in) :: name
    integer(c_int), intent(inout) :: dimid
    cfio_inq_dimid = c_inq_dimid(ncid, trim(name)//c_null_char, dimid)
  end function cfio_inq_dimid

  integer(c_int) function cfio_inq_dimlen(ncid, dimid, length)
    integer(c_int), intent(in) :: ncid, dimid
    integer(c_int), intent(inout) :: length
    integer(c_size_t) :: cells
    cells = int(length, c_size_t)
    cfio_inq_dimlen = c_inq_dimlen(ncid, dimid, cells)
    length = int(cells, c_int)
  end function cfio_inq_dimlen

  ! As C has it: slowest first; starts (`base` 1) from 0.
  pure function as_in_c(given, ndims, base) result(indices)
    integer(c_int), intent(in) :: given(*), ndims, base
    integer(c_size_t) :: indices(max(ndims, 0))
    indices = int(given(ndims:1:-1), c_size_t) - base
  end function as_in_c

  integer(c_int) function cfio_put_vara_real(ncid, varid, ndims, start, count, values)
    integer(c_int), intent(in) :: ncid, varid, ndims, start(*), count(*)
    real(c_float), intent(in) :: values(*)
    cfio_put_vara_real = c_put_float(ncid, varid, ndims, as_in_c(start, ndims, 1), &
                                     as_in_c(count, ndims, 0), values)
  end function cfio_put_vara_real

  integer(c_int) function cfio_put_vara_double(ncid, varid, ndims, start, count, values)
    integer(c_int), intent(in) :: ncid, varid, ndims, start(*), count(*)
    real(c_double), intent(in) :: values(*)
    cfio_put_vara_double = c_put_double(ncid, varid, ndims, as_in_c(start, ndims, 1), &
                                        as_in_c(count, ndims, 0), values)
  end function cfio_put_vara_double

  integer(c_int) function cfio_put_vara_int(ncid, varid, ndims, start, count, values)
    integer(c_int), intent(in) :: ncid, varid, ndims, start(*), count(*)
    integer(c_int), intent(in) :: values(*)
    cfio_put_vara_int = c_put_int(ncid, varid, ndims, as_in_c(start, ndims, 1), &
                                  as_in_c(count, ndims, 0), values)
  end function cfio_put_vara_int

  integer(c_int) function cfio_get_vara_real(ncid, varid, ndims, start, count, values)
    integer(c_int), intent(in) :: ncid, varid, ndims, start(*), count(*)
    real(c_float), intent(inout) :: values(*)
    cfio_get_vara_real = c_get_float(ncid, varid, ndims, as_in_c(start, ndims, 1), &
                                     as_in_c(count, ndims, 0), values)
  end function cfio_get_vara_real

  integer(c_int) function cfio_get_vara_double(ncid, varid, ndims, start, count, values)
    integer(c_int), intent(in) :: ncid, varid, ndims, start(*), count(*)
    real(c_double), intent(inout) :: values(*)
    cfio_get_vara_double = c_get_double(ncid, varid, ndims, as_in_c(start, ndims, 1), &
                                        as_in_c(count, ndims, 0), values)
  end function cfio_get_vara_double

  integer(c_int) function cfio_get_vara_int(ncid, varid, ndims, start, count, values)
    integer(c_int), intent(in) :: ncid, varid, ndims, start(*), count(*)
    integer(c_int), intent(inout) :: values(*)
    cfio_get_vara_int = c_get_int(ncid, varid, ndims, as_in_c(start, ndims, 1), &
                                  as_in_c(count, ndims, 0), values)
  end function cfio_get_vara_int

  ! Local. A short name of a status code.
  function cfio_strerror(status) result(text)
    integer(c_int), intent(in) :: status
    character(:), allocatable :: text
    interface
      type(c_ptr) function c_strerror(status) bind(C, name='cfio_strerror')
        import
        integer(c_int), value :: status
      end function c_strerror
    end interface
    text = text_of(c_strerror(status))
  end function cfio_strerror

  ! Local. The cause of the last error of this process, with file, variable and remedy.
  function cfio_message() result(text)
    character(:), allocatable :: text
    interface
      type(c_ptr) function c_message() bind(C, name='cfio_message')
        import
      end function c_message
    end interface
    text = text_of(c_message())
  end function cfio_message

  function text_of(c_text) result(text)
    type(c_ptr), intent(in) :: c_text
    character(:), allocatable :: text
    character(kind=c_char), pointer :: letters(:)
    integer :: i
    interface
      integer(c_size_t) function strlen(text) bind(C)
        import
        type(c_ptr), value :: text
      end function strlen
    end interface
    call c_f_pointer(c_text, letters, [strlen(c_text)])
    allocate (character(size(letters)) :: text)
    do i = 1, size(letters)
      text(i:i) = letters(i)
    end do
  end function text_of

end module cfio
