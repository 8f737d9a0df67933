"""The papers' findings, each measured again, drawn, and judged by a stated rule (docs/findings.md)."""
