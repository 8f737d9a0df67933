"""Numbers of the analysis compared with those of the synthetic runs."""

import json

import numpy as np
import pytest
import runs
from sverdrup.analysis import analyse_run, intervals
from sverdrup.analysis.traced_run import TracedRun
from sverdrup.analysis.words import numbers, size, unit
from sverdrup.trace import Run, layout
from synthetic import Synthetic


def row(rows, **wanted):
    found = [each for each in rows if all(each[name] == value for name, value in wanted.items())]
    assert len(found) == 1, (wanted, found)
    return found[0]


def test_every_run_has_every_part_and_is_json(analysed):
    for name, run in analysed.items():
        json.dumps(run, allow_nan=False)
        assert run["name"] == name and run["seconds"] > 0
        assert 0 <= run["headline"]["io_share"] <= 1 and run["headline"]["sentence"]
        assert [each["id"] for each in run["findings"]] == [f"F{n + 1}" for n in range(len(run["findings"]))]
        for each in run["findings"]:
            assert 0 <= each["saves_seconds"][0] <= each["saves_seconds"][1] <= run["seconds"] and each["evidence"]
            assert {e["chart"] for e in each["evidence"]} <= set(run)
        ids = {node["id"] for node in run["flow"]["nodes"]}
        assert all({edge["from"], edge["to"]} <= ids | {None} for edge in run["flow"]["edges"])
        for each in run["balance"]:
            assert len(each["ranks"]) == len(each["seconds"]) == len(each["calls"]) == len(each["bytes"])
            assert each["max"] == max(each["seconds"]) and each["imbalance"] >= 0.999
        heat = run["heat"]
        assert np.shape(heat["io"]) == np.shape(heat["waiting"]) == (len(heat["rank_groups"]), heat["bins"])
        assert 0 <= np.min(heat["io"]) and np.max(heat["io"]) <= 1


def test_flow_has_maximum_over_ranks_and_their_number(analysed):
    flow = analysed["pnetcdf"]["flow"]
    write = row(flow["nodes"], name="pwrite64")
    assert write["max_seconds"] == pytest.approx(6 * 0.12 + 0.0005) and write["max_rank"] == 0
    assert write["ranks"] == 2 and write["calls"] == 13
    put, collective = (
        row(flow["nodes"], name="ncmpi_put_vara_float_all"),
        row(flow["nodes"], name="MPI_File_write_at_all"),
    )
    edge = row(flow["edges"], **{"from": put["id"], "to": collective["id"]})
    assert edge["ranks"] == 8 and edge["calls"] == 48 and edge["max_seconds"] == pytest.approx(put["max_seconds"])
    assert row(flow["edges"], **{"from": None, "to": put["id"]})["calls"] == 48
    assert not [node for node in flow["nodes"] if node["name"] == "ncmpi_def_var"] and flow["left_out"]["nodes"] > 0


def test_balance_is_of_those_who_took_part(analysed):
    write = row(analysed["pnetcdf"]["balance"], function="pwrite64")
    assert write["ranks"] == [0, 4] and write["calls"] == [7, 6]
    assert write["bytes"] == [6 * 256 * 4096 + 200, 6 * 256 * 4096]


def test_counts_are_exact(analysed):
    counts = analysed["pnetcdf"]["counts"]
    write = row(counts, function="pwrite64", file=runs.FILE)
    assert (write["calls"], write["bytes"], write["errors"]) == (13, 6 * 512 * 4096 + 200, 0)
    assert row(counts, function="open")["system_call"] == "openat"
    assert row(counts, function="MPI_Barrier", layer="mpi")["calls"] == 15


def test_overwritten_events_change_no_total(tmp_path):
    whole = analyse_run(Run(runs.pnetcdf(tmp_path / "a", steps=20)))
    wrapped = analyse_run(Run(runs.pnetcdf(tmp_path / "b", steps=20, ring_slots=32)))
    assert wrapped["events"] == whole["events"] and wrapped["events_lost"] > 0 == whole["events_lost"]
    for part in ("flow", "balance", "counts", "variables"):
        assert wrapped[part] == whole[part]
    assert wrapped["ribbon"]["totals"] == whole["ribbon"]["totals"]
    assert wrapped["headline"]["io_seconds"] == whole["headline"]["io_seconds"]
    assert whole["heat"]["complete"] and not wrapped["heat"]["complete"]
    assert any("overwritten" in problem["text"] for problem in wrapped["problems"])


