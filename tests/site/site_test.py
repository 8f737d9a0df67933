"""The site in a real browser, headless, from a server of this machine: every page on a narrow screen, guides on a wide
one, the search, and whether the most frequent tasks of users are found within two clicks. SV_SITE is the folder of its
pages (scripts/site)."""

import functools
import http.server
import os
import pathlib
import threading

import pytest

# The widths of screens, by folders: guides have wide tables and a menu; decisions and references have text, for which a
# narrow screen is enough.
WIDTHS = {".": [390, 1200], "studies": [390, 1200], "adr": [390], "reference/c": [390], "reference/fortran": [390]}
PICTURES = os.environ.get("SV_PICTURES")
# A page that shows others in a frame, which is laid out and not painted: half the cost of a page of its own.
FRAME = f"<iframe style='border: 0; height: 900px; visibility: {'visible' if PICTURES else 'hidden'}'></iframe>"
OPEN = """([address, width]) => new Promise((resolve) => {
  const frame = document.querySelector("iframe");
  frame.style.width = `${width}px`;
  frame.onload = resolve;
  frame.src = address;
}).then(() => null)"""
# At a width of the frame, lists whether the page is wider, and a table wider than its own frame.
TOO_WIDE = """(width) => {
  const frame = document.querySelector("iframe");
  frame.style.width = `${width}px`;
  const page = frame.contentDocument, root = page.documentElement;
  const clipped = (one) => one.scrollWidth > one.clientWidth + 1;
  return [root.clientWidth === width ? [] : ["not laid out"], root.scrollWidth > width ? ["the page"] : [],
    width >= 1200 && [...page.querySelectorAll(".table-wrapper")].some(clipped) ? ["a table"] : []].flat();
}"""
# The most frequent questions of users: the links to click from the start page on, and required words of the page.
TASKS = {
    "run an unmodified PnetCDF program": (["Run an unmodified program"], "sv-run mpiexec -n 64 ./model"),
    "port a model in Fortran": (["Port from nf90, netCDF-C or PnetCDF"], "sv_put_vara(file, var, start, count, part)"),
    "port a PnetCDF program": (["Port from nf90, netCDF-C or PnetCDF"], "ncmpi_wait_all"),
    "rescue a killed run's file": (["See what a killed run left, and rescue it"], "sv-copy --rescue"),
    "write from Python": (["Python"], "with sverdrup.Context() as io:"),
    "open with xarray": (["Read with xarray on all ranks"], 'engine="sverdrup"'),
    "join the pieces of a set": (["Join the pieces of a set"], "sv-combine ocean.nc"),
    "find the best settings": (["Find the best settings"], "sverdrup tune"),
    "compress output": (["choose a format and compression"], "compression: deflate:1"),
    "run under Slurm": (["jobs of Slurm and PBS"], "srun --mpi=pmix --ntasks=128 ./ocean"),
    "understand an error": (["Look up an error"], "SV_ENOSPACE"),
    "install a package": (
        ["Install with make, packages or CMake", "Debian packages and a wheel"],
        "apt install ./build/packages/*.deb",
    ),
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
    opened.set_default_timeout(90000)  # on a busy machine a page takes its time
    wrong = []
    opened.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    opened.on("request", lambda request: None if request.url.startswith((site, "data:")) else wrong.append(request.url))
    yield opened
    opened.close()
    assert not wrong


def test_start_page(page, site):
    page.goto(site)
    assert page.locator("h1").first.inner_text().startswith("Sverdrup")


@pytest.mark.parametrize("folder", WIDTHS)
def test_no_page_is_wider_than_the_screen(page, site, folder):
    pages = sorted(pathlib.Path(os.environ["SV_SITE"], folder).glob("*.html"))
    assert pages
    page.route(f"{site}frame", lambda route: route.fulfill(body=FRAME, content_type="text/html"))
    page.set_viewport_size({"width": 1300, "height": 950})
    page.goto(f"{site}frame")
    wide = []
    for file in pages:
        page.evaluate(OPEN, [f"{site}{folder}/{file.name}", WIDTHS[folder][0]])
        for width in WIDTHS[folder]:
            wide += [(file.name, width, what) for what in page.evaluate(TOO_WIDE, width)]
            if PICTURES:
                page.locator("iframe").screenshot(path=f"{folder.replace('/', '-')}-{file.stem}-{width}.png")
    assert not wide


@pytest.mark.parametrize(
    "words, found", [("async.memory", "Overlap output with computing"), ("sv_end_step", "C interface")]
)
def test_search(page, site, words, found):
    page.goto(f"{site}search.html?q={words}")
    page.wait_for_selector(f"#search-results li a:has-text('{found}')")  # results come one after the other


@pytest.mark.parametrize("task", TASKS)
def test_task_within_two_clicks(page, site, task):
    clicks, words = TASKS[task]
    assert len(clicks) <= 2
    page.goto(site)
    for text in clicks:
        page.locator("article").get_by_role("link", name=text, exact=True).first.click()
    page.wait_for_load_state()  # a click returns when the first part of the page is there
    assert words in page.locator("body").inner_text()
