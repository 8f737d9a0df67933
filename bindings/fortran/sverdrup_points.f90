! The order of points, and their cost, of module sverdrup. See docs/points.md.
module sverdrup_points
  use, intrinsic :: iso_c_binding, only: c_char, c_double, c_int, c_int64_t
  use sverdrup_types, only: sv_decomp_t, sv_file_t
  implicit none
  private
  public :: sv_inq_points, sv_order_points_along_curve, sv_def_order

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
