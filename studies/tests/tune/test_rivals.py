"""The searches that studies/scripts/tune-check compares the tuner with."""

import sys
from pathlib import Path

import numpy as np
import pytest
from worlds import ALL, SPACE, drawn, source

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from tune_rivals import RIVALS  # noqa: E402


@pytest.mark.parametrize("name", RIVALS)
def test_a_rival_keeps_to_its_runs_and_recommends_what_was_fastest(name):
    if name == "optuna":
        pytest.importorskip("optuna")
    seconds = drawn(2)
    few, many = source(seconds, 0.0, 1), source(seconds, 0.0, 1)
    chosen = [RIVALS[name](few, 5, 1), RIVALS[name](many, 60, 1)]
    assert (few.made, many.made) == (5, 60)
    first, last = (seconds[SPACE.key(one)] for one in chosen)
    assert max(first, last) <= seconds["default"] and last <= np.quantile(list(seconds.values()), 0.1)


def test_all_that_is_there_is_found_at_random():
    seconds = drawn(3)
    chosen = RIVALS["random"](source(seconds, 0.0, 1), len(ALL), 1)
    assert seconds[SPACE.key(chosen)] == min(seconds.values())
