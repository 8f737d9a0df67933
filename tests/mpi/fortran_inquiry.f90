! Attributes and inquiry through the Fortran module, and the error of each call.
! run: ranks=1 limit=60
! run: ranks=3 limit=60
program fortran_inquiry
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
  use checking, only: check
  use mpi_f08
  use sverdrup
  implicit none
  type(sv_context_t) :: io
  type(sv_decomp_t) :: grid
  type(sv_file_t) :: file, never
  type(MPI_Comm) :: model
  integer :: rank, ranks, x, y, time, flat, square, status

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call sv_init(io, MPI_COMM_WORLD, config=' ')
  call check(sv_is_model(io), 'all ranks compute')
  call sv_model_comm(io, model)
  call MPI_Comm_rank(model, status)
  call check(status == rank, 'the communicator')
  call sv_def_decomp(io, grid, int([ranks, 4], int64), int([rank + 1, 1], int64), [1_int64, 4_int64])
  call define()
  call inquire_all()
  call attributes()
  call local_errors()
  call collective_errors()
  call places()
  call sv_close(file, status)
  call check(status == SV_OK, 'a refused call does not harm the file')
  call sv_write_summary(io, 'summary.json')
  call sv_finalize(io)
  call MPI_Finalize()

contains

  subroutine define()
    call sv_create(io, 'inquiry.nc', file, SV_64BIT_DATA + SV_GROWING)
    call sv_def_dim(file, 'x', ranks, x)
    call sv_def_dim(file, 'y  ', 4, y)
    call sv_def_dim(file, 'time', SV_UNLIMITED, time)
    call sv_def_var(file, 'flat', SV_FLOAT, [x, y, time], flat)
    call sv_def_var(file, 'square', SV_UBYTE, [y, y], square)
    call sv_def_alignment(file, data_align=512_int64, ierr=status)
    call check(status == SV_OK, 'sv_def_alignment')
    call sv_def_fill(file, flat, -1.0)
    call sv_def_fill(file, square, 7_int8)
    call sv_put_att(file, flat, 'units', 'degC')
    call sv_put_att(file, flat, 'empty', '')
    call sv_put_att(file, flat, 'i1', 1_int8)
    call sv_put_att(file, flat, 'i2', [1_int16, -2_int16])
    call sv_put_att(file, flat, 'i4', 40000)
    call sv_put_att(file, flat, 'i8', 2_int64**40)
    call sv_put_att(file, flat, 'r4', [1.5_real32, 2.5_real32])
    call sv_put_att(file, SV_GLOBAL, 'r8', [1.0_real64, 2.0_real64, 3.0_real64])
    call sv_put_att(file, square, 'flag_values', [1_int8, 2_int8], type=SV_UBYTE)
  end subroutine define

  subroutine inquire_all()
    character(SV_MAX_NAME) :: name
    integer :: ndims, nvars, natts, record_dim, dims(SV_MAX_DIMS)
    integer :: type, version, length, id
    integer(int64) :: long
    call sv_inq(file, ndims, nvars, natts, record_dim)
    call check(all([ndims, nvars, natts] == [3, 2, 1]) .and. record_dim == time, 'sv_inq')
    call sv_inq(file, nvars=nvars)
    call sv_inq_dim(file, y, name, length)
    call check(name == 'y' .and. length == 4, 'sv_inq_dim')
    call sv_inq_dim(file, x, length=long)
    call check(long == ranks, 'sv_inq_dim in 64 bits')
    call sv_inq_dimid(file, 'time', id)
    call check(id == time, 'sv_inq_dimid')
    call sv_inq_var(file, flat, name, type, ndims, dims, natts)
    call check(name == 'flat' .and. type == SV_FLOAT, 'sv_inq_var')
    call check(all([ndims, natts] == [3, 8]), 'sv_inq_var counts')
    call check(all(dims(:3) == [x, y, time]), 'dimensions are fastest first')
    call sv_inq_varid(file, 'square', id)
    call check(id == square, 'sv_inq_varid')
    call sv_inq_format(file, version)
    call check(version == 5, 'sv_inq_format')
    call sv_inq_att(file, flat, 'r4', type, length)
    call check(type == SV_FLOAT .and. length == 2, 'sv_inq_att')
    call sv_inq_att(file, square, 'flag_values', type, long)
    call check(type == SV_UBYTE .and. long == 2, 'sv_inq_att of an unsigned type')
    call sv_inq_attname(file, flat, 2, name)
    call check(name == 'units', 'sv_inq_attname counts from 1')
  end subroutine inquire_all

  subroutine attributes()
    character(10) :: text
    integer(int8) :: bytes(2)
    integer(int16) :: few(2)
    integer :: many(7), one
    integer(int64) :: long
    real(real32) :: single(2)
    real(real64) :: double(3)
    text = '??????????'
    call sv_get_att(file, flat, 'units', text)
    call check(text == 'degC', 'text')
    call sv_get_att(file, flat, 'empty', text)
    call check(text == ' ', 'no text')
    call sv_get_att(file, flat, 'i2', few)
    call check(all(few == [1, -2]), 'shorts')
    many = 0
    call sv_get_att(file, flat, 'i2', many(2:7:3))
    call check(all(many == [0, 1, 0, 0, -2, 0, 0]), 'into a section')
    call sv_get_att(file, flat, 'i1', one)
    call check(one == 1, 'a byte into an integer')
    call sv_get_att(file, flat, 'i8', long)
    call check(long == 2_int64**40, 'a long')
    call sv_get_att(file, flat, 'r4', single)
    call check(all(nint(2*single) == [3, 5]), 'singles')
    call sv_get_att(file, SV_GLOBAL, 'r8', double)
    call check(all(nint(double) == [1, 2, 3]), 'doubles')
    call sv_get_att(file, square, 'flag_values', bytes, ierr=status)
    call check(status == SV_OK .and. all(bytes == [1, 2]), 'unsigned bytes')
  end subroutine attributes

  subroutine refused(code, words)
    integer, intent(in) :: code
    character(*), intent(in) :: words
    call check(status == code, 'the status of: '//words//' ('//sv_strerror(status)//')')
    call check(index(sv_message(), words) > 0, 'the message has: '//words)
  end subroutine refused

  subroutine local_errors()
    character(2) :: short
    integer :: dims(1), id
    real :: one
    call sv_inq_varid(file, 'nothing', id, status)
    call refused(SV_ENOTFOUND, 'nothing')
    call sv_inq_dim(file, time, name=short, ierr=status)
    call refused(SV_EINVAL, 'too short')
    call sv_get_att(file, flat, 'units', short, status)
    call refused(SV_EINVAL, '4 characters')
    call sv_get_att(file, flat, 'r4', one, status)
    call refused(SV_EINVAL, '2 values')
    call sv_inq_var(file, flat, dims=dims, ierr=status)
    call refused(SV_EINVAL, '3 dimensions')
    call sv_def_fill(file, flat, 1.0_real64, status)
    call refused(SV_ETYPE, 'fill value')
    call sv_put_att(file, flat, 'table', reshape([1, 2, 3, 4], [2, 2]), ierr=status)
    call refused(SV_EINVAL, 'rank 2')
    call sv_put_att(file, flat, 'byte', 1, type=SV_UBYTE, ierr=status)
    call refused(SV_ETYPE, 'byte')
    call sv_inq(never, ierr=status)
    call refused(SV_EINVAL, 'null pointer')
    call sv_refuse(io, 99, 'no such code', ierr=status)
    call refused(SV_EINVAL, '99')
    call sv_inq(file, ierr=status)
    call check(status == SV_OK, 'no error after errors')
  end subroutine local_errors

  ! A wrong argument of one rank is the same error on every rank, and no rank waits.
  subroutine collective_errors()
    real :: field(1, 4)
    complex :: waves(1, 4)
    type(sv_decomp_t) :: bad
    field = 1
    waves = 1
    if (rank == ranks - 1) then
      call sv_def_decomp(io, bad, [ranks, 4], [rank + 1, 1], [1, 4], halo=[1, 1, 1], ierr=status)
    else
      call sv_def_decomp(io, bad, [ranks, 4], [rank + 1, 1], [1, 4], ierr=status)
    end if
    call refused(SV_EINVAL, '''halo''')
    call sv_enddef(file)
    if (rank == ranks - 1) then
      call sv_put(file, flat, grid, field(:, :3), record=1, ierr=status)
    else
      call sv_put(file, flat, grid, field, record=1, ierr=status)
    end if
    call refused(SV_EINVAL, 'shape (1, 3), where (1, 4) is expected')
    if (rank == ranks - 1) then
      call sv_put(file, flat, grid, waves, record=1, ierr=status)
    else
      call sv_put(file, flat, grid, field, record=1, ierr=status)
    end if
    call refused(SV_EINVAL, 'complex')
    call sv_put_vara(file, flat, [1, 1], [1, 4], field, status)
    call refused(SV_EINVAL, '''start'' and ''count''')
    call sv_refuse(io, SV_EIO, 'the model is not a number', 'Shorten the time step')
    call sv_end_step(io, status)
    call refused(SV_EIO, 'not a number')
  end subroutine collective_errors

  subroutine places()
    integer(int64) :: header_bytes, data_begin, record_bytes, offset, misfits
    call sv_inq_file_layout(file, header_bytes, data_begin, record_bytes)
    call check(header_bytes > 0 .and. data_begin >= header_bytes .and. mod(data_begin, 512_int64) == 0, 'sv_inq_file_layout')
    call check(record_bytes == 4_int64 * ranks * 4, 'bytes of a record')
    call sv_inq_varoffset(file, square, offset)
    call check(offset == data_begin, 'sv_inq_varoffset')
    call sv_inq_range_errors(file, misfits)
    call check(misfits == 0, 'sv_inq_range_errors')
  end subroutine places

end program fortran_inquiry
