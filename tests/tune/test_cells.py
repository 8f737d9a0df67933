"""What scripts/tune-check --predicted tells of its cells."""

import argparse
import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from tune_cells import DEVICES, LISTS, NODES, is_near, table  # noqa: E402


def cell(predicted: float, measured: float | None) -> dict:
    where = {"nodes": 1, "device": "500MB/s", "size": "800", "key": "default"}
    return where | {"predicted": predicted, "measured": measured}


def test_a_prediction_is_near_within_a_fifth_of_what_was_measured():
    assert is_near(cell(0.81, 1.0)) and is_near(cell(1.19, 1.0))
    assert not is_near(cell(0.79, 1.0)) and not is_near(cell(1.21, 1.0))


def test_what_failed_or_was_not_predicted_counts_as_missed():
    rows = [cell(1.0, 1.0), cell(80.0, None), cell(math.nan, 1.0)]
    told = table(rows)
    assert told.endswith("1 of 3 cells within 20 %") and "| 80.000 | over 20 | – |" in told


def test_how_many_cells_there_are(tmp_path):
    (tmp_path / "ocean.nc").touch()
    given = argparse.Namespace(dir=tmp_path)
    count = {}
    for name, make in LISTS.items():
        cells = make(given)
        count[name] = len(cells.space.configurations(None)) * len(cells.sizes) * len(DEVICES) * len(NODES)
    assert count == {"routes": 40, "codecs": 48}
