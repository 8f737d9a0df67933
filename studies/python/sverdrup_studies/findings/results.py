"""Measures a finding, and leaves JSON and pictures in a folder. The pages of `findings` and `kit` are made from this
folder."""

import platform
import time
from pathlib import Path

from sverdrup_studies import processors
from sverdrup_studies.kept import write_json
from sverdrup.programs import ProgramError

from sverdrup.page.median_chart import svg
from .bench import Bench, RunError
from .catalogue import Finding

WORDS = {True: "yes", False: "**no**", None: "within noise"}
NOT_RUN = "not measured"


def measure(finding: Finding, bench: Bench, folder: Path) -> dict:
    """Measures and writes NAME.json and NAME.svg (NAME-2.svg ...) to the folder. Failures are recorded: error."""
    began = time.monotonic()
    bench.commands = []
    result = {name: getattr(finding, name) for name in ("name", "title", "paper", "where", "claim", "run")}
    result |= {"made": time.strftime("%Y-%m-%d"), "machine": machine(), "rounds": bench.rounds}
    result |= {"outcome": NOT_RUN, "error": None, "statements": [], "why": "", "pictures": []}
    folder.mkdir(parents=True, exist_ok=True)
    try:
        measured = finding.measure(bench)
    except (RunError, ProgramError, KeyError) as error:
        result["error"] = f"no {error} in the results" if isinstance(error, KeyError) else str(error)
    else:
        verdict = measured.verdict
        result["outcome"] = verdict.word
        result["statements"] = [
            {"text": one.text, "true": one.true, "word": WORDS[one.true]} for one in verdict.statements
        ]
        result["why"] = verdict.why
        for index, chart in enumerate(measured.charts, 1):
            path = folder / (f"{finding.name}.svg" if index == 1 else f"{finding.name}-{index}.svg")
            path.write_text(svg(chart), encoding="utf-8")
            lines = [{"name": line.name, "rounds": line.rounds} for line in chart.lines]
            result["pictures"].append({"title": chart.title, "path": path.name, "places": chart.places, "lines": lines})
    result |= {"commands": list(dict.fromkeys(bench.commands)), "seconds": round(time.monotonic() - began, 1)}
    write_json(folder / f"{finding.name}.json", result)
    return result


def machine() -> str:
    """The machine in some words."""
    cpus = processors.names()
    return f"{len(cpus)} cores, {cpus[0]}" if cpus else platform.platform()


def sentence(found: list[dict]) -> str:
    """How many of them hold."""
    words = ("holds", "holds in part", "does not hold", "undecided", NOT_RUN)
    counts = [(sum(one["outcome"] == word for one in found), word) for word in words]
    said = ", ".join(f"{count} {_said(word, count > 1)}" for count, word in counts if count)
    return f"Of {len(found)} findings {said}."


def _said(word: str, several: bool) -> str:
    if word in ("undecided", NOT_RUN):
        return f"{'are' if several else 'is'} {word}"
    return word if not several else word.replace("holds", "hold").replace("does not", "do not")