def test_files_and_variables(analysed):
    run = analysed["gather"]
    file = row(run["files"], file="ocean.nc")
    assert file["writes"] == 50 and file["metadata_writes"] == 40 and file["format"] == "netcdf4"
    assert file["written_bytes"] == 5 * 512 * 4096 + sum(96 + n for n in range(40))
    assert file["write"] == pytest.approx(1.0) and file["close"] == pytest.approx(0.091)
    variable = row(run["variables"], variable="temp")
    assert variable["calls"] == 5 and variable["bytes"] == 5 * 512 * 4096 and variable["ranks"] == 1
    assert variable["smallest"] <= 512 * 4096 <= variable["largest"]
    assert sum(calls for _, calls in file["sizes"]) == 50
    cdf = row(analysed["pnetcdf"]["files"], file="ocean.nc")
    assert cdf["metadata_writes"] == 1 and cdf["format"] == "cdf"


def test_heat_adds_up_to_the_time_in_calls(analysed):
    run = analysed["pnetcdf"]
    heat, width = run["heat"], run["seconds"] / run["heat"]["bins"]
    assert sum(heat["io"][0]) * width == pytest.approx(run["headline"]["io_seconds"], rel=0.01)
    waits = 6 * 0.02 + 0.002 + 0.001 + row(run["balance"], function="MPI_Allreduce")["seconds"][0]
    assert sum(heat["waiting"][0]) * width == pytest.approx(waits, rel=0.01)


def test_ribbon_fills_each_life_without_gaps(analysed):
    for run in analysed.values():
        for lane in run["ribbon"]["lanes"]:
            spans = lane["spans"]
            assert all(a[2] == pytest.approx(b[1]) for a, b in zip(spans, spans[1:]))
        for total in run["ribbon"]["totals"]:
            assert min(v for k, v in total.items() if k not in ("rank", "role")) >= 0


def test_ribbon_of_a_run_with_servers(analysed):
    run = analysed["waiting"]
    client, server = run["ribbon"]["totals"][0], run["ribbon"]["totals"][4]
    assert (client["role"], server["role"]) == ("client", "server")
    assert client["hand_over"] == pytest.approx(6 * 0.02)
    assert client["blocked"] == pytest.approx(0.002 + 0.2 + 5 * 0.15 + 6 * 0.001)
    assert client["compute"] == pytest.approx(0.01 + 6 * 0.5)
    assert server["write"] == pytest.approx(6 * 0.601) and server["receive"] == pytest.approx(6 * 0.02)
    kinds = run["ribbon"]["kinds"]
    for lane, total in zip(run["ribbon"]["lanes"], run["ribbon"]["totals"]):
        painted = dict.fromkeys(kinds, 0.0)
        for kind, start, end in lane["spans"]:
            painted[kinds[kind]] += end - start
        assert {k: painted[k] for k in kinds} == pytest.approx({k: total[k] for k in kinds}, abs=0.02)
    assert [step["number"] for step in run["ribbon"]["steps"]] == list(range(6))


def test_overlap_is_what_clients_computed_beside_servers(analysed):
    assert analysed["served"]["ribbon"]["overlap"] > 0.8
    assert analysed["waiting"]["ribbon"]["overlap"] < analysed["served"]["ribbon"]["overlap"]
    assert analysed["synchronous"]["ribbon"]["overlap"] is None


def test_senders_and_ranges(analysed):
    run = analysed["served"]
    assert run["senders"]["from"] == [0, 1, 2, 3] and run["senders"]["to"] == [4, 5]
    assert np.sum(run["senders"]["bytes"]) == 6 * 512 * 4096 and run["senders"]["imbalance_to"] == pytest.approx(1)
    ranges = row(run["ranges"], file="ocean.nc")
    assert [writer["rank"] for writer in ranges["writers"]] == [4, 5] and ranges["shared_units"] == 0
    traced = row(analysed["pnetcdf"]["ranges"], file="ocean.nc")
    assert [writer["rank"] for writer in traced["writers"]] == [0, 4]
    assert sum(writer["bytes"] for writer in traced["writers"]) == 6 * 512 * 4096 + 200


def test_shared_stripes_are_marked(tmp_path):
    run = analyse_run(Run(runs.synchronous(tmp_path, stripe=4 << 20)))
    ranges = row(run["ranges"], file="ocean.nc")
    assert ranges["shared_units"] == 1 and "1 stripe of 4 MiB" in ranges["misaligned_text"]


def test_layout_of_the_library_and_of_puts(analysed):
    reported = row(analysed["served"]["layout"], file="ocean.nc")
    assert reported["shape"] == [512, 1024] and [box["rank"] for box in reported["boxes"]] == [0, 1, 2, 3]
    seen = row(analysed["pnetcdf"]["layout"], file="ocean.nc")
    assert seen["variable"] == "temp" and len(seen["boxes"]) == 8 and seen["shape"][-2:] == [512, 1024]


def test_a_killed_rank_and_a_missing_one(analysed):
    run = analysed["killed"]
    texts = {problem["rank"]: problem["text"] for problem in run["problems"]}
    assert run["ranks"] == 8 and run["processes"] == 7
    assert "(5)" in texts[None]
    for part in ("rank 3", "pid 1003 on vm", "MPI_Allreduce", "ocean.nc", "variable temp"):
        assert part in texts[3]


