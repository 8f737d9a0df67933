! Preparation of unstructured ocean grids: include/sverdrup/grid.h in Fortran. See docs/grids.md.
module sverdrup_grid
  use, intrinsic :: iso_c_binding, only: c_char, c_double, c_int, c_int64_t, c_loc, c_null_char, &
    c_null_ptr, c_ptr
  use mpi_f08, only: MPI_Comm
  implicit none
  private
  public :: sv_prepare_grid, sv_grid_request_t, sv_grid_report_t, sv_grid_partition_t

  integer(c_int), parameter, public :: SV_GRID_LONLAT = 1, SV_GRID_CUBED_SPHERE = 2
  integer(c_int), parameter, public :: SV_GRID_FULL_INDEX = 0, SV_GRID_CURVE = 1
  ! Places in the lists of a report.
  integer, parameter, public :: SV_GRID_READ = 1, SV_GRID_MAP = 2, SV_GRID_REMOVE = 3
  integer, parameter, public :: SV_GRID_NUMBER = 4, SV_GRID_GRAPH = 5, SV_GRID_METIS = 6
  integer, parameter, public :: SV_GRID_WRITE = 7, SV_GRID_STEPS = 7

  ! The request for a grid, the same on every rank. Texts that are not allocated are found by attributes
  ! (all but source). mask_depth: m. level_tops: m, increasing; without them every cell weighs 1.
  type :: sv_grid_request_t
    character(:), allocatable :: source, variable, longitude, latitude
    logical :: is_mask = .false.
    real(c_double) :: mask_depth = 0
    integer(c_int) :: kind = 0, order = SV_GRID_FULL_INDEX
    integer(c_int64_t) :: nx = 0, ny = 0
    integer(c_int), allocatable :: ranks(:)
    real(c_double), allocatable :: level_tops(:)
  end type sv_grid_request_t

  type, bind(C) :: sv_grid_partition_t
    integer(c_int) :: ranks = 0
    integer(c_int64_t) :: edge_cut = 0
    real(c_double) :: imbalance = 0, seconds = 0
  end type sv_grid_partition_t

  ! peak_bytes: the most that rank 0 has held up to the end of the step.
  type :: sv_grid_report_t
    integer(c_int64_t) :: full_cells = 0, kept_cells = 0, ocean_cells = 0, nodes = 0
    real(c_double) :: seconds(SV_GRID_STEPS) = 0
    integer(c_int64_t) :: peak_bytes(SV_GRID_STEPS) = 0
    type(sv_grid_partition_t), allocatable :: partitions(:)
  end type sv_grid_report_t

  ! As C has them.
  type, bind(C) :: c_request
    type(c_ptr) :: source = c_null_ptr, variable = c_null_ptr
    type(c_ptr) :: longitude = c_null_ptr, latitude = c_null_ptr
    integer(c_int) :: is_mask = 0
    real(c_double) :: mask_depth = 0
    integer(c_int) :: kind = 0, order = 0
    integer(c_int64_t) :: nx = 0, ny = 0
    integer(c_int) :: n_partitions = 0
    type(c_ptr) :: ranks = c_null_ptr
    integer(c_int) :: n_levels = 0
    type(c_ptr) :: level_tops = c_null_ptr
  end type c_request
  type, bind(C) :: c_report
    integer(c_int64_t) :: full_cells = 0, kept_cells = 0, ocean_cells = 0, nodes = 0
    real(c_double) :: seconds(SV_GRID_STEPS) = 0
    integer(c_int64_t) :: peak_bytes(SV_GRID_STEPS) = 0
    type(c_ptr) :: partitions = c_null_ptr
  end type c_report

  ! Collective over comm: a communicator of mpif.h and "use mpi" (integer) or of mpi_f08. Rank 0
  ! reads and computes; all write. The file appears under path when it is complete.
  interface sv_prepare_grid
    procedure prepare_grid, prepare_grid_f08
  end interface sv_prepare_grid

  interface
    integer(c_int) function sv_prepare_grid_fortran(comm, request, path, report) bind(C)
      import
      integer(c_int), value :: comm
      type(c_request), intent(in) :: request
      character(kind=c_char), intent(in) :: path(*)
      type(c_report), intent(inout) :: report
    end function sv_prepare_grid_fortran
    include 'svf_end.inc'
  end interface

contains

  subroutine prepare_grid(comm, request, path, report, ierr)
    integer(c_int), intent(in) :: comm
    type(sv_grid_request_t), intent(in) :: request
    character(*), intent(in) :: path
    type(sv_grid_report_t), intent(out), optional :: report
    integer(c_int), intent(out), optional :: ierr
    character(kind=c_char), allocatable, target :: source(:), variable(:), longitude(:), latitude(:)
    integer(c_int), allocatable, target :: ranks(:)
    real(c_double), allocatable, target :: level_tops(:)
    type(sv_grid_partition_t), allocatable, target :: partitions(:)
    type(c_request) :: given
    type(c_report) :: found
    integer(c_int) :: status

    call pass_text(request%source, source, given%source)
    call pass_text(request%variable, variable, given%variable)
    call pass_text(request%longitude, longitude, given%longitude)
    call pass_text(request%latitude, latitude, given%latitude)
    given%is_mask = merge(1, 0, request%is_mask)
    given%mask_depth = request%mask_depth
    given%kind = request%kind
    given%order = request%order
    given%nx = request%nx
    given%ny = request%ny
    allocate (ranks(0), level_tops(0))
    if (allocated(request%ranks)) ranks = request%ranks
    if (allocated(request%level_tops)) level_tops = request%level_tops
    allocate (partitions(size(ranks)))
    given%n_partitions = size(ranks)
    given%n_levels = size(level_tops)
    if (size(ranks) > 0) given%ranks = c_loc(ranks)
    if (size(level_tops) > 0) given%level_tops = c_loc(level_tops)
    if (size(ranks) > 0) found%partitions = c_loc(partitions)
    status = sv_prepare_grid_fortran(comm, given, trim(path)//c_null_char, found)
    if (present(report)) report = sv_grid_report_t(found%full_cells, found%kept_cells, &
      found%ocean_cells, found%nodes, found%seconds, found%peak_bytes, partitions)
    call svf_end(status, comm, ierr)
  end subroutine prepare_grid

  subroutine prepare_grid_f08(comm, request, path, report, ierr)
    type(MPI_Comm), intent(in) :: comm
    type(sv_grid_request_t), intent(in) :: request
    character(*), intent(in) :: path
    type(sv_grid_report_t), intent(out), optional :: report
    integer(c_int), intent(out), optional :: ierr
    call prepare_grid(comm%mpi_val, request, path, report, ierr)
  end subroutine prepare_grid_f08

  include 'pass_text.inc'

end module sverdrup_grid
