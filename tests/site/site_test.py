"""The site in a real browser, headless, from a server of this machine: the start page at three widths, the search, and
whether what users ask for most is found within two clicks. SV_SITE is the folder of its pages (scripts/site).
"""

import functools
import http.server
import os
import threading

import pytest

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


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def site():
    """The address of the pages."""
    pages = functools.partial(Quiet, directory=os.environ["SV_SITE"])
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), pages) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture
def page(browser, site):
    """A page whose errors, and requests to others than the site, are those of the test."""
    opened = browser.new_page()
    wrong = []
    opened.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    opened.on("request", lambda request: None if request.url.startswith((site, "data:")) else wrong.append(request.url))
    yield opened
    opened.close()
    assert not wrong


@pytest.mark.parametrize("width", WIDTHS)
def test_start_page(page, site, width):
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(site)
    assert page.locator("h1").first.inner_text().startswith("Sverdrup")
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    if os.environ.get("SV_PICTURES"):
        page.screenshot(path=f"site-{width}.png")


@pytest.mark.parametrize("words, found", [("server_memory", "Servers"), ("sv_end_step", "C interface")])
def test_search(page, site, words, found):
    page.goto(f"{site}search.html?q={words}")
    page.wait_for_selector("#search-results li", timeout=20000)
    assert found in " ".join(page.locator("#search-results li a").all_inner_texts())


def links(page):
    return page.eval_on_selector_all(
        "article a[href], .sidebar-tree a[href]", "all => all.map(a => a.href.split('#')[0])"
    )


def test_tasks_within_two_clicks(page, site):
    page.goto(site)
    pages = {link for link in links(page) if link.startswith(site)}
    assert len(pages) > 10
    missing = dict(TASKS)
    for link in pages:
        page.goto(link)
        text = page.locator("body").inner_text()
        missing = {task: words for task, words in missing.items() if words not in text}
    assert not missing
