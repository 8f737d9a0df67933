"""Estimates the seconds of configurations that were not run, from those that were. procedure.py chooses by these
estimates what to run next.

The logarithm of the seconds is a sum of the prediction (if there is one, times a factor near 1), a part of each
parameter, a part that only configurations have in common which are alike in all, and noise: a Gaussian process. How
large each part is comes from the runs (expectation maximisation), so that parameters without effect get none (automatic
relevance determination)."""

from dataclasses import dataclass

import numpy as np

from .space import Space

_SLOPE = 0.3  # how far from 1 the factor of the prediction's logarithm may well be
_FIRST, _NOISE = 0.15, 0.03  # standard deviations to begin with: of a part, and of the noise of a run
_LEAST = 0.05  # what a part is never far below
_ALIKE = 0.6  # what two configurations have in common that differ in one parameter
_ROUNDS = 25
_SIZES = 8  # how often the sizes of the parts are drawn


def _relation(levels: int, ordered: bool) -> np.ndarray:
    """How much the values of a parameter have in common; the last one, where it does not count, nothing with others."""
    steps = np.abs(np.subtract.outer(np.arange(levels), np.arange(levels)))
    made = np.eye(levels + 1)
    made[:levels, :levels] = np.exp(-steps / 1.5) if ordered else np.eye(levels)
    return made


@dataclass
class Effect:
    """How much a parameter matters: its share of the variance between configurations, and the ratio of the seconds with
    its worst value and its best (the middle, and a low and a high quantile of the estimate)."""

    name: str
    share: tuple[float, float, float]
    ratio: tuple[float, float, float]


