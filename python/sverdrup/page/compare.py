"""Compares the runs of a report for the top of its page: how long each took, how much of that was output, and how long
ranks waited."""

from collections.abc import Callable

from . import units


def _share(run: dict) -> float:
    return (run.get("headline") or {}).get("io_share") or 0


def _written(run: dict) -> int:
    return sum(entry.get("written_bytes") or 0 for entry in run.get("files") or [])


def blocked(run: dict) -> float | None:
    """The longest that a computing rank was blocked, in seconds; without step records, that a rank waited inside I/O
    calls.
    """
    totals = (run.get("ribbon") or {}).get("totals")
    if totals:
        return max((total.get("blocked") or 0 for total in totals if total["role"] != "server"), default=0.0)
    heat = run.get("heat") or {}
    if not heat.get("waiting") or not heat["waiting"][0]:
        return None
    bin_seconds = (heat["end"] - heat["begin"]) / len(heat["waiting"][0])
    return max(sum(row) for row in heat["waiting"]) * bin_seconds


def rate(run: dict) -> float | None:
    """Bytes per second while files were being written or read: all bytes over the sum of the files' times."""
    known = [entry for entry in run.get("files") or [] if entry.get("rate")]
    total = [(entry.get("written_bytes") or 0) + (entry.get("read_bytes") or 0) for entry in known]
    seconds = sum(size / entry["rate"] for size, entry in zip(total, known))
    return sum(total) / seconds if seconds > 0 else None


def row(run: dict, index: int, longest: float) -> dict:
    """A row of the comparison; longest: seconds of the longest run, the common scale of the bars."""
    headline = run.get("headline") or {}
    seconds, io = run.get("seconds") or 0, headline.get("io_seconds") or 0
    waiting = blocked(run)
    return {
        "name": run["name"],
        "index": index,
        "seconds": run.get("seconds"),
        "io_share": headline.get("io_share"),
        "io_seconds": io,
        "blocked": waiting,
        "written": _written(run),
        "rate": rate(run),
        "rest_width": 100 * max(seconds - io, 0) / longest,
        "work_width": 100 * max(io - min(waiting or 0, io), 0) / longest,
        "wait_width": 100 * min(waiting or 0, io) / longest,
    }


def rows(runs: list[dict]) -> list[dict]:
    """The comparison, in the order of the command line."""
    longest = max((run.get("seconds") or 0 for run in runs), default=0) or 1
    return [row(run, index, longest) for index, run in enumerate(runs, 1)]


def sentence(runs: list[dict]) -> str:
    """The first sentence of the page: that of the only run, or the verdict on several: the dearest and the cheapest."""
    if not runs:
        return "There is no run in these findings."
    if len(runs) == 1:
        return (runs[0].get("headline") or {}).get(
            "sentence"
        ) or f"{runs[0]['name']} ran {units.seconds(runs[0].get('seconds'))}."
    writing = [run for run in runs if _written(run)]
    without = [run["seconds"] for run in runs if not _written(run) and run.get("seconds")]
    if not writing or not without:
        return f"Input and output take {_extremes(runs, _share)}."
    least = min(without)
    quickest = min(writing, key=lambda run: run.get("seconds") or 0)
    if (quickest.get("seconds") or 0) < least:
        return f"The run without output took longer than {_named(quickest)}: the differences are within the noise."
    return f"Output cost {_extremes(writing, lambda run: 1 - least / run['seconds'])}."


def _named(run: dict) -> str:
    return f"\u201c{units.shorten(run['name'], 32)}\u201d"


def _extremes(runs: list[dict], share: Callable[[dict], float]) -> str:
    """The largest and the smallest share of a run."""
    ordered = sorted(runs, key=share, reverse=True)
    ends = ordered[:1] + ordered[1:][-1:]
    return " and ".join(f"{units.share(share(run))} of {_named(run)}" for run in ends)


def advice(runs: list[dict]) -> dict | None:
    """Of several runs, the one whose change may save most: its name, the index from 1, the change; or None."""
    best = None
    for index, run in enumerate(runs, 1):
        wanted = (run.get("headline") or {}).get("change")
        for each in run.get("findings") or []:
            saves = (each.get("saves_seconds") or [0, 0])[1] or 0
            if each["id"] == wanted and (best is None or saves > best["saves"]):
                best = {"name": run["name"], "index": index, "change": each, "saves": saves}
    return best if len(runs) > 1 else None


def measured(runs: list[dict]) -> list[str]:
    """Sentences that compare the advice to the runs, each once."""
    measured = [each.get("measured") for run in runs for each in run.get("findings") or []]
    return list(dict.fromkeys(one["text"] for one in measured if one))
