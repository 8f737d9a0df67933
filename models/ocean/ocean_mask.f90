! Blocks without ocean have no rank: which ones these are, and a layout whose other blocks are as
! many as the ranks.
module ocean_mask
  use mpi_f08
  use ocean_options, only: options_type
  use ocean_grid, only: grid_type, blocks_type, block_of, check_width, halo
  implicit none
  private
  public :: masked_blocks, describe_ranks

contains

  ! Collective. The blocks asked for, or else those with the least work for each rank: px * py at
  ! most twice the number of ranks. `error` is empty, or names the error on every rank.
  subroutine masked_blocks(options, comm, strips, blocks, error)
    type(options_type), intent(in) :: options
    type(MPI_Comm), intent(in) :: comm
    type(grid_type), intent(in) :: strips
    type(blocks_type), intent(out) :: blocks
    character(:), allocatable, intent(out) :: error
    character(40) :: number
    integer :: ranks
    error = ''
    call MPI_Comm_size(comm, ranks)
    if (min(options%px, options%py) > 0) then
      call check_width(options, options%px, options%py, error)
      if (len(error) > 0) return
      blocks = blocks_with_ocean(comm, strips, options%px, options%py)
      write (number, '(i0)') ranks
      if (.not. options%ranks_needed .and. count(blocks%wet) /= ranks) &
        error = describe_ranks(blocks)//', but there are '//trim(number)// &
        ': start as many as it needs, or give another --layout'
      return
    end if
    if (options%ranks_needed) then
      error = '--ranks-needed is about a layout: give --layout=PXxPY'
      return
    end if
    call search(options, comm, strips, blocks)
    write (number, '(i0)') ranks
    if (.not. allocated(blocks%wet)) error = 'no layout leaves '//trim(number)// &
      ' blocks with ocean: ask for one with --layout=PXxPY --mask --ranks-needed'
  end subroutine masked_blocks

  ! As '4 x 4 blocks: needs 13 ranks, saves 3'.
  function describe_ranks(blocks) result(text)
    type(blocks_type), intent(in) :: blocks
    character(:), allocatable :: text
    character(100) :: line
    write (line, '(4(i0,a))') blocks%px, ' x ', blocks%py, ' blocks: needs ', count(blocks%wet), &
      ' ranks, saves ', count(.not. blocks%wet)
    text = trim(line)
  end function describe_ranks

  ! Collective. Leaves blocks%wet unallocated where there is no such layout.
  subroutine search(options, comm, strips, blocks)
    type(options_type), intent(in) :: options
    type(MPI_Comm), intent(in) :: comm
    type(grid_type), intent(in) :: strips
    type(blocks_type), intent(out) :: blocks
    type(blocks_type) :: tried
    integer :: ranks, px, py, work, least
    call MPI_Comm_size(comm, ranks)
    least = huge(least)
    do px = 1, min(strips%nx/halo, 2*ranks)
      if (options%px > 0 .and. px /= options%px) cycle
      do py = (ranks + px - 1)/px, min(strips%ny/halo, 2*ranks/px)
        if (options%py > 0 .and. py /= options%py) cycle
        work = ((strips%nx - 1)/px + 1 + 2*halo)*((strips%ny - 1)/py + 1 + 2*halo)
        if (work >= least) cycle
        tried = blocks_with_ocean(comm, strips, px, py)
        if (count(tried%wet) /= ranks) cycle
        blocks = tried
        least = work
      end do
    end do
  end subroutine search

  ! Collective.
  function blocks_with_ocean(comm, strips, px, py) result(blocks)
    type(MPI_Comm), intent(in) :: comm
    type(grid_type), intent(in) :: strips
    integer, intent(in) :: px, py
    type(blocks_type) :: blocks
    integer :: column(strips%nx), row(strips%ny), i, j
    call set_parts(column, px)
    call set_parts(row, py)
    blocks%px = px
    blocks%py = py
    allocate (blocks%wet(0:px - 1, 0:py - 1), source=.false.)
    do j = 1, strips%nj
      do i = 1, strips%ni
        if (strips%kmt(i, j) > 0) blocks%wet(column(i), row(strips%j0 + j)) = .true.
      end do
    end do
    call MPI_Allreduce(MPI_IN_PLACE, blocks%wet, px*py, MPI_LOGICAL, MPI_LOR, comm)
  end function blocks_with_ocean

  ! The block, from 0, of each cell of an axis.
  pure subroutine set_parts(part, parts)
    integer, intent(out) :: part(:)
    integer, intent(in) :: parts
    integer :: n, before, length
    do n = 0, parts - 1
      call block_of(size(part), parts, n, before, length)
      part(before + 1:before + length) = n
    end do
  end subroutine set_parts

end module ocean_mask
