"""Gets predictions of sv-plan for configurations of a workload, from the workload's description and a profile of the
machine; and measures the quality of such a prediction."""

import json
import math
import tempfile
from pathlib import Path

import numpy as np

from ..programs import launch, run
from . import TuneError
from .space import Configuration
from .task import Bench, pinned_by


class Predictor:
    """sv-plan's predictions of a task on the machine of a profile; the cases of the workload are described once, in a
    folder that lives as long as this."""

    def __init__(self, task: Bench, plan: Path, profile: Path):
        self.task, self.plan, self.profile = task, plan, profile
        self._kept = tempfile.TemporaryDirectory(prefix="sv-tune-", dir=task.folder)  # where rank 0 sees it, too
        self._folder = Path(self._kept.name)

    def _case(self, servers: int) -> Path:
        """The case of the workload with so many servers: a file. Nothing is measured."""
        case = self._folder / f"case-{servers}.json"
        if case.exists():
            return case
        task = self.task
        served = task.space.completed({"async": f"servers:{servers}"} if servers else {})
        words = task.command(served, self._folder / "unused.json")
        finished = launch(task.launcher, task.ranks + servers, [*words, "--describe", str(case)], task.limit)
        if not finished.ok or not case.exists():
            raise TuneError(f"sv-bench cannot describe this workload, so nothing is predicted: {finished.reason}")
        return case

    def _asked(self, case: Path, wanted: list[Configuration]) -> list[dict]:
        listed, predicted = self._folder / "configurations.json", self._folder / "predicted.json"
        listed.write_text(json.dumps(wanted), encoding="utf-8")
        words = [self.plan, "--case", case, "--predict", self.profile, "--configurations", listed, "--json", predicted]
        finished = run(words, 600)
        if not finished.ok:
            raise TuneError(f"sv-plan cannot predict this workload: {finished.reason}")
        answers = json.loads(predicted.read_text(encoding="utf-8"))
        if len(answers) != len(wanted):
            raise TuneError(
                f"sv-plan answered {len(answers)} of {len(wanted)} configurations: use programs of the same version"
            )
        return answers

    def seconds(self, configurations: list[Configuration]) -> np.ndarray:
        """Of each configuration; NaN where the prediction refuses it. Raises TuneError."""
        seconds = np.full(len(configurations), np.nan)
        own = pinned_by(self.task.words)
        ranks = [self.task.space.extra_ranks(each) for each in configurations]
        for servers in sorted(set(ranks)):
            numbers = [n for n, each in enumerate(ranks) if each == servers]
            wanted = [own | self.task.space.settings(configurations[number]) for number in numbers]
            for number, answer in zip(numbers, self._asked(self._case(servers), wanted)):
                if "seconds" in answer:
                    seconds[number] = answer["seconds"]["total"]
        return seconds


def _ranks(values: np.ndarray) -> np.ndarray:
    """Of each value among all; equal ones have the mean of theirs."""
    _, which, counts = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[which]


def quality(predicted: np.ndarray, measured: np.ndarray, noise: float = math.nan) -> dict[str, float | int | None]:
    """The quality of predictions (seconds, NaN: none) of configurations: their rank correlation with the measurements,
    and the median of the relative errors. noise: standard deviation of the logarithm of a run; attainable_correlation:
    about the correlation of the true seconds with such runs (Spearman 1904, The proof and measurement of association
    between two things)."""
    there = np.isfinite(predicted) & np.isfinite(measured)
    predicted, measured = predicted[there], measured[there]
    names = ("rank_correlation", "attainable_correlation", "median_error")
    found = {"configurations": len(measured), **dict.fromkeys(names)}
    if len(measured) < 3:
        return found
    found["median_error"] = float(np.median(np.abs(predicted / measured - 1)))
    if np.ptp(predicted) > 0 and np.ptp(measured) > 0:
        found["rank_correlation"] = float(np.corrcoef(_ranks(predicted), _ranks(measured))[0, 1])
        if math.isfinite(noise):
            found["attainable_correlation"] = math.sqrt(max(0.0, 1 - noise**2 / np.var(np.log(measured), ddof=1)))
    return found


def quality_text(quality: dict) -> str:
    """The result of quality(), in words."""
    known = {name: each for name, each in quality.items() if each is not None}
    parts = [f"{quality['configurations']} configurations"]
    if "rank_correlation" in known:
        parts.append(f"rank correlation {known['rank_correlation']:.2f}")
    if "attainable_correlation" in known:
        parts[-1] += f" (about {known['attainable_correlation']:.2f} at most, with the noise of these runs)"
    if "median_error" in known:
        parts.append(f"median error {100 * known['median_error']:.0f} %")
    return ", ".join(parts)
