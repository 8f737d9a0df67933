"""The values that the modules of this folder return: a change that is advised, and the run that measured it."""

from dataclasses import dataclass, field


@dataclass
class Measured:
    """A run of the same report that has the advised change: its name, its seconds, and both in words."""

    run: str
    seconds: float
    text: str


@dataclass
class Advice:
    """A change of a run's output. `seconds`: the part of the run that it concerns; `saves`: from, to, of the run's wall
    time. `configuration`: lines to paste, in `language` (yaml: of sverdrup.yaml, sh, c). `evidence`: (text, id of the
    chart that shows it). `ways`: the savings of several changes, by their value of the configured key; empty if there
    is one. `measured`: None if no run next to it has the change; `refuted`: that run was no faster."""

    title: str
    text: str
    seconds: float
    saves: tuple[float, float]
    configuration: str | None = None
    language: str | None = None
    evidence: list[tuple[str, str]] = field(default_factory=list)
    ways: dict[str, tuple[float, float]] = field(default_factory=dict)
    measured: Measured | None = None
    refuted: bool = False

    def limited(self, most: float) -> tuple[float, float]:
        """The seconds that the change saves, between 0 and `most`."""
        low, high = sorted(min(max(bound, 0.0), most) for bound in self.saves)
        return low, high
