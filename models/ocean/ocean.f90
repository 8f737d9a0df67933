! A global ocean model that writes its output through Sverdrup. See docs/ocean.md.
program ocean
  use, intrinsic :: iso_fortran_env, only: output_unit, error_unit, int64
  use mpi_f08
  use sverdrup
  use model_arguments, only: asks_version, settings
  use ocean_options, only: dp, options_type, parse_options, print_help
  use ocean_grid, only: grid_type, blocks_type, plain_blocks, make_grid, make_strips, halo
  use ocean_mask, only: masked_blocks, describe_ranks
  use ocean_topography, only: read_topography, distribute_topography
  use ocean_state, only: state_type, forcing_type, allocate_state, rho0, day
  use ocean_input, only: read_climatology, read_seasons, read_winds, read_seconds
  use ocean_barotropic, only: barotropic_type, make_barotropic, set_circulation, relax_psi, &
    solve_psi, recall_islands, drake_transport
  use ocean_momentum, only: step_momentum
  use ocean_tracers, only: step_tracers
  use ocean_output, only: output_type, begin_output, send_fields, save_output, close_output
  use ocean_restart, only: write_restart, read_restart
  use ocean_report, only: report_type, describe_grid, progress, finish_report, tell_end
  implicit none
  save   ! which a main program's variables are anyhow: some compilers keep them on the stack otherwise
  type(options_type) :: options
  type(grid_type) :: g
  type(state_type) :: s
  type(forcing_type) :: forcing
  type(barotropic_type) :: b
  type(report_type) :: report
  type(sv_context_t) :: io
  type(sv_decomp_t) :: decomp
  type(output_type) :: out
  ! of the ranks that compute; before sv_init of all
  type(MPI_Comm) :: comm = MPI_COMM_WORLD
  logical :: begun = .false.   ! sv_init has returned
  integer :: provided
  ! of this moment, as in forcing_type
  real(dp), allocatable :: taux(:, :), tauy(:, :), surface(:, :, :)
  real(dp) :: rate

  call MPI_Init_thread(MPI_THREAD_FUNNELED, provided)   ! for async: threads
  call read_options()
  call sv_init(io, MPI_COMM_WORLD, config=trim(options%config), options=settings(options%set))
  begun = .true.
  if (sv_is_model(io)) call compute()   ! the others have served in sv_init
  call sv_finalize(io)
  if (report%begun) call tell_end(g, report)
  call MPI_Finalize()

