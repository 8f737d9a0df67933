"""The description of a dataset, in YAML, with the line of each key for messages."""

from pathlib import Path
from typing import Any

import yaml

from sverdrup.cmip7 import Cmip7Error


class Keys(dict[str, Any]):
    """A map of the file: its keys with their lines."""

    def __init__(self, path: str, line: int) -> None:
        super().__init__()
        self.path, self.line, self.lines = path, line, dict[str, int]()

    def place(self, key: str = "") -> str:
        return f"{self.path}:{self.lines.get(key, self.line)}"

    def wrong(self, key: str, cause: str, remedy: str) -> Cmip7Error:
        return Cmip7Error(f"{self.place(key)}: {cause}. {remedy}")

    def refuse_others(self, known: list[str]) -> None:
        for key in self:
            if key not in known:
                raise self.wrong(key, f"unknown key '{key}'", "The keys are " + ", ".join(known))

    def map(self, key: str) -> "Keys":
        value = self.get(key)
        if not isinstance(value, Keys):
            raise self.wrong(key, f"'{key}' is missing, or no map", f"Write '{key}:' with its keys below it")
        return value


def _built(path: str, node: yaml.Node, loader: yaml.SafeLoader) -> Any:
    if isinstance(node, yaml.MappingNode):
        made = Keys(path, node.start_mark.line + 1)
        for key, value in node.value:
            made[key.value] = _built(path, value, loader)
            made.lines[key.value] = key.start_mark.line + 1
        return made
    if isinstance(node, yaml.SequenceNode):
        return [_built(path, each, loader) for each in node.value]
    return loader.construct_object(node)


def read_keys(path: str) -> Keys:
    """Raises Cmip7Error, OSError."""
    loader = yaml.SafeLoader(Path(path).read_text(encoding="utf-8"))
    try:
        node = loader.get_single_node()
        made = None if node is None else _built(path, node, loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = 1 if mark is None else mark.line + 1
        raise Cmip7Error(f"{path}:{line}: this is not YAML. Check indentation, quotes and colons") from error
    if not isinstance(made, Keys):
        raise Cmip7Error(f"{path}:1: this is no map. Write 'dataset:' and 'variables:'")
    return made
