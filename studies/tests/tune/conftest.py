"""The tuner is the one of this tree, and so are the worlds that its own tests have made up."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "tests/tune")]

pytest.importorskip("scipy")  # a system's Python may lack it; scripts/setup test brings it
pytest.importorskip("yaml")
