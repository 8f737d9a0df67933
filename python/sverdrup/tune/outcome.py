"""Decides which configuration a tuning recommends, says why, and puts everything into one document for JSON and for the
page."""

import math
from dataclasses import dataclass

import numpy as np

from .predict import quality
from .procedure import Found
from .race import Gain, Race
from .space import Configuration, Space

_UNCONFIRMED = "It is not confirmed at a larger scale; use --confirm (for a workload) or --confirm-ranks."
_ALIKE = 1.02  # of two proven configurations that take times this much alike, the one with fewer servers is taken


@dataclass
class Verdict:
    """The recommendation; `gain`: over the default, in the race; `confirmed`: over the default at the larger
    scale, where that was asked for; `sentence`: all of it in words."""

    configuration: Configuration
    gain: Gain | None
    confirmed: Gain | None
    sentence: str


def _change(ratio: float) -> tuple[str, str]:
    """Of the time: per cent without a sign, and whether they are less or more."""
    return f"{100 * abs(1 - ratio):.1f}", "less" if ratio <= 1 else "more"


def percent(gain: Gain) -> str:
    """ "12.3 % less time (9.0 to 15.4 % less, 95 % confidence)", of the default's."""
    amount, word = _change(gain.ratio)
    if gain.low is None or gain.high is None:
        return f"{amount} % {word} time (too few runs for an interval)"
    ends = [_change(gain.low), _change(gain.high)]
    bounds = " to ".join(f"{end} % {direction}" for end, direction in ends)
    if ends[0][1] == ends[1][1]:
        first, last = sorted((end for end, _ in ends), key=float)
        bounds = f"{first} to {last} % {word}"
    return f"{amount} % {word} time ({bounds}, 95 % confidence)"


def best(space: Space, race: Race | None) -> Gain | None:
    """The largest proven gain; among equal ones, that with fewest servers and fewest settings."""
    proven = sorted((gain for gain in (race.gains if race else []) if gain.proven), key=lambda gain: gain.ratio)
    alike = [gain for gain in proven if gain.ratio <= proven[0].ratio * _ALIKE]
    return min(alike, key=lambda gain: (space.extra_ranks(gain.configuration), gain.ratio), default=None)


def contenders(found: Found) -> list[Configuration]:
    """The winner and the runner-up: of the race, or the next that is believed best."""
    winner = best(found.space, found.race)
    if winner is None or found.race is None:
        return []
    raced = [gain.configuration for gain in sorted(found.race.gains, key=lambda gain: gain.ratio)]
    others = [each for each in [*raced, *found.leaders] if each != winner.configuration]
    return [winner.configuration, *others[:1]]


def _of(race: Race | None, configuration: Configuration) -> Gain | None:
    """Its gain there."""
    return next((gain for gain in (race.gains if race else []) if gain.configuration == configuration), None)


def _confirmed(confirmation: Race, winner: Gain) -> Gain | None:
    """The winner, where it is proven again; the runner-up only where it is proven, and surely better than that."""
    own = _of(confirmation, winner.configuration)
    own = own if own and own.proven else None
    others = [gain for gain in confirmation.gains if gain.configuration != winner.configuration and gain.proven]
    return next((gain for gain in others if own is None or gain.high < own.ratio), own)


def _failure(space: Space, race: Race | None, *those: Configuration) -> str | None:
    """Why the first of those failed in it."""
    reasons = [(one, race.failure(one)) for one in those] if race else []
    return next((f"{space.key(one)} failed there ({why})" for one, why in reasons if why), None)


