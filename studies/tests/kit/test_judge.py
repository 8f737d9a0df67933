"""The rules by which findings hold, and the charts."""

import xml.etree.ElementTree

import pytest

from sverdrup.page.median_chart import Chart, Line, svg
from sverdrup_studies.findings.judge import Statement, Verdict, between, faster, most, ratio, within

FAST, SLOW, WIDE = [1.0, 1.1, 1.2], [2.0, 2.2, 2.1], [0.9, 1.15, 3.0]


def test_in_turns_every_round_decides():
    assert faster(FAST, SLOW, True) is True and faster(SLOW, FAST, True) is False
    assert faster([1.0, 2.0, 3.0], [1.1, 2.1, 2.9], True) is None
    assert faster(FAST, FAST, True) is None


def test_of_other_runs_medians_lie_outside_the_rounds():
    assert faster(FAST, SLOW, False) is True and faster(SLOW, FAST, False) is False
    assert faster(FAST, WIDE, False) is None and faster(WIDE, FAST, False) is None


def test_most_needs_more_than_half_and_no_contradiction():
    assert most([True, True, None]) is True and most([False, False, None]) is False
    assert most([True, False, True]) is None and most([True, None]) is None


def test_between_is_faster_than_both_ends():
    assert between([SLOW, FAST, SLOW]) is True and between([FAST, SLOW, SLOW]) is False
    assert between([WIDE, FAST, SLOW]) is None
    near = [1.05, 1.15, 1.25]  # the fastest is the last, but its neighbour is as fast within noise
    assert between([SLOW, near, FAST]) is None and between([SLOW, SLOW, FAST]) is False


def test_within_a_part_more():
    assert within([1.0, 1.1, 1.2], [1.0, 1.0, 1.0], 1.25) is True and within(SLOW, FAST, 1.25) is False
    assert within([0.9, 1.6, 3.0], FAST, 1.25) is None


def test_ratio_is_of_rounds():
    assert ratio([1.0, 4.0, 9.0], [1.0, 2.0, 3.0]) == 2.0


@pytest.mark.parametrize(
    ("outcomes", "word"),
    [
        ([True, True], "holds"),
        ([False, False], "does not hold"),
        ([True, False], "holds in part"),
        ([True, None], "undecided"),
        ([False, None], "does not hold"),
        ([True, False, None], "holds in part"),
    ],
)
def test_verdicts(outcomes, word):
    assert Verdict(tuple(Statement("", outcome) for outcome in outcomes)).word == word


def test_chart_shows_medians_and_whiskers_inside_its_frame():
    lines = (Line("a <b>", ([1.0, 2.0, 4.0], None, [0.01, 0.02, 0.04]), "g"), Line("c", ([3.0], [5.0], [6.0]), "g"))
    root = xml.etree.ElementTree.fromstring(svg(Chart("t & u", "x", ("1", "2", "3"), lines)))
    space = "{http://www.w3.org/2000/svg}"
    box = [float(number) for number in root.get("viewBox").split()]
    circles = root.findall(f"{space}circle")
    assert len(circles) == 2 + 3 + 2  # two points and three, and the legend's
    assert all(0 < float(one.get("cx")) < box[2] and 0 < float(one.get("cy")) < box[3] for one in circles)
    heights = [float(one.get("cy")) for one in circles[:2]]
    assert heights[0] < heights[1]  # 2 s stands above 20 ms
    dashes = [one.get("stroke-dasharray") for one in root.findall(f"{space}path") if one.get("stroke-width") == "2"]
    assert dashes.count("5 3") == 2  # the second of the group, and its legend
    assert "var(" not in svg(Chart("t", "x", ("1",), (Line("a", ([1.0],)),), log=False))


def test_nothing_cannot_be_drawn():
    with pytest.raises(ValueError, match="nothing to draw"):
        svg(Chart("t", "x", ("1",), (Line("a", (None,)),)))
