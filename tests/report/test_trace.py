"""The reader returns the recorded values."""

import numpy as np
import pytest
from sverdrup.trace import Process, Run, TraceError, layout
from synthetic import Synthetic


def one_process(directory, **rest):
    process = Synthetic(directory, rank=2, ranks=4, start=5.0, **rest)
    process.mpi_start()
    for step in range(10):
        with process.within(
            "netcdf", "nc_put_vara_double", "/d/ä.nc", "temp", bytes=80, start=[step, 0], count=[1, 10]
        ):
            process.call("posix", "pwrite64", 0.25, file="/d/ä.nc", bytes=80, offset=100 + 80 * step)
        process.compute(0.5)
    process.note(file="/d/ä.nc", kind="hints", used={"cb_nodes": "2"})
    process.mpi_end()
    return process


def test_everything_that_was_written_is_read(tmp_path):
    process = Process(one_process(tmp_path).save())
    assert (process.rank, process.ranks, process.host, process.program) == (2, 4, "vm", "/opt/model")
    assert process.ended and process.mpi_end_ns == 7_500_000_000
    events = process.events()
    assert len(events) == 20 and events.complete
    assert events.start_ns.tolist() == sorted([750_000_000 * step for step in range(10)] * 2)
    puts = np.flatnonzero(events.variable)
    assert [events.arguments(int(i)) for i in puts] == [{"start": [n, 0], "count": [1, 10]} for n in range(10)]
    writes = np.flatnonzero(events.variable == 0)
    assert events.offset[writes].tolist() == [100 + 80 * step for step in range(10)]
    assert process.files[1] == "/d/ä.nc" and process.variables[1] == (1, "temp")
    assert [note.content for note in process.notes] == [{"kind": "hints", "used": {"cb_nodes": "2"}, "file": "/d/ä.nc"}]


def test_paths_tell_who_called(tmp_path):
    process = Process(one_process(tmp_path).save())
    names = [process.functions[function][1] for function in process.path_function]
    write = names.index("pwrite64")
    assert names[process.path_caller[write]] == "nc_put_vara_double"
    assert process.path_caller[process.path_caller[write]] == layout.NO_CALLER


def test_totals_are_exact_where_the_ring_was_overwritten(tmp_path):
    process = Process(one_process(tmp_path, ring_slots=8).save())
    events = process.events()
    assert not events.complete and 0 < len(events) < 8
    assert process.totals["calls"].tolist() == [10, 10] and process.totals["bytes"].tolist() == [800, 800]
    assert events.start_ns.max() == 9 * 750_000_000
    kept = [events.arguments(int(i)).get("start") for i in np.flatnonzero(events.variable)]
    assert kept == [[n, 0] for n in range(10 - len(kept), 10)]


def test_a_killed_process_tells_what_it_was_doing(tmp_path):
    recorded = one_process(tmp_path)
    recorded.begin("netcdf", "nc_close", "/d/ä.nc")
    recorded.compute(0.1)
    recorded.begin("posix", "fsync", "/d/ä.nc")
    process = Process(recorded.save(ended=False))
    assert not process.ended
    names = [process.functions[process.path_function[call.path]][1] for call in process.open_calls]
    assert names == ["nc_close", "fsync"]
    assert [call.start_ns for call in process.open_calls] == [7_500_000_000, 7_600_000_000]


def test_numpy_types_have_the_sizes_of_the_format():
    sizes = {"functions": 64, "paths": 8, "files": 16, "variables": 24, "text": 1, "notes": 32, "totals": 192}
    sizes |= {"path_totals": 192, "threads": 584, "ring": 64}
    assert {name: entry.itemsize for name, entry in layout.ENTRIES.items()} == sizes
    assert layout.HEADER.itemsize == 816


def test_clocks_of_hosts_are_aligned_by_real_time(tmp_path):
    for rank, (host, monotonic) in enumerate((("a", 1e6), ("b", -3e6))):
        process = Synthetic(tmp_path, rank, 2, host=host, start=0.5 * rank)
        process.header["start_monotonic_ns"] += round(monotonic * 1e9)
        process.mpi_start()
        process.compute(2)
        process.mpi_end()
        process.save()
    run = Run(tmp_path)
    assert run.begin_s == pytest.approx([0, 0.5]) and run.end_s == pytest.approx([2, 2.5])
    assert run.problems == []


def test_clocks_that_are_apart_are_aligned_by_mpi(tmp_path):
    for rank, epoch in enumerate((1_700_000_000, 1_700_000_100)):
        process = Synthetic(tmp_path, rank, 2, host=f"host{rank}", epoch=epoch)
        process.mpi_start()
        process.compute(2)
        process.mpi_end()
        process.save()
    run = Run(tmp_path)
    assert run.begin_s == pytest.approx([0, 0]) and run.seconds == pytest.approx(2)
    assert "100.0 s apart" in run.problems[0].text


def test_processes_without_mpi_are_numbered_in_order(tmp_path):
    for pid, start in ((70, 2.0), (60, 1.0), (90, 3.0)):
        process = Synthetic(tmp_path, pid=pid, start=start)
        process.compute(1)
        process.save()
    run = Run(tmp_path)
    assert not run.mpi and run.ranks.tolist() == [0, 1, 2]
    assert [process.pid for process in run.processes] == [60, 70, 90]
    assert run.seconds == pytest.approx(3)


def test_a_process_of_a_rank_counts_as_the_rank(tmp_path):
    parent = Synthetic(tmp_path, 3, 4, pid=50)
    child = Synthetic(tmp_path, pid=51, parent=50)
    for process in (parent, child):
        process.compute(1)
        process.save()
    run = Run(tmp_path)
    assert run.ranks.tolist() == [3] and run.rank_index == [0, 0]


def test_a_folder_without_traces_is_an_error(tmp_path):
    with pytest.raises(TraceError, match="no trace files"):
        Run(tmp_path)
    with pytest.raises(TraceError, match="no such folder"):
        Run(tmp_path / "nowhere")
