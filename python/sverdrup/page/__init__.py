"""The page of `sverdrup report`: render() makes one HTML file of a report (docs/report-json.md), which needs no other
file. The other commands use what all pages share: template, svg, median_chart and units."""

import base64
import hashlib
import re

from markupsafe import Markup

from . import compare, standalone
from .plain import plain
from .sections import Section, missing, ribbons, sections
from .template import HERE, rendered, style


def _hash(script: str) -> str:
    """The page's security policy: only this script runs, even if a name from a trace contains another one."""
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")


def _evidence(run: dict, shown: list[Section], ribbon_anchor: str | None) -> list[dict]:
    """The advice to a run, with links for evidence whose chart is on the page; the change that saves most comes
    first. That there is nothing to gain is not among them: it stands above them.
    """
    there = {section.name: section.anchor for section in shown}
    if ribbon_anchor:
        there["ribbon"] = ribbon_anchor
    change = (run.get("headline") or {}).get("change")
    findings = [advice for advice in run.get("findings") or [] if advice.get("kind") != "nothing"]
    advised = sorted(findings, key=lambda advice: advice["id"] != change)
    return [
        {
            **advice,
            "is_change": advice["id"] == change,
            "evidence": [
                {"text": item["text"], "anchor": there.get(item.get("chart"))} for item in advice.get("evidence") or []
            ],
        }
        for advice in advised
    ]


def _run(index: int, runs: list[dict], together: dict | None) -> dict:
    """A run for its template; together: see ribbons()."""
    run = runs[index - 1]
    shown = sections(run, index, runs)
    anchor = next((ribbon["anchor"] for ribbon in (together or {}).get("runs", []) if ribbon["index"] == index), None)
    advised = _evidence(run, shown, anchor)
    return {
        "run": run,
        "index": index,
        "key": f"r{index}",
        "sections": shown,
        "missing": missing(run, shown),
        "advised": advised,
        "change": next((advice for advice in advised if advice["is_change"]), None),
        "refuted": next((advice for advice in advised if advice.get("refuted")), None),
    }


def render(report: dict) -> str:
    """The page of a report (docs/report-json.md): complete without a network, and without JavaScript."""
    runs = report.get("runs") or []
    script = (HERE / "script.js").read_text(encoding="utf-8")
    together = ribbons(runs)
    return rendered(
        HERE / "templates" / "page.html",
        complete=False,
        report=report,
        sentence=compare.sentence(runs),
        advice=compare.advice(runs),
        measured=compare.measured(runs),
        comparison=compare.rows(runs),
        ribbons=together,
        runs=[_run(index, runs, together) for index in range(1, len(runs) + 1)],
        script=Markup(script),
        script_hash=_hash(script),
    )


def figures(report: dict) -> dict[str, str]:
    """The charts of a report as SVG files, by the names that files may have: RUN-flow, RUN-balance, RUN-heat,
    RUN-ribbon, RUN-senders, RUN-ranges-1, RUN-layout-1 ...; characters that a name cannot contain are hyphens."""
    runs = report.get("runs") or []
    look = plain(style("colours", "charts"))
    made: dict[str, str] = {}
    together = {ribbon["index"]: ribbon["chart"] for ribbon in (ribbons(runs) or {}).get("runs", [])}
    for index, run in enumerate(runs, 1):
        shown = {section.name: section.content for section in sections(run, index, runs)}
        if index in together:
            shown["ribbon"] = together[index]
        name = re.sub(r"[^\w.]+", "-", run["name"]).strip("-.")[:60] or "run"
        if any(key.startswith(f"{name}-") for key in made):
            name = f"{name}-{index}"
        made.update({f"{name}-{chart}": text for chart, text in standalone.of_run(shown, look).items()})
    return made
