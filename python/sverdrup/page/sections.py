"""Decides which sections the page of a run has, and calls the module that draws each of them."""

from dataclasses import dataclass, field

from . import balance, domains, flow, heat, ranges, ribbon, senders, tables

LIBRARY = "Sverdrup's own records (the key trace of its configuration)"
EVENTS = "events with their times"

# name: heading, what it shows, what it needs
TEXTS = {
    "flow": (
        "Call paths",
        "Which function called which. Numbers and widths are the longest time of any rank inside the function, with "
        "all that it called. Each arrow has its longest time, and how many ranks took that way.",
        "calls of a traced layer",
    ),
    "balance": (
        "Load balance",
        "The time of each function by rank, and the same times sorted. The dashed line is the mean: if the work is "
        "well balanced, all ranks are near it.",
        "calls of a traced layer",
    ),
    "heat": (
        "Waiting",
        "Each row is a rank; time runs to the right. Blue: inside I/O calls. Orange: most of that time was spent "
        "waiting for others.",
        EVENTS,
    ),
    "ribbon": (
        "Steps",
        "Activity of each rank over time. Computing ranks are above, servers below; thin lines mark the ends of steps.",
        LIBRARY,
    ),
    "senders": ("Who sends to whom", "Bytes from each rank to each writer, with sums.", LIBRARY),
    "ranges": (
        "Who writes which bytes",
        "Each file from its first byte to its last, with a line for each writer. Orange: a stripe with two writers.",
        LIBRARY,
    ),
    "layout": (
        "Layout",
        "Which rank owns which part: ranks (grey), I/O domains (blue) and chunks (dotted) on top of each other. "
        "Orange: chunks that hold data of several owners.",
        LIBRARY,
    ),
    "files": (
        "Files",
        "Seconds are those of the slowest rank, in the outermost layer. Writes and reads are system calls.",
        "a file that was opened",
    ),
    "variables": ("Variables", "Bytes and calls of each variable, over all ranks.", "calls that name a variable"),
    "counts": ("Every call", "Exact counts over all ranks, by layer, function and file.", "calls of a traced layer"),
}


@dataclass
class Section:
    """A section of a run: its anchor, heading and text, and the content of its template."""

    name: str
    anchor: str
    heading: str
    text: str
    content: object
    extra: dict = field(default_factory=dict)


def _drawn(entries: list | None, module: object, key: str) -> list[dict]:
    """The entries of which `module` draws a chart, each with it."""
    drawn = []
    for index, entry in enumerate(entries or []):
        chart = module.draw(entry, f"{key}-{index}-chart")
        if chart:
            drawn.append({"entry": entry, "chart": chart, "facts": module.facts(entry)})
    return drawn


def _content(run: dict, name: str, key: str, runs: list[dict]) -> object:
    """The content of a section; empty if the report has nothing for it."""
    if name == "flow":
        return flow.draw(run, f"{key}-chart")
    if name == "balance":
        return balance.draw(run, f"{key}-chart", balance.scales(runs))
    if name == "heat":
        return heat.draw(run, f"{key}-chart")
    if name == "ribbon":
        return ribbon.draw(run, f"{key}-chart", run.get("seconds") or 0) if len(runs) == 1 else None
    if name == "senders":
        return senders.draw(run, f"{key}-chart")
    if name == "ranges":
        return _drawn(run.get("ranges"), ranges, key)
    if name == "layout":
        return _drawn(run.get("layout"), domains, key)
    if name == "files":
        return tables.files(run)
    if name == "variables":
        return sorted(run.get("variables") or [], key=lambda entry: -(entry.get("seconds_max") or 0))[: tables.ROWS]
    return tables.counts(run)


def _extra(run: dict, name: str) -> dict:
    """The other input of the template, besides the chart: rows of the table beneath it, the legend."""
    if name == "flow":
        return {"rows": flow.table(run)[: tables.ROWS], "left_out": run["flow"].get("left_out")}
    if name == "ribbon":
        return {"legend": ribbon.legend([run])}
    if name in ("variables", "counts"):
        return {"all": len(run.get(name) or [])}
    return {}


def sections(run: dict, index: int, runs: list[dict]) -> list[Section]:
    """The sections of the index-th run (from 1) that have something to show; of several runs, the ribbons stand
    together.
    """
    shown = []
    for name, (heading, text, _) in TEXTS.items():
        anchor = f"r{index}-{name}"
        if name == "ribbon" and len(runs) > 1:
            continue
        content = _content(run, name, anchor, runs)
        if content:
            shown.append(Section(name, anchor, heading, text, content, _extra(run, name)))
    return shown


def missing(run: dict, shown: list[Section]) -> dict[str, list[str]]:
    """The headings of sections without content in a run, by their missing input."""
    there = {section.name for section in shown}
    if (run.get("ribbon") or {}).get("lanes"):
        there.add("ribbon")
    absent: dict[str, list[str]] = {}
    for name, (heading, _, needs) in TEXTS.items():
        if name not in there:
            absent.setdefault(needs, []).append(heading)
    return absent


def ribbons(runs: list[dict]) -> dict | None:
    """The ribbons of several runs on one time axis, with their legend; None where one or none has steps."""
    end = max((run.get("seconds") or 0 for run in runs), default=0)
    drawn = []
    for index, run in enumerate(runs, 1):
        chart = ribbon.draw(run, f"r{index}-ribbon-chart", end) if len(runs) > 1 else None
        if chart:
            drawn.append({"run": run, "index": index, "anchor": f"r{index}-ribbon", "chart": chart})
    if not drawn:
        return None
    return {
        "runs": drawn,
        "legend": ribbon.legend(runs),
        "heading": TEXTS["ribbon"][0],
        "text": TEXTS["ribbon"][1] + " All runs share one time axis.",
    }
