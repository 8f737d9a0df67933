"""Writes studies/docs/consistency.md from the scored sets. `studies/study consistency` calls consistency_page()."""

import statistics
import tomllib

import jinja2

from sverdrup_studies.markdown import wrapped

from .figures import HERE, papers
from .score import Scored, arithmetic


def _table(heads: list[str], rows: list[list[str]]) -> str:
    right = ["--:" if head.endswith(", s") or head in ("± s", "error", "of the total") else "---" for head in heads]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [heads, right, *rows]) + "\n"


def _seconds(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.4g}"


def _signed(part: float | None) -> str:
    return "" if part is None else f"{100 * part:+.1f} %".replace("-", "−")


def _parameter(name: str, value: float) -> str:
    if "rate" not in name:
        return f"{name} {value:.3g} s"
    return f"{name} {value / 1e9:.3g} GB/s" if value >= 1e9 else f"{name} {value / 1e6:.3g} MB/s"


def _sets(sets: list[Scored]) -> str:
    rows = [
        [
            one.title,
            f"`{one.equation}`",
            ", ".join(_parameter(*item) for item in one.parameters.items()),
            "; ".join(name for name, _ in one.fitted),
            f"{one.hits} of {len(one.outcomes)}",
            f"{100 * one.median:.0f} %",
        ]
        for one in sets
    ]
    return _table(["set", "equation", "free parameters, as fitted", "fitted to", "hits", "median error"], rows)


def _outcomes(sets: list[Scored]) -> str:
    rows = [
        [
            one.title,
            outcome.name,
            _seconds(outcome.published),
            f"{outcome.rounding:.2g}",
            _seconds(outcome.predicted),
            _signed(outcome.error),
            "hit" if outcome.hit else "**missed**",
            _signed(outcome.error_of_total),
        ]
        for one in sets
        for outcome in one.outcomes
    ]
    return _table(["set", "case", "published, s", "± s", "predicted, s", "error", "", "of the total"], rows)


def _readings(sets: list[Scored]) -> str:
    texts = tomllib.loads((HERE / "readings.toml").read_text(encoding="utf-8"))
    return "\n".join(f"- **{one.title}.** {texts[one.id]}" for one in sets) + "\n"


def contradictions() -> list[dict]:
    """Where papers contradict themselves: paper, says, shows (with the numbers in it), values (the numbers)."""
    numbers = arithmetic()
    found = []
    for point in tomllib.loads((HERE / "contradictions.toml").read_text(encoding="utf-8"))["point"]:
        values = {name: numbers.value(expression) for name, expression in point["values"].items()}
        found.append(
            {"paper": point["paper"], "says": point["says"], "shows": point["shows"].format(**values), "values": values}
        )
    return found


def _assumed(plan: dict) -> str:
    numbers = arithmetic()
    rows = [
        [f"`{name}`", f"`{expression}`", f"{numbers.value(expression):,.4g}"]
        for name, expression in plan["assumed"].items()
    ]
    return _table(["figure that no paper prints", "value", "bytes, s or bytes/s"], rows)


def consistency_page(sets: list[Scored], plan: dict) -> str:
    """Markdown; sets: of score(), plan: fits.toml."""
    outcomes = [outcome for one in sets for outcome in one.outcomes]
    hits = sum(outcome.hit for outcome in outcomes)
    table6 = [outcome for outcome in outcomes if outcome.name.startswith("Table 6")]
    points = [[point["paper"], point["says"], point["shows"]] for point in contradictions()]
    sources = [f"- {content['citation']}. {content['machine']}." for content in papers().values()]
    source = (HERE / "consistency_page.md").read_text(encoding="utf-8")
    template = jinja2.Template(source, undefined=jinja2.StrictUndefined)
    return wrapped(
        template.render(
            sets=len(sets),
            parameters=sum(len(one.parameters) for one in sets),
            fitted=sum(len(one.fitted) for one in sets),
            single=sum(len(one.parameters) == len(one.fitted) == 1 for one in sets),
            predicted=len(outcomes),
            hits=hits,
            missed=len(outcomes) - hits,
            table6=len(table6),
            table6_missed=sum(not outcome.hit for outcome in table6),
            threshold=f"{100 * plan['threshold']:.0f} %",
            median=f"{100 * statistics.median(abs(outcome.error) for outcome in outcomes):.0f} %",
            set_table=_sets(sets),
            outcome_table=_outcomes(sets),
            readings=_readings(sets),
            contradictions=_table(["where", "the paper says", "its own figures say"], points),
            assumed=_assumed(plan),
            sources="\n".join(sources),
        )
        + "\n"
    )
