"""`sverdrup consistency`: the papers' equations, fitted to one part of the papers' tables and scored on the rest
(docs/consistency.md)."""
