"""The tables of the data request and the controlled vocabularies, as CMOR has them: one folder with `CMIP7_*.json` and
`cmor-cvs.json`, as the repository WCRP-CMIP/cmip7-cmor-tables publishes it."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sverdrup.cmip7 import Cmip7Error

REALMS = ("aerosol", "atmos", "atmosChem", "land", "landIce", "ocean", "ocnBgchem", "seaIce")


@dataclass
class Variable:
    """A variable of the request."""

    branded: str  # tos_tavg-u-hxy-sea
    realm: str
    entry: dict[str, Any]

    @property
    def name(self) -> str:
        return self.branded.split("_")[0]

    @property
    def suffix(self) -> str:
        return self.branded.split("_")[1]

    def compound(self, frequency: str, region: str) -> str:
        return f"{self.realm}.{self.name}.{self.suffix}.{frequency}.{region}"


class Tables:
    def __init__(self, folder: str) -> None:
        self._files = {path.name: path for path in sorted(Path(folder).rglob("*.json"))}
        self.folder = folder
        self.vocabulary: dict[str, Any] = self._read("cmor-cvs.json")["CV"]
        self.coordinates: dict[str, Any] = self._read("CMIP7_coordinate.json")["axis_entry"]
        self._cell_measures = self._read("CMIP7_cell_measures.json")["cell_measures"]
        self._long_names = self._read("CMIP7_long_name_overrides.json")["long_name_overrides"]
        self._realms = {realm: self._read(f"CMIP7_{realm}.json") for realm in REALMS}

    def _read(self, name: str) -> dict[str, Any]:
        if name not in self._files:
            raise Cmip7Error(f"{self.folder}: it has no file {name}. Give the folder of WCRP-CMIP/cmip7-cmor-tables")
        made: dict[str, Any] = json.loads(self._files[name].read_text(encoding="utf-8"))
        return made

    def variable(self, branded: str) -> Variable | None:
        for realm, table in self._realms.items():
            if branded in table["variable_entry"]:
                return Variable(branded, realm, table["variable_entry"][branded])
        return None

    def like(self, branded: str) -> list[str]:
        """Variables of the same name, for a message."""
        name = branded.split("_")[0] + "_"
        return [each for table in self._realms.values() for each in table["variable_entry"] if each.startswith(name)]

    def cell_measures(self, compound: str) -> str | None:
        """None: the request leaves them to the modeller ("--MODEL")."""
        text: str = self._cell_measures.get(compound, "")
        return None if text.startswith("--") else text

    def long_name(self, variable: Variable, compound: str) -> str:
        return str(self._long_names.get(compound, variable.entry["long_name"]))

    def permits(self, attribute: str, value: str) -> bool:
        """Whether a value of a global attribute is in its vocabulary; also where it has none."""
        known = self.vocabulary.get(attribute)
        if attribute == "license_id":
            known = self.vocabulary["license"]["license_id"]
        if known is None or isinstance(known, dict):
            return known is None or value in known
        texts = [known] if isinstance(known, str) else known
        if any(text.startswith("<") for text in texts):  # made of other attributes
            return True
        return any(value == text or (text.startswith("^") and re.match(_pattern(text), value)) for text in texts)

    def examples(self, attribute: str) -> str:
        known = self.vocabulary.get(attribute)
        if attribute == "license_id":
            known = self.vocabulary["license"]["license_id"]
        texts = [known] if isinstance(known, str) else sorted(known or [])
        return "Give " + ", ".join(texts[:8]) + (" ..." if len(texts) > 8 else "")


def _pattern(posix: str) -> str:
    """A basic regular expression of POSIX as one of Python."""
    return posix.replace("[[:digit:]]", "[0-9]").replace("\\{", "{").replace("\\}", "}")
