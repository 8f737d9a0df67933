"""`studies/study findings`: the findings of the papers, each measured again, drawn, and judged by a stated rule
(studies/docs/findings.md)."""
