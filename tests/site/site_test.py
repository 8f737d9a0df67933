"""The site in a real browser, headless and without a network: the start page at three widths, the search, and whether
what users ask for most is found within two clicks. SV_SITE is the folder of its pages (scripts/site).
"""

import os
import pathlib
import shutil

import pytest

SITE = pathlib.Path(os.environ["SV_SITE"])
CHROMIUM = os.environ.get("SV_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--allow-file-access-from-files",
]
WIDTHS = [1600, 900, 360]
# What users ask most, and words that stand on the page where it is told.
TASKS = {
    "run a program of PnetCDF unchanged": "sv-run",
    "port a model from nf90": "Porting from nf90",
    "install it": "By hand",
    "write while the model computes": "server_memory",
    "compress output": "deflate",
    "join a file per PE": "sv-combine",
    "read with xarray": 'engine="sverdrup"',
    "find where the time goes": "sverdrup report",
    "choose the best settings": "sverdrup tune",
    "know what a killed run leaves": "What is left on the disk",
}


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="scripts/setup test installs playwright")
    if not CHROMIUM:
        pytest.skip("no chromium (scripts/setup test installs it)")
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS, timeout=60000)
        yield started
        started.close()


@pytest.fixture
def page(browser):
    """A page whose errors, and requests that leave the machine, are those of the test."""
    opened = browser.new_page()
    wrong = []
    opened.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    opened.on(
        "request",
        lambda request: wrong.append(request.url) if not request.url.startswith(("file:", "data:")) else None,
    )
    yield opened
    opened.close()
    assert not wrong


def start(page):
    page.goto((SITE / "index.html").as_uri())


@pytest.mark.parametrize("width", WIDTHS)
def test_start_page(page, width):
    page.set_viewport_size({"width": width, "height": 900})
    start(page)
    assert page.locator("h1").first.inner_text().startswith("Sverdrup")
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    if os.environ.get("SV_PICTURES"):
        page.screenshot(path=f"site-{width}.png")


@pytest.mark.parametrize("words, found", [("server_memory", "Servers"), ("sv_end_step", "C interface")])
def test_search(page, words, found):
    page.goto((SITE / "search.html").as_uri() + f"?q={words}")
    page.wait_for_selector("#search-results li", timeout=20000)
    assert found in " ".join(page.locator("#search-results li a").all_inner_texts())


def links(page):
    return page.eval_on_selector_all(
        "article a[href], .sidebar-tree a[href]", "all => all.map(a => a.href.split('#')[0])"
    )


def test_tasks_within_two_clicks(page):
    start(page)
    first = dict.fromkeys(link for link in links(page) if link.startswith(SITE.as_uri()))
    seen, missing = {}, dict(TASKS)
    for link in first:
        page.goto(link)
        seen[link] = page.content()
        missing = {task: words for task, words in missing.items() if words not in page.locator("body").inner_text()}
    assert len(seen) > 10 and not missing
