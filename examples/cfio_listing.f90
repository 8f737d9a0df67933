! Listing 1 of Huang et al. 2013 as a whole program: 2 x 2 clients, and a server for every
! three processes. Start 6.
program cfio_listing
  use mpi
  use cfio
  implicit none
  integer, parameter :: LAT_PROC = 2, LON_PROC = 2, ratio = 3
  integer, parameter :: lat = 18, lon = 36
  character(*), parameter :: filename = 'listing.nc'
  integer :: ierr, ncid, rank, i, j, sst_id
  integer :: dim(2), start(2), count(2)
  real, allocatable :: sst(:, :)

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)

  ! Initialize
  ierr = cfio_init(LAT_PROC, LON_PROC, ratio)
  call check(ierr)

  ! computing and outputing
  IF (cfio_proc_type() == CFIO_TYPE_CLIENT) THEN
    ! Computing phase: clients are the first ranks, latitude is the first dimension
    count = [lat/LAT_PROC, lon/LON_PROC]
    start = [mod(rank, LAT_PROC), rank/LAT_PROC]*count + 1
    allocate (sst(count(1), count(2)))
    do j = 1, count(2)
      do i = 1, count(1)
        sst(i, j) = 100*(start(1) + i - 1) + start(2) + j - 1
      end do
    end do
    ! I/O phase: output data
    ierr = cfio_create(filename, 0, ncid)
    ierr = cfio_def_dim(ncid, "lat", lat, dim(1))
    ierr = cfio_def_dim(ncid, "lon", lon, dim(2))
    ierr = cfio_def_var(ncid, "sst", NF_FLOAT, 2, dim, sst_id)   ! the paper: 0
    ierr = cfio_enddef(ncid)
    ierr = cfio_put_vara_real(ncid, 0, 2, start, count, sst)
    ierr = cfio_close(ncid)
    ierr = cfio_end_io()
    call check(ierr)
  END IF

  ! Finalize
  ierr = cfio_finalize()
  call check(ierr)
  call MPI_Finalize(ierr)

contains

  subroutine check(status)
    integer, intent(in) :: status
    if (status == 0) return
    print '(3a)', cfio_strerror(status), ': ', cfio_message()
    error stop
  end subroutine check

end program cfio_listing
