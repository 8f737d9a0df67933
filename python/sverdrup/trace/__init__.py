"""Reads what sv-trace and the library recorded (docs/trace-format.md)."""

from sverdrup.trace.errors import TraceError
from sverdrup.trace.events import Events
from sverdrup.trace.process import Note, OpenCall, Process
from sverdrup.trace.run import Problem, Run

__all__ = ["Events", "Note", "OpenCall", "Problem", "Process", "Run", "TraceError"]
