! The interpretation of the compiler's descriptors: types, extents, strides in bytes; no MPI.
module describe_module
  use, intrinsic :: iso_c_binding, only: c_char, c_int, c_int64_t
  implicit none
  type, bind(C) :: description
    integer(c_int64_t) :: known, type, ndims, offset, extent_and_stride(8)
  end type description
  interface
    type(description) function describe(data, base) bind(C)
      import
      type(*), intent(in) :: data(..), base(..)
    end function describe
    integer(c_int) function fit(data, n, expected, stride) bind(C)
      import
      type(*), intent(in) :: data(..)
      integer(c_int), value :: n
      integer(c_int64_t), intent(in) :: expected(*)
      integer(c_int64_t), intent(inout) :: stride(*)
    end function fit
    integer(c_int) function integers(data, room, to) bind(C)
      import
      type(*), intent(in) :: data(..)
      integer(c_int), value :: room
      integer(c_int64_t), intent(inout) :: to(*)
    end function integers
    integer(c_int) function store(to, value) bind(C)
      import
      type(*), intent(inout) :: to(..)
      integer(c_int64_t), value :: value
    end function store
    integer(c_int) function shape_is(data, expected) bind(C)
      import
      type(*), intent(in) :: data(..)
      character(kind=c_char, len=*), intent(in) :: expected
    end function shape_is
    integer(c_int) function pad(text, to) bind(C)
      import
      character(kind=c_char, len=*), intent(in) :: text
      character(kind=c_char, len=*), intent(inout) :: to
    end function pad
  end interface
end module describe_module

program descriptors
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64, real128
  use checking, only: check
  use describe_module
  use sverdrup_types, only: SV_BYTE, SV_CHAR, SV_DOUBLE, SV_FLOAT, SV_INT, SV_INT64, SV_SHORT
  implicit none
  real(real64), target :: a(4, 6, 5)

  call types()
  call sections()
  call characters()
  call shapes()
  call arguments()

