"""The package is tested as it lies in the tree; runs that several tests look at are made once."""

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parents[1] / "python"), str(HERE)]


@pytest.fixture(scope="session")
def folders(tmp_path_factory):
    """By name, the folder of each run of runs.ALL."""
    import runs

    root = tmp_path_factory.mktemp("runs")
    return {name: make(root / name) for name, make in runs.ALL.items()}


@pytest.fixture(scope="session")
def analysed(folders):
    """By name, what the analysis says of each run."""
    from sverdrup.analysis import analyse_run
    from sverdrup.trace import Run

    return {name: analyse_run(Run(folder)) for name, folder in folders.items()}
