! The netCDF calls of Fortran programs, which netCDF-Fortran passes on to the C names.
program netcdf_fortran
  use netcdf
  implicit none
  integer :: f, t, x, v, w, n, r
  real(8) :: a(5, 3)
  character(80) :: title
  a = reshape([(n * 1.5d0, n = 1, 15)], [5, 3])
  call ok(nf90_create('f90.nc', ior(nf90_clobber, nf90_64bit_offset), f))
  call ok(nf90_def_dim(f, 'time', nf90_unlimited, t))
  call ok(nf90_def_dim(f, 'x', 5, x))
  call ok(nf90_def_var(f, 'a', nf90_double, [x, t], v))
  call ok(nf90_def_var(f, 'w', nf90_int, [x], w))
  call ok(nf90_put_att(f, nf90_global, 'title', 'from Fortran'))
  call ok(nf90_put_att(f, v, 'scale', [1.0, 2.0]))
  call ok(nf90_enddef(f))
  call ok(nf90_put_var(f, v, a, start=[1, 1], count=[5, 3]))
  call ok(nf90_redef(f))
  call ok(nf90_put_att(f, v, 'more', 3))
  call ok(nf90_enddef(f))
  call ok(nf90_put_var(f, w, [1, 2, 3], start=[1], stride=[2]))
  call ok(nf90_sync(f))
  call ok(nf90_inquire_dimension(f, t, len=r))
  call ok(nf90_get_att(f, nf90_global, 'title', title))
  if (r /= 3 .or. title /= 'from Fortran') stop 2
  if (nf90_put_var(f, v, a, start=[9, 1], count=[5, 3]) /= nf90_einvalcoords) stop 3
  call ok(nf90_close(f))
contains
  subroutine ok(code)
    integer, intent(in) :: code
    if (code /= nf90_noerr) then
      print *, trim(nf90_strerror(code))
      stop 1
    end if
  end subroutine
end program
