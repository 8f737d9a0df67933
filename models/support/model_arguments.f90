! The words of a model's command line: --key=value, --key value, or a flag.
module model_arguments
  implicit none
  private
  public :: next_option, settings, asks_version, no_value

  ! The value of an option behind which nothing stands: whether it has one, its reader knows.
  character(*), parameter :: no_value = achar(0)

contains

  ! The option at argument n, which moves on. `flags`: those without a value, with their dashes.
  ! `help` becomes true at --help and --version; `error` names a wrong option.
  subroutine next_option(flags, n, key, value, help, error)
    character(*), intent(in) :: flags(:)
    integer, intent(inout) :: n
    character(*), intent(out) :: key, value
    logical, intent(inout) :: help
    character(:), allocatable, intent(inout) :: error
    character(len(value)) :: word
    integer :: equals
    call get_command_argument(n, word)
    n = n + 1
    help = help .or. word == '--help' .or. word == '-h' .or. word == '--version'
    if (help) return
    if (word(1:2) /= '--') then
      error = "'"//trim(word)//"' is no option: options are --key=value, see --help"
      return
    end if
    equals = index(word, '=')
    if (equals > 0) then
      key = word(3:equals - 1)
      value = word(equals + 1:)
    else if (any(flags == word)) then
      key = word(3:)
      value = 'true'
    else if (n <= command_argument_count()) then
      key = word(3:)
      call get_command_argument(n, value)
      n = n + 1
    else
      key = word(3:)
      value = no_value
    end if
  end subroutine next_option

  ! Whether --version is among the arguments.
  logical function asks_version()
    character(9) :: word
    integer :: n
    asks_version = .false.
    do n = 1, command_argument_count()
      call get_command_argument(n, word)
      asks_version = asks_version .or. word == '--version'
    end do
  end function asks_version

  ! 'a=b,c=d' as a list.
  pure function settings(text) result(list)
    character(*), intent(in) :: text
    character(len(text)), allocatable :: list(:)
    integer :: first, comma
    allocate (list(0))
    first = 1
    do while (first <= len_trim(text))
      comma = index(text(first:)//',', ',') + first - 1
      list = [character(len(text)) :: list, text(first:comma - 1)]
      first = comma + 1
    end do
  end function settings

end module model_arguments
