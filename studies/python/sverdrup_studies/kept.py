"""Files that commands keep: results that are written whole or not at all, and read where they are there. The findings
and the kit use it for results that need not be measured again, the pages for their contents."""

import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path


def read_text(path: Path) -> str:
    """The text of a file; "" if it cannot be read."""
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


def replace_file(path: Path, write: Callable[[Path], None]) -> None:
    """Replaces the file at once, so that an interruption leaves the old one or the new one. `write` fills a file of
    another name next to it, a new one that no other user can have prepared."""
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    partial = Path(name)
    try:
        os.fchmod(descriptor, path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask())
        os.close(descriptor)
        write(partial)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def _umask() -> int:
    """The system says it only in exchange for another one."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def write_json(path: Path, content: dict) -> None:
    """Replaces the file at once by one that holds this."""
    text = json.dumps(content, indent=1) + "\n"
    replace_file(path, lambda partial: _write_text(partial, text))


def _write_text(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
