! The report of a run: lines of progress and the summary at the end. Sums are exact, so that the same
! run prints the same numbers on any number of ranks; a run that became unstable is stopped.
module ocean_report
  use, intrinsic :: iso_fortran_env, only: output_unit, error_unit, int64
  use mpi_f08
  use ocean_options, only: dp, options_type
  use ocean_grid, only: grid_type
  use ocean_state, only: state_type, temperature, salinity, day
  use model_sums, only: fixed, exact_sum, exact_sums, maximum
  use ocean_tracers, only: courant
  implicit none
  private
  public :: report_type, describe_grid, progress, finish_report, tell_end

  type report_type
    real(dp) :: start = 0, io_seconds = 0, io_start = 0   ! wall clock, s
    real(dp) :: loop_start = 0
    ! in calls for reading before the first step; in all others, of the slowest rank
    real(dp) :: input_seconds = 0, output_seconds = 0
    ! of the barotropic solver before the first step
    integer :: sweeps = 0
    integer :: first_step = 0
    logical :: begun = .false.
    ! m3; of heat (degC m3) and salt (psu m3) at the start
    real(dp) :: volume = 0, content(2) = 0
  end type report_type

contains

  subroutine describe_grid(g, options)
    type(grid_type), intent(in) :: g
    type(options_type), intent(in) :: options
    if (g%rank == 0) then
      write (output_unit, '(a,2(i0,a),i0,a,i0,a,2(i0,a),f0.0,a)') 'ocean: ', g%nx, ' x ', g%ny, &
        ' x ', g%nz, &
        ' cells on ', g%ranks, ' ranks (', g%px, ' x ', g%py, ' blocks), time step ', options%dt, &
        ' s'
      if (options%mask) write (output_unit, '(2(a,i0),a)') 'ocean: the mask saves ', &
        g%px*g%py - g%ranks, ' of ', g%px*g%py, ' ranks: blocks that are all land have none'
      flush (output_unit)
    end if
  end subroutine describe_grid

  ! Collective. One line; the drift is measured from the first one. `stable`: whether the run
  ! is; the line says if it is not. `transport` through Drake Passage in m3/s.
  subroutine progress(g, dt, s, transport, report, stable)
    type(grid_type), intent(in) :: g
    real(dp), intent(in) :: dt, transport
    type(state_type), intent(in) :: s
    type(report_type), intent(inout) :: report
    logical, intent(out) :: stable
    real(dp) :: sst, number, speed
    number = maximum(g%comm, courant(g, dt, s))
    speed = maximum(g%comm, sqrt(maxval(sum(s%velocity(1:g%ni, 1:g%nj, :, :)**2, dim=4))))
    stable = number < 1
    if (.not. stable) then
      if (g%rank == 0) write (error_unit, '(a,i0,a,es9.2,a)') 'ocean: unstable at step ', s%step, &
        ' (Courant number ', number, '): take a shorter --dt'
      return
    end if
    if (.not. report%begun) call begin(g, s, report)
    sst = surface_mean(g, s)
    if (g%rank == 0) then
      write (output_unit, '(a,i7,a,f8.1,a,f6.2,a,f5.2,a,f5.2,a,f6.1,a,f7.1,a)') 'step', s%step, &
        '  day', s%step*dt/day, &
        '  SST', sst, ' C  speed <', speed, ' m/s  Courant', number, '  Drake', &
        transport*1e-6_dp, ' Sv ', &
        MPI_Wtime() - report%start, ' s'
      flush (output_unit)
    end if
  end subroutine progress

  subroutine begin(g, s, report)
    type(grid_type), intent(in) :: g
    type(state_type), intent(in) :: s
    type(report_type), intent(inout) :: report
    integer(int64) :: partial
    integer :: j, k
    partial = 0
    do k = 1, g%nz
      do j = 1, g%nj
        partial = partial + nint(sum(g%tmask(1:g%ni, j, k)), int64)*fixed(g%area(j)*g%dz(k), 1.0_dp)
      end do
    end do
    report%begun = .true.
    report%volume = exact_sum(g%comm, partial, 1.0_dp)
    report%content = contents(g, s, report%volume)
    report%first_step = s%step
    report%loop_start = MPI_Wtime()
    report%input_seconds = report%io_seconds
  end subroutine begin

  ! Collective. Heat and salt content, degC m3 and psu m3. Terms stay below 2**62 while means stay
  ! below 64.
  function contents(g, s, volume) result(content)
    type(grid_type), intent(in) :: g
    type(state_type), intent(in) :: s
    real(dp), intent(in) :: volume
    real(dp) :: content(2), scale
    integer(int64) :: partial(2)
    integer :: j, k, m
    scale = 2.0_dp**(56 - exponent(volume))
    partial = 0
    do m = temperature, salinity
      do k = 1, g%nz
        do j = 1, g%nj
          partial(m) = partial(m) &
            + sum(fixed(s%tracer(1:g%ni, j, k, m)*g%area(j)*g%dz(k)*g%tmask(1:g%ni, j, k), scale))
        end do
      end do
    end do
    content = exact_sums(g%comm, partial, scale)
  end function contents

  real(dp) function surface_mean(g, s)
    type(grid_type), intent(in) :: g
    type(state_type), intent(in) :: s
    integer(int64) :: partial(2)
    real(dp) :: total(2), area(g%ni)
    integer :: j
    partial = 0
    do j = 1, g%nj
      area = g%area(j)*g%tmask(1:g%ni, j, 1)
      partial(1) = partial(1) + sum(fixed(s%tracer(1:g%ni, j, 1, temperature)*area, 1.0_dp))
      partial(2) = partial(2) + sum(fixed(area, 1.0_dp))
    end do
    total = exact_sums(g%comm, partial, 1.0_dp)
    surface_mean = total(1)/max(total(2), 1.0_dp)
  end function surface_mean

  ! Collective. Speed, the share of I/O, and the changes of heat and salt.
  subroutine finish_report(g, options, s, report)
    type(grid_type), intent(in) :: g
    type(options_type), intent(in) :: options
    type(state_type), intent(in) :: s
    type(report_type), intent(inout) :: report
    real(dp) :: now, drift(2), io_seconds, seconds
    integer :: steps
    drift = (contents(g, s, report%volume) - report%content)/report%content
    io_seconds = maximum(g%comm, report%io_seconds)
    report%output_seconds = maximum(g%comm, report%io_seconds - report%input_seconds)
    now = MPI_Wtime()
    if (g%rank /= 0) return
    seconds = max(now - report%loop_start, 1e-9_dp)
    steps = s%step - report%first_step
    write (output_unit, '(a,i0,4(a,f0.2),a)') 'ocean: ', steps, ' steps in ', seconds, ' s (', &
      steps/seconds, ' steps/s); I/O ', io_seconds, ' s, ', &
      100*io_seconds/max(now - report%start, 1e-9_dp), ' % of the run'
    write (output_unit, '(2(a,es10.2),a)') 'ocean: relative change of content: heat', drift(1), &
      ', salt', drift(2), &
      trim(merge(' (by the surface flux) ', ' (closed: no flux)     ', options%restoring_days > 0))
  end subroutine finish_report

  ! When servers, too, have written all.
  subroutine tell_end(g, report)
    type(grid_type), intent(in) :: g
    type(report_type), intent(in) :: report
    if (g%rank /= 0) return
    write (output_unit, '(2(a,f0.2),a)') 'ocean: all is written ', &
      MPI_Wtime() - report%loop_start, ' s after the first step began; ', report%output_seconds, &
      ' s in output calls'
  end subroutine tell_end

end module ocean_report
