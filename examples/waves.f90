! Waves on a sphere, on cells without rows and columns: the linear shallow water equations on a cube that is blown up to a sphere,
! by finite volumes, each rank with the cells of a slab across the six faces. examples/waves.py writes the same file, bit for bit.
program waves
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use mpi_f08
  use sverdrup
  implicit none
  integer, parameter :: n = 24, cells = 6*n*n, steps = 120, every = 12, dp = real64
  real(dp), parameter :: radius = 6.4e6_dp, dt = 400, g = 10, depth = 4000
  type(sv_context_t) :: io
  type(sv_decomp_t) :: own
  type(sv_file_t) :: file
  type(MPI_Comm) :: comm
  integer :: ranks, rank, cell, time, id(3), vh, ve, local(cells), at(3), c, side, step, k
  integer, allocatable :: mine(:), beside(:, :)
  type partner
    integer, allocatable :: sent(:), received(:)
  end type partner
  type(partner), allocatable :: partners(:)
  real(dp) :: corner(3, 4), long(4), flow(4), there(3)
  real(dp), allocatable :: h(:), u(:, :), centre(:, :), distance(:, :), width(:, :), area(:), energy(:)
  character(*), parameter :: axes(3) = ['x', 'y', 'z']

  call MPI_Init()
  call sv_init(io, MPI_COMM_WORLD)
  if (sv_is_model(io)) then
    call sv_model_comm(io, comm)
    call MPI_Comm_size(comm, ranks)
    call MPI_Comm_rank(comm, rank)
    call make_mesh()
    call find_partners()
    call sv_def_points(io, own, [int(cells, int64)], int(mine, int64))
    allocate (u(4, size(mine)), energy(size(mine)), source=0.0_dp)
    do c = 1, size(mine)
      there = (centre(:, c) - [0.6_dp, 0.48_dp, 0.64_dp])*(centre(:, c) - [0.6_dp, 0.48_dp, 0.64_dp])
      h(c) = 1/(1 + 20*((there(1) + there(2)) + there(3)))
    end do
    call exchange()

    call sv_create(io, 'waves.nc', file)
    call sv_def_dim(file, 'cell', cells, cell)
    call sv_def_dim(file, 'time', SV_UNLIMITED, time)
    do k = 1, 3
      call sv_def_var(file, axes(k), SV_DOUBLE, [cell], id(k))
    end do
    call sv_def_var(file, 'h', SV_FLOAT, [cell, time], vh)
    call sv_put_att(file, vh, 'units', 'm')
    call sv_def_var(file, 'energy', SV_FLOAT, [cell, time], ve)
    call sv_put_att(file, ve, 'units', 'm2 s-2')
    call sv_enddef(file)
    do k = 1, 3
      call sv_put(file, id(k), own, centre(k, :))
    end do
    do step = 1, steps
      do c = 1, size(mine)
        u(:, c) = u(:, c) - dt*g*(h(beside(:, c)) - h(c))/distance(:, c)
      end do
      do c = 1, size(mine)
        flow = u(:, c)*width(:, c)
        h(c) = h(c) - dt*depth*((flow(1) + flow(2)) + (flow(3) + flow(4)))/area(c)
        flow = u(:, c)*u(:, c)
        energy(c) = 0.25_dp*((flow(1) + flow(2)) + (flow(3) + flow(4)))
      end do
      call exchange()
      if (modulo(step, every) /= 0) cycle
      call sv_put(file, vh, own, h(:size(mine)), record=step/every)
      call sv_put(file, ve, own, energy, record=step/every)
      call sv_end_step(io)
    end do
    call sv_close(file)
  end if
  call sv_finalize(io)
  call MPI_Finalize()

