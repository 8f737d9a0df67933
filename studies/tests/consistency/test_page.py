"""The page and the command."""

import dataclasses
import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

from conftest import ROOT
from sverdrup_studies.__main__ import main
from sverdrup_studies.consistency.consistency_page import consistency_page, contradictions
from sverdrup_studies.consistency.picture import picture
from sverdrup_studies.consistency.score import plan


def test_the_page_in_the_tree_is_current(sets):
    assert consistency_page(sets, plan()) == (ROOT / "studies/docs/consistency.md").read_text(encoding="utf-8"), (
        "out of date: studies/docs/consistency.md states the command that writes it and its picture"
    )


def test_the_picture_in_the_tree_is_current(sets):
    kept = ROOT / "studies/docs/images/consistency.svg"
    assert picture(sets, plan()["threshold"]) == kept.read_text(encoding="utf-8")


def test_the_page_lists_every_outcome_and_its_failures(sets):
    text, outcomes = consistency_page(sets, plan()), [outcome for one in sets for outcome in one.outcomes]
    assert text.count("| **missed** |") == sum(not outcome.hit for outcome in outcomes) > 0
    assert text.count("| hit |") == sum(outcome.hit for outcome in outcomes) > 0
    assert "consistency, not validation" in " ".join(text.split())


def test_the_picture_has_a_dot_inside_it_for_each_outcome(sets):
    elements = ElementTree.fromstring(picture(sets, 0.2)).iter("{http://www.w3.org/2000/svg}circle")
    dots = [(float(dot.get("cx")), float(dot.get("cy"))) for dot in elements if len(dot)]
    assert len(dots) == sum(len(one.outcomes) for one in sets)
    assert all(64 <= x <= 516 and 20 <= y <= 472 for x, y in dots)


def test_the_picture_is_whole_whatever_a_set_is_called(sets):
    called = dataclasses.replace(sets[0], title="<a> & b")
    titles = ElementTree.fromstring(picture([called], 0.2)).iter("{http://www.w3.org/2000/svg}title")
    names = [title.text for title in titles]
    assert [name for name in names if name.startswith("<a> & b: ")] and len(names) == 1 + len(called.outcomes)


def test_the_command_writes_what_is_asked(tmp_path, sets):
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
    command = [sys.executable, str(ROOT / "studies/study"), "consistency"]
    command += ["--output", str(tmp_path / "page.md"), "--picture", str(tmp_path / "picture.svg")]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (tmp_path / "page.md").read_text(encoding="utf-8") == consistency_page(sets, plan())
    assert (tmp_path / "picture.svg").read_text(encoding="utf-8") == picture(sets, 0.2)


def test_json_tells_the_same(capsys, sets):
    assert main(["consistency", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["threshold"] == 0.2 and len(found["contradictions"]) == len(contradictions())
    assert [one["hits"] for one in found["sets"]] == [one.hits for one in sets]
    assert found["sets"][0]["outcomes"][0]["predicted"] == sets[0].outcomes[0].predicted


def test_a_page_that_cannot_be_written_is_told(tmp_path, capsys):
    assert main(["consistency", "--output", str(tmp_path / "nowhere" / "page.md")]) == 1
    reported = capsys.readouterr().err
    assert "No such file" in reported and "nowhere" in reported
