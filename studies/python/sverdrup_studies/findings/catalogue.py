"""The list of all findings, in the order of the page. Their words, and the functions that measure them, stand in
claims.toml."""

import importlib
import tomllib
from dataclasses import dataclass
from pathlib import Path

from sverdrup.page.median_chart import Chart
from .judge import Verdict

HERE = Path(__file__).parent
# Four targets, small ones: as the fields are smaller than the papers', so are rates, stripes and costs of requests.
DEVICE = "20MB/s,0.02ms,targets=4,stripe=64KiB,handover=0.1ms"


@dataclass(frozen=True)
class Measured:
    """The result of a finding's function."""

    charts: list[Chart]
    verdict: Verdict


@dataclass(frozen=True)
class Finding:
    """title, paper, where, claim, run: sentences. ranks: the fewest that it can be measured with. function: in the form
    module:name, from a Bench to Measured. sweeps: the emulated device is varied, so that there is nothing to
    measure on other storage."""

    name: str
    title: str
    paper: str
    where: str
    claim: str
    run: str
    ranks: int
    function: str
    sweeps: bool = False

    def left_out(self, ranks: int, own_storage: bool) -> str:
        """Why it cannot be measured with so many ranks, on emulated or the own storage, or nothing."""
        if own_storage and self.sweeps:
            return "varies the emulated device"
        return f"needs {self.ranks} ranks, and --ranks allows {ranks}" if self.ranks > ranks else ""

    def measure(self, bench) -> Measured:
        module, _, name = self.function.partition(":")
        return getattr(importlib.import_module(f"sverdrup_studies.findings.{module}"), name)(bench)


def findings() -> dict[str, Finding]:
    """All of them, by name."""
    found = tomllib.loads((HERE / "claims.toml").read_text(encoding="utf-8"))
    return {name: Finding(name, **words) for name, words in found.items()}
