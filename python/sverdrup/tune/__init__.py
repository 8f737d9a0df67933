"""Finds the settings with which a workload's output takes least time, says which of them matter, and does not take
noise for gain.

space, layers: what can be set; task: one run of a configuration; journal: all runs so far; surrogate: what is
believed of the others; procedure: screen, search, race and confirm; outcome, configuration, tuning_page: what is told.
"""

import shlex


class TuneError(Exception):
    """What cannot be tuned; the text says why and what to do."""


def shown(value: object) -> str:
    """A value of the command line or of a file, as a user would write it."""
    if value is None or value == []:
        return "not given"
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, (list, tuple)):
        words = [str(one) for one in value]
        return "x".join(words) if all(isinstance(one, int) for one in value) else shlex.join(words)
    return str(value)
