"""Writes sverdrup.yaml with the recommended settings: each line has its reason, and the number behind it."""

import math
import textwrap

import numpy as np
import yaml

from .outcome import Verdict
from .procedure import Found
from .serving import remark
from .space import Configuration
from .surrogate import Belief

_COMMENT = 118  # columns


def _wrapped(text: str) -> list[str]:
    return [f"# {line}" for line in textwrap.wrap(text, _COMMENT - 2, break_on_hyphens=False)]


def _ratio(found: Found, chosen: Configuration, name: str) -> tuple[float, float, float]:
    """How many times the seconds it would take with the default of a parameter: the middle, a low and a high end (90 %)
    of the estimate from the runs, without the prediction."""
    other = found.space.completed({key: value for key, value in chosen.items() if key != name})
    belief = Belief(found.space, found.space.levels([*found.configurations, chosen, other]), None)
    done = found.succeeded()
    belief.fit([number for number, _ in done], [math.log(seconds) for _, seconds in done])
    count = len(found.configurations)
    mean, covariance = belief.about(np.array([count, count + 1]))
    middle = mean[1] - mean[0]
    spread = 1.645 * math.sqrt(max(covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1], 0))
    return math.exp(middle), math.exp(middle - spread), math.exp(middle + spread)


def _why(found: Found, chosen: Configuration, name: str) -> str:
    default = found.space.parameter(name).default
    times = _ratio(found, chosen, name)
    reason = (
        f"the default, {default}, takes {times[0]:.2f} times as long ({times[1]:.2f} to {times[2]:.2f}, from all runs)"
    )
    return reason if times[1] > 1 else reason + "; this line alone is not certain to help"


def _kept(found: Found) -> list[str]:
    """The parameters whose defaults stay, and how much they matter."""
    lines = []
    for effect in found.effects:
        reason = "does not matter" if effect.name in found.dropped else "no better value was proven"
        lines.append(
            f"{effect.name}: {reason}; worst value / best value {effect.ratio[0]:.2f}, at most {effect.ratio[2]:.2f}"
        )
    return lines


def text(found: Found, verdict: Verdict, about: str) -> str:
    """The file; about: the tuned workload, in a line."""
    settings = found.space.settings(verdict.configuration)
    head = [f"Recommended by `sverdrup tune` for {about}.", verdict.sentence]
    made = [line for paragraph in head for line in _wrapped(paragraph)] + [""]
    for name, value in settings.items():
        why = _why(found, verdict.configuration, name)
        if name == "stripes":
            made += [
                f"# Not a line of this file: {value} stripes per file, set for the folder (lfs setstripe -c {value})."
            ]
            made += _wrapped(why)
            continue
        if name == "async":
            why += f". {remark(value, found.space.extra_ranks(settings))}"
        line = yaml.safe_dump({name: value}).strip()
        made += [*_wrapped(f"{found.space.parameter(name).layer}: {why}"), line]
    if not set(settings) - {"stripes"}:
        made += ["# This file sets nothing: the defaults are recommended.", "{}"]
    kept = [line for line in _kept(found) if line.partition(":")[0] not in settings]
    if kept:
        made += ["", "# These keep their defaults:", *(f"#   {line}" for line in kept)]
    return "\n".join(made) + "\n"
