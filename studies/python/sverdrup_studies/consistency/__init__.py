"""`studies/study consistency`: the papers' equations, fitted to one part of the papers' tables and scored on the rest
(studies/docs/consistency.md)."""
