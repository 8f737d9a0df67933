"""xarray: `engine="sverdrup"` opens files lazily (reading), and the accessor `dataset.sverdrup` writes a dataset of
which every rank holds its part (writing). docs/python.md describes both."""

from sverdrup.xarray.reading import Backend
from sverdrup.xarray.writing import Accessor

__all__ = ["Accessor", "Backend"]
