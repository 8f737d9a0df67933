"""The package as it stands in the source tree."""

import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "studies/python"), str(ROOT / "python")]


@pytest.fixture(scope="session")
def sets():
    """All sets, fitted and scored."""
    from sverdrup_studies.consistency.score import score

    return score()
