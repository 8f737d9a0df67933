! Files for each period, of module sverdrup. See docs/series.md.
module sverdrup_series
  use, intrinsic :: iso_c_binding, only: c_bool, c_double, c_int, c_int32_t, c_int64_t
  use sverdrup_types, only: sv_file_t
  implicit none
  private
  public :: sv_begin_record

  ! Collective, for a file of SV_SERIES. The puts that follow are of this date and time. date is
  ! year, month, day, hour, minute, second; it names the file. record is the record for the puts
  ! that follow; the call has already put its time. wants_fixed is true if variables without records
  ! must be put now.
  interface sv_begin_record
    module procedure begin_record, begin_record_64
  end interface sv_begin_record

  interface
    subroutine svf_begin_record(file, date, time, record, wants_fixed, ierr) bind(C)
      import
      type(sv_file_t), intent(in) :: file
      integer(c_int), intent(in) :: date(6)
      real(c_double), value :: time
      type(*), intent(inout) :: record(..)
      logical(c_bool), intent(out) :: wants_fixed
      integer(c_int), intent(out), optional :: ierr
    end subroutine svf_begin_record
  end interface

contains

  subroutine begin_record(file, date, time, record, wants_fixed, ierr)
    type(sv_file_t), intent(in) :: file
    integer(c_int), intent(in) :: date(6)
    real(c_double), intent(in) :: time
    integer(c_int32_t), intent(inout) :: record
    logical, intent(out), optional :: wants_fixed
    integer(c_int), intent(out), optional :: ierr
    logical(c_bool) :: wanted
    call svf_begin_record(file, date, time, record, wanted, ierr)
    if (present(wants_fixed)) wants_fixed = wanted
  end subroutine begin_record

  subroutine begin_record_64(file, date, time, record, wants_fixed, ierr)
    type(sv_file_t), intent(in) :: file
    integer(c_int), intent(in) :: date(6)
    real(c_double), intent(in) :: time
    integer(c_int64_t), intent(inout) :: record
    logical, intent(out), optional :: wants_fixed
    integer(c_int), intent(out), optional :: ierr
    logical(c_bool) :: wanted
    call svf_begin_record(file, date, time, record, wanted, ierr)
    if (present(wants_fixed)) wants_fixed = wanted
  end subroutine begin_record_64

end module sverdrup_series
