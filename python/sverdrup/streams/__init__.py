"""The plan of a run's streams as text, and the conversion of FMS's diag_table: the command `sverdrup streams`."""


class StreamsError(Exception):
    """The text has the cause and the remedy."""
