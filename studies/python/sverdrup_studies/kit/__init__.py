"""`studies/study kit`: one command that measures all that Sverdrup can measure on a machine, and leaves a page and an
archive (studies/docs/kit.md)."""


class KitError(Exception):
    """An error that keeps the whole kit from running; the text names the remedy."""
