"""The error that all readers of traces raise."""


class TraceError(Exception):
    """A file that cannot be used. The message names the file, the error and the remedy."""

    def __init__(self, path, cause: str, remedy: str):
        super().__init__(f"{path}: {cause}. {remedy}")
        self.path, self.cause, self.remedy = str(path), cause, remedy
