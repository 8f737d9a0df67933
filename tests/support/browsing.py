"""A headless Chromium for the tests of pages: the fixture `browser`, which a conftest.py of theirs brings in."""

import os
import shutil

import pytest

CHROMIUM = os.environ.get("SV_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="scripts/setup test installs playwright")
    if not CHROMIUM:
        pytest.skip("no chromium (scripts/setup test installs it)")
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS, timeout=60000)
        yield started
        started.close()
