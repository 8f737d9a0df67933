"""A tuning that a batch system ends: SIGTERM, to a real process."""

import json
import signal
import subprocess
import time

from test_command import TUNE, folder, sverdrup  # noqa: F401
from test_programs import alive

# As a model that runs too long, and whose ranks do not end with it: prints the number of one.
LONG = """\
sleep 30 &
echo $! > number
wait
"""


def wait_for(path, process):
    until = time.monotonic() + 20
    while process.poll() is None and not path.exists() and time.monotonic() < until:
        time.sleep(0.01)
    time.sleep(0.1)  # the number is written, too


def test_the_time_of_a_job_is_up(folder):  # noqa: F811
    model = folder / "model"
    model.write_text(model.read_text() + f'[ "$n" -ge 4 ] || exit 0\n{LONG}')
    running = sverdrup(*TUNE, "12 runs", "--", "./model", folder=folder, start=subprocess.Popen)
    wait_for(folder / "number", running)
    running.send_signal(signal.SIGTERM)
    running.send_signal(signal.SIGTERM)  # some systems send it twice
    out, err = running.communicate(timeout=30)
    assert running.returncode == 130, err
    assert "interrupted" in out and (folder / "tuned" / "tune.html").exists()
    kept = json.loads((folder / "tuned" / "tune.json").read_text())["runs"]
    assert len(kept) == len((folder / "runs").read_text().splitlines()) - 1 >= 3  # all but the one that was ended
    assert not alive(int((folder / "number").read_text()))


def test_a_command_that_is_ended_ends_its_ranks(tmp_path):
    """`sverdrup probe`, which has nothing to keep."""
    probe = tmp_path / "sv-probe"
    probe.write_text(f"#!/bin/sh\n{LONG}")
    probe.chmod(0o755)
    words = ["probe", "--dir", ".", "--bin", ".", "--launcher", "env"]
    running = sverdrup(*words, folder=tmp_path, start=subprocess.Popen)
    wait_for(tmp_path / "number", running)
    running.send_signal(signal.SIGTERM)
    _, err = running.communicate(timeout=30)
    assert running.returncode == 130 and err == "sverdrup: interrupted\n"
    assert not alive(int((tmp_path / "number").read_text()))