def test_hosts_with_clocks_of_their_own(analysed):
    assert analysed["hosts"]["hosts"] == ["a", "b"]
    assert analysed["hosts"]["seconds"] == pytest.approx(analysed["pnetcdf"]["seconds"])


def test_a_library_without_tracer_tells_enough(tmp_path):
    runs.synchronous(tmp_path)
    for path in tmp_path.glob("*-1.svtrace"):
        path.unlink()
    run = analyse_run(Run(tmp_path))
    assert run["producers"] == ["library"]
    assert run["headline"]["io_seconds"] == pytest.approx(6 * (0.22 + 0.002))
    assert {node["layer"] for node in run["flow"]["nodes"]} == {"step"}
    assert row(run["files"], file="ocean.nc")["written_bytes"] == 6 * 512 * 4096


def test_intervals():
    starts, ends = np.array([0.0, 1.0, 1.5]), np.array([0.5, 2.0, 2.5])
    assert intervals.covered(starts, ends, np.array([0.0, 1, 2, 3])) == pytest.approx([0.5, 1.5, 0.5])
    spans = intervals.paint([(1, starts, ends), (2, np.array([1.25]), np.array([1.75]))], 0, 0.0, 3.0)
    assert spans.tolist() == [[1, 0, 0.5], [0, 0.5, 1], [1, 1, 1.25], [2, 1.25, 1.75], [1, 1.75, 2.5], [0, 2.5, 3]]
    many = np.arange(0, 100, 0.01)
    fine = intervals.paint([(1, many, many + 0.002)], 0, 0.0, 100.0)
    assert len(fine) > 2000 >= len(intervals.coarse(fine, 2000, 2))
    assert intervals.overlap(np.array([[0.0, 2]]), np.array([[1.0, 3], [4, 5]])) == pytest.approx(1)


def test_words():
    assert (
        numbers([1, 3, 4, 5, 9]) == "1, 3-5, 9"
        and unit(1 << 20) == "1 MiB"
        and size(1.5e6) == "1.5 MB"
        and size(12) == "12 bytes"
    )


def test_writes_that_were_not_seen_are_told(tmp_path):
    process = Synthetic(tmp_path, 0, 1)
    with process.within("mpi_io", "MPI_File_write_at_all", "/d/a.nc", bytes=8 << 20):
        process.call("posix", "pwrite64", 0.1, file="/d/a.nc", bytes=100)
    process.save()
    problem = row(analyse_run(Run(tmp_path))["problems"], severity="warning")
    assert "8.39 MB" in problem["text"] and "100 bytes" in problem["text"] and "OMPI_MCA_io=^ompio" in problem["text"]


def test_what_a_killed_rank_sent_is_summed_from_its_events(tmp_path):
    for rank, ended in ((0, True), (1, False)):
        process = Synthetic(tmp_path, rank, 2, producer=layout.LIBRARY)
        process.note(kind="run", rank=rank, ranks=2, role="both", servers=0)
        for step in range(3):
            process.call("step", "send", 0, file="/d/a.nc", bytes=100, peer=0, step=step)
        if ended:
            process.note(file="/d/a.nc", kind="sends", to=[[0, 300, 3]])
        process.save(ended)
    assert analyse_run(Run(tmp_path))["senders"]["bytes"] == [[300], [300]]


def test_bytes_that_nobody_saw_being_read_are_no_zero(tmp_path):
    tracer, library = runs._pair(tmp_path, 0, 1)
    for file in ("/usr/share/seen.nc", "/usr/share/unseen.nc"):
        with tracer.within("sverdrup", "sv_get_var", file, "t", bytes=400):
            if "unseen" not in file:
                tracer.call("posix", "pread64", 0.1, file=file, bytes=500, offset=0)
        library.call("step", "read", 0.1, file=file)
    for process in (tracer, library):
        process.save()
    rows = analyse_run(Run(tmp_path))["files"]
    assert {row["file"]: row["read_bytes"] for row in rows} == {"seen.nc": 500, "unseen.nc": None}


def test_a_write_of_the_librarys_thread_is_no_io_of_its_rank(tmp_path):
    process = Synthetic(tmp_path, 0, 1)
    process.call("sverdrup", "sv_create", 0.25, file="a.nc")
    process.call("posix", "pwrite64", 0.5, file="a.nc.part", bytes=8)  # outside sv_ calls, on a file that they know
    process.call("posix", "pwrite64", 0.125, file="own.txt", bytes=8)
    process.save()
    traced = TracedRun(Run(tmp_path))
    assert traced.io_seconds == pytest.approx([0.375])
    assert sum(end - begin for begin, end in zip(*traced.times(0).io)) == pytest.approx(0.375)
