"""Starts sv-probe, in a real folder or on an emulated device, and reads what it measured."""

import json
import tempfile
from dataclasses import dataclass
from pathlib import Path

from sverdrup import programs


@dataclass(frozen=True)
class Wanted:
    """The subject of a probe: the folder, the ranks, perhaps an emulated device (benchmarks/shim); options of
    sv-probe."""

    directory: Path
    ranks: int
    budget: float = 120.0  # seconds
    device: str | None = None
    options: tuple[str, ...] = ()


class ProbeError(Exception):
    """The probe failed; the text says why."""


def _environment(wanted: Wanted, folder: str | None) -> dict[str, str]:
    if not wanted.device:
        return {}
    shim = str(programs.program("libsv_shim.so", folder))
    directory = str(wanted.directory.absolute())
    return {"LD_PRELOAD": shim, "SV_DEVICE": wanted.device, "SV_DEVICE_DIR": directory}


def probe(wanted: Wanted, launcher: str | None, folder: str | None) -> tuple[str, dict]:
    """The profile's text, and all measurements (docs/probe.md). Progress lines go to standard error. Removes leftovers
    of a killed sv-probe. Raises ProbeError, programs.ProgramError."""
    if not wanted.directory.is_dir():
        raise ProbeError(f"{wanted.directory} is not a folder. Create it, or give another --dir")
    binary = programs.program("sv-probe", folder)
    # There, since the first rank may be on another machine, which has a /tmp of its own.
    with tempfile.TemporaryDirectory(
        prefix="sverdrup-probe-", dir=wanted.directory, ignore_cleanup_errors=True
    ) as made:
        own = f"/{Path(made).name}"
        profile, samples = Path(made, "machine.yaml"), Path(made, "samples.json")
        command = [binary, "--dir", f"{wanted.directory}{own}", "--output", profile, "--json", samples]
        command += ["--budget", f"{wanted.budget:g}", *wanted.options]
        finished = programs.launch(
            launcher, wanted.ranks, command, 3 * wanted.budget + 60, _environment(wanted, folder), shown=True
        )
        if not finished.ok:
            raise ProbeError(f"sv-probe on {wanted.ranks} ranks: {finished.reason}")
        if not profile.exists() or not samples.exists():
            raise ProbeError(f"sv-probe left no profile in {made}: check that the ranks see the same folder")
        text, measured = (path.read_text(encoding="utf-8").replace(own, "") for path in (profile, samples))
        return text, json.loads(measured)
