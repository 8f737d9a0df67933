"""Chooses the MPI-IO that other libraries are measured over: ROMIO, as on the papers' machines. Open MPI's own default,
OMPIO, takes about twice as long in collective calls, and Sverdrup would seem faster only for that reason."""

import os


def variables() -> dict[str, str]:
    """Of the environment of a run; other MPIs ignore them. The user's settings count."""
    return {"OMPI_MCA_io": os.environ.get("OMPI_MCA_io", "^ompio")}


def with_remedy(why: str) -> str:
    """Why a run failed; with the remedy, if MPI-IO could not open a file."""
    reported = "MPI_File_open" in why
    return f"{why}. If this Open MPI was built without ROMIO, set OMPI_MCA_io=ompio" if reported else why
