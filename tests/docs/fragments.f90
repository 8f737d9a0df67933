! The frame of the Fortran fragments in the documents (blocks.py).
subroutine fragment(io, grid, points, ordered, file, comm, mine, temp, t, s, eta, lon, lat)
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use mpi_f08
  use sverdrup
  use sverdrup_grid
  use sverdrup_streams
  implicit none
  type(sv_context_t) :: io
  type(sv_decomp_t) :: grid, points, ordered
  type(sv_file_t) :: file
  type(MPI_Comm) :: comm
  integer(int64) :: mine(:)
  real :: temp(:, :), t(:, :, :), s(:, :, :), eta(:, :)
  real(real64) :: lon(:), lat(:)
  integer(int64), parameter :: cells = 1000
  integer, parameter :: levels = 10, steps = 5
  integer :: cell, level, time, temp_id, order_id, sst, sss, ssh, n
! DECLARATIONS
! HERE
end subroutine fragment
