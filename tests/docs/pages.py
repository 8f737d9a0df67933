"""The pages of the documents: pages.py FILE...

A table of Markdown begins with its head and a line of dashes: rows that a blank line has cut off are shown as text.
Lines have at most 150 characters, but for tables, pictures and code.
"""

import re
import sys
from pathlib import Path

WIDTH = 150
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


def main(paths: list[str]) -> int:
    assert broken_tables("| a |\n| --- |\n| 1 |\n\n| 2 |\n") == [5] and not broken_tables("```\n| a\n```\n")
    assert long_lines("a " * 80 + "\n| " + "a " * 80 + "\n```\n" + "a " * 80 + "\n```\n") == [1]
    wrong = [f"{path}:{line}: a table without a head" for path in paths
             for line in broken_tables(Path(path).read_text(encoding="utf-8"))]
    wrong += [f"{path}:{line}: longer than {WIDTH} characters" for path in paths
              for line in long_lines(Path(path).read_text(encoding="utf-8"))]
    print("\n".join(wrong) or f"{len(paths)} pages are as they should be")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
