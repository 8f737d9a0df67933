"""`sverdrup tune`: finds the settings with which a workload's output takes least time, says which of them matter, and
does not take noise for gain.

The parameters are in space and layers; one run of a configuration is a task; the journal keeps all runs; surrogate
estimates the configurations that were not run; procedure screens, searches, races and confirms; outcome, configuration
and tuning_page show the result. session puts them together."""

import shlex


class TuneError(Exception):
    """Something cannot be tuned; the text gives the reason and the remedy."""


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
