"""Checks, before the first step of the kit, what the steps will need: hours later is too late for a missing package."""

from importlib.util import find_spec

from sverdrup import programs

from . import KitError
from .plan import Asked, Step

_MODULES = {"numpy": "numpy", "jinja2": "jinja2", "scipy": "scipy", "yaml": "pyyaml"}  # and their names on PyPI
_PROGRAMS = {"probe": ("sv-probe",), "workloads": ("sv-bench",), "findings": ("sv-bench",), "tune": ("sv-bench",)}
_LAUNCH_SECONDS = 120


def require(asked: Asked, steps: list[Step]) -> None:
    """Raises KitError where a Python package is missing, or the launcher cannot start the ranks."""
    if missing := [package for module, package in _MODULES.items() if find_spec(module) is None]:
        raise KitError(f"these Python packages are missing: {' '.join(missing)}. Install them first")
    if not any(step.group in _PROGRAMS for step in steps):
        return
    try:
        ended = programs.launch(asked.launcher, asked.ranks, ["true"], _LAUNCH_SECONDS)
    except programs.ProgramError as error:
        raise KitError(str(error)) from error
    if not ended.ok:
        raise KitError(f"--launcher: {asked.ranks} ranks of the command 'true' cannot be started: {ended.reason}")


def left_out(asked: Asked, steps: list[Step]) -> list[str]:
    """A line for each program that is missing, with the steps that this leaves out."""
    lines = []
    for name in sorted({name for step in steps for name in _PROGRAMS.get(step.group, ())}):
        try:
            programs.program(name, asked.bin)
        except programs.ProgramError as error:
            without = [step.name for step in steps if name in _PROGRAMS.get(step.group, ())]
            lines.append(f"left out: {', '.join(without)}: {error}")
    return lines
