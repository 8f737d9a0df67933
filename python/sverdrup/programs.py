"""Finds and starts the programs of Sverdrup (sv-bench, sv-plan, sv-probe, libsv_shim.so) and the MPI launcher, for all
commands that measure.

Each program is started in a session of its own, so that all its processes can be ended together: the ranks that mpiexec
starts make process groups of their own, and outlive it where only its group is killed."""

import argparse
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

KEPT = 20000  # bytes of each output that a Finished keeps: the last ones
_GRACE = 10.0  # seconds between asking a program to end and killing it: a tuning writes its page meanwhile
# What OpenMPI's launcher says of every failure.
_LAUNCHERS = ("Primary job", "mpiexec", "non-zero", "Process name:", "Exit code:", "job to be terminated")
_LAUNCHERS += ("error message you will receive", "Run with --help")
# For ranks that share the cores of one machine. These variables belong to the launcher that is found here, and to no
# other: on a cluster they would keep the ranks from the network, and profile and winner would be another machine's.
_ONE_MACHINE = Path(__file__).with_name("one_machine.env")


class ProgramError(Exception):
    """A program that cannot be found or started; the text says what to do."""


@dataclass(frozen=True)
class Finished:
    """How a program ended: its exit status (negative: the signal that ended it), whether its time ran out, the last
    KEPT bytes of its outputs, and the seconds that it took."""

    command: tuple[str, ...]
    status: int
    timed_out: bool
    output: str
    errors: str
    seconds: float

    @property
    def ok(self) -> bool:
        return self.status == 0 and not self.timed_out

    @property
    def reason(self) -> str:
        """Why it failed, in a line, with the last words of the program."""
        lines = [line.strip() for line in (self.errors + "\n" + self.output).splitlines() if line.strip(" -=*.\t")]
        words = [line for line in lines if not any(word in line for word in _LAUNCHERS)] or lines
        said = f": {words[-1][:300]}" if words else ""
        complaints = [word for word in words if "error" in word.lower() or "sv-" in word or "sverdrup" in word]
        said = f": {complaints[0][:300]}" if complaints else said
        if self.timed_out:
            return f"ended after its time limit, {self.seconds:.0f} s{said}"
        if self.status < 0:
            return f"ended by signal {signal.Signals(-self.status).name}{said}"
        return f"exit status {self.status}{said}"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that every command has which starts programs: --bin and --launcher."""
    parser.add_argument(
        "--bin", metavar="DIR", help="folder with sv-bench, sv-plan and sv-probe ($SVERDRUP_BIN, or the PATH)"
    )
    parser.add_argument(
        "--launcher",
        metavar="COMMAND",
        help="command that starts the ranks, in your environment: 'srun -n {ranks}' (default: the mpiexec found, with "
        "Open MPI's settings for ranks that share the cores of one machine)",
    )


def _folders(given: str | None) -> list[Path]:
    """Possible folders of programs and libraries, in order; a named folder contains them, or its bin and lib do. The
    package of an installed copy is next to its libraries."""
    package = Path(__file__).absolute().parents[2]
    for named in (given, os.environ.get("SVERDRUP_BIN")):
        if named:
            there = Path(named)
            return [there, there / "bin", there / "lib", there.parent / "lib", package]
    beside = Path(sys.argv[0]).absolute().parent
    return [beside, beside.parent / "lib", package, *map(Path, os.get_exec_path())]


def program(name: str, folder: str | None = None) -> Path:
    """The program or library `name`: in `folder` (the option --bin), else in $SVERDRUP_BIN, else next to the command
    `sverdrup`, else in the PATH. Raises ProgramError."""
    folders = _folders(folder)
    for there in folders:
        path = there / name
        if path.is_file() and (name.endswith(".so") or os.access(path, os.X_OK)):
            return path.absolute()
    where = folder or os.environ.get("SVERDRUP_BIN") or "the PATH"
    raise ProgramError(
        f"{name} is not in {where}. Build Sverdrup, and name the folder of its programs with --bin or SVERDRUP_BIN"
    )


def _settings_of_one_machine() -> list[str]:
    """NAME=VALUE of each of them that the environment does not have."""
    lines = [line for line in _ONE_MACHINE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return [line for line in lines if line.partition("=")[0] not in os.environ]


def _launcher_of_build(build: Path) -> str | None:
    """The mpiexec next to the mpicc with which CMake has configured the build, as in scripts/mpirun."""
    cache = build / "CMakeCache.txt"
    text = cache.read_text(encoding="utf-8", errors="replace") if cache.is_file() else ""
    compiler = re.search(r"^MPI_C_COMPILER:\w+=(.*)mpicc([^/\n]*)$", text, re.MULTILINE)
    return shutil.which("mpiexec".join(compiler.groups())) if compiler else None


def _default_launcher(executable: str) -> list[str]:
    """The mpiexec of the build that the program is of, else the system's, with the settings of one machine."""
    found = _launcher_of_build(Path(executable).parent.parent)
    found = found or shutil.which("mpiexec.openmpi") or shutil.which("mpiexec")
    if not found:
        raise ProgramError("no mpiexec is in the PATH. Name the launcher: --launcher 'srun -n {ranks}'")
    return ["env", *_settings_of_one_machine(), found, "-n", "{ranks}"]


