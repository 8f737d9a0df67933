"""Writes studies/docs/findings.md from the results of measured findings. `studies/study findings --page` calls
findings_page()."""

import os
from pathlib import Path

import jinja2

from sverdrup_studies.markdown import wrapped

from .catalogue import DEVICE, HERE
from .judge import RULE
from .results import sentence


def findings_page(found: list[dict], pictures: str) -> str:
    """Markdown of the results of measure(); pictures: where they lie, as the page names them."""
    rows = [
        f"| {index} | [{one['title']}](#{_anchor(one['title'])}) | {one['paper']}, {one['where']} |"
        f" **{one['outcome']}** |"
        for index, one in enumerate(found, 1)
    ]
    shown = [
        {
            **one,
            "commands": shortened(one["commands"]),
            "pictures": [{**picture, "path": os.path.join(pictures, picture["path"])} for picture in one["pictures"]],
        }
        for one in found
    ]
    template = jinja2.Template(
        (HERE / "findings_page.md").read_text(encoding="utf-8"), undefined=jinja2.StrictUndefined, trim_blocks=True
    )
    return wrapped(
        template.render(
            sentence=sentence(found),
            table="\n".join(rows),
            rule=RULE,
            date=max(one["made"] for one in found),
            machine=found[0]["machine"],
            device=DEVICE,
            rounds=found[0]["rounds"],
            found=shown,
        ).strip()
        + "\n"
    )


def shortened(commands: list[str]) -> list[str]:
    """Commands, one after the other, that differ from the first of them in the same word alone, share its line."""
    lines: list[str] = []
    at = 0
    while at < len(commands):
        end, place = at + 1, None
        while end < len(commands):
            different = _difference(commands[at], commands[end])
            if different is None or place not in (None, different):
                break
            end, place = end + 1, different
        if place is None:
            lines.append(commands[at])
        else:
            others = _values([command.split(" ")[place] for command in commands[at:end]])[1:]
            option = commands[at].split(" ")[place - 1]
            lines.append(f"{commands[at]}  # {option} also: {' '.join(others)}")
        at = end
    return lines


def _difference(one: str, other: str) -> int | None:
    """The number of the only word in which they differ."""
    words, others = one.split(" "), other.split(" ")
    places = [place for place, pair in enumerate(zip(words, others, strict=False)) if pair[0] != pair[1]]
    return places[0] if len(words) == len(others) and len(places) == 1 else None


def _values(words: list[str]) -> list[str]:
    """Of parts between commas, the only one that differs; otherwise the words."""
    parts = [word.split(",") for word in words]
    if len({len(each) for each in parts}) != 1:
        return words
    different = [column for column in zip(*parts, strict=True) if len(set(column)) > 1]
    return list(different[0]) if len(different) == 1 else words


def _anchor(title: str) -> str:
    """Of a heading, as forges make it."""
    return "".join(letter for letter in title.lower().replace(" ", "-") if letter.isalnum() or letter == "-")


def relative(folder: Path, page_path: Path) -> str:
    """The folder as the page at page_path names it."""
    return os.path.relpath(folder, page_path.parent)
