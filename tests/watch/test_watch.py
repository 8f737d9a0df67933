"""`sverdrup watch`: its lines on files while they are written, and on the ranks of a run."""

import fcntl
import json
import struct
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parents[1] / "python"), str(HERE.parent / "report")]

from sverdrup.cli import main  # noqa: E402
from sverdrup.watch.progress import ABSENT, COMPLETE, RECENT, WRITING, Watched, sample  # noqa: E402
from sverdrup.watch.view import table  # noqa: E402


def write(path, version, records, size=1000):
    head = b"CDF" + bytes([version]) + struct.pack(">Q" if version == 5 else ">I", records)
    path.write_bytes(head.ljust(size, b"x"))


@pytest.mark.parametrize("version", [1, 2, 5])
def test_a_file_from_its_first_record_to_its_name(tmp_path, version):
    file, part = tmp_path / "a.nc", tmp_path / "a.nc.part"
    watched = Watched(file)
    assert watched.look(0.0).state == ABSENT
    for second, records in ((1, 0), (2, 3), (3, 6)):
        write(part, version, records, 1000 * (records + 1))
        now = watched.look(float(second))
        assert (now.state, now.records, now.bytes) == (WRITING, records, 1000 * (records + 1))
    assert watched.last_commit() == 3.0 and watched.rates()[0] == pytest.approx(7000 / 3)
    with part.open("r+b") as opened:
        fcntl.flock(opened, fcntl.LOCK_EX)
        watched.look(3.0)
        part.rename(file)  # a growing file is renamed early
        assert watched.look(3.5).state == WRITING
    assert watched.look(4.0).state == COMPLETE
    text = table([watched], [], 5.0)
    assert "complete" in text and "7 kB" in text


def test_what_is_no_classic_file(tmp_path):
    (tmp_path / "a.nc").write_bytes(b"\x89HDF\r\n\x1a\n")
    assert sample(tmp_path / "a.nc", 0.0).records is None
    (tmp_path / "short.nc").write_bytes(b"CDF")
    assert sample(tmp_path / "short.nc", 0.0).records is None
    write(tmp_path / "streaming.nc", 1, 2**32 - 1)
    assert sample(tmp_path / "streaming.nc", 0.0).records is None


def test_a_growing_file_is_complete_when_it_says_so_or_is_quiet(tmp_path):
    file = tmp_path / "a.nc"
    write(file, 2, 1)
    changed = file.stat().st_mtime
    assert sample(file, changed + 1).state == RECENT and sample(file, changed + 100).state == COMPLETE
    with file.open("r+b") as opened:
        fcntl.flock(opened, fcntl.LOCK_EX)
        assert sample(file, changed + 100).state == WRITING
    (tmp_path / "a.nc.complete").touch()
    assert sample(file, changed + 1).state == COMPLETE


def test_a_zarr_group(tmp_path):
    store = tmp_path / "a.zarr"
    store.mkdir()
    for complete, state in ((False, WRITING), (True, COMPLETE)):
        noted = {"consolidated_metadata": {"netcdf": {"records": 4, "complete": complete}}}
        (store / "zarr.json").write_text(json.dumps(noted))
        assert (sample(store, 0.0).records, sample(store, 0.0).state) == (4, state)


def test_the_command_only_reads(tmp_path, capsys):
    name = "a\x1b[2J.nc"
    write(tmp_path / name, 2, 7)
    (tmp_path / "link.nc").symlink_to(name)
    (tmp_path / name).chmod(0o400)
    before = {path: path.lstat() for path in tmp_path.iterdir()}
    assert main(["watch", str(tmp_path / name), str(tmp_path / "link.nc"), str(tmp_path / "absent.nc"), "--once"]) == 0
    assert {path: path.lstat() for path in tmp_path.iterdir()} == before
    shown = capsys.readouterr().out
    assert shown.count(" 7 ") == 2 and ABSENT in shown and "\x1b" not in shown


def test_who_waits_stands_in_the_terminal_and_on_the_page(tmp_path, capsys):
    from synthetic import Synthetic

    for rank, doing in enumerate(("wait", "wait", "write_file")):
        trace = Synthetic(tmp_path, rank, 3, producer=2)
        trace.begin("step", doing)
        trace.save(ended=False)
    write(tmp_path / "a.nc.part", 2, 1)
    page = tmp_path / "page.html"
    assert main(["watch", str(tmp_path / "a.nc"), "--trace", str(tmp_path), "--page", str(page), "--once"]) == 0
    for text in (capsys.readouterr().out, page.read_text()):
        assert "ranks 0-1: wait for other ranks" in text and "rank 2: write to the file" in text
    assert 'http-equiv="refresh"' in page.read_text()


def test_wrong_arguments():
    for words in (["watch"], ["watch", "a.nc", "--interval", "0"], ["watch", "a.nc", "--interval", "soon"]):
        with pytest.raises(SystemExit):
            main(words)
