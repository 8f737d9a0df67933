"""The processors of this machine, which the results of findings and of the kit name."""

from pathlib import Path

from .kept import read_text


def names() -> list[str]:
    """The model of each processor that Linux knows; elsewhere none."""
    lines = read_text(Path("/proc/cpuinfo")).splitlines()
    return [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
