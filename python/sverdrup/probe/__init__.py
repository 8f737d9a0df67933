"""`sverdrup probe`: starts sv-probe, and shows the machine profile that it measured (docs/probe.md). Units are bytes,
bytes per second, and seconds."""
