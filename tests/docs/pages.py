"""The pages of the documents: pages.py FILE...

A table of Markdown begins with its head and a line of dashes: rows that a blank line has cut off are shown as text.
Lines have at most 150 characters, except in tables, pictures and code. Relative links lead to files and headings that exist.
"""

import re
import sys
from pathlib import Path

WIDTH = 150
LINK = re.compile(r"(?<!`)\]\((?!\w+:)([^)\s#]*)(?:#([^)\s]*))?\)")
RULE = re.compile(r"\|( *:?-+:? *\|)+")


def broken_tables(text: str) -> list[int]:
    """Numbers of the lines at which a table begins without a head."""
    found, before, in_code = [], "", False
    lines = text.splitlines() + [""]
    for number, line in enumerate(lines[:-1], 1):
        in_code ^= line.lstrip().startswith("```")
        begins = line.startswith("|") and not before.startswith("|") and not in_code
        if begins and not RULE.fullmatch(lines[number].strip()):
            found.append(number)
        before = line
    return found


def long_lines(text: str) -> list[int]:
    """Numbers of the lines of prose that are too long."""
    found, in_code = [], False
    for number, line in enumerate(text.splitlines(), 1):
        in_code ^= line.lstrip().startswith("```")
        if len(line) > WIDTH and not in_code and not line.lstrip().startswith(("|", "![", "<")):
            found.append(number)
    return found


def anchors(text: str) -> set[str]:
    """The anchors that GitHub and MyST give to the headings of a page."""
    found: set[str] = set()
    for heading in re.findall(r"^#+ +(.*)$", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), re.M):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        found.add(re.sub(r"[^\w\- ]", "", words).replace(" ", "-"))
    return found


def dead_links(path: Path) -> list[tuple[int, str]]:
    """Numbers of lines with a link that leads nowhere, and the link."""
    found = []
    text = re.sub(r"^```.*?^```", lambda code: "\n" * code[0].count("\n"), path.read_text(encoding="utf-8"), flags=re.M | re.S)
    for number, line in enumerate(text.splitlines(), 1):
        for name, anchor in LINK.findall(line):
            target = path.parent / name if name else path
            if not target.exists() or (anchor and target.suffix == ".md" and anchor not in anchors(target.read_text(encoding="utf-8"))):
                found.append((number, f"{name}#{anchor}" if anchor else name))
    return found


def main(paths: list[str]) -> int:
    assert broken_tables("| a |\n| --- |\n| 1 |\n\n| 2 |\n") == [5] and not broken_tables("```\n| a\n```\n")
    assert long_lines("a " * 80 + "\n| " + "a " * 80 + "\n```\n" + "a " * 80 + "\n```\n") == [1]
    wrong = [f"{path}:{line}: a table without a head" for path in paths
             for line in broken_tables(Path(path).read_text(encoding="utf-8"))]
    wrong += [f"{path}:{line}: longer than {WIDTH} characters" for path in paths
              for line in long_lines(Path(path).read_text(encoding="utf-8"))]
    wrong += [f"{path}:{line}: {link} leads nowhere" for path in paths for line, link in dead_links(Path(path))]
    print("\n".join(wrong) or f"{len(paths)} pages are well formed, and their links lead somewhere")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
