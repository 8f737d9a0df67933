"""Files that are cut, damaged or foreign: a clear error or a valid result, in no time, and never anything else."""

import json
import os
import random
import time

import numpy as np
import pytest
import runs
from sverdrup.analysis import analyse_run, boxes, cores, facts
from sverdrup.page import domains
from sverdrup.trace import Process, Run, TraceError, layout
from synthetic import Synthetic


@pytest.fixture(scope="module")
def valid(tmp_path_factory):
    """The bytes of a trace with events, notes, totals and calls that go on."""
    folder = runs.pnetcdf(tmp_path_factory.mktemp("valid"), ranks=4, killed=0, ring_slots=64)
    return sorted(folder.glob("*.svtrace"))[0].read_bytes()


def refused(path, text):
    with pytest.raises(TraceError) as error:
        Process(path).totals
    assert text in str(error.value) and str(path) in str(error.value)


def test_foreign_files_are_refused(tmp_path):
    path = tmp_path / "a.svtrace"
    for content in (b"", b"SVTRA", b"CDF\1" + bytes(5000), random.Random(1).randbytes(5000)):
        path.write_bytes(content)
        refused(path, "no trace file")


def test_cut_files_are_refused(tmp_path, valid):
    path = tmp_path / "a.svtrace"
    for length in (100, 815):
        path.write_bytes(valid[:length])
        refused(path, "less than its header")
    for length in (816, 5000, len(valid) - 1):
        path.write_bytes(valid[:length])
        refused(path, "should have")


def with_header(valid, **fields):
    header = np.frombuffer(valid[: layout.HEADER.itemsize], layout.HEADER).copy()
    for name, value in fields.items():
        header[name] = value
    return header.tobytes() + valid[layout.HEADER.itemsize :]


def test_other_versions_are_refused(tmp_path, valid):
    path = tmp_path / "a.svtrace"
    path.write_bytes(with_header(valid, version=2))
    refused(path, "version 2")
    path.write_bytes(with_header(valid, header_bytes=800))
    refused(path, "800")
    path.write_bytes(with_header(valid, producer=9))
    refused(path, "producer 9")
    path.write_bytes(with_header(valid, rank=5, ranks=4))
    refused(path, "rank 5 of 4")


@pytest.mark.parametrize(
    ("section", "field", "value", "text"),
    [
        ("paths", "offset_bytes", -8, "impossible"),
        ("paths", "offset_bytes", 1 << 62, "beyond the file"),
        ("paths", "capacity", 1 << 40, "impossible"),
        ("ring", "capacity", 1 << 25, "beyond the file"),
        ("totals", "entry_bytes", 191, "instead of 192"),
        ("files", "used", 1000, "uses 1000"),
        ("functions", "used", 1, "no function"),
        ("files", "offset_bytes", 4096, "overlap"),
        ("text", "used", 3, "not in the text"),
    ],
)
def test_impossible_sections_are_refused(tmp_path, valid, section, field, value, text):
    header = np.frombuffer(valid[: layout.HEADER.itemsize], layout.HEADER).copy()
    header["sections"][0, layout.SECTIONS.index(section)][field] = value
    path = tmp_path / "a.svtrace"
    path.write_bytes(header.tobytes() + valid[layout.HEADER.itemsize :])
    refused(path, text)


def test_paths_that_call_themselves_are_refused(tmp_path, valid):
    header = np.frombuffer(valid[: layout.HEADER.itemsize], layout.HEADER)[0]
    begin = int(header["sections"][layout.SECTIONS.index("paths")]["offset_bytes"])
    content = bytearray(valid)
    content[begin + 8 : begin + 16] = np.array([(2, 1)], layout.PATH).tobytes()
    path = tmp_path / "a.svtrace"
    path.write_bytes(content)
    refused(path, "calls itself")


def changed_section(valid, name, rows):
    """With these rows at the beginning of a section, and no others."""
    header = np.frombuffer(valid[: layout.HEADER.itemsize], layout.HEADER).copy()
    section = header["sections"][0, layout.SECTIONS.index(name)]
    section["used"] = len(rows)
    begin, content = int(section["offset_bytes"]), bytearray(valid)
    content[: layout.HEADER.itemsize] = header.tobytes()
    new = np.array(rows, layout.ENTRIES[name]).tobytes()
    content[begin : begin + len(new)] = new
    return content


def test_what_would_take_all_memory_is_refused(tmp_path, valid):
    header = np.frombuffer(valid[: layout.HEADER.itemsize], layout.HEADER)[0]
    used = int(header["sections"][layout.SECTIONS.index("text")]["used"])
    path = tmp_path / "a.svtrace"
    path.write_bytes(changed_section(valid, "files", [(0, 0), (0, used), (0, used)]))
    refused(path, "the texts of section 'files'")
    path.write_bytes(changed_section(valid, "paths", [(0, 0)] + [(caller, 0) for caller in range(40)]))
    refused(path, "calls within one another")


def test_a_pipe_is_refused(tmp_path):
    os.mkfifo(tmp_path / "a.svtrace")
    refused(tmp_path / "a.svtrace", "no regular file")


