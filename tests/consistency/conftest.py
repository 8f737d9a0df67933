"""The package as it stands in the source tree."""

import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))


@pytest.fixture(scope="session")
def sets():
    """All sets, fitted and scored."""
    from sverdrup.consistency.score import score

    return score()
