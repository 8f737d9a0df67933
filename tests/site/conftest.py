"""The browser of the tests of pages."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))

from browsing import browser  # noqa: E402, F401: found only now