contains

  ! Where a cell (from 1) is on the cube: three integers from -n to n, one of which is -n or n (the face).
  pure function place(number) result(at)
    integer, intent(in) :: number
    integer :: at(3), face, axis
    face = (number - 1)/(n*n)
    axis = face/2
    at(axis + 1) = (2*modulo(face, 2) - 1)*n
    at(modulo(axis + 1, 3) + 1) = 2*modulo(number - 1, n) + 1 - n
    at(modulo(axis + 2, 3) + 1) = 2*modulo((number - 1)/n, n) + 1 - n
  end function place

  ! The inverse of place.
  pure integer function number_of(at)
    integer, intent(in) :: at(3)
    integer :: axis
    axis = maxloc(abs(at), 1) - 1
    number_of = ((2*axis + merge(1, 0, at(axis + 1) > 0))*n + (at(modulo(axis + 2, 3) + 1) + n - 1)/2)*n + &
      (at(modulo(axis + 1, 3) + 1) + n - 1)/2 + 1
  end function number_of

  ! The place beyond an edge: 1, 2 in the first direction on the face, 3, 4 in the second.
  pure function beyond(at, side) result(to)
    integer, intent(in) :: at(3), side
    integer :: to(3), axis, across
    axis = maxloc(abs(at), 1)
    across = modulo(axis + (side - 1)/2, 3) + 1
    to = at
    to(across) = to(across) + 4*modulo(side - 1, 2) - 2
    if (abs(to(across)) <= n) return
    to(across) = sign(n, to(across))
    to(axis) = sign(n - 1, at(axis))
  end function beyond

  pure integer function owner(number)
    integer, intent(in) :: number
    integer :: at(3)
    at = place(number)
    owner = (at(1) + n)*ranks/(2*n + 1)
  end function owner

  pure function on_sphere(at) result(p)
    integer, intent(in) :: at(3)
    real(dp) :: p(3)
    p = at/real(n, dp)
    p = p/sqrt((p(1)*p(1) + p(2)*p(2)) + p(3)*p(3))
  end function on_sphere

  pure real(dp) function apart(a, b)
    real(dp), intent(in) :: a(3), b(3)
    real(dp) :: d(3)
    d = a - b
    apart = radius*sqrt((d(1)*d(1) + d(2)*d(2)) + d(3)*d(3))
  end function apart

  ! Arrays contain the cells of this rank, then the neighbouring cells of other ranks: `local` finds both.
  subroutine make_mesh()
    integer :: other(4), held, first, second
    mine = pack([(c, c=1, cells)], [(owner(c) == rank, c=1, cells)])
    allocate (beside(4, size(mine)), distance(4, size(mine)), width(4, size(mine)), centre(3, size(mine)), area(size(mine)))
    local = 0
    local(mine) = [(c, c=1, size(mine))]
    held = size(mine)
    do c = 1, size(mine)
      at = place(mine(c))
      centre(:, c) = on_sphere(at)
      other = [(number_of(beyond(at, side)), side=1, 4)]
      do side = 1, 4
        distance(side, c) = apart(centre(:, c), on_sphere(beyond(at, side)))
        if (local(other(side)) == 0) then
          held = held + 1
          local(other(side)) = held
        end if
        beside(side, c) = local(other(side))
      end do
      first = modulo(maxloc(abs(at), 1), 3) + 1
      second = modulo(first, 3) + 1
      do side = 1, 4
        at = place(mine(c))
        at(first) = at(first) + merge(1, -1, side == 2 .or. side == 3)
        at(second) = at(second) + merge(1, -1, side > 2)
        corner(:, side) = on_sphere(at)
      end do
      long = [(apart(corner(:, side), corner(:, modulo(side, 4) + 1)), side=1, 4)] ! south, east, north, west
      width(:, c) = [long(4), long(2), long(1), long(3)]
      area(c) = 0.25_dp*(long(1) + long(3))*(long(2) + long(4))
    end do
    allocate (h(held), source=0.0_dp)
  end subroutine make_mesh

  ! The cells that ranks exchange: both sides have the same cells in the order of their numbers.
  subroutine find_partners()
    integer :: owners(cells), r
    logical :: asked(cells)
    owners = [(owner(c), c=1, cells)]
    allocate (partners(0:ranks - 1))
    do r = 0, ranks - 1
      asked = .false.
      if (r /= rank) then
        do c = 1, size(mine)
          at = place(mine(c))
          asked(mine(c)) = any([(owners(number_of(beyond(at, side))) == r, side=1, 4)])
        end do
      end if
      partners(r)%sent = pack(local, asked)
      partners(r)%received = pack(local, local > size(mine) .and. owners == r)
    end do
  end subroutine find_partners

  subroutine exchange()
    real(dp), allocatable :: sent(:), received(:)
    integer :: r
    do r = 0, ranks - 1
      if (size(partners(r)%sent) == 0) cycle
      sent = h(partners(r)%sent)
      received = h(partners(r)%received)
      call MPI_Sendrecv(sent, size(sent), MPI_DOUBLE_PRECISION, r, 0, received, size(received), MPI_DOUBLE_PRECISION, r, 0, &
        comm, MPI_STATUS_IGNORE)
      h(partners(r)%received) = received
    end do
  end subroutine exchange
end program waves
