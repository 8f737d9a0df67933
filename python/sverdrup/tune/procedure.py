"""The procedure of a tuning, after the papers: it screens the parameters, drops those that do not matter, searches the
rest, and races the best against the default.

It depends only on the results of `measure`: see journal.py."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from scipy.special import ndtr

from . import TuneError
from .budget import Budget, Plan, Spent
from .journal import Run
from .race import Race, race
from .space import Configuration, Space
from .surrogate import Belief, Effect

# A parameter is dropped whose worst value is believed to cost less than so many times its best, and which surely (95 %)
# has less than this share of the variance.
_DROPPED_RATIO, _DROPPED_SHARE = 1.03, 0.05
_SAME = 0.002  # predictions that differ by less than this part of the time are the same
_IDLE = 0.01  # a value that is believed to gain less than this part of the time is left at its default
_WORTH = 0.002  # expected gain of a further run, as a part of the time, below which it is used for screening


@dataclass
class Found:
    """All that was learnt, also where it ended early (`ended`: why)."""

    space: Space
    configurations: list[Configuration]
    predicted: np.ndarray | None  # seconds of each of them
    runs: list[tuple[int, Run]] = field(
        default_factory=list
    )  # number among the configurations; of screening and searching
    effects: list[Effect] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    leaders: list[Configuration] = field(default_factory=list)  # so far: winner and runner-up, or more
    race: Race | None = None
    ended: str | None = None

    @property
    def interrupted(self) -> bool:
        """By the user, not by the end of the budget."""
        return self.ended is not None and self.ended.startswith("interrupted")

    def succeeded(self) -> list[tuple[int, float]]:
        return [(number, run.seconds) for number, run in self.runs if run.seconds is not None]


class Tuning:
    """One tuning. `measure(stage, configuration, among)` makes a run; `predict(configurations)` gives seconds, NaN
    where it has none, or is None."""

    def __init__(
        self,
        space: Space,
        measure: Callable[[str, Configuration, str], Run],
        predict: Callable[[list[Configuration]], np.ndarray] | None,
        seed: int,
    ):
        self.random = np.random.default_rng(seed)
        self.measure, self.space, self.budget = measure, space, Budget()
        configurations = space.configurations(self.random)
        predicted = predict(configurations) if predict else None
        self._predict = predict if predicted is not None and np.isfinite(predicted).any() else _unknown
        self.found = Found(space, configurations, predicted)
        self._levels = space.levels(configurations)
        self._numbers = {space.key(each): number for number, each in enumerate(configurations)}
        self._mean = ((0, 0), np.zeros(0))
        self._open = np.ones(len(configurations), dtype=bool)  # may still be run

    def _predicted_logs(self) -> np.ndarray | None:
        """Refused ones and those without prediction are taken for the middle."""
        seconds = self.found.predicted
        if seconds is None or not np.isfinite(seconds).any():
            return None
        return np.log(np.where(np.isfinite(seconds), seconds, np.nanmedian(seconds)))

    def _measured(self, stage: str, one: Configuration, among: str = "") -> Run:
        """A run within the budget. Raises Spent."""
        self.budget.check(stage)
        run = self.measure(stage, one, among)
        self.budget.add(run)
        return run

    def _run(self, stage: str, number: int) -> Run:
        run = self._measured(stage, self.found.configurations[number])
        self._open[number] = False
        self.found.runs.append((number, run))
        if run.seconds is None:
            self._avoid()
        return run

    def _avoid(self) -> None:
        """Values with which two runs failed and none succeeded are not tried again."""
        ok = self._levels[[number for number, run in self.found.runs if run.seconds is not None]]
        bad = self._levels[[number for number, run in self.found.runs if run.seconds is None]]
        for column in range(self._levels.shape[1]):
            for level in np.unique(bad[:, column]):
                if level >= 0 and np.sum(bad[:, column] == level) > 1 and not np.any(ok[:, column] == level):
                    self._open &= self._levels[:, column] != level

    def _belief(self, predicted: np.ndarray | None) -> Belief:
        done = self.found.succeeded()
        belief = Belief(self.space, self._levels, predicted)
        return belief.fit([number for number, _ in done], [math.log(seconds) for _, seconds in done])

    def start(self) -> Run:
        """The default, without which there is nothing to compare with."""
        run = self._run("start", 0)
        if run.seconds is None:
            raise TuneError(f"the default configuration fails, so there is nothing to compare with: {run.failed}")
        return run

    def trust(self, count: int) -> None:
        """The best of the prediction, if there is one; of those between which it sees no difference, the simplest."""
        predicted = self._predicted_logs()
        if predicted is None:
            return
        steps = np.round(predicted / _SAME)
        settings = [len(self.space.settings(each)) for each in self.found.configurations]
        tried = {steps[number] for number, _ in self.found.runs}
        for number in np.lexsort((settings, steps)):
            if count > 0 and self._open[number] and steps[number] not in tried:
                tried.add(steps[number])
                self._run("screen", int(number))
                count -= 1

    def screen(self, count: int) -> None:
        """Configurations that show as many values as possible that were not seen yet, above all of parameters of which
        only one was; of equal ones the one that is predicted to be fastest, else any."""
        predicted = self._predicted_logs()
        liking = -predicted if predicted is not None else np.zeros(len(self._levels))
        liking = liking + 1e-9 * self.random.random(len(liking))
        for _ in range(count):
            left = np.flatnonzero(self._open)
            if not len(left):
                return
            ran = self._levels[[number for number, _ in self.found.runs]]
            seen = [np.isin(column, ran[:, c]) for c, column in enumerate(self._levels.T)]
            fresh = (self._levels >= 0) & ~np.stack(seen, axis=1)
            untried = np.ptp(ran, axis=0) == 0
            keys = (liking, fresh.sum(axis=1), fresh[:, untried].sum(axis=1))
            self._run("screen", int(left[np.lexsort([key[left] for key in keys])[-1]]))

    def drop(self) -> None:
        """Selects the parameters that matter, by the runs alone; the others keep their defaults from then on."""
        self.found.effects = self._belief(None).effects(self.random)
        self.found.dropped = [
            each.name
            for each in self.found.effects
            if each.ratio[0] < _DROPPED_RATIO and each.share[2] < _DROPPED_SHARE
        ]
        for name in self.found.dropped:
            column = [each.name for each in self.space.parameters].index(name)
            self._open &= self._levels[:, column] <= 0

    def _number(self, configuration: Configuration) -> int:
        """Of a configuration, which joins the others if it is not among them (of a large space only a part is)."""
        key = self.space.key(configuration)
        if key in self._numbers:
            return self._numbers[key]
        self._numbers[key] = len(self.found.configurations)
        self.found.configurations.append(configuration)
        self._levels = np.vstack([self._levels, self.space.levels([configuration])])
        self._open = np.append(self._open, True)
        if self.found.predicted is not None:
            self.found.predicted = np.append(self.found.predicted, self._predict([configuration]))
        return self._numbers[key]

    def _means(self) -> np.ndarray:
        """The model of the log seconds of all configurations."""
        state = (len(self.found.runs), len(self.found.configurations))
        if self._mean[0] != state:
            self._mean = (state, self._belief(self._predicted_logs()).marginal()[0])
        return self._mean[1]

    def _simpler(self, number: int) -> int:
        """The same configuration without values that gain nothing by the model: chance sets many harmless values.
        None that failed."""
        failed = {other for other, run in self.found.runs if run.seconds is None}
        while True:
            here = self.found.configurations[number]
            fewer = [
                self.space.completed({name: value for name, value in here.items() if name != left})
                for left in self.space.settings(here)
            ]
            numbers = [self._number(each) for each in fewer if self.space.allowed(each)]
            numbers = [other for other in numbers if other not in failed]
            mean = self._means()
            best = min(numbers, key=lambda other: mean[other], default=number)
            if best == number or mean[best] > mean[number] + _IDLE:
                return number
            number = best

    def search(self, count: int) -> None:
        """The configuration with the largest expected improvement; if it is next to nothing, an untried one."""
        for _ in range(count):
            mean, spread = self._belief(self._predicted_logs()).marginal()
            best = min(mean[number] for number, _ in self.found.succeeded())
            gain = _expected_gain(best - mean, spread)
            gain[~self._open] = -1
            number = int(np.argmax(gain))
            if gain[number] >= _WORTH:
                self._run("search", number)
            else:
                self.screen(1)

    def leaders(self, count: int) -> list[int]:
        """The best measured configurations, without the default, by the model, which discounts luck."""
        mean = self._means()
        numbers = sorted({number for number, _ in self.found.succeeded()} - {0}, key=lambda number: mean[number])
        simple = dict.fromkeys(self._simpler(number) for number in numbers[: 2 * count])
        return [number for number in simple if number != 0][:count]

    def race(self, plan: Plan) -> None:
        leaders = self.leaders(max(plan.entrants, 2))
        self.found.leaders = [self.found.configurations[number] for number in leaders]
        entrants = [self.found.configurations[0], *self.found.leaders[: plan.entrants]]
        if len(entrants) < 2:
            return
        among = " | ".join(map(self.space.key, entrants))
        try:
            rounds = self.budget.rounds(len(entrants))
            self.found.race = race(entrants, rounds, lambda one: self._measured("race", one, among), self.random)
        except BaseException as error:
            self.found.race = getattr(error, "race", None)
            raise

    def explore(self, plan: Plan) -> None:
        """Screening and searching, until the race needs the rest of the budget."""
        try:
            self.trust(plan.trust)
            self.screen(plan.screen - len(self.found.runs))
            self.drop()
            self.search(plan.explore - len(self.found.runs))
        except Spent:
            pass
        self.found.effects = self._belief(None).effects(self.random)

    def carry_out(self, budget: Budget) -> Found:
        """The whole procedure. An interruption or a spent budget ends it with the present results."""
        self.budget = budget
        try:
            plan = budget.plan(self.start(), len(self.found.configurations))
            self.explore(plan)
            self.race(plan)
        except Spent as error:
            self.found.ended = str(error)
        except KeyboardInterrupt:
            self.found.ended = "interrupted"
        return self.found


def _unknown(configurations: list[Configuration]) -> np.ndarray:
    return np.full(len(configurations), math.nan)


def _expected_gain(better: np.ndarray, spread: np.ndarray) -> np.ndarray:
    """Expected improvement of normal variables, whose means are better by so much and which are so uncertain."""
    scaled = better / spread
    return better * ndtr(scaled) + spread * np.exp(-(scaled**2) / 2) / math.sqrt(2 * math.pi)
