"""Compares the traces that steps_model left in the current directory with its actions: check.py MPIRUN MODEL
[TRACER]; with the library TRACER preloaded, too."""
import collections
import os
import pathlib
import shutil
import subprocess
import sys

import numpy as np
from sverdrup.trace import Run

NY, NX, STEPS, RANKS = 24, 40, 3, 5
LEVELS = {"depth": 1, "temp": 3, "sst": 1, "salt": 1}  # of distributed variables
BYTES = {"depth": 4, "temp": 8, "sst": 4, "salt": 4}
OWN_BYTES = 4 + STEPS * (3 * 8 + 4 + 4)  # of each cell
SERVED = {"servers": 2, "servers_apart": 2, "served_points": 2}
POINTS = {"points", "primaries", "served_points"}
TWO_HOPS = {"domains", "primaries", "served_points"}


def equal(found, wanted, what):
    if found != wanted:
        sys.exit(f"{what}: {found}, not {wanted}")


def notes(process, kind):
    return [note.content for note in process.notes if note.content["kind"] == kind]


def written(process, kind):
    """Of the file that was written; the last note of a kind has all."""
    return [note for note in notes(process, kind) if note.get("mode", "write") == "write"]


def calls(process):
    """Calls by path: ("write", "pack", "wait")."""
    counts, (path, _, _) = collections.Counter(), process.total_places()
    for number, row in zip(path, process.totals):
        names = []
        while number:
            layer, name = process.functions[process.path_function[number]]
            equal(layer, "step", "the layer of " + name)
            names.insert(0, name)
            number = process.path_caller[number]
        counts[tuple(names)] += int(row["calls"])
    return counts


def events(process, name):
    """Arguments and bytes of all events of a function."""
    all_events = process.events()
    assert all_events.complete
    of = [process.functions[process.path_function[path]][1] == name for path in all_events.path]
    return [(all_events.arguments(i), int(all_events.bytes[i])) for i in np.flatnonzero(of)]


def blocks(case, clients):
    """By client: which cells are its own, as the notes have it; of points, as the model has it."""
    owned = []
    for i, process in enumerate(clients):
        own = np.zeros((NY, NX), int)
        if case in POINTS:
            own.ravel()[i :: len(clients)] = 1
        for note in written(process, "domain"):
            equal(note["shape"], [NY, NX], "the grid")
            equal(set(note["variables"]), set(LEVELS), "variables on the grid")
            (y, x), (dy, dx) = note["start"], note["count"]
            own[y : y + dy, x : x + dx] += 1
        owned.append(own)
    assert (sum(owned) == 1).all(), f"{case}: blocks that do not tile the grid"
    return owned


def check_phases(case, process):
    found = calls(process)
    if case != "combine":  # which carries out at the end of the step what came before
        settled = 1 if case in SERVED else 0  # sv_open waits until servers have written the file
        equal(found["write",], 2 + STEPS * 4 + settled, f"{case}: calls that write")
    equal(found["close",], 2, f"{case}: calls that close")
    equal(found["open",], 3, f"{case}: calls that open")
    equal(found["read_meta",], 1, f"{case}: headers")
    equal(found["read",], 1, f"{case}: gets")
    equal(found["write", "end_step"], STEPS, f"{case}: ends of steps")
    numbers = [arguments["step"] for arguments, _ in events(process, "end_step")]
    equal(numbers, [[n] for n in range(STEPS)], f"{case}: their numbers")
    assert found["write", "pack"] >= (STEPS if case == "combine" else 1 + 2 * STEPS), f"{case}: packed {found}"


def check_servers(case, servers):
    total = 0
    for process in servers:
        steps = [a["step"][0] for a, _ in events(process, "sync") if "step" in a]
        equal(steps, list(range(STEPS)), f"{case}: steps that a server committed")
        total += sum(size for _, size in events(process, "write_file"))
        assert events(process, "idle") and events(process, "assemble")
    equal(total, NY * NX * OWN_BYTES + NY * 8, f"{case}: bytes that servers wrote")


