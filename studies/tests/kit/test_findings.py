"""Each finding from made-up results that show it, and from ones that show the contrary; the kept files; a real run."""

import json
import os
import re

import pytest
from conftest import LAUNCHER

from sverdrup_studies.__main__ import main
from sverdrup_studies.findings.bench import Bench, Run, RunError, methods
from sverdrup_studies.findings.catalogue import findings
from sverdrup_studies.findings.chunk_shapes import pieces
from sverdrup_studies.findings.findings_page import findings_page, shortened
from sverdrup_studies.findings.results import measure

ROUNDS = (0.98, 1.0, 1.02)


def made_up(seconds):
    """A bench whose methods take what seconds(run, method) says."""

    def run(what):
        bench.commands.append(what.shown())
        results = []
        for name in what.only:
            rounds = [seconds(what, name) * part for part in ROUNDS]
            phases = {phase: [one / 3 for one in rounds] for phase in ("open", "write", "close")} | {"read": rounds}
            results.append(
                {
                    "name": name,
                    "rounds": rounds,
                    "phase_rounds": phases,
                    "writes": 5,
                    "bytes": 1 << 20,
                    "verified": True,
                }
            )
        return {"benchmark": what.words[0], "case": {"bytes": 1e6 * len(what.words[2])}, "results": results}

    bench = Bench(None, None, rounds=3)

    def plan(words):
        writes = {"row": 7, "ranges": 1}.get(words[-1], 70) if seconds is shown else 7
        return {"totals": {"writes": writes, "writers": 3}, "stripes": {"mean_writers": 2.5}}

    bench.run, bench.plan = run, plan
    return bench


def device(what, name):
    return int(re.search(rf"{name}=(\d+)", what.device)[1])


def writers(what):
    """Of a field, whether by domains or by ranges."""
    said = dict(one.split("=") for one in what.settings)
    if "io_layout" in said:
        x, y = said["io_layout"].split(",")
        return int(x) * int(y)
    return int(said["writers"])


def shown(what, name):
    """The papers' findings."""
    if what.words[0] == "overlap":
        rate = int(what.device[:-4])
        return (
            0.8 + {"no_output": 0, "sverdrup.no_servers": 80, "sverdrup.servers": 70 if rate < 100 else 10}[name] / rate
        )
    if "store=netcdf4_library" in what.settings:
        return 1.0 if what.settings[-1].split("=")[1][0] in "13" else 4.0
    if what.words[0] == "field":
        count = writers(what)
        return abs(count - 4) + 1 if "stripes=" not in what.device else 1 + abs(device(what, "stripes") - count) / count
    if "stripes=" in what.device:
        best = {"ca": 2, "eus": 5, "conus": 11}[what.words[2]]
        return 1 + abs(device(what, "stripes") - best) / best
    costs = {"gather": 8.0, "pnetcdf": what.ranks * what.ranks / 8, "sverdrup.shared": what.ranks * what.ranks / 8}
    return costs.get(name, 4.0 if "row" in name else 16.0 if "column" in name or "pread" in name else 4.0)


@pytest.mark.parametrize("name", findings())
def test_holds_where_it_is_shown(name, tmp_path):
    result = measure(findings()[name], made_up(shown), tmp_path)
    assert (result["error"], result["outcome"]) == (None, "holds"), result["statements"]
    assert result["why"] and result["commands"] and (tmp_path / f"{name}.svg").read_text().startswith("<svg")
    assert json.loads((tmp_path / f"{name}.json").read_text())["outcome"] == "holds"


@pytest.mark.parametrize("name", findings())
def test_does_not_hold_where_the_contrary_is_shown(name, tmp_path):
    def contrary(what, method):
        if what.words[0] == "overlap":  # servers cost most where the device is fast
            costs = {"no_output": 0.0, "sverdrup.no_servers": 1.0}
            return 1 + costs.get(method, 0.9 if what.device == "25MB/s" else 2.0) * 1.0
        return 1 / shown(what, method)

    result = measure(findings()[name], made_up(contrary), tmp_path)
    assert result["outcome"] in ("does not hold", "holds in part") and result["why"], result["statements"]
    text = findings_page([result], "images")
    assert f"## {result['title']}" in text and f"images/{name}.svg" in text and "**no**" in text


@pytest.mark.parametrize("name", findings())
def test_noise_decides_nothing(name, tmp_path):
    import random

    draw = random.Random(7)
    bench = made_up(lambda what, method: 1.0)
    plain = bench.run

    def noisy(what):
        result = plain(what)
        for one in result["results"]:
            one["rounds"] = [draw.uniform(1, 2) for _ in range(9)]
            one["phase_rounds"] = {
                phase: [draw.uniform(1, 2) for _ in range(9)] for phase in ("open", "write", "close", "read")
            }
        return result

    bench.run = noisy
    assert measure(findings()[name], bench, tmp_path)["outcome"] != "holds"


def test_pieces_of_chunks_are_what_was_counted():
    """As the shim counted of HDF5, besides 14 writes of its header: 5414, 7214, 164, 10814, 29."""
    cuts = {(1, 1): 5400, (2, 1): 7200, (3, 1): 150, (4, 1): 10800, (3, 5): 15, (4, 5): 10800}
    assert {cut: pieces((10, 180, 144), (3, 5), cut) for cut in cuts} == cuts


