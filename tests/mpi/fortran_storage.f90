! The storage of single variables through the Fortran module: the file has the requested storage. Chunks are fastest
! dimension first, records last.
! run: ranks=1 limit=60 env=SV_STORE=netcdf4
! run: ranks=3 limit=60 name=zarr env=SV_STORE=zarr
program fortran_storage
  use, intrinsic :: iso_fortran_env, only: int64
  use checking, only: check
  use mpi_f08
  use sverdrup
  implicit none
  type(sv_context_t) :: io
  type(sv_file_t) :: file
  character(len=*), parameter :: path = 'storage'
  integer :: x, y, time, temp, mask, step, status
  real :: field(60, 48)

  call MPI_Init()
  call sv_init(io, MPI_COMM_WORLD, config=' ')
  call define()
  call inquire_asked()
  call sv_enddef(file)
  call inquire_chunks()
  field = 1.25
  call sv_put_var(file, mask, field)
  do step = 1, 3
    call sv_put_var(file, temp, field + step, record=step)
    call sv_end_step(io)
  end do
  call sv_close(file)
  call sv_open(io, path, file)
  call inquire_asked()
  call inquire_chunks()
  call sv_get_var(file, temp, field, record=3)
  call check(all(nint(4 * field) == 17), 'other values')
  call sv_close(file)
  call sv_finalize(io)
  call MPI_Finalize()

contains

  subroutine define()
    call sv_create(io, path, file)
    call sv_def_dim(file, 'x', 60, x)
    call sv_def_dim(file, 'y', 48, y)
    call sv_def_dim(file, 'time', SV_UNLIMITED, time)
    call sv_def_var(file, 'temp', SV_FLOAT, [x, y, time], temp)
    call sv_def_var(file, 'mask', SV_FLOAT, [x, y], mask)
    call sv_def_var_chunking(file, temp, SV_CHUNKED, [30, 16, 1])
    call sv_def_var_deflate(file, temp, shuffle=1, level=4)
    call sv_def_var_fletcher32(file, temp, 1)
    call sv_def_var_chunking(file, mask, SV_CHUNKED, [60_int64, 12_int64])
    call sv_def_var_filter(file, mask, SV_FILTER_DEFLATE, [2])
    call sv_def_var_quantize(file, mask, SV_QUANTIZE_BITROUND, 7)
    call sv_def_var_endian(file, mask, SV_ENDIAN_BIG)
    call sv_def_var_error_bound(file, temp, SV_ERROR_ABSOLUTE, 0.125d0)
    call sv_def_var_error_bound(file, temp, SV_ERROR_ABSOLUTE, -1d0, status)
    call check(status == SV_EINVAL, 'a negative bound')
    call sv_def_var_chunking(file, mask, SV_CHUNKED, [60], ierr=status)
    call check(status == SV_EINVAL, 'too few lengths')
    call sv_def_var_deflate(file, temp, 1, 10, status)
    call check(status == SV_EINVAL, 'a level of 10')
    call check(index(sv_message(), 'temp') > 0, 'its message')
    call sv_def_var_zstandard(file, temp, 3, status)
    call check(status == SV_EINVAL, 'two compressors')
  end subroutine define

  subroutine inquire_asked()
    integer :: shuffle, level, on, mode, digits, endian, kind, n, ids(SV_MAX_FILTERS)
    double precision :: bound, largest
    call sv_inq_var_deflate(file, temp, shuffle, level)
    call check(level == 4, 'the level of temp')
    call sv_inq_var_zstandard(file, temp, level)
    call check(level == 0, 'no Zstandard')
    call sv_inq_var_fletcher32(file, temp, on)
    call check(on == 1, 'checksums')
    call sv_inq_var_filter_ids(file, mask, n, ids)
    call check(n > 0 .and. ids(max(n, 1)) == SV_FILTER_DEFLATE, 'the filters of mask')
    call sv_inq_var_quantize(file, mask, mode, digits)
    call check(mode == SV_QUANTIZE_BITROUND .and. digits == 7, 'the bits of mask')
    call sv_inq_var_error_bound(file, temp, kind, bound, largest)
    call check(kind == SV_ERROR_ABSOLUTE .and. abs(bound - 0.125d0) < 1d-12 .and. largest <= bound, 'the error bound of temp')
    call sv_inq_var_error_bound(file, mask, kind)
    call check(kind == SV_ERROR_NONE, 'no error bound of mask')
    call sv_inq_var_endian(file, mask, endian)
    call check(endian == SV_ENDIAN_BIG, 'the order of mask')
  end subroutine inquire_asked

  subroutine inquire_chunks()
    integer :: storage
    integer(int64) :: lengths(3)
    call sv_inq_var_chunking(file, temp, storage, lengths)
    call check(storage == SV_CHUNKED .and. all(lengths == [30, 16, 1]), 'the chunks of temp')
    call sv_inq_var_chunking(file, mask, lengths=lengths)
    call check(all(lengths(:2) == [60, 12]), 'the chunks of mask')
  end subroutine inquire_chunks

end program fortran_storage