contains

  ! `expected`: type, then extents and strides, slowest first; `first`: offset of the first element.
  subroutine expect(found, expected, first, what)
    type(description), intent(in) :: found
    integer, intent(in) :: expected(:), first
    character(*), intent(in) :: what
    integer :: n
    n = size(expected) - 1
    call check(found%known == 1, what//' is refused')
    call check(found%type == expected(1), what//': type')
    call check(2*found%ndims == n, what//': rank')
    call check(all(found%extent_and_stride(:n) == expected(2:)), what//': extents and strides')
    call check(found%offset == first, what//': first element')
  end subroutine expect

  subroutine refused(found, what)
    type(description), intent(in) :: found
    character(*), intent(in) :: what
    call check(found%known == 0, what//' is not refused')
  end subroutine refused

  subroutine types()
    integer(int8) :: i1
    integer(int16) :: i2(3)
    integer(int32) :: i4(2)
    integer(int64) :: i8(2)
    real(real32) :: r4(2)
    character :: c(4)
    logical :: l(2)
    complex :: z(2)
    real(real128) :: q
    call expect(describe(i1, i1), [SV_BYTE], 0, 'int8')
    call expect(describe(i2, i2), [SV_SHORT, 3, 2], 0, 'int16')
    call expect(describe(i4, i4), [SV_INT, 2, 4], 0, 'int32')
    call expect(describe(i8, i8), [SV_INT64, 2, 8], 0, 'int64')
    call expect(describe(r4, r4), [SV_FLOAT, 2, 4], 0, 'real32')
    call expect(describe(a(1, 1, 1), a), [SV_DOUBLE], 0, 'real64')
    call expect(describe(c, c), [SV_CHAR, 4, 1], 0, 'characters')
    call refused(describe(l, l), 'logical')
    call refused(describe(z, z), 'complex')
    call refused(describe(q, q), 'quadruple')
  end subroutine types

  subroutine sections()
    type pair
      real(real32) :: low, high
    end type pair
    type(pair), target :: pairs(3)
    real(real64), pointer :: p(:, :)
    real(real64), allocatable :: none(:, :)
    integer(c_int64_t) :: stride(2)
    call expect(describe(a, a), [SV_DOUBLE, 5, 6, 4, 192, 32, 8], 0, 'a whole array')
    call expect(describe(a(2:3, ::2, 5), a), [SV_DOUBLE, 3, 2, 64, 8], 8*(1 + 24*4), 'a section')
    call expect(describe(a(4:1:-3, 6:1:-1, 1), a), [SV_DOUBLE, 6, 2, -32, -24], 8*(3 + 4*5), &
                'backwards')
    call expect(describe(a(3, 2, :), a), [SV_DOUBLE, 5, 192], 8*(2 + 4), 'a pencil')
    p(0:, -3:) => a(:2, 3, 1:5:2)
    call expect(describe(p, a), [SV_DOUBLE, 3, 2, 384, 8], 8*8, 'a pointer with bounds of its own')
    call expect(describe(pairs%high, pairs), [SV_FLOAT, 3, 8], 4, 'a component')
    call expect_dummy(a, 24, 5)
    allocate (none(0, 3))
    call check(fit(none, 2, [3_int64, 0_int64], stride) == 1, 'an empty array')
  end subroutine sections

  ! Explicit shapes have descriptors of their own; assumed sizes have no shape.
  subroutine expect_dummy(b, m, n)
    integer, intent(in) :: m, n
    real(real64), intent(in) :: b(m, *)
    call expect(describe(b(:, :n), b), [SV_DOUBLE, n, m, 8*m, 8], 0, 'a section of an assumed size')
    call refused(describe(b, b), 'an assumed size')
  end subroutine expect_dummy

  subroutine characters()
    character(8) :: names(3) = ['one     ', 'two     ', 'three   ']
    character(:), allocatable :: text
    integer(c_int64_t) :: stride(1)
    text = 'hello'
    call expect(describe(names, names), [SV_CHAR, 3, 8, 8, 1], 0, 'character array')
    call expect(describe(names(3:1:-2)(2:4), names), [SV_CHAR, 2, 3, -16, 1], 17, 'substrings')
    call expect(describe(text, text), [SV_CHAR, 5, 1], 0, 'deferred length')
    call check(fit('constant', 1, [8_int64], stride) == 1, 'a constant')
    call check(fit(text//'!', 1, [6_int64], stride) == 1, 'an expression')
    text = 'longer'
    call check(pad('ab', text) == 1, 'padding with blanks')
    call check(text == 'ab', 'padding with blanks')
    call check(pad('too long', text) == 0, 'a text that does not fit')
    call check(text == 'too lo', 'a text that does not fit')
  end subroutine characters

  subroutine shapes()
    integer(c_int64_t) :: stride(4)
    call check(fit(a, 3, [5_int64, 6_int64, 4_int64], stride) == 1, 'the same shape')
    call check(fit(a, 3, [4_int64, 6_int64, 5_int64], stride) == 0, 'the reversed shape')
    call check(fit(a, 2, [5_int64, 24_int64], stride) == 0, 'a reshaped array')
    call check(fit(a(:, :, 2), 3, [1_int64, 6_int64, 4_int64], stride) == 1, 'one level')
    call check(all(stride(:3) == [192, 32, 8]), 'the stride of one level is that of a dense array')
    call check(fit(a(:, 2:2, ::2), 4, [3_int64, 1_int64, 4_int64, 1_int64], stride) == 1, 'ones')
    call check(all(stride(:4) == [384, 32, 8, 8]), 'strides beside ones')
    call check(fit(a(1, 1, 1), 0, stride, stride) == 1, 'a scalar')
    call check(fit(a(1:1, 1, 1), 0, stride, stride) == 1, 'one element for a scalar')
    call check(fit(a(:, 1, 1), 0, stride, stride) == 0, 'several elements for a scalar')
    call check(shape_is(a(:, 1:2, :), '(4, 2, 5)') == 1, 'the text of a shape')
    call check(shape_is(a(1, 1, 1), '()') == 1, 'the text of no shape')
  end subroutine shapes

  subroutine arguments()
    integer(c_int64_t) :: to(6), wide
    integer(int32) :: table(2, 3) = reshape([1, 2, 3, 4, 5, 6], [2, 3])
    integer(int16) :: small = -3
    integer(int32) :: narrow
    logical(int8) :: flags(2) = [.true., .false.]
    to = 0
    call check(integers(table(:, 3:1:-1), 6, to) == 6, 'a table of integers')
    call check(all(to == [5, 6, 3, 4, 1, 2]), 'in array-element order')
    to = 0
    call check(integers(table, 2, to) == 6, 'bounded room')
    call check(all(to == [1, 2, 0, 0, 0, 0]), 'bounded room')
    call check(integers(small, 1, to) == 1, 'a scalar of 16 bits')
    call check(to(1) == -3, 'a scalar of 16 bits')
    call check(integers(flags, 2, to) == 2, 'logicals')
    call check(to(1) /= 0 .and. to(2) == 0, 'logicals')
    call check(store(wide, 2_int64**40) == 1, 'storing 64 bits')
    call check(wide == 2_int64**40, 'storing 64 bits')
    call check(store(narrow, 7_int64) == 1, 'storing 32 bits')
    call check(narrow == 7, 'storing 32 bits')
    call check(store(narrow, 2_int64**31) == 0, 'storing what does not fit')
  end subroutine arguments

end program descriptors
