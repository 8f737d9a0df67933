"""Finds the settings with which a workload's output takes least time, says which of them matter, and does not take
noise for gain.

space, layers: what can be set; task: one run of a configuration; journal: all runs so far; surrogate: what is
believed of the others; procedure: screen, search, race and confirm; outcome, configuration, page: what is told.
"""


class TuneError(Exception):
    """What cannot be tuned; the text says why and what to do."""
