! The options of a run: --key=value, --key value, or a flag, on the command line, over those of a
! preset.
module points_options
  use, intrinsic :: iso_fortran_env, only: dp => real64, output_unit
  use model_arguments, only: next_option, no_value
  implicit none
  private
  public :: dp, options_type, parse_options, print_help

  integer, parameter :: text = 512

  type options_type
    character(text) :: preset = 'demo'
    character(text) :: grid = 'demo_grid.nc'      ! of sv-grid
    integer :: nz = 20                            ! levels
    integer :: steps = 120
    integer :: every = 40                         ! steps between diagnostic records; 0 = none
    integer :: log_every = 20                     ! steps between lines of progress; 0 = none
    integer :: substeps = 10                      ! of the depth-mean flow in a step
    integer :: spin_up = 1000                     ! and before the first one
    real(dp) :: dt = 0                            ! s; 0 = from the grid
    ! time scale of the surface restoring; 0 = no surface flux
    real(dp) :: restoring_days = 30
    character(text) :: owners = 'grid'            ! who has which cells: grid or blocks
    character(text) :: order = 'index'            ! of the cells in files: index or curve
    character(text) :: output = 'points.nc'       ! diagnostics, single precision
    character(text) :: restart_in = ' ', restart_out = ' '
    character(text) :: config = ' '               ! configuration file of Sverdrup
    ! settings of Sverdrup over it: key=value,key=value
    character(text) :: set = ' '
    logical :: help = .false.
  end type options_type

contains

  ! Reads the command line. `error` is empty when all went well. The preset is applied first,
  ! wherever it stands.
  subroutine parse_options(options, error)
    type(options_type), intent(out) :: options
    character(:), allocatable, intent(out) :: error
    character(text) :: key, value
    character(len=6), parameter :: flags(0) = [character(6) ::]
    integer :: pass, n
    error = ''
    do pass = 1, 2
      n = 1
      do while (n <= command_argument_count() .and. len(error) == 0)
        call next_option(flags, n, key, value, options%help, error)
        if (options%help .or. len(error) > 0) exit
        if ((key == 'preset') .eqv. (pass == 1)) call set_option(options, key, value, error)
      end do
    end do
    if (len(error) == 0 .and. .not. options%help) call check(options, error)
  end subroutine parse_options

  subroutine set_option(options, key, value, error)
    type(options_type), intent(inout) :: options
    character(*), intent(in) :: key, value
    character(:), allocatable, intent(inout) :: error
    integer :: status
    status = 0
    select case (key)
    case ('preset'); call set_preset(options, value, status)
    case ('grid'); options%grid = value
    case ('nz'); read (value, *, iostat=status) options%nz
    case ('steps'); read (value, *, iostat=status) options%steps
    case ('every'); read (value, *, iostat=status) options%every
    case ('log-every'); read (value, *, iostat=status) options%log_every
    case ('substeps'); read (value, *, iostat=status) options%substeps
    case ('spin-up'); read (value, *, iostat=status) options%spin_up
    case ('dt'); read (value, *, iostat=status) options%dt
    case ('restoring-days'); read (value, *, iostat=status) options%restoring_days
    case ('owners'); options%owners = value
    case ('order'); options%order = value
    case ('output'); options%output = value
    case ('restart-in'); options%restart_in = value
    case ('restart-out'); options%restart_out = value
    case ('config'); options%config = value
    case ('set'); options%set = value
    case default
      error = "unknown option '--"//trim(key)//"', see --help"
    end select
    if (len(error) == 0 .and. value == no_value) then
      error = "option '--"//trim(key)//"' needs a value, see --help"
    else if (status /= 0) then
      error = "option '--"//trim(key)//"': bad value '"//trim(value)//"', see --help"
    end if
  end subroutine set_option

  subroutine set_preset(options, name, status)
    type(options_type), intent(inout) :: options
    character(*), intent(in) :: name
    integer, intent(out) :: status
    status = 0
    select case (name)
    case ('small')
      options%nz = 8
      options%grid = 'small_grid.nc'
    case ('demo')
      options%nz = 20
      options%grid = 'demo_grid.nc'
    case ('1/12deg')
      options%nz = 50
      options%grid = 'grid_1_12deg.nc'
      options%spin_up = 20000
    case default
      status = 1
      return
    end select
    options%preset = name
  end subroutine set_preset

  subroutine check(options, error)
    type(options_type), intent(in) :: options
    character(:), allocatable, intent(inout) :: error
    if (options%nz < 3) error = '--nz must be at least 3'
    if (min(options%steps, options%every, options%log_every) < 0) &
      error = '--steps, --every and --log-every must not be negative'
    if (options%substeps < 1 .or. options%spin_up < 0) &
      error = '--substeps must be at least 1, and --spin-up not negative'
    if (min(options%dt, options%restoring_days) < 0) &
      error = '--dt and --restoring-days must not be negative'
    if (all(options%owners /= [character(6) :: 'grid', 'blocks'])) &
      error = "--owners must be grid or blocks, not '"//trim(options%owners)//"'"
    if (all(options%order /= [character(5) :: 'index', 'curve'])) &
      error = "--order must be index or curve, not '"//trim(options%order)//"'"
  end subroutine check

  subroutine print_help()
    character(*), parameter :: lines(*) = [character(100) :: &
      'points: an ocean on an unstructured grid, through Sverdrup. Options (--key=value):', &
      '  --preset=demo             levels and name of the grid file: small, demo, 1/12deg', &
      '  --grid=FILE               file with the grid, made by sv-grid', &
      '  --nz=20                   number of levels', &
      '  --owners=grid             which rank owns which cells. grid: the partition for this', &
      '                            number of ranks in the grid file, if any; blocks: equal shares', &
      '  --order=index             order of the cells in the files: index, or curve (Hilbert)', &
      '  --steps=120               number of time steps', &
      '  --dt=S                    length of a time step in seconds (4 h at 1 degree)', &
      '  --every=40                steps between diagnostic records (0: no file)', &
      '  --log-every=20            steps between lines of progress', &
      '  --substeps=10             steps of the depth-mean flow in each time step', &
      '  --spin-up=1000            steps of the depth-mean flow before the first time step', &
      '  --restoring-days=30       restoring of surface T and S (0: no surface flux)', &
      '  --output=points.nc        file of the diagnostics, in single precision', &
      '  --restart-out=FILE        write the whole state in double precision after the last step', &
      '  --restart-in=FILE         continue from a file of --restart-out, on any number of ranks', &
      '  --config=FILE             configuration of Sverdrup (YAML)', &
      '  --set=key=value,...       settings of Sverdrup, which override the file']
    integer :: n
    do n = 1, size(lines)
      write (output_unit, '(a)') trim(lines(n))
    end do
  end subroutine print_help

end module points_options
