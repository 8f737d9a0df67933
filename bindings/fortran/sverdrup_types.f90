! Handles, codes and flags of module sverdrup. The numbers are those of include/sverdrup/sverdrup.h.
module sverdrup_types
  use, intrinsic :: iso_c_binding, only: c_int, c_int64_t, c_ptr, c_null_ptr
  implicit none
  private :: c_int, c_int64_t, c_ptr, c_null_ptr

  ! Status codes.
  integer(c_int), parameter :: SV_OK = 0, SV_EINVAL = 1, SV_ECONFIG = 2, SV_EORDER = 3
  integer(c_int), parameter :: SV_EDEFINE = 4, SV_ELAYOUT = 5, SV_ETYPE = 6, SV_ERANGE = 7
  integer(c_int), parameter :: SV_ENOTFOUND = 8
  integer(c_int), parameter :: SV_EEXISTS = 9, SV_EACCESS = 10, SV_ENOSPACE = 11, SV_EIO = 12
  integer(c_int), parameter :: SV_EFORMAT = 13, SV_ELIMIT = 14, SV_ENOMEM = 15, SV_ETIMEOUT = 16
  integer(c_int), parameter :: SV_EMPI = 17, SV_ECOMPILED = 18, SV_EINTERNAL = 19
  integer(c_int), parameter :: SV_ERANKS = 20, SV_EINUSE = 21, SV_ENOTSUP = 22, SV_EDEVICE = 23

  ! Types of variables in files. In memory, the kind of an array gives the type.
  integer(c_int), parameter :: SV_BYTE = 1, SV_CHAR = 2, SV_SHORT = 3, SV_INT = 4, SV_FLOAT = 5
  integer(c_int), parameter :: SV_DOUBLE = 6, SV_UBYTE = 7, SV_USHORT = 8, SV_UINT = 9
  integer(c_int), parameter :: SV_INT64 = 10, SV_UINT64 = 11

  integer(c_int), parameter :: SV_UNLIMITED = 0  ! the length of an unlimited dimension
  integer(c_int), parameter :: SV_GLOBAL = -1    ! the variable of the file's own attributes
  integer(c_int), parameter :: SV_MAX_NAME = 257
  integer(c_int), parameter :: SV_MAX_DIMS = 1024, SV_MAX_GRID_DIMS = 16
  integer(c_int), parameter :: SV_NO_RECORD = 0  ! as if record were absent; records count from 1

  ! Flags of sv_create, sv_open and sv_def_decomp. Several flags are added.
  integer(c_int), parameter :: SV_CLOBBER = 0, SV_NOCLOBBER = 4, SV_64BIT_OFFSET = 512
  integer(c_int), parameter :: SV_64BIT_DATA = 32, SV_CLASSIC = 256, SV_NETCDF4 = 4096, SV_PUBLISHED = 65536
  integer(c_int), parameter :: SV_GROWING = 131072, SV_SERIES = 262144, SV_LITERAL = 524288
  integer(c_int), parameter :: SV_ZARR = 1048576
  integer(c_int), parameter :: SV_NOWRITE = 0, SV_WRITE = 1, SV_MASKED = 1

  integer(c_int), parameter, private :: no_comm = -1

  ! Handles. A copy of a handle refers to the same object. comm is the communicator given to
  ! sv_init.
  type, bind(C) :: sv_context_t
    private
    type(c_ptr) :: handle = c_null_ptr
    integer(c_int) :: comm = no_comm
  end type sv_context_t

  ! shape: the shape of the grid. extent: the shape of this rank's arrays, halo included (one
  ! dimension for points). Both are in cells, slowest first.
  type, bind(C) :: sv_decomp_t
    private
    type(c_ptr) :: handle = c_null_ptr, context = c_null_ptr
    integer(c_int) :: comm = no_comm, ndims = 0, own_ndims = 0, empty = 0
    integer(c_int64_t) :: shape(SV_MAX_GRID_DIMS) = 0, extent(SV_MAX_GRID_DIMS) = 0
  end type sv_decomp_t

  type, bind(C) :: sv_file_t
    private
    type(c_ptr) :: handle = c_null_ptr, context = c_null_ptr
    integer(c_int) :: comm = no_comm
  end type sv_file_t

  ! A put or get that waits. It is valid once, with its file.
  type, bind(C) :: sv_request_t
    private
    integer(c_int64_t) :: number = -1
  end type sv_request_t

  type(sv_request_t), parameter :: SV_NO_REQUEST = sv_request_t(-1)

  ! The address of an array, made by sv_values. The array must stay at this address. Extents and
  ! strides are in the order of C.
  type, bind(C) :: sv_values_t
    private
    integer(c_int) :: type = 0
    type(c_ptr) :: data = c_null_ptr
    integer(c_int) :: ndims = 0
    integer(c_int64_t) :: extent(16) = 0, stride(16) = 0
    type(c_ptr) :: problem = c_null_ptr
  end type sv_values_t

  interface operator(==)
    module procedure same_request
  end interface operator(==)
  interface operator(/=)
    module procedure other_request
  end interface operator(/=)
  private :: same_request, other_request

contains

  elemental logical function same_request(one, other)
    type(sv_request_t), intent(in) :: one, other
    same_request = one%number == other%number
  end function same_request

  elemental logical function other_request(one, other)
    type(sv_request_t), intent(in) :: one, other
    other_request = one%number /= other%number
  end function other_request

end module sverdrup_types
