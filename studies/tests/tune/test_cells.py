"""The report of studies/scripts/tune-check --predicted on its cells."""

import argparse
import math
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from sverdrup.tune import space
from sverdrup.tune.journal import Run
from sverdrup.tune.task import Bench

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from tune_cells import DEVICES, LIMIT, LISTS, NODES, ONCE_LIMIT, REPEAT, is_near, run_of, table  # noqa: E402


def cell(predicted: float, measured: float | None) -> dict:
    where = {"nodes": 1, "device": "500MB/s", "size": "800", "key": "default"}
    return where | {"predicted": predicted, "measured": measured}


def test_a_prediction_is_near_within_a_fifth_of_what_was_measured():
    assert is_near(cell(0.81, 1.0)) and is_near(cell(1.19, 1.0))
    assert not is_near(cell(0.79, 1.0)) and not is_near(cell(1.21, 1.0))


def test_what_failed_or_was_not_predicted_counts_as_missed():
    rows = [cell(1.0, 1.0), cell(80.0, None), cell(math.nan, 1.0)]
    reported = table(rows)
    assert reported.endswith("1 of 3 cells within 20 %") and "| 80.000 | failed | – |" in reported


def test_how_many_cells_there_are(tmp_path):
    (tmp_path / "ocean.nc").touch()
    given = argparse.Namespace(dir=tmp_path)
    count = {}
    for name, make in LISTS.items():
        cells = make(given)
        count[name] = len(cells.space.configurations(None)) * len(cells.sizes) * len(DEVICES) * len(NODES)
    assert count == {"routes": 40, "codecs": 48}


def test_codecs_are_probed_on_the_values_that_are_compressed(tmp_path):
    (tmp_path / "ocean.nc").touch()
    cells = LISTS["codecs"](argparse.Namespace(dir=tmp_path))
    option, values = cells.probing
    assert option == "--sample" and all(values in words for words in cells.sizes.values())


@dataclass
class Slow(Bench):
    """A workload that takes so many seconds, once before its repetitions, too."""

    each: float = 0.0

    def measure(self, configuration: space.Configuration) -> Run:
        took = (self.repeat + 1) * self.each
        if took > self.limit:
            return Run("", configuration, None, failed="ended after its time limit", took=self.limit)
        return Run("", configuration, self.each, [self.each] * self.repeat, took=took)


@pytest.mark.parametrize(
    ("each", "seconds", "repeated"), [(4.0, 4.0, REPEAT), (6.0, 6.0, 1), (110.0, 110.0, 1), (160.0, None, 0)]
)
def test_what_takes_too_long_to_be_repeated_is_measured_once(tmp_path, each, seconds, repeated):
    assert 4 * 4.0 < LIMIT < 4 * 6.0 and 2 * 110.0 < ONCE_LIMIT < 2 * 160.0
    none = space.from_entries({"parameters": {"transport.window": {"values": ["64MiB"], "layer": "transport"}}}, "test")
    task = Slow(none, ["field"], 8, tmp_path, tmp_path / "sv-bench", None, None, REPEAT, LIMIT, False, each=each)
    run = run_of(task, {})
    assert run.seconds == seconds and len(run.samples) == repeated
