"""From a real program to the report: the reads and writes of dd, and a killed program."""

import os
import subprocess

import pytest
from sverdrup.analysis import analyse_run
from sverdrup.trace import Run

TRACE = os.environ.get("SV_TEST_TRACE")
pytestmark = pytest.mark.skipif(not TRACE, reason="SV_TEST_TRACE names no sv-trace")


def traced(folder, *command):
    subprocess.run([TRACE, "--quiet", "--output", folder / "run", "--", *command], cwd=folder, check=False)
    return analyse_run(Run(folder / "run"))


def test_what_dd_does_is_what_the_report_tells(tmp_path):
    (tmp_path / "in").write_bytes(bytes(1_000_000))
    run = traced(tmp_path, "dd", "if=in", "of=out", "bs=100000", "status=none")
    counts = {(row["system_call"], row["file"]): (row["calls"], row["bytes"]) for row in run["counts"]}
    assert counts["read", str(tmp_path / "in")] == (11, 1_000_000)
    assert counts["write", str(tmp_path / "out")] == (10, 1_000_000)
    written = next(row for row in run["files"] if row["file"] == "out")
    assert (written["writes"], written["written_bytes"], written["metadata_writes"]) == (10, 1_000_000, 0)
    assert run["ranges"][0]["writers"][0]["ranges"] == [[0, 1_000_000]]
    assert run["problems"] == [] and run["program"] == "dd" and not run["mpi"]


def test_a_process_that_kills_itself_is_a_problem(tmp_path):
    run = traced(tmp_path, "python3", "-c", "import os; open('out', 'w').write('a'); os.kill(os.getpid(), 9)")
    assert any("was killed" in problem["text"] and "python" in problem["text"] for problem in run["problems"])
