! Decompositions through the Fortran module: uneven halos, blocks that wrap around, ranks that own
! nothing, holes, and a grid whose shape stands in several places of a variable. `periodic` is logical, of any kind.
! run: ranks=1 limit=60
! run: ranks=2 limit=60
! run: ranks=7 limit=60
program fortran_layouts
  use checking, only: check
  use mpi
  use sverdrup
  implicit none
  integer, parameter :: n = 5, hole = -1
  type(sv_context_t) :: io
  type(sv_decomp_t) :: uneven, wrapped, sparse
  type(sv_file_t) :: file
  integer :: rank, ranks, js, nj, id(3), error

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  call sv_block(n, ranks, rank, js, nj)   ! with 7 ranks, two own nothing
  call sv_init(io, MPI_COMM_WORLD)
  ! halo: (low, high) of x, then of y.
  call sv_def_decomp(io, uneven, [n, n], [1, js], [n, nj], halo=reshape([1, 2, 0, 3], [2, 2]))
  ! Blocks begin two cells later than they would; the last one wraps around.
  call sv_def_decomp(io, wrapped, [n, n], [1 + modulo(js + 1, n), 1], [nj, n], &
                 periodic=[.true., .false.])
  call check_kinds()
  ! Rank 0 owns one cell; the others have no owner.
  call sv_def_decomp(io, sparse, [n], [2], [merge(1, 0, rank == 0)], flags=SV_MASKED)
  call write_file()
  call read_file()
  call sv_finalize(io)
  call MPI_Finalize(error)

contains

  ! The interface takes anything for `periodic`: C must recognise logicals.
  subroutine check_kinds()
    type(sv_decomp_t) :: grid
    call decompose(1, 'logical(1)')
    call decompose(2, 'logical(2)')
    call decompose(4, 'logical(4)')
    call decompose(8, 'logical(8)')
    call sv_def_decomp(io, grid, [n], [1], [merge(n, 0, rank == 0)], periodic=[1], ierr=error)
    call check(error == SV_EINVAL, 'integers are not logical')
    call check(index(sv_message(), "'periodic' is not logical") > 0, 'the message on integers')
    call sv_def_decomp(io, grid, [n], [1], [merge(n, 0, rank == 0)], periodic=[(1.0, 0.0)], ierr=error)
    call check(error == SV_EINVAL, 'complex numbers are not logical')
    call sv_def_decomp(io, grid, [n], [1], [merge(n, 0, rank == 0)], periodic=[1.0], ierr=error)
    call check(error == SV_EINVAL, 'real numbers are not logical')
  end subroutine check_kinds

  subroutine decompose(bytes, what)
    integer, intent(in) :: bytes
    character(*), intent(in) :: what
    type(sv_decomp_t) :: grid
    integer :: own
    own = merge(n, 0, rank == 0)
    select case (bytes)
    case (1)
      call sv_def_decomp(io, grid, [n], [1], [own], periodic=[.true._1], ierr=error)
    case (2)
      call sv_def_decomp(io, grid, [n], [1], [own], periodic=[.true._2], ierr=error)
    case (4)
      call sv_def_decomp(io, grid, [n], [1], [own], periodic=[.true._4], ierr=error)
    case (8)
      call sv_def_decomp(io, grid, [n], [1], [own], periodic=[.true._8], ierr=error)
    end select
    call check(error == SV_OK, what // ' is logical')
  end subroutine decompose

  pure integer function cell(i, j, k)
    integer, intent(in) :: i, j, k
    cell = i + 10*(j + 10*k)
  end function cell

  subroutine write_file()
    integer :: block(0:n + 2, js:js + nj + 2, n), shifted(nj, n), line(merge(1, 0, rank == 0))
    integer :: dim, i, j, k
    call sv_create(io, 'layouts.nc', file)
    call sv_def_dim(file, 'n', n, dim)
    call sv_def_var(file, 'uneven', SV_INT, [dim, dim, dim], id(1))
    call sv_def_var_decomp_dim(file, id(1), uneven, 1)   ! x and y, not y and z
    call sv_def_var(file, 'wrapped', SV_INT, [dim, dim], id(2))
    call sv_def_var(file, 'sparse', SV_INT, [dim], id(3))
    call sv_def_fill(file, id(3), hole)
    call sv_enddef(file)
    block = -9
    do k = 1, n
      do j = js, js + nj - 1
        block(1:n, j, k) = [(cell(i, j, k), i=1, n)]
      end do
    end do
    call sv_put(file, id(1), uneven, block)
    do j = 1, n
      shifted(:, j) = [(cell(1 + modulo(js + i, n), j, 0), i=1, nj)]
    end do
    call sv_put(file, id(2), wrapped, shifted)
    line = 8
    call sv_put(file, id(3), sparse, line)
    call sv_close(file)
  end subroutine write_file

  subroutine read_file()
    integer :: cube(n, n, n), square(n, n), line(n), block(0:n + 2, js:js + nj + 2, n), i, j, k
    call sv_open(io, 'layouts.nc', file)
    call sv_get_var(file, id(1), cube)
    call sv_get_var(file, id(2), square)
    call sv_get_var(file, id(3), line)
    call check(all(line == [hole, 8, hole, hole, hole]), 'holes')
    do j = 1, n
      call check(all(square(:, j) == [(cell(i, j, 0), i=1, n)]), 'blocks that wrap around')
      do k = 1, n
        call check(all(cube(:, j, k) == [(cell(i, j, k), i=1, n)]), 'uneven halos')
      end do
    end do
    call sv_get_vara(file, id(1), [1, js, 1], [n, nj, n], block(1:n, js:js + nj - 1, :))
    call check(all(block(1:n, js:js + nj - 1, :) == cube(:, js:js + nj - 1, :)), 'sub-arrays')
    call sv_close(file)
  end subroutine read_file

end program fortran_layouts