def test_lists_of_cores_and_chunks_have_an_end():
    assert cores._numbers("0-2,8, 70-4") == {0, 1, 2, 8}
    assert len(cores._numbers(",".join(f"{n}-{n + 65536}" for n in range(0, 10**7, 65537)))) <= 100_000
    assert cores._numbers("\u00b2,0-" + "9" * 5000) == set()
    assert facts.in_bytes("\u00b2 KiB") == "\u00b2 KiB" and facts.in_bytes("9" * 5000 + "KiB")
    assert domains._touched(-5, 1 << 59, 4, 10) == [(0, True), (1, True), (2, True)]
    assert boxes.cut_chunks([1] * 70, [], [1] * 70) == 0


def test_a_folder_with_a_bad_file_is_read_without_it(tmp_path):
    runs.pnetcdf(tmp_path, ranks=4)
    (tmp_path / "bad.svtrace").write_bytes(b"no trace")
    run = analyse_run(Run(tmp_path))
    assert run["ranks"] == 4
    assert any("bad.svtrace" in problem["text"] and problem["severity"] == "error" for problem in run["problems"])


def mutated(valid, chance):
    """A copy with some bytes, words or numbers of sections changed, or cut; words in use rather than others."""
    content = bytearray(valid)
    in_use = np.flatnonzero(np.frombuffer(valid, "<u4")[1024:]).tolist() or [0]
    section = layout.HEADER.itemsize - layout.SECTION.itemsize * len(layout.SECTIONS)
    for _ in range(chance.choice((1, 1, 2, 5, 50))):
        kind = chance.randrange(5)
        if kind == 0:
            content[chance.randrange(len(content))] = chance.randrange(256)
        elif kind == 1:
            at = chance.randrange(layout.HEADER.itemsize)
            content[at] = chance.choice((0, 1, 127, 128, 255))
        elif kind == 2:
            at = section + 8 * chance.randrange(5 * len(layout.SECTIONS))
            number = chance.choice((0, 1, -1, 7, 4096, 1 << 16, 1 << 31, 1 << 40, (1 << 63) - 1, -(1 << 63)))
            content[at : at + 8] = number.to_bytes(8, "little", signed=True)
        else:
            at = 4096 + 4 * chance.choice(in_use)
            content[at : at + 4] = chance.choice((b"\0\0\0\0", b"\xff\xff\xff\xff", b"\0\0\0\x80", chance.randbytes(4)))
    return bytes(content[: chance.randrange(len(content))]) if chance.random() < 0.05 else bytes(content)


def test_fuzzed_files(tmp_path, valid):
    chance = random.Random(20)
    path, used, refusals = tmp_path / "a.svtrace", 0, 0
    begun = time.monotonic()
    for index in range(800):
        path.write_bytes(mutated(valid, chance))
        try:
            run = Run(tmp_path)
            if index % 5 == 0:
                json.dumps(analyse_run(run), allow_nan=False)
            else:
                for process in run.processes:
                    events = process.events()
                    [events.arguments(i) for i in range(min(len(events), 3))]
            used += 1
        except TraceError as error:
            assert str(path) in str(error)
            refusals += 1
    assert used > 100 and refusals > 100
    assert time.monotonic() - begun < 60


WEIRD = [None, -1, 1 << 70, float("nan"), "x", [], [[]], [None], {"a": [1]}, [[-1, -1]], [[[1], 2]]]
NOTES = [
    {"kind": "run", "version": "1", "rank": 0, "ranks": 2, "role": "both", "servers": 0,
     "settings": {"async.memory": 1}},
    {"kind": "file", "path": "/d/a.nc", "format": "cdf2", "writers": [0], "stripe_bytes": 4096, "record_bytes": 400,
     "variables": [{"name": "t", "begin_bytes": 1000, "shape": [10, 10], "dims": ["y", "x"], "type_bytes": 4,
                    "record": True, "chunks": [5, 5]}]},
    {"kind": "domain", "file": "/d/a.nc", "shape": [10, 10], "start": [0, 0], "count": [5, 10], "io_start": [0, 0],
     "io_count": [10, 10], "io_rank": 0, "variables": ["t"]},
    {"kind": "range", "file": "/d/a.nc", "ranges": [[1000, 400]]},
    {"kind": "sends", "file": "/d/a.nc", "to": [[0, 400, 1]]},
    {"kind": "hints", "file": "/d/a.nc", "asked": {}, "used": {"romio_x": "1"}},
    {"kind": "rename", "from": "/d/a.nc.tmp", "to": "/d/a.nc"},
]  # fmt: skip


def with_weird_values(note):
    """The note with each of its values replaced by each of WEIRD, those of its first variable too."""
    for key in note:
        yield from (note | {key: value} for value in WEIRD)
    if note["kind"] == "file":
        variable = note["variables"][0]
        yield from (note | {"variables": [variable | {key: value}]} for key in variable for value in WEIRD)


@pytest.mark.parametrize("hostile", NOTES, ids=lambda note: note["kind"])
def test_notes_of_any_content(tmp_path, hostile):
    for index, changed in enumerate(with_weird_values(hostile)):
        folder = tmp_path / str(index)
        process = Synthetic(folder, 0, 2, producer=layout.LIBRARY)
        with process.within("step", "write", "/d/a.nc", "t", bytes=400):
            process.call("step", "output", 0.5, file="/d/a.nc", bytes=400, offset=1000)
        for note in NOTES:
            process.notes.append((0, 0, json.dumps(changed if note is hostile else note).encode()))
        process.save()
        json.dumps(analyse_run(Run(folder)), allow_nan=False)
