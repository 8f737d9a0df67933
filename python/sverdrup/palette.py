"""The colours of methods in all charts: a method has the same one everywhere. They are those of Okabe and Ito. The
report, the probe and the studies use them."""

METHODS = {
    "sverdrup": "#0072b2",
    "sverdrup.servers": "#009e73",
    "sverdrup.threads": "#56b4e9",
    "pnetcdf": "#d55e00",
    "netcdf4": "#cc79a7",
    "gather": "#e69f00",
    "floor": "#6b7078",
    "no_output": "#6b7078",
    "async: auto": "#1d2024",
}
# Of series that are no methods.
OTHERS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#6b7078", "#e69f00", "#56b4e9", "#1d2024")
# The dashes of the first, second and third line of one colour, in SVG.
DASHES = (None, "5 3", "1.5 2.5")


def colour_of(name: str) -> str | None:
    """The colour of a method such as `sverdrup.servers.paced`: that of its longest beginning that has one; None for
    other series."""
    words = name.split(".")
    for count in range(len(words), 0, -1):
        if found := METHODS.get(".".join(words[:count])):
            return found
    return None
