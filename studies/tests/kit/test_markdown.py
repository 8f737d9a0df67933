"""Filling pages of Markdown anew changes lines, and nothing else."""

import re
from pathlib import Path

import pytest
from sverdrup_studies.markdown import wrapped

ROOT = Path(__file__).parents[3]


def test_only_prose_is_filled_anew():
    long = "word " * 40
    page = f"# {long}\n\n{long}\n\n- {long}\n  and more\n- short\n\n| {long} |\n\n```\n{long}\n```\n![{long}](a.svg)\n"
    made = wrapped(page, 60).split("\n")
    assert f"# {long}" in made and f"| {long} |" in made and long in made and f"![{long}](a.svg)" in made
    prose = [line for line in made if line and line not in (f"# {long}", f"| {long} |", long, f"![{long}](a.svg)")]
    assert max(map(len, prose)) <= 60 and "- short" in made
    items = made[made.index(next(line for line in made if line.startswith("- word"))) :]
    assert items[1].startswith("  word")


def test_no_line_begins_as_a_list_by_chance():
    text = " ".join(["aaaa - bbb 3. ccc # ddd + eee"] * 9)
    for width in range(20, 60):
        made = wrapped(text, width)
        assert " ".join(made.split()) == text
        assert not [line for line in made.split("\n") if re.match(r"[-+#] |\d+\. ", line)], made


PAGES = sorted(page for folder in ("docs", "studies/docs") for page in (ROOT / folder).glob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_words_of_the_documents_stay(page):
    text = page.read_text(encoding="utf-8")
    made = wrapped(text, 100)
    assert made.split() == text.split() and wrapped(made, 100) == made
