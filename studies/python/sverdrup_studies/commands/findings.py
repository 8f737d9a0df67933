"""The command `study findings`: it measures the papers' findings again, and judges them."""

import argparse
import json
import shutil
import sys
from pathlib import Path

NAME = "findings"
HELP = "measures the papers' findings here, each with a plot and a verdict"
DESCRIPTION = "Repeats the papers' measurements, draws them, and says whether each finding holds here."
EPILOG = """\
examples:
  studies/study findings --list
  studies/study findings row writers
  studies/study findings --ranks 16 --launcher 'srun -n {ranks}' --dir /scratch/me --output found

Results that are in --output are not measured again; use --again or another --output to repeat them. Findings that need
more ranks than --ranks are left out. studies/docs/findings.md explains each finding.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from sverdrup_studies.findings import bench

    parser.add_argument("names", nargs="*", metavar="NAME", help="findings to measure (all)")
    bench.add_arguments(parser)
    parser.add_argument(
        "--output", default="findings", metavar="DIR", help="folder for JSON, pictures and measurements (findings)"
    )
    parser.add_argument("--again", action="store_true", help="measure again what is in --output")
    parser.add_argument("--page", metavar="FILE", help="write a page of all results in --output, as Markdown")
    parser.add_argument("--pictures", metavar="DIR", help="copy the page's pictures to DIR, as findings-NAME.svg")
    parser.add_argument("--list", action="store_true", help="list the findings and exit")


def run(given: argparse.Namespace) -> int:
    from sverdrup_studies.findings.catalogue import findings

    known = findings()
    if unknown := [name for name in given.names if name not in known]:
        print(f"study findings: there is no '{unknown[0]}'; there are: {', '.join(known)}", file=sys.stderr)
        return 2
    if given.ranks < 2 or given.rounds < 3 or not given.size > 0:
        print("study findings: --ranks must be at least 2, --rounds at least 3, and --size above 0", file=sys.stderr)
        return 2
    if given.list:
        for one in known.values():
            print(f"{one.name:<12} {one.title} ({one.paper}, {one.where})")
        return 0
    wanted = []
    for one in (known[name] for name in given.names or known):
        if why := one.left_out(given.ranks, given.own_storage):
            print(f"{one.name}: left out, because it {why}", file=sys.stderr)
        else:
            wanted.append(one)
    results = _measure(given, wanted)
    if given.page:
        _write_page(given, list(known))
    unmet = given.names and len(wanted) < len(given.names)
    return 1 if unmet or any(one["error"] for one in results) else 0


def _measure(given: argparse.Namespace, wanted: list) -> list[dict]:
    from sverdrup_studies.findings.bench import Bench
    from sverdrup_studies.findings.results import measure

    output = Path(given.output)
    if given.again:
        shutil.rmtree(output / "raw", ignore_errors=True)
    directory = Path(given.dir).absolute()
    bench = Bench(directory, output / "raw", given.launcher, given.bin, given.ranks, given.rounds)
    bench.own, bench.size = given.own_storage, given.size
    results = []
    for one in wanted:
        print(f"{one.name}: {one.title}", file=sys.stderr, flush=True)
        result = measure(one, bench, output)
        results.append(result)
        print(f"{one.title}: {result['outcome']} ({result['seconds']:.0f} s)")
        for statement in result["statements"]:
            print(f"  {statement['word'].strip('*'):<12} {statement['text']}")
        for text in (result["error"], result["why"]):
            if text:
                print(f"  {text}")
        sys.stdout.flush()
    return results


def _write_page(given: argparse.Namespace, order: list[str]) -> None:
    """Of all results in the folder, in the order of the findings."""
    from sverdrup_studies.findings.findings_page import findings_page, relative

    output, path = Path(given.output), Path(given.page)
    found = [json.loads(one.read_text(encoding="utf-8")) for name in order if (one := output / f"{name}.json").exists()]
    folder = output
    if given.pictures:
        folder = Path(given.pictures)
        folder.mkdir(parents=True, exist_ok=True)
        for picture in (picture for one in found for picture in one["pictures"]):
            shutil.copyfile(output / picture["path"], folder / f"findings-{picture['path']}")
            picture["path"] = f"findings-{picture['path']}"
    path.write_text(findings_page(found, relative(folder, path)), encoding="utf-8")
