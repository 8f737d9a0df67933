"""Writes index.html of the kit: all that the steps left, on one page that needs no other file."""

import base64
from pathlib import Path

from sverdrup_studies.kept import read_json, read_text
from sverdrup.page import units
from sverdrup.page.template import rendered

from .plan import Asked

TEMPLATE = Path(__file__).with_name("kit_page.html")
# The others are compared with the first of these that a workload has.
_OURS = ("sverdrup.auto", "sverdrup.servers", "sverdrup.direct", "sverdrup.step", "sverdrup.implicit", "sverdrup")
_HEADINGS = {
    "findings": (
        "The papers' findings, on emulated storage",
        "The file system is emulated, so that results of different machines can be compared.",
    ),
    "findings-own": (
        "The same on this storage",
        "Files are in the folder of --dir. Targets are emulated only where a finding varies their number.",
    ),
}


def _data(path: Path) -> str:
    """An SVG as the address of an image."""
    return "data:image/svg+xml;base64," + base64.b64encode(path.read_bytes()).decode("ascii")


def _pictures(folder: Path) -> list[dict]:
    return [{"title": path.stem, "data": _data(path)} for path in sorted(folder.glob("*.svg"))]


def _machine(environment: dict) -> list[tuple[str, str]]:
    there = environment.get("file_system") or {}
    rows = [
        ("Host", f"{environment.get('host')}, {environment.get('system')}"),
        ("Processor", f"{environment.get('processor')}, {environment.get('cores')} cores"),
        ("MPI", str((environment.get("launcher") or {}).get("version"))),
        ("Ranks", str(environment.get("ranks"))),
        ("File system", f"{there.get('kind')} at {there.get('mount')}, for {there.get('directory')}"),
    ]
    rows += [(name, path or "missing") for name, path in (environment.get("programs") or {}).items()]
    return rows + list((environment.get("variables") or {}).items())


def _reference(results: list[dict]) -> dict | None:
    """Sverdrup's method that others are compared with."""
    for wanted in _OURS:
        for one in results:
            if one["name"] == wanted:
                return one
    return next((one for one in results if one["name"].startswith("sverdrup")), None)


def _workload(document: dict, name: str) -> dict:
    results = [one for one in document.get("results", []) if one.get("seconds")]
    reference = _reference(results)
    middle = reference["seconds"]["median"] if reference else None
    case = document.get("case") or {}
    parts = [
        f"{case['ranks']} ranks" if case.get("ranks") else "",
        units.size(case["bytes"]) if case.get("bytes") else "",
        f"MPI-IO: {mpi_io}" if (mpi_io := (document.get("environment") or {}).get("mpi_io")) else "",
    ]
    rows = [
        {
            "name": one["name"] + ("" if one.get("verified") is not False else " (wrong values)"),
            **one["seconds"],
            "ratio": f"{one['seconds']['median'] / middle:.2f}" if middle else "",
            "writes": f"{one['writes']:,}" if one.get("writes") is not None else "",
        }
        for one in results
    ]
    return {"name": name, "about": ", ".join(filter(None, parts)), "rows": rows, "results": results}


def _workloads(output: Path) -> list[dict]:
    paths = sorted(output.glob("workload-*/*.json"))
    found = [(path, read_json(path)) for path in paths if path.name in ("small.json", "large.json")]
    return [
        _workload(document, f"{path.parent.name.removeprefix('workload-')}, {path.stem}")
        for path, document in found
        if document.get("results")
    ]


def _findings(asked: Asked) -> list[dict]:
    """The measurements of each step, and the missing ones with the reason."""
    from sverdrup_studies.findings.catalogue import findings

    groups, known = [], findings()
    for name, (heading, about) in _HEADINGS.items():
        folder, own = asked.output / name, name == "findings-own"
        found = {each: one for each in known if (one := read_json(folder / f"{each}.json"))}
        for one in found.values():
            one["pictures"] = [
                {**picture, "data": _data(path)}
                for picture in one["pictures"]
                if (path := folder / picture["path"]).exists()
            ]
        left_out = [
            (one.title, why)
            for each, one in known.items()
            if each not in found and (why := one.left_out(asked.ranks, own))
        ]
        if found:
            groups.append(
                {"id": name, "heading": heading, "about": about, "found": [*found.values()], "left_out": left_out}
            )
    return groups


def _headline(groups: list[dict], workloads: list[dict]) -> str:
    """The best of PnetCDF to the reference of Sverdrup in the workloads, and how many findings hold."""
    gains = []
    for one in workloads:
        ours = _reference(one["results"])
        theirs = [other["seconds"]["median"] for other in one["results"] if other["name"].startswith("pnetcdf")]
        if ours and theirs:
            gains.append((min(theirs) / ours["seconds"]["median"], one["name"]))
    parts = []
    if gains:
        ends = " to ".join(f"{times:.2g} ({name})" for times, name in dict.fromkeys((min(gains), max(gains))))
        parts.append(f"PnetCDF at its best takes {ends} times as long as Sverdrup")
    if groups:
        first = groups[0]["found"]
        parts.append(f"{sum(one['outcome'] == 'holds' for one in first)} of {len(first)} findings of the papers hold")
    return "; ".join(parts) + "." if parts else "Nothing was measured."


def kit_page(asked: Asked, results: list[dict]) -> str:
    """HTML; results: the outcomes of run_all()."""
    output = asked.output
    environment = read_json(output / "environment" / "environment.json")
    groups, workloads = _findings(asked), _workloads(output)
    tuned = read_json(output / "tune" / "tune.json")
    if tuned:
        tuned["configuration"] = read_text(output / "tune" / "sverdrup.yaml")
    done = sum(one["status"] == "done" for one in results)
    picture = output / "consistency" / "consistency.svg"
    return rendered(
        TEMPLATE,
        complete=False,
        environment=environment,
        headline=_headline(groups, workloads),
        sentence=(
            f"{done} of {len(results)} steps were finished in {units.seconds(sum(one['seconds'] for one in results))}."
        ),
        steps=results,
        machine=_machine(environment),
        profile=read_text(output / "probe" / "machine.yaml"),
        probe_pictures=_pictures(output / "probe"),
        workloads=workloads,
        findings=groups,
        tuned=tuned,
        consistency=_data(picture) if picture.exists() else None,
    )
