"""One command for a centre: measures all that Sverdrup can on its machine, and leaves a page and an archive."""


class KitError(Exception):
    """What keeps the whole kit from running; the text says what to do."""
