"""Reads the figures that the papers print (data/*.toml), and evaluates arithmetic expressions of them. score.py and the
page use it."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
_NAME = re.compile(r"[a-z]\w*(?:\.\w+)+")


@dataclass(frozen=True)
class Figure:
    """A number of a paper. printed: as there, "> 18 000" too; unit: the paper's own, not checked here."""

    key: str
    printed: str
    unit: str
    where: str

    @property
    def value(self) -> float:
        """The number; of a bound there is none."""
        try:
            return float(self.printed.replace(" ", ""))
        except ValueError:
            raise ValueError(f"{self.key}: the paper prints '{self.printed}', which is no number") from None

    @property
    def rounding(self) -> float:
        """Half a unit of the last digit printed."""
        return 0.5 * 10.0 ** -len(self.printed.partition(".")[2])


def papers() -> dict[str, dict]:
    """The files of data/, by name."""
    return {
        path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted((HERE / "data").glob("*.toml"))
    }


def figures() -> dict[str, Figure]:
    """All figures that are printed, by paper.table.row.column."""
    found = {}
    for paper, content in papers().items():
        for name, table in content["table"].items():
            for row, numbers in table["rows"].items():
                unit = table.get("units", {}).get(row) or table["unit"]
                for column, printed in zip(table["columns"], numbers, strict=True):
                    key = f"{paper}.{name}.{row}.{column}"
                    if printed:
                        found[key] = Figure(key, printed, unit, f"{content['short']}, {table['where']}")
    return found


class Arithmetic:
    """Evaluates expressions of + - * / ** and parentheses, whose names are figures or definitions (group.name)."""

    def __init__(self, definitions: dict[str, dict[str, str]]) -> None:
        self._figures = figures()
        self._definitions = {
            f"{group}.{name}": str(text) for group, names in definitions.items() for name, text in names.items()
        }

    def value(self, expression: str | float, changed: dict[str, float] | None = None) -> float:
        """The number that an expression stands for, in the unit of its figures; changed: other values of figures."""

        def number(match: re.Match) -> str:
            name = match.group(0)
            if changed and name in changed:
                return repr(changed[name])
            if name in self._figures:
                return repr(self._figures[name].value)
            if name in self._definitions:
                return repr(self.value(self._definitions[name], changed))
            raise KeyError(f"'{name}' in '{expression}' is neither a figure of data/ nor a definition")

        text = _NAME.sub(number, str(expression))
        if re.sub(r"\d[\d.]*e[+-]?\d+|[\d.+\-*/() ]", "", text):
            raise ValueError(f"'{expression}' is not arithmetic on figures")
        return float(eval(text, {"__builtins__": {}}))  # nothing but digits and operators is left

    def sources(self, expression: str | float) -> set[str]:
        """The figures that an expression uses, through its definitions too."""
        found = set()
        for name in _NAME.findall(str(expression)):
            found |= {name} if name in self._figures else self.sources(self._definitions[name])
        return found

    def rounding(self, expression: str | float) -> float:
        """How far the value may be off because the paper rounded its figures: the sum of the effects of each."""
        middle = self.value(expression)
        moved = (
            self.value(expression, {key: self._figures[key].value + self._figures[key].rounding})
            for key in self.sources(expression)
        )
        return sum(abs(value - middle) for value in moved)
