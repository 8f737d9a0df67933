"""The command `sverdrup probe`: it measures a machine and its storage, and writes a machine profile."""

import argparse
import os
import sys
from pathlib import Path

NAME = "probe"
HELP = "measures a machine profile, which sv-plan --predict and sverdrup tune use"
DESCRIPTION = "Measures the rates and latencies of a machine and its storage, and writes them as a machine profile."
EPILOG = """\
examples:
  sverdrup probe --dir /scratch/me
  sverdrup probe --ranks 96 --launcher 'srun -n {ranks}' --dir /scratch/me --output machine.yaml
  sverdrup probe --dir /dev/shm --device 1GB/s,0.5ms --page probe.html

Two nodes are enough and better than one, because messages then go between nodes. docs/probe.md explains how each key
is measured.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from sverdrup import programs

    cores = max(2, len(os.sched_getaffinity(0)))
    parser.add_argument("--ranks", type=int, default=cores, metavar="N", help=f"ranks to use at most ({cores})")
    parser.add_argument("--dir", default=".", help="folder on the storage to probe (.)")
    parser.add_argument(
        "--output", default="machine.yaml", metavar="FILE", help="write the profile to FILE (machine.yaml)"
    )
    parser.add_argument("--page", metavar="FILE", help="write a page with the curves to FILE")
    parser.add_argument(
        "--pictures", metavar="DIR", help="write the curves to DIR as SVG files: probe-writers.svg and others"
    )
    parser.add_argument("--json", metavar="FILE", help="write all samples to FILE as JSON")
    parser.add_argument("--device", help="probe an emulated device: 500MB/s, or 125MB/s,0.5ms,targets=4,handover=2ms")
    parser.add_argument(
        "--budget", type=float, default=120.0, metavar="SECONDS", help="time that probing may take (120)"
    )
    parser.add_argument("--burst", metavar="SIZE", help="bytes to write to find where the rate falls (1GiB; 0: do not)")
    parser.add_argument("--stripe", metavar="SIZE", help="size of a stripe (as the file system reports it)")
    parser.add_argument("--targets", metavar="N", help="storage targets of a file (measured with two writers)")
    parser.add_argument(
        "--sample",
        metavar="FILE:VARIABLE",
        help="values of a netCDF file on which codecs are measured (a smooth field)",
    )
    programs.add_arguments(parser)


def run(given: argparse.Namespace) -> int:
    from sverdrup import programs
    from sverdrup.probe import probe_page  # noqa: F401 (a missing module is reported before measuring)
    from sverdrup.probe.running import ProbeError, Wanted, probe

    if given.ranks < 1 or given.budget < 1:
        print("sverdrup probe: --ranks and --budget must be at least 1", file=sys.stderr)
        return 2
    options = [(name, getattr(given, name)) for name in ("burst", "stripe", "targets", "sample")]
    words = tuple(word for name, value in options if value is not None for word in (f"--{name}", value))
    wanted = Wanted(Path(given.dir), given.ranks, given.budget, given.device, words)
    try:
        _require_writable(given)
        profile, measured = probe(wanted, given.launcher, given.bin)
        _write(given, profile, measured)
    except (ProbeError, programs.ProgramError) as error:
        print(f"sverdrup probe: {error}", file=sys.stderr)
        return 1
    return 0


def _require_writable(given: argparse.Namespace) -> None:
    """Before anything is measured. Raises OSError."""
    for name in (given.output, given.page, given.json):
        if name is not None:
            is_there = os.path.lexists(name)
            Path(name).open("a").close()
            if not is_there:
                Path(name).unlink()


def _write(given: argparse.Namespace, profile: str, measured: dict) -> None:
    import json

    from sverdrup.probe import curves, tables
    from sverdrup.probe.probe_page import probe_page

    print(tables.text(measured), end="")
    print(tables.burst(measured))
    files = {given.output: profile}
    if given.json:
        files[given.json] = json.dumps(measured, indent=1) + "\n"
    if given.page:
        files[given.page] = probe_page(measured)
    if given.pictures:
        Path(given.pictures).mkdir(parents=True, exist_ok=True)
        files |= {f"{given.pictures}/probe-{name}.svg": text for name, text in curves.drawn(measured).items()}
    for name, text in files.items():
        Path(name).write_text(text, encoding="utf-8")
    print("written: " + ", ".join(files))