def check_ranges(case, run, about):
    """By writer, which bytes of the file it has written: of values, each by one. Returns, by writer and variable, which
    elements."""
    size = max(begin + n for p in run.processes for note in written(p, "range")[-1:] for begin, n in note["ranges"])
    writers, times = {}, np.zeros(size, int)
    for process in run.processes:
        for note in written(process, "range")[-1:]:
            equal(note["truncated"], False, "ranges")
            own = writers.setdefault(process.rank, np.zeros(size, bool))
            for begin, length in note["ranges"]:
                own[begin : begin + length] = True
        if process.rank in writers:
            times += writers[process.rank]
    parts = collections.defaultdict(dict)
    for variable in about["variables"]:
        cells = int(np.prod(variable["shape"])) * variable["type_bytes"]
        begin = variable["begin_bytes"]
        assert (times[begin : begin + cells] == 1).all(), f"{case}: ranges of {variable['name']}"
        for rank, own in writers.items():
            parts[rank][variable["name"]] = own[begin : begin + cells : variable["type_bytes"]]
    equal(set(about["writers"]) - set(writers), set(), f"{case}: writers without ranges")
    return parts


def check_sends(case, clients, owned, parts):
    """In the first step, every rank sends to every writer its cells of the writer's ranges; in all steps, its cells. One rank
    sends values that all ranks have alike, if others write them: to servers, and with combined puts."""
    alike = 0
    for process, own in zip(clients, owned):
        reported = written(process, "sends")[-1]["to"] if own.any() else []
        totals = {rank: (size, puts) for rank, size, puts in reported}
        sums, counts, first = collections.Counter(), collections.Counter(), collections.Counter()
        for arguments, size in events(process, "send"):
            rank = arguments["peer"][0]
            sums[rank] += size
            counts[rank] += 1
            if arguments["step"] == [0]:
                first[rank] += size
        equal(totals, {rank: (sums[rank], counts[rank]) for rank in sums}, f"{case}: the sum of what was sent")
        if case in TWO_HOPS or case == "shared":
            continue
        lat = sum(sums.values()) - int(own.sum()) * OWN_BYTES
        assert lat in (0, NY * 8), f"{case}: rank {process.rank} sent {lat} bytes more than it owns"
        alike += lat
        wanted = collections.Counter()
        for rank, variables in parts.items():
            for name, levels in LEVELS.items():
                cells = variables[name].reshape(levels, NY, NX) & (own > 0)
                wanted[rank] += int(cells.sum()) * BYTES[name]
            wanted[rank] += int(variables["lat"].sum()) * 8 if lat else 0
        equal(first, +wanted, f"{case}: what rank {process.rank} sent at first")
    if case not in TWO_HOPS and case != "shared":
        equal(alike, NY * 8 if case in SERVED or case == "combine" else 0, f"{case}: what one rank sends for all")


def check_case(case):
    run = Run(case)
    equal(run.problems, [], case)
    equal(sorted(p.rank for p in run.processes), list(range(RANKS)), f"{case}: ranks")
    roles = collections.defaultdict(list)
    for process in sorted(run.processes, key=lambda p: p.rank):
        assert process.ended and process.is_library and process.ranks == RANKS
        (note,) = notes(process, "run")
        equal((note["rank"], note["ranks"]), (process.rank, RANKS), f"{case}: rank")
        roles[note["role"]].append(process)
        equal(note["settings"]["trace.folder"]["value"], case, "the settings")
    clients, servers = roles["client"] or roles["both"], roles["server"]
    equal(len(servers), SERVED.get(case, 0), f"{case}: servers")
    about = [written(process, "file") for process in clients]
    equal([bool(each) for each in about], [True] + [False] * (len(clients) - 1), f"{case}: ranks that describe the file")
    about = about[0][-1]
    equal(about["path"], str(pathlib.Path(f"{case}.nc").absolute()), "path")
    equal([v["name"] for v in about["variables"]], ["depth", "lat", "temp", "sst", "salt"], "variables")
    for process in clients:
        check_phases(case, process)
    if servers:
        check_servers(case, servers)
    if about["stripe_bytes"] is None:  # a set of files, in which an offset has no meaning
        domains = [note["shape"] for process in clients for note in written(process, "domain")]
        equal((domains.count([NY, NX]), domains.count([NY])), (RANKS, 1), f"{case}: parts of the grids")
        equal(len(about["writers"]), 2, f"{case}: writers")
        return
    check_sends(case, clients, blocks(case, clients), check_ranges(case, run, about))
    if case == "domains":
        equal({note["io_rank"] for p in clients for note in written(p, "domain")} <= set(range(RANKS)), True, "I/O PEs")


