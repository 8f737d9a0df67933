! Points of module sverdrup: unstructured grids. See docs/points.md.
module sverdrup_points
  use, intrinsic :: iso_c_binding, only: c_char, c_double, c_int, c_int32_t, c_int64_t
  use sverdrup_types, only: sv_io_t, sv_decomp_t, sv_file_t
  implicit none
  private
  public :: sv_points, sv_inq_points, sv_order_points, sv_order_points_along_curve, sv_def_order

  ! Collective. This rank owns the cells with these indices, in any order. An index is the array
  ! element number, from 1, in a grid of shape cells; [integer ::] means no cells. In fields, one
  ! dimension of size(indices) replaces the dimensions of the grid. flags: SV_HOLES permits cells
  ! that no rank owns.
  interface sv_points
    subroutine svf_points(io, points, shape, indices, flags, ierr) bind(C)
      import
      type(sv_io_t), intent(in) :: io
      type(sv_decomp_t), intent(inout) :: points
      integer(c_int32_t), intent(in) :: shape(:), indices(:)
      integer(c_int), intent(in), optional :: flags
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_points
    subroutine svf_points_64(io, points, shape, indices, flags, ierr) bind(C, name='svf_points')
      import
      type(sv_io_t), intent(in) :: io
      type(sv_decomp_t), intent(inout) :: points
      integer(c_int64_t), intent(in) :: shape(:), indices(:)
      integer(c_int), intent(in), optional :: flags
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_points_64
  end interface sv_points

  ! Collective. Puts points (of sv_points) in the caller's order: positions(i), from 1, is the place
  ! in the file of the i-th point of this rank.
  interface sv_order_points
    subroutine svf_order_points(points, positions, ordered, ierr) bind(C)
      import
      type(sv_decomp_t), intent(in) :: points
      integer(c_int32_t), intent(in) :: positions(:)
      type(sv_decomp_t), intent(inout) :: ordered
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_order_points
    subroutine svf_order_points_64(points, positions, ordered, ierr) &
      bind(C, name='svf_order_points')
      import
      type(sv_decomp_t), intent(in) :: points
      integer(c_int64_t), intent(in) :: positions(:)
      type(sv_decomp_t), intent(inout) :: ordered
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_order_points_64
  end interface sv_order_points

  interface
    ! Collective. Puts points in the order of a Hilbert curve around the sphere. longitude and
    ! latitude are those of this rank's points, in degrees.
    subroutine sv_order_points_along_curve(points, longitude, latitude, ordered, ierr) &
      bind(C, name='svf_order_points_along_curve')
      import
      type(sv_decomp_t), intent(in) :: points
      real(c_double), intent(in) :: longitude(:), latitude(:)
      type(sv_decomp_t), intent(inout) :: ordered
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_order_points_along_curve

    ! Local, in define mode. The points along the dimension dim stand in the order of ordered. The
    ! call defines the variable name(dim), which holds the index, from 0, of the point at every
    ! place.
    subroutine sv_def_order(file, dim, name, ordered, var, ierr) bind(C, name='svf_def_order')
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), value :: dim
      character(kind=c_char, len=*), intent(in) :: name
      type(sv_decomp_t), intent(in) :: ordered
      integer(c_int), intent(inout) :: var
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_def_order

    ! Local. Returns the number of cells of the grid, the number of points of this rank, the number
    ! of stretches of them that are contiguous both in the file and in its arrays, the seconds that
    ! the slowest rank needed to make points, and the bytes that this rank holds.
    subroutine sv_inq_points(points, cells, owned, runs, seconds, bytes, ierr) &
      bind(C, name='svf_inq_points')
      import
      type(sv_decomp_t), intent(in) :: points
      integer(c_int64_t), intent(out), optional :: cells, owned, runs, bytes
      real(c_double), intent(out), optional :: seconds
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_inq_points
  end interface

end module sverdrup_points
