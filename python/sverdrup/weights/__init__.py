"""Weights of a remapping, for the key `grid` of streams: grids, methods and files in ESMF's form."""


class WeightsError(Exception):
    """A grid or method that cannot be used; the text has the cause and the remedy."""
