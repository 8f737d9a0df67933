"""The package as it stands in the source tree, and the browser."""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "tests/support"), str(pathlib.Path(__file__).parent)]

from browsing import browser  # noqa: E402, F401: found only now
