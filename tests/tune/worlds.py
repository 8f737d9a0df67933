"""Made-up machines: spaces whose true seconds are known."""

import math

import numpy as np
from sverdrup.tune import recorded, space

ENTRIES = {
    "route": {"values": ["auto", "serial", "ranges", "row", "shared"]},
    "writers": {"values": ["auto", 1, 2, 4], "only": {"route": ["ranges", "row"]}, "ordered": True},
    "file_system.stripe": {"values": ["0", "256KiB", "4MiB"]},
    "combine": {"values": ["off", "step"]},
    "transport.window": {"values": ["64MiB", "8MiB"]},
}
SPACE = space.from_entries({"parameters": ENTRIES}, "worlds")
ALL = SPACE.configurations(np.random.default_rng(0))


def table(parts: dict[str, dict[str, float]], together: float = 0.0, seed: int = 0) -> dict[str, float]:
    """Seconds by key: a second times a factor of each value (parts[parameter][value]), and a factor of each
    configuration of its own, whose logarithm has this standard deviation."""
    random = np.random.default_rng(seed)
    made = {}
    for one in ALL:
        seconds = math.exp(together * random.standard_normal())
        for name, value in one.items():
            seconds *= parts.get(name, {}).get(value, 1.0)
        made[SPACE.key(one)] = seconds
    return made


def drawn(seed: int) -> dict[str, float]:
    """Seconds by key of a machine that is drawn: window does not matter, the others do, some only together."""
    random = np.random.default_rng(seed)
    parts = {
        each.name: {value: math.exp(size * random.standard_normal()) for value in each.values}
        for each, size in zip(SPACE.parameters, (0.4, 0.3, 0.15, 0.3, 0.0))
    }
    return table(parts, 0.05, seed)


def source(seconds: dict[str, float], noise: float, seed: int) -> recorded.Recorded:
    return recorded.Recorded(SPACE, seconds, noise, np.random.default_rng(1000 + seed))
