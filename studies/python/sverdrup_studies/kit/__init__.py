"""`studies/study kit`: one command that measures all that Sverdrup can measure on a machine, and leaves a page and an
archive (studies/docs/kit.md)."""


class KitError(Exception):
    """The kit cannot run; the text contains the remedy."""
