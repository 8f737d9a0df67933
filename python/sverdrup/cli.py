"""The command `sverdrup`: it parses the command line, and runs one of the subcommands in commands/."""

import argparse
import contextlib
import importlib
import os
import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from sverdrup import __version__

_NEEDED = ("numpy", "jinja2", "scipy", "pyyaml")  # as in pyproject.toml
_DEBIAN = "python3-numpy python3-jinja2 python3-scipy python3-yaml"


@dataclass(frozen=True)
class Program:
    """A program with subcommands: each is a module of `package`."""

    name: str
    about: str
    package: str
    commands: tuple[str, ...]


SVERDRUP = Program(
    "sverdrup",
    "Shows where the time of a program's output goes, measures machines, and finds the best settings.",
    "sverdrup.commands",
    ("report", "watch", "probe", "tune", "streams", "weights", "cmip7", "information"),
)


def parser(program: Program) -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog=program.name, description=program.about)
    top.add_argument("--version", action="version", version=f"{program.name} {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name in program.commands:
        module = importlib.import_module(f"{program.package}.{name}")
        words = {"help": module.HELP, "description": module.DESCRIPTION, "epilog": getattr(module, "EPILOG", None)}
        as_written = {"formatter_class": argparse.RawDescriptionHelpFormatter} if words["epilog"] else {}
        command = commands.add_parser(module.NAME, **words, **as_written)
        module.add_arguments(command)
        command.set_defaults(run=module.run)
    return top


@contextlib.contextmanager
def _ended_as_by_the_user() -> Iterator[None]:
    """SIGTERM, which a batch system sends when the time is up, interrupts as Ctrl-C does. Only the first: the end that
    follows is not disturbed."""

    def interrupt(*_: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _run(arguments: list[str] | None, program: Program) -> int:
    """The exit status of the subcommand, once what it printed has been delivered."""
    try:
        given = parser(program).parse_args(arguments)
        with _ended_as_by_the_user():
            status = given.run(given)
    except SystemExit:  # help, the version, wrong arguments
        sys.stdout.flush()
        raise
    sys.stdout.flush()
    return status


def _drop_output() -> None:
    """Where standard output cannot be written, the interpreter must not try again when it ends."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main(arguments: list[str] | None = None, program: Program = SVERDRUP) -> int:
    """Exit status: 0, 1: something fails, 2: wrong arguments, 130: interrupted, by Ctrl-C or SIGTERM. In the main
    thread."""
    try:
        return _run(arguments, program)
    except BrokenPipeError:
        sys.stderr.close()
    except KeyboardInterrupt:
        print(f"{program.name}: interrupted", file=sys.stderr)
        return 130
    except ModuleNotFoundError as error:
        if (error.name or "sverdrup").startswith("sverdrup"):
            raise
        print(
            f"{program.name}: {sys.executable} has no module '{error.name}'. On Debian, install the packages that the "
            f"command needs with: apt install {_DEBIAN}; elsewhere, in a virtual environment, with: "
            f"pip install {' '.join(_NEEDED)}",
            file=sys.stderr,
        )
    except OSError as error:
        print(f"{program.name}: {error.filename or 'standard output'}: {error.strerror}", file=sys.stderr)
        _drop_output()
    return 1


if __name__ == "__main__":
    sys.exit(main())
