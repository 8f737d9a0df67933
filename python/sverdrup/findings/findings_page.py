"""Writes docs/findings.md from the results of measured findings. `sverdrup findings --page` calls findings_page()."""

import os
from pathlib import Path

import jinja2

from sverdrup.markdown import wrapped

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


def _anchor(title: str) -> str:
    """Of a heading, as forges make it."""
    return "".join(letter for letter in title.lower().replace(" ", "-") if letter.isalnum() or letter == "-")


def relative(folder: Path, page_path: Path) -> str:
    """The folder as the page at page_path names it."""
    return os.path.relpath(folder, page_path.parent)
