! Streams, the output that the configuration asks for: include/sverdrup/streams.h in Fortran. See
! docs/streams.md.
module sverdrup_streams
  use, intrinsic :: iso_c_binding, only: c_char, c_double, c_float, c_int, c_int16_t, c_int32_t, &
    c_int64_t, c_int8_t, c_loc, c_null_char, c_null_ptr, c_ptr
  use sverdrup, only: sv_context_t, sv_decomp_t, SV_BYTE, SV_DOUBLE, SV_EINVAL, SV_FLOAT, SV_INT, &
    SV_INT64, SV_OK, SV_SHORT, sv_refuse
  implicit none
  private
  public :: sv_open_streams, sv_def_stream_field, sv_def_static_field, sv_def_stream
  public :: sv_begin_streams, sv_inq_field_wanted
  public :: sv_send_field, sv_save_streams, sv_close_streams
  public :: sv_streams_t, sv_stream_axis_t, sv_stream_field_t

  type :: sv_streams_t
    private
    type(c_ptr) :: handle = c_null_ptr
    type(sv_context_t) :: io
    integer(c_int) :: comm = -1
    integer(c_int), allocatable :: types(:)  ! of the fields
  end type sv_streams_t

  ! A dimension of fields. length may be left out if there are values, the coordinates. bounds: 2 by
  ! length. Texts that are not allocated are not written.
  type :: sv_stream_axis_t
    character(:), allocatable :: name, units, standard_name, long_name, axis, positive
    integer(c_int64_t) :: length = 0
    real(c_double), allocatable :: values(:), bounds(:, :)
  end type sv_stream_axis_t

  ! A field. type: of the array that is sent. file_type: in files; 0 is the same. fill_value marks
  ! missing values; if it is not allocated, no value is missing. axes: fastest first; without them
  ! the field is a single value. Without decomp, every rank sends the same whole field. The texts
  ! from coordinates on name fields without time (sv_def_static_field).
  type :: sv_stream_field_t
    character(:), allocatable :: name, units, standard_name, long_name
    integer(c_int) :: type = SV_DOUBLE, file_type = 0
    real(c_double), allocatable :: fill_value
    type(sv_stream_axis_t), allocatable :: axes(:)
    type(sv_decomp_t), allocatable :: decomp
    character(:), allocatable :: coordinates, cell_measures, ancillary_variables, bounds
  end type sv_stream_field_t

  ! As C has them.
  type, bind(C) :: c_axis
    type(c_ptr) :: name = c_null_ptr
    integer(c_int64_t) :: length = 0
    type(c_ptr) :: values = c_null_ptr, bounds = c_null_ptr, units = c_null_ptr
    type(c_ptr) :: standard_name = c_null_ptr, long_name = c_null_ptr, axis = c_null_ptr
    type(c_ptr) :: positive = c_null_ptr
  end type c_axis
  type, bind(C) :: c_field
    type(c_ptr) :: name = c_null_ptr, decomp = c_null_ptr
    integer(c_int) :: type = 0, file_type = 0
    type(c_ptr) :: units = c_null_ptr, standard_name = c_null_ptr, long_name = c_null_ptr
    type(c_ptr) :: fill_value = c_null_ptr
    integer(c_int) :: naxes = 0
    type(c_ptr) :: axes = c_null_ptr, coordinates = c_null_ptr, cell_measures = c_null_ptr
    type(c_ptr) :: ancillary_variables = c_null_ptr, bounds = c_null_ptr
  end type c_field
  type, bind(C) :: c_start
    type(c_ptr) :: calendar = c_null_ptr
    integer(c_int) :: date(6) = 0
    integer(c_int64_t) :: step_seconds = 0
    integer(c_int) :: continues = 0
  end type c_start
  ! The beginning of sv_context_t and sv_decomp_t.
  type, bind(C) :: c_handle
    type(c_ptr) :: handle = c_null_ptr
    integer(c_int) :: comm = -1
  end type c_handle

  ! Texts and arrays that C reads during a call.
  type :: kept_axis
    character(kind=c_char), allocatable :: name(:), units(:), standard_name(:), long_name(:)
    character(kind=c_char), allocatable :: axis(:), positive(:)
    real(c_double), allocatable :: values(:), bounds(:, :)
  end type kept_axis
  type :: kept_field
    character(kind=c_char), allocatable :: name(:), units(:), standard_name(:), long_name(:)
    character(kind=c_char), allocatable :: coordinates(:), cell_measures(:), bounds(:)
    character(kind=c_char), allocatable :: ancillary_variables(:)
    type(kept_axis), allocatable :: kept_axes(:)
    type(c_axis), allocatable :: axes(:)
    integer(c_int8_t) :: fill(8)
  end type kept_field

  ! Collective if a period ends. values: this rank's array with its halo, of any rank, of the type of
  ! the field. A section that is not contiguous is copied. date: the end of the step.
  interface sv_send_field
    procedure send_r8, send_r4, send_i1, send_i2, send_i4, send_i8
  end interface sv_send_field

  ! Collective, before sv_begin_streams. Declares a field without time, whose values are copied: this
  ! rank's array with its halo, as for sv_send_field.
  interface sv_def_static_field
    procedure static_r8, static_r4, static_i4
  end interface sv_def_static_field

  interface
    integer(c_int) function c_open(io, config, streams) bind(C, name='sv_open_streams')
      import
      type(c_ptr), value :: io, config
      type(c_ptr), intent(inout) :: streams
    end function c_open
    integer(c_int) function c_define(streams, field, number) bind(C, name='sv_def_stream_field')
      import
      type(c_ptr), value :: streams
      type(c_field), intent(in) :: field
      integer(c_int), intent(inout) :: number
    end function c_define
    integer(c_int) function c_static(streams, field, values) bind(C, name='sv_def_static_field')
      import
      type(c_ptr), value :: streams, values
      type(c_field), intent(in) :: field
    end function c_static
    integer(c_int) function c_stream(streams, name, keys) bind(C, name='sv_def_stream')
      import
      type(c_ptr), value :: streams, name, keys
    end function c_stream
    integer(c_int) function c_begin(streams, start) bind(C, name='sv_begin_streams')
      import
      type(c_ptr), value :: streams
      type(c_start), intent(in) :: start
    end function c_begin
    integer(c_int) function c_wanted(streams, field, date, wanted) &
      bind(C, name='sv_inq_field_wanted')
      import
      type(c_ptr), value :: streams
      integer(c_int), value :: field
      integer(c_int), intent(in) :: date(6)
      integer(c_int), intent(out) :: wanted
    end function c_wanted
    integer(c_int) function c_send(streams, field, date, values) bind(C, name='sv_send_field')
      import
      type(c_ptr), value :: streams, values
      integer(c_int), value :: field
      integer(c_int), intent(in) :: date(6)
    end function c_send
    integer(c_int) function c_save(streams, date) bind(C, name='sv_save_streams')
      import
      type(c_ptr), value :: streams
      integer(c_int), intent(in) :: date(6)
    end function c_save
    integer(c_int) function c_close(streams) bind(C, name='sv_close_streams')
      import
      type(c_ptr), value :: streams
    end function c_close
    include 'svf_end.inc'
  end interface