def decide(found: Found, confirmation: Race | None, asked: bool) -> Verdict:
    """asked: a confirmation was to be made."""
    space, default = found.space, found.space.default
    winner = best(space, found.race)
    if winner is None:
        return Verdict(default, None, None, _nothing_gained(found))
    chosen = winner.configuration
    sentence = f"{space.key(chosen)} takes {percent(winner)} than the default."
    if not asked:
        return Verdict(chosen, winner, None, f"{sentence} {_UNCONFIRMED}")
    if confirmation is None or not confirmation.rounds:
        sentence += " It is not recommended, because it was not confirmed at the larger scale."
        return Verdict(default, None, None, sentence)
    confirmed = _confirmed(confirmation, winner)
    if confirmed is None:
        own = _of(confirmation, chosen)
        why = percent(own) if own else _failure(space, confirmation, default, chosen)
        sentence += f" This does not hold at the larger scale: {why}. The default is recommended."
        return Verdict(default, None, own, sentence)
    if confirmed.configuration == chosen:
        return Verdict(chosen, winner, confirmed, f"{sentence} Confirmed at the larger scale: {percent(confirmed)}.")
    other = space.key(confirmed.configuration)
    sentence += f" At the larger scale {other} is better and is recommended: {percent(confirmed)}."
    return Verdict(confirmed.configuration, _of(found.race, confirmed.configuration), confirmed, sentence)


def headline(verdict: Verdict) -> str:
    gain = verdict.confirmed if verdict.confirmed and verdict.confirmed.proven else verdict.gain
    if gain is None:
        return "The defaults are as good as all other settings that were tried"
    return f"{100 * (1 - gain.ratio):.0f} % less time than with the defaults"


def _nothing_gained(found: Found) -> str:
    race = found.race
    if found.ended and not (race and race.gains):
        return f"The default is recommended: {found.ended} before any configuration was proven better."
    if race is None or not race.gains:
        why = _failure(found.space, race, found.space.default, *found.leaders)
        why = why or "no configuration that ran is expected to be faster"
        return f"Nothing is better than the default: {why}. The default is recommended."
    first = min(race.gains, key=lambda gain: gain.ratio)
    name = found.space.key(first.configuration)
    sentence = f"Within the noise, nothing is better than the default: the best, {name}, takes {percent(first)}."
    return f"{sentence} The default is recommended."


def prediction_quality(found: Found) -> dict | None:
    """How good the prediction was, on all configurations that ran."""
    if found.predicted is None:
        return None
    measured = dict(found.succeeded())
    numbers = list(measured)
    noise = found.race.noise if found.race else math.nan
    return quality(found.predicted[numbers], np.array([measured[number] for number in numbers]), noise)


def _gain(gain: Gain | None, space: Space) -> dict | None:
    return (
        None if gain is None else {"settings": space.settings(gain.configuration), **vars(gain), "proven": gain.proven}
    )


def _race(race: Race | None, space: Space) -> dict | None:
    if race is None:
        return None
    finite = {"noise": race.noise, "default_seconds": race.default_seconds}
    return {
        "entrants": [space.key(each) for each in race.entrants],
        "rounds": race.rounds,
        "failed": [{"entrant": space.key(race.began[number]), "why": why} for number, why in race.failed.items()],
        "gains": [_gain(gain, space) for gain in race.gains],
        **{name: value if math.isfinite(value) else None for name, value in finite.items()},
    }


def document(found: Found, verdict: Verdict, confirmation: Race | None, task: dict) -> dict:
    """Everything, for JSON; seconds and parts of one."""
    space = found.space
    predicted = found.predicted

    def predicted_of(number: int) -> float | None:
        known = predicted is not None and math.isfinite(predicted[number])
        return float(predicted[number]) if known else None

    runs = [
        {
            **vars(run),
            "key": space.key(run.configuration),
            "predicted": predicted_of(number),
            "extra_cores": space.extra_ranks(run.configuration),
        }
        for number, run in found.runs
    ]
    effects = [
        {**vars(effect), "layer": space.parameter(effect.name).layer, "dropped": effect.name in found.dropped}
        for effect in found.effects
    ]
    return {
        "task": task,
        "space": {each.name: list(each.values) for each in space.parameters},
        "configurations": len(found.configurations),
        "recommended": {"settings": space.settings(verdict.configuration), "key": space.key(verdict.configuration)},
        "headline": headline(verdict),
        "sentence": verdict.sentence,
        "gain": _gain(verdict.gain, space),
        "confirmed": _gain(verdict.confirmed, space),
        "ended": found.ended,
        "effects": effects,
        "prediction": prediction_quality(found),
        "race": _race(found.race, space),
        "confirmation": _race(confirmation, space),
        "runs": runs,
    }
