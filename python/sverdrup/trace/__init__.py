"""Reads the trace files that sv-trace and the library write (docs/trace-format.md). Run opens the folder of one run."""

from sverdrup.trace.errors import TraceError
from sverdrup.trace.events import Events
from sverdrup.trace.process import Note, OpenCall, Process
from sverdrup.trace.run import Problem, Run

__all__ = ["Events", "Note", "OpenCall", "Problem", "Process", "Run", "TraceError"]
