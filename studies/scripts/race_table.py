"""The table of `make race`: our time compared with the fastest of the others and with the floor, worst first."""
import dataclasses
import fnmatch
import statistics

from bench_runs import markdown_table, number
from race_cases import PLACES


@dataclasses.dataclass
class Row:
    """`ratio`: ours to the fastest of the others, of the medians. `noise`: the possible error of that ratio, from the rounds of both.
    `before`: the ratio of an earlier race; None where there is none. `memory`, `other_memory`: MiB that all ranks
    together take at most beyond their values, the window included, of both; None where it was not measured."""

    case: str
    place: str
    what: str
    seconds: float
    other: str
    ratio: float
    noise: float
    ours: str = ""
    floor: float | None = None
    before: float | None = None
    memory: float | None = None
    other_memory: float | None = None

    @property
    def key(self):
        return f"{self.case} / {self.place} / {self.what}"

    @property
    def verdict(self):
        if self.ratio <= 1:
            return "ahead" if self.ratio < 1 - self.noise else "even"
        return "BEHIND" if self.ratio > 1 + self.noise else "even"


def fastest(results, patterns):
    found = [entry for entry in results["results"] if any(fnmatch.fnmatch(entry["name"], pattern) for pattern in patterns)]
    return min(found, key=lambda entry: entry["seconds"]["median"], default=None)


def spread_of(entry):
    """How far a median of so few rounds may be off, as a part of it: the mean distance of the rounds from it, over the root of
    their number."""
    rounds, median = entry["rounds"], entry["seconds"]["median"]
    if len(rounds) < 2 or median <= 0:
        return 0.0
    return statistics.mean(abs(one - median) for one in rounds) / median / len(rounds) ** 0.5


def row_of(case, place, pair, results):
    """None where ours or all of the others did not run."""
    ours, other, floor = (fastest(results, names) for names in ((pair.ours,), pair.others, (pair.floor,)))
    if ours is None or other is None:
        return None
    seconds = ours["seconds"]["median"]
    return Row(case.name, place.name, pair.what, seconds, other["name"], seconds / other["seconds"]["median"],
               2 * (spread_of(ours) ** 2 + spread_of(other) ** 2) ** 0.5, pair.ours,
               seconds / floor["seconds"]["median"] if floor else None)


def with_memory(row, results):
    """`results` of a run that measured memory."""
    def peak(pattern):
        found = [entry["memory"]["peak_bytes_beyond"] for entry in results["results"] if fnmatch.fnmatch(entry["name"], pattern)]
        return found[0] / 2**20 if found else None
    return dataclasses.replace(row, memory=peak(row.ours), other_memory=peak(row.other))


def with_earlier(rows, earlier):
    ratios = {row.key: row.ratio for row in earlier}
    return [dataclasses.replace(row, before=ratios.get(row.key)) for row in rows]


def ordered(rows):
    return sorted(rows, key=lambda row: -row.ratio)


def text_of(rows):
    heads = ["case", "place", "what", "ours, s", "fastest other", "ratio", "noise", "to floor", "before", "",
             "MiB", "other's"]
    cells = [[row.case, row.place, row.what, number(row.seconds, "{:.4f}"), row.other, number(row.ratio, "{:.2f}"),
              number(row.noise, "±{:.2f}"), number(row.floor, "{:.2f}"), number(row.before, "{:.2f}"), row.verdict,
              number(row.memory, "{:.1f}"), number(row.other_memory, "{:.1f}")]
             for row in ordered(rows)]
    return markdown_table(heads, cells)


def overview_of(rows):
    """A line for each case and operation, a column for each place: the ratios, losses bold, the worst line first."""
    seen = {row.place for row in rows}
    places = [place.name for place in PLACES if place.name in seen]
    lines = {}
    for row in ordered(rows):
        lines.setdefault((row.case, row.what), {})[row.place] = row
    def cell(row):
        return "-" if row is None else f"**{row.ratio:.2f}**" if row.verdict == "BEHIND" else f"{row.ratio:.2f}"
    return markdown_table(["case", "calls", *places], [[*key, *(cell(of.get(place)) for place in places)] for key, of in lines.items()])


def summary_of(rows):
    counts = {verdict: sum(row.verdict == verdict for row in rows) for verdict in ("ahead", "even", "BEHIND")}
    return f"{len(rows)} comparisons: ahead in {counts['ahead']}, even in {counts['even']}, behind in {counts['BEHIND']}"


def draw(rows, pyplot):
    """A point for each comparison, left of the line where ours is faster; one line for each case and operation."""
    names = sorted({f"{row.case}: {row.what}" for row in rows}, reverse=True)
    places = sorted({row.place for row in rows})
    figure, axes = pyplot.subplots(figsize=(9, 1.2 + 0.24 * len(names)), layout="constrained")
    for number_of_place, place in enumerate(places):
        of_place = [row for row in rows if row.place == place]
        axes.errorbar([row.ratio for row in of_place], [names.index(f"{row.case}: {row.what}") for row in of_place],
                      xerr=[row.noise * row.ratio for row in of_place], fmt="oDs^v<>p"[number_of_place % 8], markersize=4,
                      linewidth=0.8, label=place)
    axes.axvline(1, color="black", linewidth=1)
    axes.set(xscale="log", yticks=range(len(names)), yticklabels=names, xlabel="time of Sverdrup / time of the fastest other")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.xaxis.set_minor_formatter("{x:g}")
    axes.tick_params(axis="x", which="both", labelsize=7)
    axes.grid(axis="x", which="both", linewidth=0.3)
    axes.legend(fontsize=8, loc="upper left", bbox_to_anchor=(1, 1))
    return figure
