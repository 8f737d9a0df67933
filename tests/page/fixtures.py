"""Reports made by hand (docs/report-json.md): runs of any size, with every section, and with hostile names."""

import random

HOSTILE = "</script><script>alert(1)</script>\"'><img src=x onerror=alert(2)>&amp;{{ 7 * 7 }}"


def node(number, layer, name, seconds, ranks, calls):
    return {
        "id": number,
        "layer": layer,
        "name": name,
        "max_seconds": seconds,
        "max_rank": ranks - 1,
        "mean_seconds": seconds * 0.8,
        "calls": calls,
        "ranks": ranks,
    }


def flow(ranks, servers):
    """Sverdrup over POSIX, and a program that reads with netCDF-C over MPI-IO."""
    names = [
        ("sverdrup", "sv_end_step", 2.31),
        ("sverdrup", "sv_close", 0.52),
        ("sverdrup", "sv_enddef", 0.11),
        ("netcdf", "nc_open_par", 0.21),
        ("netcdf", "nc_get_vara_double", 0.83),
        ("mpi_io", "MPI_File_open", 0.12),
        ("mpi_io", "MPI_File_read_at_all", 0.71),
        ("mpi", "MPI_Allreduce", 1.21),
        ("mpi", "MPI_Barrier", 0.42),
        ("posix", "pwrite64", 1.02),
        ("posix", "pread64", 0.33),
        ("posix", "open64", 0.04),
        ("posix", "fsync", 0.31),
        ("sverdrup", "sv_put", 0.95),
    ]
    nodes = [node(i, layer, name, seconds, ranks, 24 * ranks) for i, (layer, name, seconds) in enumerate(names)]
    links = [
        (None, 0, 2.31),
        (None, 1, 0.52),
        (None, 2, 0.11),
        (None, 3, 0.21),
        (None, 4, 0.83),
        (None, 13, 0.95),
        (0, 7, 1.18),
        (0, 9, 0.82),
        (1, 9, 0.2),
        (1, 12, 0.31),
        (1, 8, 0.01),
        (2, 8, 0.05),
        (2, 11, 0.02),
        (3, 5, 0.12),
        (4, 6, 0.71),
        (5, 11, 0.02),
        (5, 7, 0.03),
        (6, 10, 0.33),
        (6, 7, 0.3),
        (6, 8, 0.36),
        (13, 0, 0.4),
        (1, 0, 0.1),
        (7, 7, 0.01),
        (9, 8, 0.001),
    ]
    edges = [
        {
            "from": a,
            "to": b,
            "max_seconds": seconds,
            "ranks": max(1, servers if b == 9 and servers else ranks),
            "calls": 8 * ranks,
        }
        for a, b, seconds in links
    ]
    return {"nodes": nodes, "edges": edges, "left_out": {"nodes": 31, "seconds": 0.012, "share_below": 0.005}}