def test_runs_are_kept_and_failures_told(tmp_path, programs_folder, monkeypatch):
    monkeypatch.delenv("OMPI_MCA_io", raising=False)
    bench = Bench(tmp_path / "files", tmp_path / "raw", LAUNCHER, str(programs_folder), tell=lambda text: None)
    what = Run(("mom5",), 4, "1GB/s", ("sverdrup.*",), ("writers=2",), {"SV_TESTING_RANKS_PER_NODE": "2"})
    first = bench.run(what)
    assert first["case"]["ranks"] == 4 and bench.run(what) == first and len(list((tmp_path / "raw").iterdir())) == 1
    assert (
        bench.commands[0]
        == "OMPI_MCA_io=^ompio SV_TESTING_RANKS_PER_NODE=2 mpiexec -n 4 sv-bench mom5 --device 1GB/s"
        " --only 'sverdrup.*' --set writers=2"
    )
    assert first["environment"]["mpi_io"] == "^ompio"
    bench.directory = tmp_path / "elsewhere"  # another file system
    bench.directory.mkdir()
    kept = next((tmp_path / "raw").iterdir())
    kept.write_text(kept.read_text().replace('"verified": true', '"verified": null'))
    assert bench.run(what) == first, "measured again"
    monkeypatch.setenv("OMPI_MCA_io", "ompio")
    assert what.shown().startswith("OMPI_MCA_io=ompio SV_TESTING")
    monkeypatch.delenv("OMPI_MCA_io")
    bench.directory = tmp_path / "files"
    long = [Run(("mom5", "--long" * 60, end), 4) for end in "ab"]
    assert [bench.run(one)["benchmark"] for one in long] and len(list((tmp_path / "raw").iterdir())) == 3
    with pytest.raises(RunError, match="no room in the directory"):
        bench.run(Run(("records",), 2))
    with pytest.raises(RunError, match="SIGKILL"):
        bench.run(Run(("flash",), 2))
    with pytest.raises(RunError, match="set OMPI_MCA_io=ompio"):
        bench.run(Run(("points",), 2))
    with pytest.raises(RunError, match="--ranks allows 64"):
        bench.run(Run(("mom5",), 65))
    assert list((tmp_path / "files").iterdir()) == []


def test_wrong_values_are_no_result():
    with pytest.raises(RunError, match="wrong values in the file of b"):
        methods({"benchmark": "x", "results": [{"name": "a", "verified": True}, {"name": "b", "verified": False}]})


def test_commands_share_a_line_where_one_word_differs():
    commands = ["run -n 2 a --set x=1", "run -n 4 a --set x=1", "run -n 4 a --set x=2", "run -n 4 a --set x=3", "plan"]
    lines = ["run -n 2 a --set x=1  # -n also: 4", "run -n 4 a --set x=2  # --set also: x=3", "plan"]
    assert shortened(commands) == lines
    device = "run --device 1MB/s,stripes={},1ms"
    assert shortened([device.format(1), device.format(2)]) == [device.format(1) + "  # --device also: stripes=2"]
    assert shortened(["a -n 2 b", "a -n 3 c"]) == ["a -n 2 b", "a -n 3 c"], "two words differ"


def test_command_refuses_and_tells(tmp_path, programs_folder, capsys):
    assert main(["findings", "nothing"]) == 2 and "there are: row" in capsys.readouterr().err
    assert main(["findings", "--ranks", "1"]) == 2
    assert main(["findings", "--list"]) == 0 and "Row beats column" in capsys.readouterr().out
    output = tmp_path / "found"
    missing = ["findings", "row", "--bin", str(tmp_path / "none"), "--output", str(output), "--dir", str(tmp_path)]
    assert main(missing) == 1 and "sv-bench is not in" in capsys.readouterr().out
    few = ["findings", "--ranks", "4", "--own-storage", *missing[2:]]
    assert main(few) == 1
    text = capsys.readouterr().err
    assert "writers: left out, because it needs 16 ranks" in text and "servers: left out, because it varies" in text
    assert "serial: Straight writing" in text and "row: left out" in text
    assert main(["findings", "writers", *few[1:3], *missing[2:]]) == 1, "asked for, and not measured"
    written = tmp_path / "docs" / "findings.md"
    written.parent.mkdir()
    assert main([*missing, "--page", str(written)]) == 1
    assert "It was not measured: sv-bench is not in" in written.read_text(encoding="utf-8")


def test_real_run(tmp_path):
    """The findings read the files of sv-bench."""
    folder = os.environ.get("SVERDRUP_TEST_BIN")
    if not folder or not os.path.exists(os.path.join(folder, "sv-bench")):
        pytest.skip("sv-bench is not built")
    bench = Bench(tmp_path / "files", tmp_path / "raw", bin=folder, rounds=3, tell=lambda text: None)
    what = Run(("field", "--shape", "2x16x16"), 2, "100MB/s,0.1ms,targets=4,stripe=4KiB", ("sverdrup.auto", "pnetcdf"))
    for name, one in methods(bench.run(what)).items():
        assert name in what.only and len(one["rounds"]) == 3 and one["writes"] > 0 and one["bytes"] > 0
        if one["phase_rounds"]:
            assert {"open", "write", "close", "read"} <= one["phase_rounds"].keys()
