"""What the crash campaign records: a row for each kind of file, store and durability, and the runs that make it."""
import dataclasses

WRITTEN, ON_DISK = "written", "on_disk"


@dataclasses.dataclass(frozen=True)
class Row:
    """`runs`: the arguments of the writer, one list after the other in the same directory; one that ends=killed is ended."""
    kind: str          # as the documentation calls it
    store: str
    durability: str
    runs: tuple
    ranks: int = 3     # most of them
    least: int = 1
    dear: int = 1      # its states take so much longer
    served: bool = False
    program: str = "crash_writer"

    @property
    def name(self):
        return f"{self.kind}, {self.store}, {self.durability}"

    def commands(self, dice):
        """The runs with sizes, routes and ranks by chance: (ranks, arguments)."""
        ranks = dice.randint(self.least + self.served, self.ranks + self.served)
        sizes = [f"nx={dice.choice([5, 64, 130, 200])}", f"ny={dice.choice([4, 6, 9])}", f"nz={dice.choice([1, 2, 3])}"]
        options = [f"durability={self.durability}", f"flush={dice.choice([2, 3, 5])}"]
        if self.store != "cdf":
            options.append(f"store={self.store}")
        if self.served:
            options.append("servers=1")
        if not any("route=" in word for run in self.runs for word in run) and "points" not in self.kind:
            options.append(dice.choice(["route=auto", "route=serial", "route=ranges", "route=shared"]))
        for run in self.runs:
            own = [word.replace("RANKS", str(ranks)) for word in run]
            yield ranks, own + [each for each in sizes + options if each.split("=")[0] not in [w.split("=")[0] for w in own]]


GROWING = (("growing", "steps=8"),)
PUBLISHED = (("published", "steps=6"),)
SERIES = (("series", "steps=5", "end=killed"), ("series", "from=3", "steps=5"))
APPEND = (("growing", "steps=4"), ("append", "from=4", "steps=3"), ("append", "from=7", "steps=2", "flush=1"))
PLACE = (("redefine_place", "steps=8", "header_reserve=16KiB", "texts=60"),)
MOVE = (("redefine_move", "steps=7"),)
POINTS = (("points", "steps=6"),)

KINDS = [
    ("growing", GROWING, {}),
    ("growing, appended to", APPEND, {}),
    ("growing, combined", (("combined", "steps=12", "combine=step"),), {}),
    ("growing, points", POINTS, {}),
    ("growing, redefined in place", PLACE, {}),
    ("growing, redefined by a move", MOVE, {}),
    ("series", SERIES, {}),
    ("published", PUBLISHED, {}),
    ("set, published", (("set", "steps=4", "route=per_pe", "pieces=RANKS"),), {}),
    ("set, growing", (("set", "set_kind=growing", "steps=6", "route=per_pe", "pieces=RANKS"),), {}),
    ("set by domains", (("set", "steps=4", "route=per_domain", "io_layout=1,2", "pieces=2"),), {"ranks": 4, "least": 2}),
    ("servers, growing", GROWING, {"served": True}),
    ("servers, appended to", APPEND, {"served": True}),
    ("servers, points", POINTS, {"served": True}),
    ("servers, redefined in place", PLACE, {"served": True}),
    ("servers, redefined by a move", MOVE, {"served": True}),
    ("servers, series", SERIES, {"served": True}),
    ("servers, published", PUBLISHED, {"served": True}),
]


def all_rows(build):
    """Those whose stores were built."""
    rows = [Row(kind, "cdf", durability, runs, **more) for kind, runs, more in KINDS for durability in (WRITTEN, ON_DISK)]
    rows += [Row(kind, store, durability, runs, dear=6 if store == "netcdf4" else 1) for store in ("pnetcdf", "netcdf4") for durability in (WRITTEN, ON_DISK)
             for kind, runs in (("growing", GROWING), ("published", PUBLISHED))]
    return [row for row in rows if row.store == "cdf" or (build / "lib/sverdrup" / f"store_{row.store}.so").exists()]
