! An ocean on the remaining cells of an unstructured grid, which writes its output through Sverdrup.
! See docs/points-model.md.
program points
  use, intrinsic :: iso_fortran_env, only: output_unit, error_unit
  use mpi_f08
  use sverdrup
  use model_arguments, only: asks_version, settings
  use points_options, only: dp, options_type, parse_options, print_help
  use points_grid, only: grid_type, read_grid
  use points_state, only: state_type, start_state, day
  use points_barotropic, only: barotropic_type, make_barotropic, step_barotropic
  use points_momentum, only: step_momentum
  use points_tracers, only: step_tracers
  use points_output, only: output_type, create_output, write_record, close_output
  use points_restart, only: write_restart, read_restart
  use points_report, only: report_type, describe_grid, progress, finish_report, tell_end
  implicit none
  ! which a main program's variables are anyhow: some compilers keep them on the stack otherwise
  save
  type(options_type) :: options
  type(grid_type) :: g
  type(state_type) :: s
  type(barotropic_type) :: b
  type(report_type) :: report
  type(sv_context_t) :: io
  type(sv_decomp_t) :: ordered   ! with --order=curve
  type(output_type) :: out
  ! of the ranks that compute; before sv_init of all
  type(MPI_Comm) :: comm = MPI_COMM_WORLD
  logical :: begun = .false.     ! sv_init has returned
  integer :: provided
  logical :: follows = .false.   ! files are in the order of `ordered`
  real(dp) :: rate = 0           ! of restoring, 1/s

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
    if (options%every > 0) call close_output(out)
    if (options%restart_out /= ' ') &
      call write_restart(io, trim(options%restart_out), g, ordered, follows, options%dt, s)
    call stop_io()
    call finish_report(g, options, s, report)
  end subroutine compute

  ! A request to stop is heard where a record or a line of progress is due.
  subroutine run()
    integer :: n
    logical :: logs
    do n = 1, options%steps
      call step()
      logs = options%log_every > 0 .and. (is_due(n, options%log_every) .or. n == options%steps)
      if (logs) call tell_progress()
      if (is_due(s%step, options%every)) then   ! whenever the run began
        call start_io()
        call write_record(io, g, options%dt, b, s, out)
        call stop_io()
      else if (logs) then
        call sv_end_step(io)
      end if
      if (sv_stopping(io)) exit
    end do
    if (sv_stopping(io) .and. g%rank == 0) &
      write (output_unit, '(a,i0)') 'points: asked to stop after step ', s%step
  end subroutine run

  pure logical function is_due(n, every)
    integer, intent(in) :: n, every
    is_due = every > 0
    if (is_due) is_due = mod(n, every) == 0
  end function is_due

  subroutine tell_progress()
    logical :: stable
    call progress(g, options%dt, b, s, report, stable)
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
      if (rank == 0 .and. version) print '(2a)', 'points ', sv_version()
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
    if (rank == 0) write (error_unit, '(2a)') 'points: ', error
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

  ! Grid, initial state, files. Reading and declaring count as input.
  subroutine prepare()
    character(:), allocatable :: error
    report%start = MPI_Wtime()
    call start_io()
    call read_grid(options, io, comm, g)
    follows = options%order == 'curve'
    if (follows) call sv_order_points_along_curve(g%points, g%lon, g%lat, ordered)
    call stop_io()
    if (options%dt <= 0) options%dt = 14400*min(1.0_dp, g%size/1.12e5_dp)
    call describe_grid(g, options%dt)
    call start_state(g, s)
    call make_barotropic(g, b)
    if (options%restoring_days > 0) rate = 1/(options%restoring_days*day)
    if (options%restart_in /= ' ') then
      call start_io()
      call read_restart(io, trim(options%restart_in), g, options%dt, s, error)
      call stop_io()
      call stop_on(error)
    else
      call step_barotropic(g, options%spin_up, b, s)
      b%flux = 0
    end if
    call tell_progress()
    if (options%every > 0) then
      call start_io()
      call create_output(io, trim(options%output), g, ordered, follows, out)
      call stop_io()
    end if
  end subroutine prepare

  subroutine step()
    call step_barotropic(g, options%substeps, b, s)
    call step_momentum(g, options%dt, b, s)
    call step_tracers(g, options%dt, rate, b, s)
    s%step = s%step + 1
  end subroutine step

  subroutine start_io()
    report%io_start = MPI_Wtime()
  end subroutine start_io

  subroutine stop_io()
    report%io_seconds = report%io_seconds + (MPI_Wtime() - report%io_start)
  end subroutine stop_io

end program points
