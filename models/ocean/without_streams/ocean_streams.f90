! Takes the place of ../ocean_streams.f90 where the Fortran interface of streams is not built: no
! field is sent.
module ocean_streams
  use sverdrup
  use ocean_options, only: dp
  use ocean_grid, only: grid_type
  use ocean_state, only: state_type
  implicit none
  private
  public :: ocean_streams_type, begin_streams, send_fields, save_streams, close_streams

  type ocean_streams_type
  end type ocean_streams_type

contains

  subroutine begin_streams(io, decomp, config, g, dt, s, continues, out)
    type(sv_context_t), intent(in) :: io
    type(sv_decomp_t), intent(in) :: decomp
    character(*), intent(in) :: config
    type(grid_type), intent(in) :: g
    real(dp), intent(in) :: dt
    type(state_type), intent(in) :: s
    logical, intent(in) :: continues
    type(ocean_streams_type), intent(inout) :: out
  end subroutine begin_streams

  subroutine send_fields(g, dt, s, out, sent)
    type(grid_type), intent(in) :: g
    real(dp), intent(in) :: dt
    type(state_type), intent(in) :: s
    type(ocean_streams_type), intent(in) :: out
    logical, intent(out) :: sent
    sent = .false.
  end subroutine send_fields

  subroutine save_streams(dt, s, out)
    real(dp), intent(in) :: dt
    type(state_type), intent(in) :: s
    type(ocean_streams_type), intent(in) :: out
  end subroutine save_streams

  subroutine close_streams(out)
    type(ocean_streams_type), intent(inout) :: out
  end subroutine close_streams

end module ocean_streams
