"""The parts of the page: every section, from reports of any size, with hostile names, and nothing from outside."""

import html.parser
import re
import xml.etree.ElementTree

import fixtures
import pytest
from sverdrup.page import domains, figures, flow_layout, ranges, render, ribbon, units
from sverdrup.page.plain import plain

SECTIONS = ("flow", "balance", "heat", "senders", "ranges", "layout", "files", "variables", "counts")
EMPTY_TAGS = {"meta", "link", "input", "br", "img"}


class Reader(html.parser.HTMLParser):
    """The elements of a page; reports tags that do not match."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.open, self.elements, self.texts, self.wrong = [], [], [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in EMPTY_TAGS:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append((tag, self.getpos()))

    def handle_data(self, data):
        self.texts.append(data)

    def ids(self):
        return [attributes["id"] for _, attributes in self.elements if "id" in attributes]

    def text(self):
        return re.sub(r"\s+", " ", " ".join(self.texts))


@pytest.fixture(scope="module")
def three():
    """The page of the demonstration, and its elements."""
    return checked(fixtures.three())


def checked(report):
    """The page of a report, after what holds for each page."""
    page = render(report)
    reader = Reader(page)
    assert not reader.wrong and not reader.open, (reader.wrong, reader.open)
    assert len(page) < 5_000_000
    ids = reader.ids()
    assert len(ids) == len(set(ids)), sorted(i for i in ids if ids.count(i) > 1)
    for tag, attributes in reader.elements:
        for name, value in attributes.items():
            assert not name.startswith("on"), (tag, name)
            if name in ("href", "src"):
                assert value.startswith(("#", "data:")), (tag, value)
            if name == "href" and value.startswith("#"):
                assert value[1:] in ids, value
            for reference in (value or "").split() if name.startswith("aria-label") and name.endswith("by") else ():
                assert reference in ids, (name, reference)
    assert sum(tag == "script" for tag, _ in reader.elements) == 1
    assert "nan" not in {value for _, attributes in reader.elements for value in attributes.values()}
    return page, reader


def test_every_section_of_every_run(three):
    _, reader = three
    ids = reader.ids()
    for index in (2, 3):
        assert [name for name in SECTIONS if f"r{index}-{name}" not in ids] == []
        assert f"r{index}-ribbon" in ids
    assert [name for name in SECTIONS if f"r1-{name}" in ids] == []
    assert "comparison" in ids and "steps" in ids
    assert "Steps , Who sends to whom , Who writes which bytes , Layout".replace(" ,", ",") in reader.text()


def test_several_runs_say_how_they_differ(three):
    _, reader = three
    assert "Output cost 25 % of “synchronous” and 7.1 % of “servers”." in reader.text()
    assert "Largest saving, in “synchronous”: Let two ranks serve the output , saves 2.08 to 3.75 s" in reader.text()
    many = fixtures.report(*(fixtures.run(f"n{n}", 2, 0, 10.0, 0.1 * n) for n in range(1, 7)))
    assert "take 60 % of “n6” and 10 % of “n1”." in checked(many)[1].text()
    noisy = fixtures.report({**fixtures.empty(), "seconds": 12.0}, *fixtures.three()["runs"][1:])
    words = "The run without output took longer than “servers”: the differences are within the noise."
    assert words in checked(noisy)[1].text()


def test_one_run_says_its_own_sentence_first():
    page, reader = checked(fixtures.report(fixtures.run()))
    assert re.search(r"<h1>31 % of the run was output;", page)
    assert "r1-ribbon" in reader.ids() and "comparison" not in reader.ids()


def test_the_change_has_its_lines_to_paste_and_its_evidence():
    page, reader = checked(fixtures.report(fixtures.run(seconds=10.0)))
    assert page.count("<code>async: servers:2\n</code>") == 1
    assert "Saves 1.50 to 2.70 s" in reader.text()
    assert '<a href="#r1-balance">rank 2 was inside' in page and '<a href="#r1-ribbon">compute and' in page
    assert "<li>docs/overlap.md reports more</li>" in page


def test_nothing_to_gain_and_problems_are_said():
    page, reader = checked(fixtures.report(fixtures.empty()))
    assert "Nothing to gain" in reader.text() and "less than 1 % of the run on every rank" in reader.text()
    assert "rank 3 (pid 77 on vm) was killed" in reader.text() and "The rank waited for nothing." in reader.text()
    assert "<svg" not in page


@pytest.mark.parametrize("ranks, servers", [(1, 0), (7, 2), (1000, 20)])
def test_any_number_of_ranks(ranks, servers):
    """With servers, and without."""
    page, reader = checked(fixtures.report(fixtures.run("big", ranks, servers), fixtures.run("other", ranks)))
    assert len(page) < 1_500_000
    assert all(f"r{index}-{name}" in reader.ids() for index in (1, 2) for name in SECTIONS)


def test_no_run_at_all():
    _, reader = checked(fixtures.report())
    assert "There is no run" in reader.text()


def test_hostile_names_are_text():
    page, reader = checked(fixtures.report(fixtures.hostile(fixtures.run()), fixtures.hostile(fixtures.run())))
    assert not [tag for tag, _ in reader.elements if tag == "img"]
    assert "onerror" in reader.text() and "7 * 7" in reader.text()
    assert any(fixtures.HOSTILE == attributes.get("title") for _, attributes in reader.elements)
    assert f"<code>{fixtures.HOSTILE}" not in page


def test_only_its_own_script_may_run(three):
    page, _ = three
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page).group(1)
    assert "default-src 'none'" in policy and re.search(r"script-src 'sha256-[\w+/]{43}='", policy)
    assert "http:" not in page and "https:" not in page


def test_figures_stand_alone():
    run = fixtures.hostile(fixtures.run())
    run["flow"]["nodes"][0]["name"] = "control \x01\x1b and \ud800"
    made = figures(fixtures.report(fixtures.empty(), fixtures.run("with servers", 8, 2), run))
    charts = ["flow", "balance", "heat", "ribbon", "senders", "ranges-1", "layout-1"]
    assert [f"with-servers-{chart}" for chart in charts] == list(made)[: len(charts)]
    assert len(made) == 2 * len(charts) and all("/" not in name and "<" not in name for name in made)
    for text in made.values():
        root = xml.etree.ElementTree.fromstring(text.encode("utf-8"))
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        names = {element.tag.rsplit("}")[-1] for element in root.iter()}
        assert names.isdisjoint({"script", "span", "div", "foreignObject"})
        assert "var(" not in text and "color-mix" not in text


def test_plain_style_keeps_what_a_class_means():
    style = plain(
        "/* a comment */ :root { --paper: #fff; --work: #204060; --ink: var(--work) }"
        " @media (x) { :root { --work: #000 } }"
        " .hot { --c: var(--ink) } .span, svg .bar { stroke: var(--c) }"
        " .soft { fill: color-mix(in srgb, var(--work) 50%, transparent) }"
    )
    assert "svg .hot.span, svg .hot .span, svg .hot.bar, svg .hot .bar { stroke: #204060 }" in style
    assert ".soft { fill: #90a0b0 }" in style and "comment" not in style and "#000" not in style
    with pytest.raises(KeyError, match="--lost"):
        plain(":root { --paper: #fff } .a { fill: var(--paper) } .b { fill: var(--lost) } .c { --d: var(--lost) }")


def test_a_report_that_leaves_keys_out():
    """Each of the runs of one page leaves out another one."""
    run = fixtures.run("small", 2)
    keys = "balance heat ribbon senders ranges layout files variables counts problems hosts".split()
    without = [{name: value for name, value in run.items() if name != key} for key in keys]
    ids = checked(fixtures.report(*without, run))[1].ids()
    for index, key in enumerate(keys, 1):
        assert f"r{index}-{key}" not in ids
        there = f"r{len(keys) + 1}-{key}" in ids
        assert there == (key not in ("problems", "hosts")), key


@pytest.mark.parametrize(
    "value, text",
    [
        (0, "0 s"),
        (12.345, "12.3 s"),
        (0.9999, "1.00 s"),
        (0.0123, "12.3 ms"),
        (4.2e-5, "42.0 µs"),
        (125, "2 min 05 s"),
        (7322, "2 h 02 min"),
        (None, "–"),
    ],
)
def test_seconds(value, text):
    assert units.seconds(value).replace(units.SPACE, " ") == text


@pytest.mark.parametrize(
    "value, text",
    [(0, "0 B"), (999, "999 B"), (1000, "1.00 kB"), (123_456_789, "123 MB"), (6.4e12, "6.40 TB"), (None, "–")],
)
def test_sizes(value, text):
    assert units.size(value).replace(units.SPACE, " ") == text


def test_shorten_keeps_both_ends():
    assert units.shorten("short", 10) == "short"
    short = units.shorten("/scratch/a/long/way/to/ocean.nc", 16)
    assert len(short) == 16 and short.startswith("/scr") and short.endswith("/ocean.nc")


def test_flow_boxes_do_not_overlap_and_callers_stand_left():
    layout = flow_layout.arrange(fixtures.flow(8, 2))
    columns = {}
    for box in layout.boxes:
        columns.setdefault(box.column, []).append(box)
    for column in columns.values():
        column.sort(key=lambda box: box.y)
        for upper, lower in zip(column, column[1:]):
            assert upper.y + upper.height <= lower.y
    for wire in layout.wires:
        assert wire.back or wire.boxes[0].column < wire.boxes[-1].column
    assert {wire.edge["from"] for wire in layout.wires if wire.back} == {7, 9}


def test_ribbon_columns_keep_the_longest():
    runs = ribbon._columns([[0, 0.0, 5.0], [2, 5.0, 5.0004], [1, 5.0004, 10.0]], 3, 10.0)
    assert runs == {0: [[0, 1000]], 1: [[1000, 1000]]}


def test_only_shared_stripes_are_marked():
    entry = {"stripe_bytes": 100, "writers": [{"ranges": [[0, 150]]}, {"ranges": [[150, 50]]}, {"ranges": [[200, 37]]}]}
    assert ranges._shared(entry) == [(0, 150), (1, 150)]


def test_cut_chunks_are_those_that_no_domain_holds():
    plane = domains.Plane([10, 10])
    entry = {
        "boxes": [],
        "io_domains": [{"rank": 0, "start": [0, 0], "count": [5, 10]}, {"rank": 1, "start": [5, 0], "count": [5, 10]}],
    }
    assert domains._cut(entry, plane, (5, 4)) == set()
    assert domains._cut(entry, plane, (4, 10)) == {(1, 0)}