def balance(ranks, generator):
    entries = []
    for layer, function, base in (
        ("sverdrup", "sv_end_step", 2.0),
        ("sverdrup", "sv_close", 0.4),
        ("mpi", "MPI_Allreduce", 0.9),
        ("mpi", "MPI_Barrier", 0.3),
        ("posix", "pwrite64", 0.8),
        ("posix", "fsync", 0.2),
        ("posix", "open64", 0.01),
        ("posix", "close", 0.001),
        ("posix", "ftruncate64", 1e-4),
    ):
        who = list(range(ranks)) if layer != "posix" else list(range(0, ranks, max(1, ranks // 8)))
        seconds = [base * (0.6 + 0.5 * generator.random()) + (base if rank == 0 else 0) for rank in who]
        mean = sum(seconds) / len(seconds)
        entries.append(
            {
                "layer": layer,
                "function": function,
                "ranks": who,
                "seconds": seconds,
                "calls": [24] * len(who),
                "bytes": [10**7 if function == "pwrite64" else 0] * len(who),
                "max": max(seconds),
                "max_rank": who[seconds.index(max(seconds))],
                "mean": mean,
                "imbalance": max(seconds) / mean,
            }
        )
    return sorted(entries, key=lambda entry: -entry["max"])


def heat(ranks, seconds, generator, servers):
    rows, bins, steps = min(ranks, 128), 200, 8
    groups = [[row * ranks // rows, (row + 1) * ranks // rows - 1] for row in range(rows)]
    io, waiting = [], []
    for row in range(rows):
        serving = servers and row >= rows - max(1, rows * servers // ranks)
        phase = [(bin * steps / bins) % 1 for bin in range(bins)]
        limit = 0.08 if servers and not serving else 0.35
        busy = [
            (
                min(1.0, generator.random() * 0.2 + 0.85)
                if p > 1 - limit * (0.7 + 0.3 * generator.random())
                else 0.02 * generator.random()
            )
            for p in phase
        ]
        io.append([round(value, 3) for value in busy])
        waiting.append([round(value * (0.2 if row % 4 == 0 else 0.8), 3) for value in busy])
    return {
        "begin": 0,
        "end": seconds,
        "bins": bins,
        "rank_groups": groups,
        "io": io,
        "waiting": waiting,
        "complete": not servers,
    }


def ribbon(ranks, seconds, servers):
    kinds = ["compute", "hand_over", "blocked", "receive", "assemble", "write", "idle"]
    clients = list(range(ranks - servers))[:20]
    step, lanes, totals = seconds / 8, [], []
    for rank in clients:
        spans = []
        for number in range(8):
            begin, late = number * step, 0.02 * (rank % 5)
            edge = begin + step * (0.9 if servers else 0.68) - late
            spans += [[0, begin, edge], [1, edge, edge + 0.05 * step], [2, edge + 0.05 * step, begin + step]]
        lanes.append({"rank": rank, "role": "client" if servers else "both", "label": f"rank {rank}", "spans": spans})
        totals.append(
            {
                "rank": rank,
                "role": "client",
                "compute": seconds * 0.7,
                "hand_over": seconds * 0.04,
                "blocked": seconds * (0.05 if servers else 0.26),
                "receive": 0,
                "assemble": 0,
                "write": 0,
                "idle": 0,
            }
        )
    for rank in range(ranks - servers, ranks):
        spans = []
        for number in range(8):
            at = number * step
            for kind, part in ((3, 0.2), (4, 0.1), (5, 0.4), (6, 0.3)):
                spans.append([kind, at, at + part * step])
                at += part * step
        lanes.append({"rank": rank, "role": "server", "label": f"rank {rank}", "spans": spans})
        totals.append(
            {
                "rank": rank,
                "role": "server",
                "compute": 0,
                "hand_over": 0,
                "blocked": 0,
                "receive": seconds * 0.2,
                "assemble": seconds * 0.1,
                "write": seconds * 0.4,
                "idle": seconds * 0.3,
            }
        )
    return {
        "kinds": kinds,
        "lanes": lanes[:24],
        "steps": [{"number": n, "start": n * step, "end": (n + 1) * step} for n in range(8)],
        "overlap": 0.93 if servers else None,
        "totals": totals,
    }


def senders(ranks, writers):
    rows = min(ranks, 64)
    groups = [[row * ranks // rows, (row + 1) * ranks // rows - 1] for row in range(rows)]
    table = [
        [10**7 + 10**5 * row if abs(column - row * len(writers) // rows) < 2 else 0 for column in range(len(writers))]
        for row in range(rows)
    ]
    return {
        "from": [first for first, _ in groups],
        "to": writers,
        "bytes": table,
        "imbalance_to": 1.21,
        "imbalance_from": 1.02,
        "from_groups": groups if rows < ranks else None,
    }


def ranges(name, writers):
    size, stripe = 64 * 2**20 + 12345, 2**20
    part = size // len(writers)
    edges = [0] + [part * n if n % 2 else (part * n // stripe) * stripe for n in range(1, len(writers))] + [size]
    return {
        "file": name,
        "bytes": size,
        "stripe_bytes": stripe,
        "writers": [
            {
                "rank": rank,
                "ranges": [[edges[n], edges[n + 1] - edges[n]]],
                "bytes": edges[n + 1] - edges[n],
                "misaligned": n % 2,
            }
            for n, rank in enumerate(writers)
        ],
        "variables": [
            {"name": "temp", "offset": 4096, "bytes": 40 * 2**20},
            {"name": "salt", "offset": 4096 + 40 * 2**20, "bytes": 22 * 2**20},
            {"name": "ssh", "offset": 4096 + 62 * 2**20, "bytes": 2**20},
        ],
        "misaligned_text": "1 boundary of 2 cuts a stripe",
    }


def layout(name, ranks):
    across = next(n for n in range(int(ranks**0.5), 0, -1) if ranks % n == 0)
    up = ranks // across
    boxes = [
        {
            "rank": rank,
            "start": [0, rank // across * 1080 // up, rank % across * 1440 // across],
            "count": [
                50,
                (rank // across + 1) * 1080 // up - rank // across * 1080 // up,
                (rank % across + 1) * 1440 // across - rank % across * 1440 // across,
            ],
        }
        for rank in range(ranks)
    ]
    domains = [
        {"rank": 0, "start": [0, 0, 0], "count": [50, 540, 1440]},
        {"rank": ranks // 2, "start": [0, 540, 0], "count": [50, 540, 1440]},
    ]
    return {
        "file": name,
        "variable": "temp",
        "shape": [50, 1080, 1440],
        "dims": ["z", "y", "x"],
        "boxes": boxes,
        "io_domains": domains,
        "chunks": [10, 200, 360],
        "cut_chunks": 20,
        "text": "the I/O domains cut 20 of 120 chunks",
    }


def files(ranks):
    sizes = [[512, 3], [4096, 12], [65536, 40], [1 << 20, 160], [4 << 20, 22]]
    return [
        {
            "file": name,
            "path": f"/scratch/a/rather/long/path/to/the/results/of/experiment_042/{name}",
            "open": 0.04,
            "read": 0.0,
            "write": 1.4 / n,
            "close": 0.5 / n,
            "meta": 0.02,
            "read_bytes": 0 if n > 1 else 4096,
            "written_bytes": 640_000_000 // n,
            "reads": 2,
            "writes": 237 // n,
            "metadata_writes": 12,
            "rate": 412e6 / n,
            "sizes": sizes[: 6 - n],
            "ranks": ranks,
        }
        for n, name in enumerate(("ocean.nc", "ice.nc", "restart.nc"), 1)
    ]


def variables():
    return [
        {
            "file": "ocean.nc",
            "variable": name,
            "calls": 64,
            "bytes": 10**8 * n,
            "seconds_max": 0.3 * n,
            "seconds_mean": 0.2 * n,
            "rate": 3e8,
            "ranks": 8,
            "smallest": 1024,
            "largest": 10**7,
        }
        for n, name in enumerate(("temp", "salt", "u", "v", "ssh"), 1)
    ]


def counts():
    return [
        {
            "layer": layer,
            "function": function,
            "file": "/scratch/ocean.nc",
            "calls": 1200,
            "errors": 0,
            "bytes": 640_000_000,
            "seconds_max": 0.1,
            "seconds_sum": 3.5,
        }
        for layer, function in (
            ("posix", "pwrite64"),
            ("posix", "open64"),
            ("mpi", "MPI_Allreduce"),
            ("sverdrup", "sv_put"),
        )
    ]


def advice(seconds):
    return [
        {
            "id": "F1",
            "title": "Let two ranks serve the output",
            "text": "The ranks that compute wait for the output of each step. Two servers would write it while they "
            "compute the next one.",
            "seconds": 0.31 * seconds,
            "saves_seconds": [0.15 * seconds, 0.27 * seconds],
            "configuration": "async: servers:2\n",
            "language": "yaml",
            "evidence": [
                {
                    "text": f"rank 2 was inside sv_end_step for {0.31 * seconds:.1f} s of {seconds:.1f} s",
                    "chart": "balance",
                },
                {"text": "compute and output take turns", "chart": "ribbon"},
                {"text": "docs/overlap.md reports more", "chart": "elsewhere"},
            ],
        },
        {
            "id": "F2",
            "title": "Give each writer whole stripes",
            "text": "One boundary between writers lies inside a stripe, which both of them lock in turn.",
            "seconds": 0.4,
            "saves_seconds": [0, 0.2],
            "configuration": "stripe_size: 1MiB\nwriters: 4\n",
            "language": "yaml",
            "evidence": [{"text": "1 of 2 boundaries", "chart": "ranges"}],
        },
        {
            "id": "F3",
            "title": "Rank 0 carries more than its share",
            "text": "It opens and closes every file alone.",
            "seconds": 0.2,
            "saves_seconds": None,
            "configuration": None,
            "language": None,
            "evidence": [],
        },
    ]


def run(name="synchronous", ranks=8, servers=0, seconds=13.9, share=0.31):
    """A run with every section."""
    generator = random.Random(ranks + servers)
    writers = list(range(ranks - servers, ranks)) if servers else list(range(0, ranks, max(1, ranks // 4)))[:32]
    return {
        "name": name,
        "directory": f"build/demo/{name}",
        "program": "ocean",
        "ranks": ranks,
        "processes": ranks,
        "hosts": ["vm"],
        "mpi": True,
        "seconds": seconds,
        "events": 12345,
        "events_lost": 0,
        "producers": ["tracer", "library"],
        "problems": [],
        "headline": {
            "io_share": share,
            "io_seconds": share * seconds,
            "io_rank": min(2, ranks - 1),
            "waited_for": [
                {"text": "writing ocean.nc (pwrite64)", "seconds": 0.5 * share * seconds, "share": 0.5 * share},
                {
                    "text": "the slowest rank (MPI_Allreduce in sv_end_step)",
                    "seconds": 0.3 * share * seconds,
                    "share": 0.3 * share,
                },
            ],
            "sentence": f"{100 * share:.0f} % of the run was output; most of it waited for the writing of ocean.nc.",
            "change": "F1",
            "nothing_to_gain": None,
        },
        "findings": advice(seconds),
        "flow": flow(ranks, servers),
        "balance": balance(ranks, generator),
        "heat": heat(ranks, seconds, generator, servers),
        "ribbon": ribbon(ranks, seconds, servers),
        "senders": senders(ranks, writers),
        "ranges": [ranges("ocean.nc", writers)],
        "layout": [layout("ocean.nc", ranks)],
        "files": files(ranks),
        "variables": variables(),
        "counts": counts(),
    }


def empty(name="no output", seconds=10.4):
    """A run in which nothing was recorded."""
    return {
        "name": name,
        "directory": "build/demo/no",
        "program": "ocean",
        "ranks": 8,
        "processes": 8,
        "hosts": ["vm"],
        "mpi": True,
        "seconds": seconds,
        "events": 0,
        "events_lost": 0,
        "producers": ["tracer"],
        "problems": [
            {
                "severity": "warning",
                "rank": 3,
                "text": "rank 3 (pid 77 on vm) was killed after 1.2 s inside "
                "nc_put_vara_double of ocean.nc, variable temp; what it did until then is in this report",
            }
        ],
        "headline": {
            "io_share": 0.0,
            "io_seconds": 0.0,
            "io_rank": None,
            "waited_for": [],
            "sentence": "There was no output.",
            "change": None,
            "nothing_to_gain": "Input and output took less than 1 % of the run on every rank.",
        },
        "findings": [],
        "flow": {"nodes": [], "edges": [], "left_out": None},
        "balance": [],
        "heat": None,
        "ribbon": None,
        "senders": None,
        "ranges": [],
        "layout": [],
        "files": [],
        "variables": [],
        "counts": [],
    }


def hostile(value, key=""):
    """A run with a hostile name wherever a trace may bring one."""
    if isinstance(value, dict):
        return {name: hostile(item, name) for name, item in value.items()}
    if isinstance(value, list):
        return [HOSTILE if isinstance(item, str) and key in ("hosts", "dims") else hostile(item, key) for item in value]
    names = (
        "name",
        "directory",
        "program",
        "text",
        "sentence",
        "title",
        "configuration",
        "function",
        "file",
        "path",
        "variable",
        "label",
        "misaligned_text",
        "nothing_to_gain",
    )
    return HOSTILE if isinstance(value, str) and key in names else value


def report(*runs):
    """A report of these runs."""
    return {"sverdrup_report": 1, "version": "0.1.0", "made": "2026-11-22T05:10:00Z", "runs": list(runs)}


def three():
    """The demonstration: without output, synchronous, with servers."""
    return report(empty(), run("synchronous", 8, 0, 13.9, 0.31), run("servers", 8, 2, 11.2, 0.043))
