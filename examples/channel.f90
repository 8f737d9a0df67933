! Waves in a channel: shallow water on a beta plane, periodic in x, walls in y. C grid, forward-backward in time (Mesinger
! and Arakawa 1976, "Numerical methods used in atmospheric models"). examples/channel.py writes the same file, bit for bit.
program channel
  use, intrinsic :: iso_fortran_env, only: real64
  use mpi_f08
  use sverdrup
  implicit none
  integer, parameter :: nx = 96, ny = 64, steps = 120, every = 12, dp = real64
  real(dp), parameter :: dx = 2.0e4_dp, dt = 120, g = 10, depth = 400, f0 = 1.0e-4_dp, beta = 2.0e-11_dp
  type(sv_context_t) :: io
  type(sv_decomp_t) :: grid
  type(sv_file_t) :: file
  type(MPI_Comm) :: comm, cart
  integer :: ranks, rank, p(2), at(2), is, ni, js, nj, x, y, time, vh, vu, vv, i, j, n
  real(dp), allocatable, save :: h(:, :), u(:, :), v(:, :)

  call MPI_Init()
  call sv_init(io, MPI_COMM_WORLD)
  if (sv_is_model(io)) then
    call sv_model_comm(io, comm)
    call MPI_Comm_size(comm, ranks)
    p = 0
    call MPI_Dims_create(ranks, 2, p)
    call MPI_Cart_create(comm, 2, p, [.false., .true.], .false., cart) ! y, x
    call MPI_Comm_rank(cart, rank)
    call MPI_Cart_coords(cart, rank, 2, at)
    call sv_block(ny, p(1), at(1), js, nj)
    call sv_block(nx, p(2), at(2), is, ni)
    call sv_def_decomp(io, grid, [nx, ny], start=[is, js], count=[ni, nj], halo=[1, 1])
    allocate (h(is - 1:is + ni, js - 1:js + nj), u(is - 1:is + ni, js - 1:js + nj), &
      v(is - 1:is + ni, js - 1:js + nj), source=0.0_dp)
    do j = js, js + nj - 1
      do i = is, is + ni - 1
        h(i, j) = 1/(1 + ((i - 31.0_dp)**2 + (j - 25.0_dp)**2)/16) ! a hump of a metre
      end do
    end do
    call exchange(h)

    call sv_create(io, 'channel.nc', file)
    call sv_def_dim(file, 'x', nx, x)
    call sv_def_dim(file, 'y', ny, y)
    call sv_def_dim(file, 'time', SV_UNLIMITED, time)
    call sv_def_var(file, 'h', SV_FLOAT, [x, y, time], vh)
    call sv_put_att(file, vh, 'units', 'm')
    call sv_def_var(file, 'u', SV_FLOAT, [x, y, time], vu)
    call sv_put_att(file, vu, 'units', 'm s-1')
    call sv_def_var(file, 'v', SV_FLOAT, [x, y, time], vv)
    call sv_put_att(file, vv, 'units', 'm s-1')
    call sv_enddef(file)
    do n = 1, steps
      call advance()
      if (modulo(n, every) /= 0) cycle
      call sv_put(file, vh, grid, h, record=n/every)
      call sv_put(file, vu, grid, u, record=n/every)
      call sv_put(file, vv, grid, v, record=n/every)
      call sv_end_step(io)
    end do
    call sv_close(file)
    call MPI_Comm_free(cart)
  end if
  call sv_finalize(io)
  call MPI_Finalize()

contains

  subroutine advance()
    real(dp) :: mean
    integer :: last
    last = js + nj - 1
    do j = js, last
      do i = is, is + ni - 1
        h(i, j) = h(i, j) - dt*depth*((u(i, j) - u(i - 1, j)) + (v(i, j) - v(i, j - 1)))/dx
      end do
    end do
    call exchange(h)
    do j = js, last
      do i = is, is + ni - 1
        mean = 0.25_dp*(((v(i, j) + v(i + 1, j)) + v(i, j - 1)) + v(i + 1, j - 1))
        u(i, j) = u(i, j) + dt*((f0 + beta*dx*(j - 1))*mean - g*(h(i + 1, j) - h(i, j))/dx)
      end do
    end do
    call exchange(u)
    do j = js, last
      do i = is, is + ni - 1
        mean = 0.25_dp*(((u(i, j) + u(i - 1, j)) + u(i, j + 1)) + u(i - 1, j + 1))
        v(i, j) = v(i, j) - dt*((f0 + beta*dx*(j - 0.5_dp))*mean + g*(h(i, j + 1) - h(i, j))/dx)
      end do
    end do
    if (last == ny) v(:, ny) = 0 ! the northern wall
    call exchange(v)
  end subroutine advance

  ! Fills the halo. At a wall it stays 0.
  subroutine exchange(a)
    real(dp), intent(inout) :: a(is - 1:is + ni, js - 1:js + nj)
    real(dp) :: row(is - 1:is + ni), column(js - 1:js + nj)
    integer :: source, target, shift, edge, halo
    do shift = 1, -1, -2
      call MPI_Cart_shift(cart, 0, shift, source, target)
      edge = merge(js + nj - 1, js, shift > 0)
      halo = merge(js - 1, js + nj, shift > 0)
      row = a(:, halo)
      call MPI_Sendrecv(a(:, edge), size(row), MPI_DOUBLE_PRECISION, target, 0, &
        row, size(row), MPI_DOUBLE_PRECISION, source, 0, cart, MPI_STATUS_IGNORE)
      a(:, halo) = row
    end do
    do shift = 1, -1, -2
      call MPI_Cart_shift(cart, 1, shift, source, target)
      edge = merge(is + ni - 1, is, shift > 0)
      halo = merge(is - 1, is + ni, shift > 0)
      column = a(halo, :)
      call MPI_Sendrecv(a(edge, :), size(column), MPI_DOUBLE_PRECISION, target, 0, &
        column, size(column), MPI_DOUBLE_PRECISION, source, 0, cart, MPI_STATUS_IGNORE)
      a(halo, :) = column
    end do
  end subroutine exchange
end program channel
