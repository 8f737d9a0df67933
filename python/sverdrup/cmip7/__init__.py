"""Streams in the form of CMIP7: the command `sverdrup cmip7`, which runs before the model.

It derives them from a description of the dataset, the tables of the data request (`CMIP7_*.json`), the controlled
vocabularies (`cmor-cvs.json`), and the list of the model's fields. The model's library knows no CMIP7."""


class Cmip7Error(Exception):
    """The text has the place, the cause and the remedy."""
