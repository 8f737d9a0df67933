"""A machine profile: starts sv-probe, and shows what it found. Units: bytes, bytes per second, seconds."""