contains

  subroutine compute()
    call sv_model_comm(io, comm)
    call sv_stop_on_signal(io, SV_SIGUSR1)
    call prepare()
    call run()
    call start_io()
    if (options%restart_out /= ' ') call save_output(options%dt, s, out)
    call close_output(out)
    if (options%restart_out /= ' ') &
      call write_restart(io, decomp, trim(options%restart_out), g, options%dt, s)
    call stop_io()
    call finish_report(g, options, s, report)
  end subroutine compute

  ! A request to stop is heard where a record or a line of progress is due.
  subroutine run()
    integer :: n
    logical :: logs, sent
    do n = 1, options%steps
      call step()
      logs = options%log_every > 0
      if (logs) logs = mod(n, options%log_every) == 0 .or. n == options%steps
      if (logs) call tell_progress()
      call start_io()
      call send_fields(g, options%dt, s, out, sent)
      if (logs .or. sent) call sv_end_step(io)
      call stop_io()
      if (sv_stopping(io)) exit
    end do
    if (sv_stopping(io) .and. g%rank == 0) &
      write (output_unit, '(a,i0)') 'ocean: asked to stop after step ', s%step
  end subroutine run

  subroutine tell_progress()
    logical :: stable
    call progress(g, options%dt, s, drake_transport(b), report, stable)
    if (.not. stable) call stop_all()
  end subroutine tell_progress

  subroutine read_options()
    character(:), allocatable :: error
    integer :: rank
    logical :: version
    call parse_options(options, error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    if (options%help) then
      version = asks_version()
      if (rank == 0 .and. version) print '(2a)', 'ocean ', sv_version()
      if (rank == 0 .and. .not. version) call print_help()
      call MPI_Finalize()
      stop
    end if
    call stop_on(error)
  end subroutine read_options

  ! The same error on every rank: printed once.
  subroutine stop_on(error)
    character(*), intent(in) :: error
    integer :: rank
    if (len(error) == 0) return
    call MPI_Comm_rank(comm, rank)
    if (rank == 0) write (error_unit, '(2a)') 'ocean: ', error
    call stop_all()
  end subroutine stop_on

  ! Files that are open are abandoned, which is an error of its own.
  subroutine stop_all()
    integer :: ignored
    flush (error_unit)  ! the launcher may end this rank as soon as another one has stopped
    if (begun) call sv_finalize(io, ierr=ignored)
    call MPI_Finalize()
    stop 1, quiet=.true.
  end subroutine stop_all

  ! Grid, inputs, initial state, files.
  subroutine prepare()
    character(:), allocatable :: error
    report%start = MPI_Wtime()
    call prepare_grid()
    call allocate_state(g, s)
    call read_climatology(io, trim(options%data), g, s, forcing)
    call read_seasons(io, trim(options%data), g, forcing)
    call read_winds(io, trim(options%data), g, rho0, forcing)
    report%io_seconds = read_seconds
    call define_blocks()
    call make_barotropic(g, b)
    if (options%restart_in /= ' ') then
      call start_io()
      call read_restart(io, decomp, trim(options%restart_in), g, options%dt, s, error)
      call stop_io()
      call stop_on(error)
      call recall_islands(g, b, s%psi)
    end if
    allocate (taux(0:g%ni, 0:g%nj), tauy(0:g%ni, 0:g%nj))
    rate = 0
    if (options%restoring_days > 0) rate = 1/(options%restoring_days*day)
    if (options%restart_in == ' ') then
      call set_forcing()
      report%sweeps = solve_psi(g, b, options%spin_up, s%psi)
    end if
    call tell_progress()
    call start_io()
    call begin_output(io, decomp, options, g, s, out)
    call stop_io()
  end subroutine prepare

  ! The topography comes first: it shows which blocks have ocean.
  subroutine prepare_grid()
    type(grid_type) :: strips
    type(blocks_type) :: blocks
    character(:), allocatable :: error
    integer :: rank, ranks
    call MPI_Comm_rank(comm, rank)
    call MPI_Comm_size(comm, ranks)
    if (.not. options%mask) then
      call plain_blocks(options, ranks, blocks, error)
      call stop_on(error)
    end if
    call make_strips(options, io, comm, strips)
    call read_topography(io, trim(options%data), strips)
    if (options%mask) then
      call masked_blocks(options, comm, strips, blocks, error)
      call stop_on(error)
    end if
    if (options%ranks_needed) call tell_ranks(rank, blocks)
    call make_grid(options, io, comm, blocks, g)
    call describe_grid(g, options)
    call distribute_topography(strips, g)
    if (strips%comm /= MPI_COMM_NULL) call MPI_Comm_free(strips%comm)
  end subroutine prepare_grid

  ! Ends the run.
  subroutine tell_ranks(rank, blocks)
    integer, intent(in) :: rank
    type(blocks_type), intent(in) :: blocks
    if (rank == 0) write (output_unit, '(2a)') 'ocean: ', describe_ranks(blocks)
    call sv_finalize(io)
    call MPI_Finalize()
    stop
  end subroutine tell_ranks

  subroutine define_blocks()
    integer :: holes
    holes = merge(SV_MASKED, 0, g%ranks < g%px*g%py)
    call sv_def_decomp(io, decomp, [g%nx, g%ny], start=[g%i0 + 1, g%j0 + 1], count=[g%ni, g%nj], &
      halo=[halo, halo], periodic=[.true., .false.], flags=holes)
  end subroutine define_blocks

  ! Winds and surface temperatures of this moment, between the middles of months of a 365-day year.
  subroutine set_forcing()
    real(dp) :: month, w
    integer :: before, after
    month = modulo(s%step*options%dt/day, 365.0_dp)*12/365 - 0.5_dp
    w = month - floor(month)
    before = modulo(floor(month), 12) + 1
    after = mod(before, 12) + 1
    taux = (1 - w)*forcing%taux(:, :, before) + w*forcing%taux(:, :, after)
    tauy = (1 - w)*forcing%tauy(:, :, before) + w*forcing%tauy(:, :, after)
    surface = forcing%surface
    surface(:, :, 1) = surface(:, :, 1) + (1 - w)*forcing%season(:, :, before) &
      + w*forcing%season(:, :, after)
    call set_circulation(g, taux, tauy, b)
  end subroutine set_forcing

  subroutine step()
    call set_forcing()
    call relax_psi(g, b, options%psi_iterations, s%psi)
    call step_momentum(g, options%dt, taux, tauy, s)
    call step_tracers(g, options%dt, rate, surface, s)
    s%step = s%step + 1
  end subroutine step

  subroutine start_io()
    report%io_start = MPI_Wtime()
  end subroutine start_io

  subroutine stop_io()
    report%io_seconds = report%io_seconds + (MPI_Wtime() - report%io_start)
  end subroutine stop_io

end program ocean
