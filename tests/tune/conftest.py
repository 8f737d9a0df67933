"""The package is the one of this tree; no program of a build is needed but where a test says so."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))

pytest.importorskip("scipy")  # a system's Python may lack it; scripts/setup test brings it
pytest.importorskip("yaml")
