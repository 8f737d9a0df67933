! The report of a run: lines of progress and the summary at the end. Sums are exact, so that the same
! run prints the same numbers on any number of ranks; a run that became unstable is stopped.
module points_report
  use, intrinsic :: iso_fortran_env, only: output_unit, error_unit, int64
  use mpi_f08
  use model_sums, only: fixed, exact_sum, exact_sums, maximum
  use points_options, only: dp, options_type
  use points_grid, only: grid_type
  use points_halo, only: communication_seconds
  use points_state, only: state_type, temperature, salinity, day
  use points_barotropic, only: barotropic_type
  use points_tracers, only: courant, stretch
  implicit none
  private
  public :: report_type, describe_grid, progress, finish_report, tell_end

  type report_type
    real(dp) :: start = 0, io_seconds = 0, io_start = 0   ! wall clock, s
    real(dp) :: loop_start = 0
    ! before the first step, of this rank; after it, of the slowest one
    real(dp) :: input_seconds = 0, communication_before = 0, output_seconds = 0
    integer :: first_step = 0
    logical :: begun = .false.
    ! m3; of heat (degC m3) and salt (psu m3) at the start
    real(dp) :: volume = 0, content(2) = 0
  end type report_type

contains

  ! Collective.
  subroutine describe_grid(g, dt)
    type(grid_type), intent(in) :: g
    real(dp), intent(in) :: dt
    integer :: most(3), wet
    call MPI_Allreduce([g%n, g%total - g%n, size(g%halo%peer)], most, 3, MPI_INTEGER, MPI_MAX, &
      g%comm)
    call MPI_Allreduce(count(g%kmt(:g%n) > 0), wet, 1, MPI_INTEGER, MPI_SUM, g%comm)
    if (g%rank /= 0) return
    write (output_unit, '(3a,3(i0,a),f0.0,a)') 'points: ', trim(g%kind), ' grid, ', g%cells, &
      ' cells (', wet, ' wet) x ', g%nz, ' levels, time step ', dt, ' s'
    write (output_unit, '(a,i0,3a,3(i0,a))') 'points: ', g%ranks, ' ranks, ', &
      trim(merge('partition of the file', 'blocks of cells      ', g%partitioned)), ': at most ', &
      most(1), ' cells, halo of ', most(2), ' from ', most(3), ' ranks'
    flush (output_unit)
  end subroutine describe_grid

  ! Collective. One line; the drift is measured from the first one. `stable`: whether the run
  ! is; the line says if it is not.
  subroutine progress(g, dt, b, s, report, stable)
    type(grid_type), intent(in) :: g
    real(dp), intent(in) :: dt
    type(barotropic_type), intent(in) :: b
    type(state_type), intent(in) :: s
    type(report_type), intent(inout) :: report
    logical, intent(out) :: stable
    real(dp) :: sst, number, speed
    number = maximum(g%comm, courant(g, dt, b, s))
    speed = maximum(g%comm, sqrt(maxval(sum(s%velocity(:, :, :g%n)**2, dim=2))))
    stable = number < 1
    if (.not. stable) then
      if (g%rank == 0) write (error_unit, '(a,i0,a,es11.2e3,a)') 'points: unstable at step ', &
        s%step, ' (Courant number', number, '): take a shorter --dt'
      return
    end if
    if (.not. report%begun) call begin(g, s, report)
    sst = surface_mean(g, s)
    if (g%rank == 0) then
      write (output_unit, '(a,i7,a,f8.1,a,f6.2,a,f5.2,a,f5.2,a,f7.1,a)') 'step', s%step, '  day', &
        s%step*dt/day, '  SST', sst, ' C  speed <', speed, ' m/s  Courant', number, '  ', &
        MPI_Wtime() - report%start, ' s'
      flush (output_unit)
    end if
  end subroutine progress

  subroutine begin(g, s, report)
    type(grid_type), intent(in) :: g
    type(state_type), intent(in) :: s
    type(report_type), intent(inout) :: report
    integer(int64) :: partial
    integer :: i
    partial = 0
    do i = 1, g%n
      partial = partial + fixed(g%area(i)*g%depth_edge(g%kmt(i)), 1.0_dp)
    end do
    report%begun = .true.
    report%volume = exact_sum(g%comm, partial, 1.0_dp)
    report%content = contents(g, s, report%volume)
    report%first_step = s%step
    report%loop_start = MPI_Wtime()
    report%input_seconds = report%io_seconds
    report%communication_before = communication_seconds
  end subroutine begin

  ! Collective. Heat and salt content, degC m3 and psu m3. Terms stay below 2**62 while means stay
  ! below 64.
  function contents(g, s, volume) result(content)
    type(grid_type), intent(in) :: g
    type(state_type), intent(in) :: s
    real(dp), intent(in) :: volume
    real(dp) :: content(2), scale
    integer(int64) :: partial(2)
    integer :: i, k, m
    scale = 2.0_dp**(56 - exponent(volume))
    partial = 0
    do i = 1, g%n
      do m = temperature, salinity
        do k = 1, g%kmt(i)
          partial(m) = partial(m) &
            + fixed(s%tracer(k, m, i)*g%area(i)*g%dz(k)*stretch(g, i, s%swell(i)), scale)
        end do
      end do
    end do
    content = exact_sums(g%comm, partial, scale)
  end function contents

  real(dp) function surface_mean(g, s)
    type(grid_type), intent(in) :: g
    type(state_type), intent(in) :: s
    integer(int64) :: partial(2)
    real(dp) :: total(2)
    integer :: i
    partial = 0
    do i = 1, g%n
      if (g%kmt(i) == 0) cycle
      partial = partial + fixed(g%area(i)*[s%tracer(1, temperature, i), 1.0_dp], 1.0_dp)
    end do
    total = exact_sums(g%comm, partial, 1.0_dp)
    surface_mean = total(1)/max(total(2), 1.0_dp)
  end function surface_mean

  ! Collective. Speed, the changes of heat and salt, and the parts of the time: compute is neither
  ! communication nor I/O; each of the slowest rank, from the first step on, input before
  ! it.
  subroutine finish_report(g, options, s, report)
    type(grid_type), intent(in) :: g
    type(options_type), intent(in) :: options
    type(state_type), intent(in) :: s
    type(report_type), intent(inout) :: report
    real(dp) :: drift(2), loop, communication, output, most(4)
    integer :: steps
    drift = (contents(g, s, report%volume) - report%content)/report%content
    loop = max(MPI_Wtime() - report%loop_start, 1e-9_dp)
    output = report%io_seconds - report%input_seconds
    communication = communication_seconds - report%communication_before
    call MPI_Allreduce([loop - communication - output, communication, output, &
      report%input_seconds], most, 4, MPI_DOUBLE_PRECISION, MPI_MAX, g%comm)
    report%output_seconds = most(3)
    if (g%rank /= 0) return
    steps = s%step - report%first_step
    write (output_unit, '(a,i0,2(a,f0.2),a)') 'points: ', steps, ' steps in ', loop, ' s (', &
      steps/loop, ' steps/s)'
    write (output_unit, '(2(a,es10.2),a)') 'points: relative change of content: heat', drift(1), &
      ', salt', drift(2), &
      trim(merge(' (by the surface flux) ', ' (closed: no flux)     ', options%restoring_days > 0))
    write (output_unit, '(4(a,f0.6))') 'points: seconds compute=', most(1), ' communication=', &
      most(2), ' io=', most(3), ' input=', most(4)
  end subroutine finish_report

  ! When servers, too, have written all.
  subroutine tell_end(g, report)
    type(grid_type), intent(in) :: g
    type(report_type), intent(in) :: report
    if (g%rank /= 0) return
    write (output_unit, '(2(a,f0.2),a)') 'points: all is written ', &
      MPI_Wtime() - report%loop_start, ' s after the first step began; ', report%output_seconds, &
      ' s in output calls'
  end subroutine tell_end

end module points_report
