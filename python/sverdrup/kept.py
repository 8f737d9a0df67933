"""Files that commands keep: results that are written whole or not at all, and read where they are there. The findings
and the kit use it for what need not be measured again, the pages for what they show."""

import json
from pathlib import Path


def read_text(path: Path) -> str:
    """What a file says; "" where it cannot be read."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def read_json(path: Path) -> dict:
    """The object that a file holds; {} where it cannot be read, or holds something else."""
    try:
        found = json.loads(read_text(path))
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def write_json(path: Path, content: dict) -> None:
    """Replaces the file at once, so that an interruption leaves the old one or the new one."""
    partial = path.with_name(path.name + ".part")
    partial.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    partial.replace(path)
