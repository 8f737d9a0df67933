! Groups, attributes and variables of strings from Fortran: defined, inquired and read back.
! run: ranks=1 limit=60
! run: ranks=2 limit=60 name=zarr args=store=zarr
program fortran_groups
  use mpi_f08
  use sverdrup
  implicit none
  type(sv_context_t) :: io
  type(sv_file_t) :: file
  integer :: x, ocean, deep, temp, found, number, ids(2), record, station, rank, ranks, status
  character(32) :: option, name, words(2), names(3)
  call MPI_Init()
  option = 'store=netcdf4'
  if (command_argument_count() > 0) call get_command_argument(1, option)
  call sv_init(io, MPI_COMM_WORLD, options=[option])
  call sv_create(io, 'fortran_groups.dat', file)
  call sv_def_dim(file, 'x', 3, x)
  call sv_def_grp(file, 0, 'ocean', ocean)
  call sv_def_grp(file, ocean, 'deep', deep)
  call sv_def_var(file, 'ocean/deep/temp', SV_INT, [x], temp)
  call sv_put_att_string(file, sv_group(deep), 'words', ['cold  ', 'warmer'])
  call sv_def_dim(file, 'records', SV_UNLIMITED, record)
  call sv_def_var(file, 'names', SV_STRING, [x, record], station)
  call sv_enddef(file)
  names = ['Bergen  ', '        ', 'Torshavn']
  call sv_put_var_string(file, station, names, record=1)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  if (rank == 0) then
    call sv_put_vara_string(file, station, [2, 2], [2, 1], ['b', 'c'])
  else
    call sv_put_vara_string(file, station, [1, 2], [1, 1], ['a'])
  end if
  call sv_put_var_string(file, station, names(1:2), record=1, ierr=status)
  if (status /= SV_EINVAL) error stop 'too few strings'
  call sv_end_step(io)
  call sv_close(file)
  call sv_open(io, 'fortran_groups.dat', file)
  call sv_inq_grpid(file, 0, 'ocean/deep', found)
  call sv_inq_grpname(file, found, name)
  if (name /= 'deep') error stop 'the name of a group'
  call sv_inq_grpname_full(file, found, name)
  if (name /= 'ocean/deep') error stop 'the whole name of a group'
  call sv_inq_grp_varids(file, found, number, ids)
  call sv_inq_varid(file, 'ocean/deep/temp', temp)
  if (number /= 1 .or. ids(1) /= temp) error stop 'the variables of a group'
  call sv_get_att_string(file, sv_group(found), 'words', words)
  if (words(1) /= 'cold' .or. words(2) /= 'warmer') error stop 'strings'
  call sv_inq_varid(file, 'names', station)
  names = '?'
  call sv_get_var_string(file, station, names, record=1)
  if (any(names /= ['Bergen  ', '        ', 'Torshavn'])) error stop 'the strings of a record'
  call sv_get_vara_string(file, station, [1, 2], [3, 1], names)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  if (ranks > 1 .and. any(names /= ['a', 'b', 'c'])) error stop 'the strings of ranks'
  if (ranks == 1 .and. any(names /= [' ', 'b', 'c'])) error stop 'strings that no rank put'
  call sv_close(file)
  call sv_finalize(io)
  call MPI_Finalize()
end program fortran_groups
