! Servers, how far steps have come, and stopping, of module sverdrup. See docs/overlap.md.
module sverdrup_servers
  use, intrinsic :: iso_c_binding, only: c_bool, c_char, c_int, c_int64_t
  use mpi_f08, only: MPI_Comm
  use sverdrup_types, only: sv_context_t
  implicit none
  private
  public :: sv_serve, sv_inq_servers, sv_flush, sv_durable_step, sv_request_stop
  public :: sv_stop_on_signal, sv_stopping, sv_pause_forwarding, sv_resume_forwarding

  ! How far data have come: the servers have them; they survive the death of the processes; they
  ! survive a failure of the node.
  integer(c_int), parameter, public :: SV_HANDED_OVER = 0, SV_WRITTEN = 1, SV_ON_DISK = 2
  integer(c_int), parameter, public :: SV_SIGUSR1 = 10

  ! Collective with the sv_init of the models: this rank serves until they have finalized.
  interface sv_serve
    subroutine svf_serve(comm, config, options, ierr) bind(C)
      import
      integer(c_int), intent(in) :: comm
      character(kind=c_char, len=*), intent(in), optional :: config, options(:)
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_serve
    subroutine svf_serve_f08(comm, config, options, ierr) bind(C, name='svf_serve')
      import
      type(MPI_Comm), intent(in) :: comm
      character(kind=c_char, len=*), intent(in), optional :: config, options(:)
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_serve_f08
  end interface sv_serve

  interface
    ! Local. Returns the number of ranks that serve.
    subroutine sv_inq_servers(io, servers, ierr) bind(C, name='svf_inq_servers')
      import
      type(sv_context_t), intent(in) :: io
      integer(c_int), intent(out) :: servers
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_inq_servers

    ! Collective. Returns when all steps that have ended have reached this level.
    subroutine sv_flush(io, level, ierr) bind(C, name='svf_flush')
      import
      type(sv_context_t), intent(in) :: io
      integer(c_int), value :: level
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_flush

    ! Local. step is the number of steps, from the first on, that are known to be on the disk. It is
    ! 0 if no step is.
    subroutine sv_durable_step(io, step, ierr) bind(C, name='svf_durable_step')
      import
      type(sv_context_t), intent(in) :: io
      integer(c_int64_t), intent(out) :: step
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_durable_step

    ! Local. Asks the run to stop. The next sv_end_step commits and closes all files; then
    ! sv_stopping is true on every rank.
    subroutine sv_request_stop(io, ierr) bind(C, name='svf_request_stop')
      import
      type(sv_context_t), intent(in) :: io
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_request_stop

    ! Local. From now on, this signal (SV_SIGUSR1) has the effect of sv_request_stop. The signal
    ! handler only sets a flag.
    subroutine sv_stop_on_signal(io, signal_number, ierr) bind(C, name='svf_stop_on_signal')
      import
      type(sv_context_t), intent(in) :: io
      integer(c_int), value :: signal_number
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_stop_on_signal

    ! Local. The model communicates between these two calls. Paced forwarding begins no message in
    ! this time.
    subroutine sv_pause_forwarding(io, ierr) bind(C, name='svf_pause_forwarding')
      import
      type(sv_context_t), intent(in) :: io
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_pause_forwarding
    subroutine sv_resume_forwarding(io, ierr) bind(C, name='svf_resume_forwarding')
      import
      type(sv_context_t), intent(in) :: io
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_resume_forwarding
  end interface

contains

  ! Local. True if the run was asked to stop and all files are closed.
  logical function sv_stopping(io, ierr)
    type(sv_context_t), intent(in) :: io
    integer(c_int), intent(out), optional :: ierr
    interface
      logical(c_bool) function svf_stopping(io, ierr) bind(C)
        import
        type(sv_context_t), intent(in) :: io
        integer(c_int), intent(out), optional :: ierr
      end function svf_stopping
    end interface
    sv_stopping = svf_stopping(io, ierr)
  end function sv_stopping

end module sverdrup_servers
