"""Fills the paragraphs of a Markdown page so that no line is too long. The generated pages studies/docs/findings.md and
studies/docs/consistency.md are written with it."""

import re
import textwrap

WIDTH = 150
_ITEM = re.compile(r"(\s*)([-*+]|\d+\.)\s+")
_NOT_PROSE = re.compile(r"\s*(\||#|<|!\[|\{%)")
_MEANS_MORE = re.compile(r" (?=([-+*>|#]|\d+[.)])( |$))")  # a line with this at its beginning is a list or a heading


def wrapped(page: str, width: int = WIDTH) -> str:
    """The same page; paragraphs and items of lists that have a longer line are filled anew. Tables, headings, pictures
    and code stay as they are."""
    made: list[str] = []
    block: list[str] = []
    in_code = False

    def end_block() -> None:
        made.extend(_filled(block, width) if any(len(line) > width for line in block) else block)
        block.clear()

    for line in page.split("\n"):
        fence = line.lstrip().startswith("```")
        if fence or in_code or not line.strip() or _NOT_PROSE.match(line):
            end_block()
            made.append(line)
            in_code ^= fence
            continue
        if _ITEM.match(line):
            end_block()
        block.append(line)
    end_block()
    return "\n".join(made)


def _filled(block: list[str], width: int) -> list[str]:
    item = _ITEM.match(block[0])
    first = item[0] if item else re.match(r"\s*", block[0])[0]
    text = " ".join(line.strip() for line in block)[len(first.lstrip()) :]
    text = _MEANS_MORE.sub("\0", text)
    lines = textwrap.wrap(
        text, width, initial_indent=first, subsequent_indent=" " * len(first), break_long_words=False,
        break_on_hyphens=False,
    )  # fmt: skip
    return [line.replace("\0", " ") for line in lines]