def check_tight():
    """One put that its server has no room for: ranks wait for memory, and every byte is in the trace."""
    run = Run("servers_tight")
    found = [calls(process) for process in run.processes]
    assert sum(each["write", "pack", "wait_memory"] for each in found) > 0, f"no wait for memory: {found}"
    sent = sum(size for process in run.processes for _, size in events(process, "send"))
    arrived = sum(size for process in run.processes for _, size in events(process, "write_file"))
    equal((sent, arrived), (8 << 20, 8 << 20), "bytes that were sent, and written")


def check_killed(mpirun, model):
    """Rank 0 has ended within step 1: the records until then are there."""
    shutil.rmtree("killed", ignore_errors=True)
    done = subprocess.run([mpirun, "3", model, "die", "1"], capture_output=True, timeout=100, check=False)
    assert done.returncode != 0
    process = next(p for p in Run("killed").processes if p.rank == 0)
    assert not process.ended
    found = calls(process)
    equal((found["write",], found["write", "end_step"]), (2 + 4 + 1, 1), "killed: calls")
    (domain,) = notes(process, "domain")
    equal(domain["start"], [0, 0], "killed: its block")
    assert notes(process, "range") and not notes(process, "sends")


def check_both(mpirun, model, tracer):
    """With the tracer preloaded, two traces of each process, which contain the same: the bytes that servers wrote."""
    shutil.rmtree("killed", ignore_errors=True)
    environment = dict(os.environ, LD_PRELOAD=tracer, SV_TRACE_DIRECTORY=str(pathlib.Path("killed").absolute()))
    command = [mpirun, "4", model, "die", "-1", "async=servers:1"]
    subprocess.run(command, check=True, timeout=100, env=environment)
    ranks = [process for process in Run("killed").processes if process.rank >= 0]
    equal(sorted((p.rank, p.is_library) for p in ranks), [(r, b) for r in range(4) for b in (False, True)], "traces")
    for process in ranks:
        if process.is_library and process.rank < 3:
            check_phases("servers", process)
    (server,) = [process for process in ranks if process.rank == 3 and process.is_library]
    (traced,) = [process for process in ranks if process.rank == 3 and not process.is_library]
    wanted = sum(size for _, size in events(server, "write_file"))
    path, file, _ = traced.total_places()
    names = [traced.functions[traced.path_function[each]][1] for each in path]
    ours = [traced.files[each].startswith(server.files[1]) for each in file]
    sizes = [int(row["bytes"]) for row, name, own in zip(traced.totals, names, ours) if own and "pwrite" in name]
    assert wanted <= sum(sizes) <= wanted + 4096, f"servers wrote {wanted} bytes, the tracer saw {sizes}"


def main():
    mpirun, model, *tracer = sys.argv[1:]
    for folder in pathlib.Path().iterdir():
        if folder.is_dir():
            shutil.rmtree(folder)
    subprocess.run([mpirun, str(RANKS), model], check=True, timeout=200)
    for folder in sorted(pathlib.Path().iterdir()):
        if folder.is_dir() and folder.name != "servers_tight":
            check_case(folder.name)
    check_tight()
    check_killed(mpirun, model)
    if tracer:
        check_both(mpirun, model, tracer[0])
    print("what was recorded is what was done")


main()