def launched(launcher: str | None, ranks: int, command: Sequence[str | Path]) -> list[str]:
    """The words of the command line: the launcher, with {ranks} replaced, before those of the command."""
    words = [str(word) for word in command]
    before = shlex.split(launcher) if launcher is not None else _default_launcher(words[0])
    return [word.replace("{ranks}", str(ranks)) for word in before] + words


def _family(process: subprocess.Popen) -> list[int]:
    """A program, its descendants, and all processes in their sessions: a program may start others as run() does. On
    Linux; elsewhere only the program. Once it has been waited for, its number may be another's: then only the processes
    in its session."""
    leader, alive = process.pid, process.poll() is None
    over: dict[int, set[int]] = {}  # of each process its session and, if that counts, who started it
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text(errors="replace").rpartition(")")[2].split()
        except OSError:
            continue  # it has ended
        if fields[0] != "Z":
            over[int(path.parent.name)] = {int(fields[3])} | ({int(fields[1])} if alive else set())
    found = {leader}
    while more := {number for number, above in over.items() if number not in found and above & found}:
        found |= more
    return sorted(found if alive else found - {leader})


def _signal(processes: Sequence[int], number: signal.Signals) -> None:
    for process in processes:
        try:
            os.kill(process, number)
        except ProcessLookupError:
            pass


def _end(process: subprocess.Popen) -> None:
    """Asks a program to end its child processes, then kills those that are left; also after an interruption."""
    _signal([process.pid], signal.SIGTERM)
    try:
        process.wait(_GRACE)
    except subprocess.TimeoutExpired:
        pass
    finally:
        _clean(process)
        process.wait()


def _clean(process: subprocess.Popen) -> None:
    _signal(_family(process), signal.SIGKILL)


def _tail(file) -> str:
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - KEPT))
    return file.read().decode("utf-8", errors="replace")


def run(
    command: Sequence[str | Path],
    seconds: float | None = None,
    environment: Mapping[str, str] | None = None,
    folder: str | Path | None = None,
    shown: bool = False,
) -> Finished:
    """Runs a command to its end, at most so many seconds. `environment` is added to this process' one, `folder` is its
    working directory. `shown`: its standard error is shown as it comes, and not kept. An interruption ends the command,
    too, with all its descendants. Raises ProgramError if it cannot be started."""
    words = tuple(str(word) for word in command)
    variables = {**os.environ, **(environment or {})}
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        began = time.monotonic()
        try:
            process = subprocess.Popen(
                words,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=None if shown else errors,
                env=variables,
                cwd=folder,
                start_new_session=True,
            )
        except OSError as error:
            raise ProgramError(
                f"cannot start {words[0]}: {error.strerror}. Check the name and the PATH"
            ) from error
        timed_out = False
        try:
            if process.wait(seconds) != 0:
                _clean(process)
        except subprocess.TimeoutExpired:
            timed_out = True
            _end(process)
        except BaseException:
            _end(process)
            raise
        took = time.monotonic() - began
        return Finished(words, process.returncode, timed_out, _tail(output), _tail(errors), took)


def launch(
    launcher: str | None,
    ranks: int,
    command: Sequence[str | Path],
    seconds: float | None = None,
    environment: Mapping[str, str] | None = None,
    **options,
) -> Finished:
    """Runs a command on so many ranks; launcher: None is the mpiexec that is found. `options`: those of run()."""
    return run(launched(launcher, ranks, command), seconds, environment, **options)