contains

  ! Collective. config: a YAML file; if it is absent, SV_CONFIG may name the file.
  subroutine sv_open_streams(io, streams, config, ierr)
    type(sv_context_t), intent(in) :: io
    type(sv_streams_t), intent(out) :: streams
    character(*), intent(in), optional :: config
    integer(c_int), intent(out), optional :: ierr
    character(kind=c_char), allocatable, target :: path(:)
    type(c_handle) :: context
    type(c_ptr) :: given
    context = transfer(io, context)
    streams%io = io
    streams%comm = context%comm
    allocate (streams%types(0))
    given = c_null_ptr
    if (present(config)) call pass_text(config, path, given)
    call svf_end(c_open(context%handle, given, streams%handle), streams%comm, ierr)
  end subroutine sv_open_streams

  ! Collective, before sv_begin_streams. number: of the field, for the other calls.
  subroutine sv_def_stream_field(streams, field, number, ierr)
    type(sv_streams_t), intent(inout) :: streams
    type(sv_stream_field_t), intent(in) :: field
    integer(c_int), intent(out) :: number
    integer(c_int), intent(out), optional :: ierr
    type(kept_field), target :: kept
    type(c_field) :: given
    integer :: status
    call pass_field(field, kept, given)
    number = -1
    status = c_define(streams%handle, given, number)
    if (status == SV_OK) streams%types = [streams%types, field%type]
    call svf_end(status, streams%comm, ierr)
  end subroutine sv_def_stream_field

  subroutine static_r8(streams, field, values, ierr)
    type(sv_streams_t), intent(inout) :: streams
    type(sv_stream_field_t), intent(in) :: field
    real(c_double), intent(in), contiguous, target :: values(..)
    integer(c_int), intent(out), optional :: ierr
    call define_static(streams, field, SV_DOUBLE, c_loc(values), ierr)
  end subroutine static_r8

  subroutine static_r4(streams, field, values, ierr)
    type(sv_streams_t), intent(inout) :: streams
    type(sv_stream_field_t), intent(in) :: field
    real(c_float), intent(in), contiguous, target :: values(..)
    integer(c_int), intent(out), optional :: ierr
    call define_static(streams, field, SV_FLOAT, c_loc(values), ierr)
  end subroutine static_r4

  subroutine static_i4(streams, field, values, ierr)
    type(sv_streams_t), intent(inout) :: streams
    type(sv_stream_field_t), intent(in) :: field
    integer(c_int32_t), intent(in), contiguous, target :: values(..)
    integer(c_int), intent(out), optional :: ierr
    call define_static(streams, field, SV_INT, c_loc(values), ierr)
  end subroutine static_i4

  ! type: of the values; that of the field has no effect.
  subroutine define_static(streams, field, type, values, ierr)
    type(sv_streams_t), intent(inout) :: streams
    type(sv_stream_field_t), intent(in) :: field
    integer(c_int), intent(in) :: type
    type(c_ptr), intent(in) :: values
    integer(c_int), intent(out), optional :: ierr
    type(sv_stream_field_t) :: own
    type(kept_field), target :: kept
    type(c_field) :: given
    integer :: status
    own = field
    own%type = type
    call pass_field(own, kept, given)
    status = c_static(streams%handle, given, values)
    if (status == SV_OK) streams%types = [streams%types, type]
    call svf_end(status, streams%comm, ierr)
  end subroutine define_static

  ! Collective, before sv_begin_streams. keys: of the stream in YAML. No effect if the configuration
  ! has a stream of this name.
  subroutine sv_def_stream(streams, name, keys, ierr)
    type(sv_streams_t), intent(in) :: streams
    character(*), intent(in) :: name, keys
    integer(c_int), intent(out), optional :: ierr
    character(kind=c_char), allocatable, target :: own_name(:), own_keys(:)
    type(c_ptr) :: given_name, given_keys
    call pass_text(name, own_name, given_name)
    call pass_text(keys, own_keys, given_keys)
    call svf_end(c_stream(streams%handle, given_name, given_keys), streams%comm, ierr)
  end subroutine sv_def_stream

  ! Collective. date: year, month, day, hour, minute, second of the state from which the first step
  ! begins. step_seconds: the length of a step, unless it varies. continues: an earlier run has
  ! called sv_save_streams with this date.
  subroutine sv_begin_streams(streams, date, calendar, step_seconds, continues, ierr)
    type(sv_streams_t), intent(in) :: streams
    integer, intent(in) :: date(6)
    character(*), intent(in), optional :: calendar
    integer, intent(in), optional :: step_seconds
    logical, intent(in), optional :: continues
    integer(c_int), intent(out), optional :: ierr
    character(kind=c_char), allocatable, target :: name(:)
    type(c_start) :: start
    start%date = date
    if (present(calendar)) call pass_text(calendar, name, start%calendar)
    if (present(step_seconds)) start%step_seconds = step_seconds
    if (present(continues)) start%continues = merge(1, 0, continues)
    call svf_end(c_begin(streams%handle, start), streams%comm, ierr)
  end subroutine sv_begin_streams

  ! Local. True if a stream needs the values of this field at the end of this step.
  logical function sv_inq_field_wanted(streams, field, date, ierr)
    type(sv_streams_t), intent(in) :: streams
    integer(c_int), intent(in) :: field
    integer, intent(in) :: date(6)
    integer(c_int), intent(out), optional :: ierr
    integer(c_int) :: wanted
    wanted = 0
    call svf_end(c_wanted(streams%handle, field, date, wanted), streams%comm, ierr)
    sv_inq_field_wanted = wanted /= 0
  end function sv_inq_field_wanted

  ! Collective, between steps. Writes what a run that continues from date needs. When the call
  ! returns, that and all records so far are on the disk.
  subroutine sv_save_streams(streams, date, ierr)
    type(sv_streams_t), intent(in) :: streams
    integer, intent(in) :: date(6)
    integer(c_int), intent(out), optional :: ierr
    call svf_end(c_save(streams%handle, date), streams%comm, ierr)
  end subroutine sv_save_streams

  ! Collective. Periods that are not complete have no record.
  subroutine sv_close_streams(streams, ierr)
    type(sv_streams_t), intent(inout) :: streams
    integer(c_int), intent(out), optional :: ierr
    type(c_ptr) :: handle
    handle = streams%handle
    streams%handle = c_null_ptr
    call svf_end(c_close(handle), streams%comm, ierr)
  end subroutine sv_close_streams

  subroutine send_r8(streams, field, date, values, ierr)
    type(sv_streams_t), intent(in) :: streams
    integer(c_int), intent(in) :: field
    integer, intent(in) :: date(6)
    real(c_double), intent(in), contiguous, target :: values(..)
    integer(c_int), intent(out), optional :: ierr
    call send(streams, field, date, SV_DOUBLE, c_loc(values), ierr)
  end subroutine send_r8

  subroutine send_r4(streams, field, date, values, ierr)
    type(sv_streams_t), intent(in) :: streams
    integer(c_int), intent(in) :: field
    integer, intent(in) :: date(6)
    real(c_float), intent(in), contiguous, target :: values(..)
    integer(c_int), intent(out), optional :: ierr
    call send(streams, field, date, SV_FLOAT, c_loc(values), ierr)
  end subroutine send_r4

  subroutine send_i1(streams, field, date, values, ierr)
    type(sv_streams_t), intent(in) :: streams
    integer(c_int), intent(in) :: field
    integer, intent(in) :: date(6)
    integer(c_int8_t), intent(in), contiguous, target :: values(..)
    integer(c_int), intent(out), optional :: ierr
    call send(streams, field, date, SV_BYTE, c_loc(values), ierr)
  end subroutine send_i1

  subroutine send_i2(streams, field, date, values, ierr)
    type(sv_streams_t), intent(in) :: streams
    integer(c_int), intent(in) :: field
    integer, intent(in) :: date(6)
    integer(c_int16_t), intent(in), contiguous, target :: values(..)
    integer(c_int), intent(out), optional :: ierr
    call send(streams, field, date, SV_SHORT, c_loc(values), ierr)
  end subroutine send_i2

  subroutine send_i4(streams, field, date, values, ierr)
    type(sv_streams_t), intent(in) :: streams
    integer(c_int), intent(in) :: field
    integer, intent(in) :: date(6)
    integer(c_int32_t), intent(in), contiguous, target :: values(..)
    integer(c_int), intent(out), optional :: ierr
    call send(streams, field, date, SV_INT, c_loc(values), ierr)
  end subroutine send_i4

  subroutine send_i8(streams, field, date, values, ierr)
    type(sv_streams_t), intent(in) :: streams
    integer(c_int), intent(in) :: field
    integer, intent(in) :: date(6)
    integer(c_int64_t), intent(in), contiguous, target :: values(..)
    integer(c_int), intent(out), optional :: ierr
    call send(streams, field, date, SV_INT64, c_loc(values), ierr)
  end subroutine send_i8

  subroutine send(streams, field, date, type, values, ierr)
    type(sv_streams_t), intent(in) :: streams
    integer(c_int), intent(in) :: field, type
    integer, intent(in) :: date(6)
    type(c_ptr), intent(in) :: values
    integer(c_int), intent(out), optional :: ierr
    type(c_ptr) :: given
    given = values
    if (field >= 0 .and. field < size(streams%types)) then
      if (streams%types(field + 1) /= type) then
        call sv_refuse(streams%io, SV_EINVAL, 'a field is sent in another type than declared', &
          'Send an array of the type in sv_stream_field_t')
        given = c_null_ptr
      end if
    end if
    call svf_end(c_send(streams%handle, field, date, given), streams%comm, ierr)
  end subroutine send

  ! The value in the memory of the field's type.
  function bytes_of(value, type) result(bytes)
    real(c_double), intent(in) :: value
    integer(c_int), intent(in) :: type
    integer(c_int8_t) :: bytes(8)
    bytes = 0
    select case (type)
    case (SV_FLOAT)
      bytes(:4) = transfer(real(value, c_float), bytes)
    case (SV_BYTE)
      bytes(:1) = transfer(int(value, c_int8_t), bytes)
    case (SV_SHORT)
      bytes(:2) = transfer(int(value, c_int16_t), bytes)
    case (SV_INT)
      bytes(:4) = transfer(int(value, c_int32_t), bytes)
    case (SV_INT64)
      bytes = transfer(int(value, c_int64_t), bytes)
    case default
      bytes = transfer(value, bytes)
    end select
  end function bytes_of

  ! kept: owned by the caller, while c is in use.
  subroutine pass_field(field, kept, c)
    type(sv_stream_field_t), intent(in) :: field
    type(kept_field), intent(inout), target :: kept
    type(c_field), intent(inout) :: c
    type(c_handle) :: decomp
    integer :: i, naxes
    naxes = 0
    if (allocated(field%axes)) naxes = size(field%axes)
    allocate (kept%kept_axes(naxes), kept%axes(naxes))
    do i = 1, naxes
      call pass_axis(field%axes(naxes + 1 - i), kept%kept_axes(i), kept%axes(i))
    end do
    call pass_text(field%name, kept%name, c%name)
    call pass_text(field%units, kept%units, c%units)
    call pass_text(field%standard_name, kept%standard_name, c%standard_name)
    call pass_text(field%long_name, kept%long_name, c%long_name)
    call pass_text(field%coordinates, kept%coordinates, c%coordinates)
    call pass_text(field%cell_measures, kept%cell_measures, c%cell_measures)
    call pass_text(field%ancillary_variables, kept%ancillary_variables, c%ancillary_variables)
    call pass_text(field%bounds, kept%bounds, c%bounds)
    c%type = field%type
    c%file_type = field%file_type
    c%naxes = naxes
    if (naxes > 0) c%axes = c_loc(kept%axes)
    if (allocated(field%fill_value)) then
      kept%fill = bytes_of(field%fill_value, field%type)
      c%fill_value = c_loc(kept%fill)
    end if
    if (allocated(field%decomp)) then
      decomp = transfer(field%decomp, decomp)
      c%decomp = decomp%handle
    end if
  end subroutine pass_field

  ! kept: owned by the caller, while c is in use.
  subroutine pass_axis(axis, kept, c)
    type(sv_stream_axis_t), intent(in) :: axis
    type(kept_axis), intent(inout), target :: kept
    type(c_axis), intent(inout) :: c
    call pass_text(axis%name, kept%name, c%name)
    call pass_text(axis%units, kept%units, c%units)
    call pass_text(axis%standard_name, kept%standard_name, c%standard_name)
    call pass_text(axis%long_name, kept%long_name, c%long_name)
    call pass_text(axis%axis, kept%axis, c%axis)
    call pass_text(axis%positive, kept%positive, c%positive)
    c%length = axis%length
    if (allocated(axis%values)) then
      kept%values = axis%values
      c%length = size(kept%values)
      c%values = c_loc(kept%values)
    end if
    if (allocated(axis%bounds)) then
      kept%bounds = axis%bounds
      c%bounds = c_loc(kept%bounds)
    end if
  end subroutine pass_axis

  include 'pass_text.inc'

end module sverdrup_streams
