"""The page in a real browser, headless and without a network: wide, on a telephone, dark, printed, and with hostile
names.
"""

import pathlib

import fixtures
import pytest
from sverdrup.page import figures, render

PAGES = {
    "three": fixtures.three,
    "solo": lambda: fixtures.report(fixtures.run()),
    "thousand": lambda: fixtures.report(fixtures.run("big", 1000, 20), fixtures.run("synchronous", 1000)),
    "hostile": lambda: fixtures.report(fixtures.hostile(fixtures.run()), fixtures.hostile(fixtures.run("y", 8, 2))),
}
WIDE, PHONE, PAPER = {"width": 1600, "height": 1000}, {"width": 360, "height": 740}, {"width": 703, "height": 1000}

FAULTS = (pathlib.Path(__file__).parent / "faults.js").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    for name, make in PAGES.items():
        (folder / f"{name}.html").write_text(render(make()), encoding="utf-8")
    return folder


class Visit:
    """A page that was opened from its file, with its complaints and requests."""

    def __init__(self, browser, path: pathlib.Path, size, **options):
        self.context = browser.new_context(viewport=size, **options)
        self.page = self.context.new_page()
        self.page.set_default_timeout(30000)  # a busy machine; nothing of it is waited for otherwise
        self.reported, self.asked = [], []
        self.page.on("console", lambda message: self.reported.append(message.text))
        self.page.on("pageerror", lambda error: self.reported.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.reported.append(dialog.message), dialog.dismiss()))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(path.as_uri())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.context.close()

    def again(self, size):
        """The page, opened anew on a screen of another size."""
        self.page.set_viewport_size(size)
        self.page.reload()

    def check(self):
        assert self.reported == []
        assert [url for url in self.asked if not url.startswith(("file:", "data:"))] == []
        assert self.page.evaluate(FAULTS) == []
        assert self.page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


@pytest.mark.parametrize("name", PAGES)
def test_everything_is_drawn_in_its_place(browser, files, name):
    """On a wide screen, and on a telephone, where all details are opened then."""
    with Visit(browser, files / f"{name}.html", WIDE) as visit:
        for size in (WIDE, PHONE):
            if size is PHONE:
                visit.again(size)
            visit.check()
            charts = visit.page.locator("svg[role=img]").count()
            assert charts > 20
        visit.page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true")
        visit.check()


def test_figures_stand_alone(browser, tmp_path):
    outside = """[...document.querySelectorAll('text')].filter(text => {
      const box = text.getBoundingClientRect(), frame = document.documentElement.getBoundingClientRect();
      return box.left < frame.left || box.right > frame.right || box.top < frame.top || box.bottom > frame.bottom;
    }).map(text => text.textContent)"""
    shapes = "[...document.querySelectorAll('path, rect, image')].map(s => s.getBoundingClientRect().width)"
    made = figures(fixtures.report(fixtures.run()))
    for name, text in made.items():
        (tmp_path / f"{name}.svg").write_text(text, encoding="utf-8")
    with Visit(browser, tmp_path / f"{name}.svg", WIDE) as visit:
        for name in made:
            visit.page.goto((tmp_path / f"{name}.svg").as_uri())
            assert visit.reported == [] and visit.page.evaluate(outside) == [], name
            assert sum(wide > 5 for wide in visit.page.evaluate(shapes)) > 3, name


def test_links_lead_to_their_sections(browser, files):
    with Visit(browser, files / "three.html", WIDE) as visit:
        lost = visit.page.evaluate(
            "[...document.querySelectorAll('a[href]')].map(a => a.getAttribute('href'))"
            ".filter(h => !document.querySelector(h))"
        )
        assert lost == []
        visit.page.locator(".evidence a").first.click()
        assert visit.page.url.endswith("#r2-balance")
        assert abs(visit.page.evaluate("document.querySelector('#r2-balance').getBoundingClientRect().top")) < 120


def test_dark_is_dark_and_can_be_read(browser, files):
    colours = """() => ['body', 'h1', '.meta', 'svg .node-name', 'svg .edge-label', 'td'].map((selector) => {
      const style = getComputedStyle(document.querySelector(selector));
      return selector === 'body' ? style.backgroundColor : selector.startsWith('svg') ? style.fill : style.color; })"""

    def luminance(colour):
        red, green, blue = (int(part) / 255 for part in colour[colour.index("(") + 1 : -1].split(",")[:3])
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in (red, green, blue)]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    backgrounds = []
    with Visit(browser, files / "three.html", WIDE) as visit:
        for scheme in ("light", "dark"):
            visit.page.emulate_media(color_scheme=scheme)
            visit.page.reload()
            paper, *inks = map(luminance, visit.page.evaluate(colours))
            backgrounds.append(paper)
            for ink in inks:
                assert (max(ink, paper) + 0.05) / (min(ink, paper) + 0.05) >= 4.5, (scheme, inks)
            visit.check()
    assert backgrounds[0] > 0.8 and backgrounds[1] < 0.05


def test_print_is_white_and_whole(browser, files):
    with Visit(browser, files / "three.html", PAPER, color_scheme="dark") as visit:
        visit.page.emulate_media(media="print")
        assert visit.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert (
            visit.page.evaluate(
                "[...document.querySelectorAll('details table')]"
                ".filter(t => !t.checkVisibility({contentVisibilityAuto: true})).length"
            )
            == 0
        )
        wide = """[...document.querySelectorAll('svg')]
                  .filter(s => s.getBoundingClientRect().right > innerWidth + 1).map(s => s.id)"""
        assert visit.page.evaluate(wide) == []
        pdf = visit.page.pdf(format="A4")
        assert pdf.startswith(b"%PDF") and pdf.count(b"/Type /Page\n") + pdf.count(b"/Type /Page ") >= 3


def test_without_script_the_page_is_complete(browser, files):
    with Visit(browser, files / "three.html", PHONE, java_script_enabled=False) as visit:
        assert visit.page.locator("svg[role=img]").count() > 20
        assert visit.page.locator(".copy:visible, .filter:visible, #tip:visible").count() == 0
        assert visit.reported == []


def test_sorting_pointing_filtering_copying(browser, files):
    with Visit(browser, files / "three.html", WIDE) as visit:
        page = visit.page
        column = page.locator("#r2-files th", has_text="Rate")
        column.get_by_role("button").click()
        rates = page.locator("#r2-files tbody td:nth-child(4)").evaluate_all(
            "cells => cells.map(cell => Number(cell.dataset.v))"
        )
        assert rates == sorted(rates, reverse=True) and column.get_attribute("aria-sort") == "descending"
        column.get_by_role("button").click()
        assert column.get_attribute("aria-sort") == "ascending"
        page.locator('#r2-balance [data-r="3"] .reach').first.hover(force=True)
        assert "rank 3" in page.locator("#tip").inner_text()
        assert page.locator("#r2 .on").count() > 5 and page.locator("#r3 .on").count() == 0
        page.locator("[data-filter='2']").uncheck()
        assert not page.locator("#r2").is_visible() and page.locator("#r3").is_visible()
        page.locator("#r3 .copy").first.click()
        page.wait_for_selector("#r3 .copy:text('Copied'), #r3 .copy:text('Selected')")
        assert visit.reported == []
