! A distributed directory of numbered cells or nodes: each rank has one block of the numbers
! (sv_block), and gets other entries from the other ranks. Nothing is gathered anywhere.
! Numbers count from 0.
module points_directory
  use mpi_f08
  use sverdrup, only: sv_block
  use points_options, only: dp
  implicit none
  private
  public :: deliver, look_up, home_of, swap

contains

  ! The rank whose block has `number`, of `length` numbers.
  elemental integer function home_of(length, ranks, number)
    integer, intent(in) :: length, ranks, number
    integer :: each, longer
    each = length/ranks
    longer = mod(length, ranks)*(each + 1)
    if (number < longer) then
      home_of = number/(each + 1)
    else
      home_of = mod(length, ranks) + (number - longer)/max(each, 1)
    end if
  end function home_of

  ! Collective. `home` (ranks) of each of the `numbers` of this rank: `got` are those whose home
  ! this rank is, by the rank that sent them, in its order. `sent`, `received`: how many to and from
  ! each; `order`: positions in `numbers` in the order in which they were sent.
  subroutine swap(comm, home, numbers, sent, received, order, got)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: home(:), numbers(:)
    integer, allocatable, intent(out) :: sent(:), received(:), order(:), got(:)
    integer, allocatable :: next(:)
    integer :: ranks, n
    call MPI_Comm_size(comm, ranks)
    allocate (sent(0:ranks - 1), received(0:ranks - 1), source=0)
    do n = 1, size(home)
      sent(home(n)) = sent(home(n)) + 1
    end do
    call MPI_Alltoall(sent, 1, MPI_INTEGER, received, 1, MPI_INTEGER, comm)
    next = starts(sent)
    allocate (order(size(home)), got(sum(received)))
    do n = 1, size(home)
      next(home(n) + 1) = next(home(n) + 1) + 1
      order(next(home(n) + 1)) = n
    end do
    call MPI_Alltoallv(numbers(order), sent, starts(sent), MPI_INTEGER, got, received, &
      starts(received), MPI_INTEGER, comm)
  end subroutine swap

  ! Collective. The numbers that this rank owns, ascending; `owner` contains the owners of the
  ! block of numbers from `first`.
  subroutine deliver(comm, first, owner, mine)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: first, owner(:)
    integer, allocatable, intent(out) :: mine(:)
    integer, allocatable :: sent(:), received(:), order(:)
    integer :: n
    call swap(comm, owner, [(first + n - 1, n=1, size(owner))], sent, received, order, mine)
  end subroutine deliver

  ! Collective. found(:, n) is the entry of number wanted(n), of `length` numbers; known(:, n) is
  ! that of the n-th of this rank's block.
  subroutine look_up(comm, length, known, wanted, found)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: length, wanted(:)
    real(dp), intent(in) :: known(:, :)
    real(dp), intent(out) :: found(:, :)
    integer, allocatable :: sent(:), received(:), order(:), asked(:)
    real(dp), allocatable :: answers(:, :), got(:, :)
    type(MPI_Datatype) :: item
    integer :: rank, ranks, first, count, n
    call MPI_Comm_rank(comm, rank)
    call MPI_Comm_size(comm, ranks)
    call sv_block(length, ranks, rank, first, count)
    call swap(comm, home_of(length, ranks, wanted), wanted, sent, received, order, asked)
    allocate (answers(size(known, 1), size(asked)), got(size(known, 1), size(wanted)))
    do n = 1, size(asked)
      answers(:, n) = known(:, asked(n) - first + 2)
    end do
    call MPI_Type_contiguous(size(known, 1), MPI_DOUBLE_PRECISION, item)
    call MPI_Type_commit(item)
    call MPI_Alltoallv(answers, received, starts(received), item, got, sent, starts(sent), &
      item, comm)
    call MPI_Type_free(item)
    found(:, order) = got
  end subroutine look_up

  ! How many stand before each.
  pure function starts(counts)
    integer, intent(in) :: counts(:)
    integer :: starts(size(counts))
    integer :: n
    starts(1) = 0
    do n = 2, size(counts)
      starts(n) = starts(n - 1) + counts(n - 1)
    end do
  end function starts

end module points_directory