class Belief:
    """Of configurations with these levels (Space.levels) and predictions (log seconds, or None)."""

    def __init__(self, space: Space, levels: np.ndarray, predicted: np.ndarray | None):
        self.space, self.levels = space, levels
        self._relations = [_relation(len(each.values), each.ordered) for each in space.parameters]
        self._given = np.zeros(len(levels)) if predicted is None else predicted - np.mean(predicted)
        self._slope = 0.0 if predicted is None else _SLOPE
        self._varied = [len(np.unique(levels[:, column])) > 1 for column in range(levels.shape[1])]
        self.parts = np.array([_FIRST**2 if varied else 0.0 for varied in self._varied])
        self.common, self.noise = _FIRST**2, _NOISE**2
        self._runs, self._logs = np.zeros(0, dtype=int), np.zeros(0)
        self._between = self._alike(self._runs, self._runs)

    def _alike(self, left: np.ndarray, right: np.ndarray) -> tuple[list[np.ndarray], np.ndarray]:
        """The common properties of each parameter's part and of the part of all together."""
        single = [
            relation[self.levels[left, column]][:, self.levels[right, column]]
            for column, relation in enumerate(self._relations)
        ]
        together = np.ones((len(left), len(right)))
        for matrix, varied in zip(single, self._varied):
            if varied:
                together *= _ALIKE + (1 - _ALIKE) * matrix
        return single, together

    def _covariance(
        self, left: np.ndarray, right: np.ndarray, alike: tuple[list[np.ndarray], np.ndarray] | None = None
    ) -> np.ndarray:
        """alike: the result of _alike(), if it is known."""
        single, together = alike or self._alike(left, right)
        made = 1.0 + self._slope**2 * np.outer(self._given[left], self._given[right]) + self.common * together
        for part, matrix in zip(self.parts, single):
            if part > 0:
                made = made + part * matrix
        return made

    def _mean(self, which: np.ndarray) -> np.ndarray:
        """The mean before any run: the prediction, shifted to the level of the runs."""
        base = float(np.mean(self._logs - self._prior(self._runs))) if len(self._runs) else 0.0
        return base + self._prior(which)

    def _prior(self, which: np.ndarray) -> np.ndarray:
        return self._given[which] if self._slope else np.zeros(len(which))

    def fit(self, runs: list[int], logs: list[float]) -> "Belief":
        """runs: which configurations, each as often as it was run; logs: logarithms of their seconds."""
        self._runs, self._logs = np.array(runs, dtype=int), np.array(logs)
        self._between = self._alike(self._runs, self._runs)
        together = self._between[1]
        for _ in range(_ROUNDS):
            inverse, weights = self._solved()
            for column, varied in enumerate(self._varied):
                if varied:
                    self.parts[column] = self._part(column, weights, inverse)
            self.common = self._size(self.common, together, weights, inverse, len(np.unique(self._runs)))
            mean = self.noise * (np.trace(np.eye(len(runs)) - self.noise * inverse)) + self.noise**2 * weights @ weights
            self.noise = (mean + 2 * _NOISE**2) / (len(runs) + 2)
        return self

    def _solved(self) -> tuple[np.ndarray, np.ndarray]:
        """The inverse of the covariance of the runs, and its product with their distances from the mean."""
        covariance = self._covariance(self._runs, self._runs, self._between)
        inverse = np.linalg.inv(covariance + self.noise * np.eye(len(self._runs)))
        return inverse, inverse @ (self._logs - self._mean(self._runs))

    def _own(
        self, column: int, levels: np.ndarray, inverse: np.ndarray, weights: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Mean and covariance of a parameter's part at these levels."""
        part, relation = self.parts[column], self._relations[column]
        cross = part * relation[levels][:, self.levels[self._runs, column]]
        return cross @ weights, part * relation[levels][:, levels] - cross @ inverse @ cross.T

    def _part(self, column: int, weights: np.ndarray, inverse: np.ndarray) -> float:
        """The variance of a parameter's part: the mean square of its estimated values, and a little of its first
        value."""
        there = np.unique(self.levels[self._runs, column])
        middle, spread = self._own(column, there, inverse, weights)
        relation = self._relations[column][there][:, there]
        square = np.trace(np.linalg.solve(relation, spread + np.outer(middle, middle)))
        return float((square + _LEAST**2) / (len(there) + 1))

    @staticmethod
    def _size(size: float, matrix: np.ndarray, weights: np.ndarray, inverse: np.ndarray, count: int) -> float:
        change = size * weights @ matrix @ weights - np.sum(inverse * matrix) * size
        return max(float((size * (count + change) + _LEAST**2) / (count + 1)), 1e-8)

    def about(self, which: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Mean and covariance of the log seconds of these configurations, without the noise of a run."""
        cross = self._covariance(which, self._runs)
        inverse, weights = self._solved()
        return self._mean(which) + cross @ weights, self._covariance(which, which) - cross @ inverse @ cross.T

    def marginal(self) -> tuple[np.ndarray, np.ndarray]:
        """Mean and standard deviation of the log seconds of all configurations."""
        everything = np.arange(len(self.levels))
        cross = self._covariance(everything, self._runs)
        inverse, weights = self._solved()
        mean = self._mean(everything) + cross @ weights
        own = 1.0 + self._slope**2 * self._given**2 + self.common + self.parts.sum()
        return mean, np.sqrt(np.maximum(own - np.sum((cross @ inverse) * cross, axis=1), 1e-12))

    def effects(self, random: np.random.Generator, draws: int = 240) -> list[Effect]:
        """How much each parameter matters, most first: from draws of its own part, so that nothing of the others is in
        it. How large the parts are is itself known to a factor only: each eighth of the draws has other ones."""
        counts: dict[int, tuple[np.ndarray, np.ndarray]] = {}  # levels, and the share of the configurations of each
        for column in range(self.levels.shape[1]):
            levels, times = np.unique(self.levels[self.levels[:, column] >= 0, column], return_counts=True)
            if len(levels) > 1:
                counts[column] = levels, times / len(self.levels)
        apart = 1 - self._between[1].mean()
        parts, common = self.parts, self.common
        drawn: dict[int, list[np.ndarray]] = {column: [] for column in counts}
        rest: list[np.ndarray] = []
        for _ in range(_SIZES):
            self.parts = parts * np.exp(random.standard_normal(len(parts)))
            self.common = common * float(np.exp(random.standard_normal()))
            inverse, weights = self._solved()
            rest.append(np.full(draws // _SIZES, self.common * apart))
            for column, (levels, _) in counts.items():
                own = self._own(column, levels, inverse, weights)
                drawn[column].append(random.multivariate_normal(*own, draws // _SIZES, check_valid="ignore"))
        self.parts, self.common = parts, common
        return self._effects(counts, {column: np.vstack(each) for column, each in drawn.items()}, np.concatenate(rest))

    def _effects(
        self, counts: dict[int, tuple[np.ndarray, np.ndarray]], drawn: dict[int, np.ndarray], rest: np.ndarray
    ) -> list[Effect]:
        """drawn: of a parameter's part, [draw, level]; rest: the variance that belongs to no single parameter."""
        variances = {}
        for column, (_, share) in counts.items():
            inner = drawn[column] @ share / share.sum()
            variances[column] = (drawn[column] - inner[:, None]) ** 2 @ share
        total = np.maximum(sum(variances.values(), rest), 1e-12)
        found = [
            Effect(
                self.space.parameters[column].name,
                _quantiles(variance / total),
                _quantiles(np.exp(np.ptp(drawn[column], axis=1))),
            )
            for column, variance in variances.items()
        ]
        return sorted(found, key=lambda effect: -effect.share[0])


def _quantiles(values: np.ndarray) -> tuple[float, float, float]:
    low, middle, high = np.quantile(values, [0.05, 0.5, 0.95])
    return float(middle), float(low), float(high)
