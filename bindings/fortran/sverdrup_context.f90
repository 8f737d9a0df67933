! The context of module sverdrup. See docs/fortran.md.
module sverdrup_context
  use, intrinsic :: iso_c_binding, only: c_bool, c_char, c_int
  use mpi_f08, only: MPI_Comm
  use sverdrup_types, only: sv_context_t, sv_decomp_t
  implicit none
  private
  public :: sv_init, sv_is_model, sv_model_comm, sv_finalize, sv_end_step, sv_write_summary
  public :: sv_inq_setting, sv_free_decomp, sv_refuse

  ! Collective over comm: an integer (mpif.h, "use mpi") or a type(MPI_Comm) (mpi_f08). config is
  ! the path of a YAML or namelist file; if it is absent or blank, SV_CONFIG may name the file.
  ! options are "key=value"; they override the file and the environment.
  interface sv_init
    subroutine svf_init(io, comm, config, options, ierr) bind(C)
      import
      type(sv_context_t), intent(inout) :: io
      integer(c_int), intent(in) :: comm
      character(kind=c_char, len=*), intent(in), optional :: config, options(:)
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_init
    subroutine svf_init_f08(io, comm, config, options, ierr) bind(C, name='svf_init')
      import
      type(sv_context_t), intent(inout) :: io
      type(MPI_Comm), intent(in) :: comm
      character(kind=c_char, len=*), intent(in), optional :: config, options(:)
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_init_f08
  end interface sv_init

  interface
    ! Collective. Close all files before this call. It prints the table and writes the summary, if
    ! the configuration asks for them.
    subroutine sv_finalize(io, ierr) bind(C, name='svf_finalize')
      import
      type(sv_context_t), intent(inout) :: io
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_finalize

    ! Collective. Commits, in every file, all records that were put since the last call, and fills
    ! the parts of them that no rank wrote.
    subroutine sv_end_step(io, ierr) bind(C, name='svf_end_step')
      import
      type(sv_context_t), intent(in) :: io
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_end_step

    ! Collective. One rank writes settings, routes and their reasons, bytes and seconds as JSON.
    subroutine sv_write_summary(io, path, ierr) bind(C, name='svf_write_summary')
      import
      type(sv_context_t), intent(in) :: io
      character(kind=c_char, len=*), intent(in) :: path
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_write_summary

    ! Local. The value of a key of the configuration that is in force for a file of this path.
    subroutine sv_inq_setting(io, path, key, value, ierr) bind(C, name='svf_inq_setting')
      import
      type(sv_context_t), intent(in) :: io
      character(kind=c_char, len=*), intent(in) :: path, key
      character(kind=c_char, len=*), intent(inout) :: value
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_inq_setting

    ! Local. The next collective call of this rank fails, on every rank, with this status and text.
    subroutine sv_refuse(io, status, cause, remedy, ierr) bind(C, name='svf_refuse')
      import
      type(sv_context_t), intent(in) :: io
      integer(c_int), value :: status
      character(kind=c_char, len=*), intent(in) :: cause
      character(kind=c_char, len=*), intent(in), optional :: remedy
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_refuse

    ! Local. Frees a decomposition. No file may use it after this call.
    subroutine sv_free_decomp(decomp, ierr) bind(C, name='svf_free_decomp')
      import
      type(sv_decomp_t), intent(inout) :: decomp
      integer(c_int), intent(out), optional :: ierr
    end subroutine sv_free_decomp
  end interface

  ! Local. Returns the communicator of the ranks that compute. The communicator belongs to io.
  interface sv_model_comm
    subroutine svf_model_comm(io, comm, ierr) bind(C)
      import
      type(sv_context_t), intent(in) :: io
      integer(c_int), intent(out) :: comm
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_model_comm
    subroutine svf_model_comm_f08(io, comm, ierr) bind(C, name='svf_model_comm')
      import
      type(sv_context_t), intent(in) :: io
      type(MPI_Comm), intent(out) :: comm
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_model_comm_f08
  end interface sv_model_comm

contains

  ! Local. True if this rank computes, false if it was a server and has finished.
  logical function sv_is_model(io, ierr)
    type(sv_context_t), intent(in) :: io
    integer(c_int), intent(out), optional :: ierr
    interface
      logical(c_bool) function svf_is_model(io, ierr) bind(C)
        import
        type(sv_context_t), intent(in) :: io
        integer(c_int), intent(out), optional :: ierr
      end function svf_is_model
    end interface
    sv_is_model = svf_is_model(io, ierr)
  end function sv_is_model

end module sverdrup_context
