"""Where the time of a program's output goes: traces (`sverdrup.trace`), what they tell (`sverdrup.analysis`), and
the page."""

__version__ = "0.1.0"
