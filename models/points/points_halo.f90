! The halo: neighbouring cells of other ranks, and their exchange, one message for each
! neighbour rank. Halo cells stand behind the rank's own, by their owners, and are received in
! place.
module points_halo
  use mpi_f08
  use sverdrup, only: sv_context_t, sv_pause_forwarding, sv_resume_forwarding
  use points_options, only: dp
  use points_directory, only: swap
  implicit none
  private
  public :: halo_type, make_halo, exchange, communication_seconds

  type halo_type
    type(sv_context_t) :: io                          ! its forwarding pauses in exchanges
    type(MPI_Comm) :: comm = MPI_COMM_NULL
    integer :: own = 0                           ! cells that are not halo
    integer, allocatable :: peer(:)              ! ranks
    ! of peer p: cells first(p) + 1 .. first(p + 1) of the halo; and of `inner`, which it gets
    integer, allocatable :: first(:), first_sent(:)
    integer, allocatable :: inner(:)
    type(MPI_Request), allocatable :: request(:)
  end type halo_type

  ! Wall clock seconds of this rank in exchanges.
  real(dp), protected :: communication_seconds = 0

contains

  ! Collective. `cell`: numbers of this rank's `own` cells, ascending, and behind them of its halo,
  ! whose owners are `owner`, ascending.
  subroutine make_halo(io, comm, own, cell, owner, halo)
    type(sv_context_t), intent(in) :: io
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: own, cell(:), owner(:)
    type(halo_type), intent(out) :: halo
    integer, allocatable :: wanted(:), given(:), order(:), numbers(:)
    integer :: ranks, n, p
    halo%io = io
    halo%comm = comm
    halo%own = own
    call MPI_Comm_size(comm, ranks)
    call swap(comm, owner, cell(own + 1:), wanted, given, order, numbers)
    halo%peer = pack([(n, n=0, ranks - 1)], wanted > 0 .or. given > 0)
    allocate (halo%first(size(halo%peer) + 1), halo%first_sent(size(halo%peer) + 1), source=0)
    do p = 1, size(halo%peer)
      halo%first(p + 1) = halo%first(p) + wanted(halo%peer(p))
      halo%first_sent(p + 1) = halo%first_sent(p) + given(halo%peer(p))
    end do
    halo%inner = [(place(cell(:own), numbers(n)), n=1, size(numbers))]
    allocate (halo%request(2*size(halo%peer)))
  end subroutine make_halo

  ! Bisection.
  pure integer function place(ascending, number)
    integer, intent(in) :: ascending(:), number
    integer :: last, middle
    place = 1
    last = size(ascending)
    do while (place < last)
      middle = (place + last)/2
      if (ascending(middle) < number) then
        place = middle + 1
      else
        last = middle
      end if
    end do
  end function place

  ! Collective. a(:, own + 1:) become the values of the cells' owners; n: values of a cell.
  subroutine exchange(halo, n, a)
    type(halo_type), intent(inout) :: halo
    integer, intent(in) :: n
    real(dp), intent(inout), contiguous, asynchronous :: a(:, :)
    real(dp), allocatable, asynchronous :: out(:, :)
    type(MPI_Datatype) :: column
    real(dp) :: start
    integer :: p, peers
    start = MPI_Wtime()
    call sv_pause_forwarding(halo%io)
    peers = size(halo%peer)
    call MPI_Type_contiguous(n, MPI_DOUBLE_PRECISION, column)
    call MPI_Type_commit(column)
    do p = 1, peers
      call MPI_Irecv(a(:, halo%own + halo%first(p) + 1:), halo%first(p + 1) - halo%first(p), &
        column, halo%peer(p), 1, halo%comm, halo%request(p))
    end do
    out = a(:, halo%inner)
    do p = 1, peers
      call MPI_Isend(out(:, halo%first_sent(p) + 1:), halo%first_sent(p + 1) - halo%first_sent(p), &
        column, halo%peer(p), 1, halo%comm, halo%request(peers + p))
    end do
    call MPI_Waitall(2*peers, halo%request, MPI_STATUSES_IGNORE)
    call MPI_Type_free(column)
    call sv_resume_forwarding(halo%io)
    communication_seconds = communication_seconds + (MPI_Wtime() - start)
  end subroutine exchange

end module points_halo
