"""The papers' equations held against the papers' tables: fitted on a part, scored on the rest (docs/consistency.md)."""
