! The options of a run: --key=value, --key value, or a flag, on the command line, over those of a
! preset.
module ocean_options
  use, intrinsic :: iso_fortran_env, only: dp => real64, output_unit
  use model_arguments, only: next_option, no_value
  implicit none
  private
  public :: dp, options_type, parse_options, print_help

  integer, parameter :: text = 512
  character(*), parameter :: flags(*) = [character(14) :: '--mask', '--ranks-needed']

  type options_type
    character(text) :: preset = 'demo'
    integer :: nx = 360, ny = 180, nz = 20        ! cells: longitude, latitude, levels
    ! blocks in x and y; 0 = chosen from the number of ranks
    integer :: px = 0, py = 0
    logical :: mask = .false.                     ! blocks that are all land have no rank
    logical :: ranks_needed = .false.             ! tell how many ranks have ocean, and stop
    integer :: steps = 120
    integer :: every = 40                         ! steps between diagnostic records; 0 = none
    integer :: log_every = 20                     ! steps between lines of progress; 0 = none
    integer :: psi_iterations = 4                 ! sweeps of the barotropic solver per step
    integer :: spin_up = 4000                     ! most sweeps before the first step
    real(dp) :: dt = 0                            ! s; 0 = from the grid
    ! time scale of the surface restoring; 0 = no surface flux
    real(dp) :: restoring_days = 10
    character(text) :: data = '/usr/share/ferret-vis/data'
    character(text) :: output = 'ocean.nc'        ! diagnostics, single precision
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
    integer :: pass, n, last
    error = ''
    last = command_argument_count()
    do pass = 1, 2
      n = 1
      do while (n <= last .and. len(error) == 0)
        call next_option(flags, n, key, value, options%help, error)
        if (options%help .or. len(error) > 0) exit
        if ((key == 'preset') .eqv. (pass == 1)) call set_option(options, key, value, error)
      end do
    end do
    if (len(error) == 0 .and. .not. options%help) call check(options, error)
    options%mask = options%mask .or. options%ranks_needed
  end subroutine parse_options

  subroutine set_option(options, key, value, error)
    type(options_type), intent(inout) :: options
    character(*), intent(in) :: key, value
    character(:), allocatable, intent(inout) :: error
    integer :: status
    status = 0
    select case (key)
    case ('preset'); call set_preset(options, value, status)
    case ('nx'); read (value, *, iostat=status) options%nx
    case ('ny'); read (value, *, iostat=status) options%ny
    case ('nz'); read (value, *, iostat=status) options%nz
    case ('px'); read (value, *, iostat=status) options%px
    case ('py'); read (value, *, iostat=status) options%py
    case ('layout'); call set_layout(options, value, status)
    case ('mask'); read (value, *, iostat=status) options%mask
    case ('ranks-needed'); read (value, *, iostat=status) options%ranks_needed
    case ('steps'); read (value, *, iostat=status) options%steps
    case ('every'); read (value, *, iostat=status) options%every
    case ('log-every'); read (value, *, iostat=status) options%log_every
    case ('psi-iterations'); read (value, *, iostat=status) options%psi_iterations
    case ('spin-up'); read (value, *, iostat=status) options%spin_up
    case ('dt'); read (value, *, iostat=status) options%dt
    case ('restoring-days'); read (value, *, iostat=status) options%restoring_days
    case ('data'); options%data = value
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

  ! '4x3' or '4,3'.
  subroutine set_layout(options, value, status)
    type(options_type), intent(inout) :: options
    character(*), intent(in) :: value
    integer, intent(out) :: status
    integer :: between
    between = scan(value, 'x,')
    status = 1
    if (between == 0) return
    read (value(:between - 1), *, iostat=status) options%px
    if (status == 0) read (value(between + 1:), *, iostat=status) options%py
    if (min(options%px, options%py) < 1) status = 1
  end subroutine set_layout

  subroutine set_preset(options, name, status)
    type(options_type), intent(inout) :: options
    character(*), intent(in) :: name
    integer, intent(out) :: status
    integer :: shape(3)
    status = 0
    select case (name)
    case ('demo'); shape = [360, 180, 20]
    case ('small'); shape = [90, 45, 10]
    case ('1deg'); shape = [360, 180, 20]
    case ('0.25deg'); shape = [1440, 1080, 50]
    case ('0.1deg'); shape = [3600, 2700, 50]
    case default
      status = 1
      return
    end select
    options%preset = name
    options%nx = shape(1)
    options%ny = shape(2)
    options%nz = shape(3)
  end subroutine set_preset

  subroutine check(options, error)
    type(options_type), intent(inout) :: options
    character(:), allocatable, intent(inout) :: error
    if (options%nx < 8 .or. mod(options%nx, 2) /= 0) error = '--nx must be even and at least 8'
    if (options%ny < 8) error = '--ny must be at least 8'
    if (options%nz < 3) error = '--nz must be at least 3'
    if (min(options%px, options%py) < 0) error = '--px and --py must not be negative'
    if (min(options%steps, options%every, options%log_every) < 0) &
      error = '--steps, --every and --log-every must not be negative'
    if (min(options%psi_iterations, options%spin_up) < 0) &
      error = '--psi-iterations and --spin-up must not be negative'
    if (options%dt < 0 .or. options%restoring_days < 0) &
      error = '--dt and --restoring-days must not be negative'
    if (options%dt <= 0) &
      options%dt = max(1, int(14400*min(1.0_dp, 360.0_dp/options%nx, 180.0_dp/options%ny)))
    if (abs(options%dt - anint(options%dt)) > 0) error = '--dt must be a number of whole seconds'
  end subroutine check

  subroutine print_help()
    character(*), parameter :: lines(*) = [character(100) :: &
      'ocean: a global ocean model that writes through Sverdrup. Options (--key=value):', &
      '  --preset=demo             the grid: demo and 1deg 360x180x20, small 90x45x10,', &
      '                            0.25deg 1440x1080x50, 0.1deg 3600x2700x50', &
      '  --nx --ny --nz            any other grid (cells in longitude, latitude, depth)', &
      '  --px --py                 numbers of blocks in x and y (default: chosen by the model)', &
      '  --layout=PXxPY            the same as --px and --py', &
      '  --mask                    give no rank to blocks that have only land', &
      '  --ranks-needed            print how many ranks --layout needs with --mask, and exit', &
      '  --steps=120               number of time steps', &
      '  --dt=S                    length of a time step in seconds (4 h at 1 degree)', &
      '  --every=40                steps between diagnostic records (0: only streams of --config)', &
      '  --log-every=20            steps between lines of progress', &
      '  --restoring-days=10       restoring of surface T and S (0: no surface flux)', &
      '  --psi-iterations=4        sweeps of the barotropic solver in each time step', &
      '  --spin-up=4000            largest number of sweeps before the first time step', &
      '  --data=DIR                folder with etopo5.cdf, levitus_climatology.cdf,', &
      '                            coads_climatology.cdf, monthly_navy_winds.cdf', &
      '  --output=ocean.nc         file of the diagnostics, in single precision. ocean_%Y-%m.nc:', &
      '                            a file for each month, which a restarted run continues', &
      '  --restart-out=FILE        write the whole state in double precision after the last step', &
      '  --restart-in=FILE         continue from a file of --restart-out, on any number of ranks', &
      '  --config=FILE             configuration of Sverdrup (YAML); its streams are added to the', &
      '                            diagnostics, which its stream of this name replaces', &
      '  --set=key=value,...       settings of Sverdrup, which override the file']
    integer :: n
    do n = 1, size(lines)
      write (output_unit, '(a)') trim(lines(n))
    end do
  end subroutine print_help

end module ocean_options
