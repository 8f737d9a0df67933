"""The command `sverdrup tune`, started as a user starts it, on a program whose time is known and which takes none."""

import json
import os
import re
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "python"
PARSER = os.environ.get("SV_TEST_PARSER")
BENCH = os.environ.get("SV_TEST_BENCH")
SPACE = """\
parameters:
  route: [auto, row, column, shared]
  writers: {values: [auto, 1, 2], only: {route: [row, column]}, ordered: true}
  combine: ["off", step]
  transport.window: [64MiB, 8MiB]
never:
- {combine: step, transport.window: 8MiB}
"""
# A model: its seconds are a function of its configuration, a little uneven; shared does not work. Counts its runs.
MODEL = """\
#!/bin/sh
config=$(cat "$SV_CONFIG")
echo run >> runs
n=$(wc -l < runs)
seconds=200
case $config in *"route: row"*) seconds=120 ;; esac
case $config in *"route: shared"*) echo "model: shared is broken here" >&2; exit 3 ;; esac
case $config in *"combine: step"*) seconds=$((seconds - 20)) ;; esac
[ -e slow ] && [ "$n" -ge 4 ] && sleep 20
echo "{\\"results\\": [{\\"seconds\\": $seconds.$((n * 37 % 10))}]}" > metric.json
"""


def sverdrup(*arguments, folder, start=subprocess.run, **options):
    environment = os.environ | {"PYTHONPATH": str(PACKAGE), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "sverdrup", *map(str, arguments)]
    return start(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
    )


@pytest.fixture
def here(folder, capsys, monkeypatch):
    """As `sverdrup`, within this process, which is quicker."""
    from sverdrup.cli import main

    def run(*arguments):
        monkeypatch.chdir(folder)
        status = main(list(map(str, arguments)))
        return subprocess.CompletedProcess(arguments, status, *capsys.readouterr())

    return run


@pytest.fixture
def folder(tmp_path):
    model = tmp_path / "model"
    model.write_text(MODEL)
    model.chmod(model.stat().st_mode | stat.S_IXUSR)
    (tmp_path / "space.yaml").write_text(SPACE)
    return tmp_path


TUNE = ["tune", "--launcher", "env", "--space", "space.yaml", "--metric", "metric.json:results.0.seconds", "--budget"]


def test_a_program_is_tuned_and_the_result_can_be_used(folder, here):
    words = [*TUNE, "16 runs", "--confirm-ranks", 16, "--confirm-rounds", 3, "--", "./model"]
    done = sverdrup(*words, folder=folder)
    assert done.returncode == 0, done.stderr
    found = json.loads((folder / "tuned" / "tune.json").read_text())
    assert found["recommended"]["settings"]["route"] == "row" and found["gain"]["proven"]
    assert found["confirmed"]["proven"] and found["confirmed"]["ratio"] < 0.65 and "Confirmed" in done.stdout
    lines = (folder / "tuned" / "runs.jsonl").read_text().splitlines()
    stages = [json.loads(line)["stage"] for line in lines[1:]]
    assert len(lines) == 1 + len((folder / "runs").read_text().splitlines())
    assert stages[0] == "start" and len(stages) - stages.count("confirm") <= 16 and stages.count("confirm") == 9
    failed = [run for run in found["runs"] if run["failed"]]
    assert all("shared is broken here" in run["failed"] for run in failed)
    written = (folder / "tuned" / "sverdrup.yaml").read_text()
    assert re.search(r"# own: the default, auto, takes 1\.\d\d times as long .*\nroute: row\n", written)
    if PARSER:
        parsed = subprocess.run([PARSER, folder / "tuned" / "sverdrup.yaml"], capture_output=True, text=True)
        assert parsed.returncode == 0, parsed.stderr
    page = (folder / "tuned" / "tune.html").read_text()
    assert "http:" not in page and "https:" not in page and "<script" not in page and "src=" not in page
    assert page.count("<svg") >= 4 and "route=row" in page
    again = here(*words)
    assert again.returncode == 0 and json.loads((folder / "tuned" / "tune.json").read_text()) == found
    assert len((folder / "runs").read_text().splitlines()) == len(lines) - 1  # nothing ran again


def test_an_interrupted_tuning_tells_what_it_knows_and_goes_on(folder, here):
    words = [*TUNE, "12 runs", "--", "./model"]
    (folder / "slow").touch()  # from the fourth run on
    running = sverdrup(*words, folder=folder, start=subprocess.Popen)
    runs = folder / "runs"
    while running.poll() is None and not (runs.exists() and len(runs.read_text().splitlines()) >= 4):
        time.sleep(0.005)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=20)
    assert running.returncode == 130, err
    assert "interrupted" in out and "default" in out and (folder / "tuned" / "tune.html").exists()
    kept = (folder / "tuned" / "runs.jsonl").read_text()
    (folder / "tuned" / "runs.jsonl").write_text(kept + '{"stage": "sear')  # as a killed process leaves it
    (folder / "slow").unlink()
    done = sverdrup(*words, folder=folder)
    assert done.returncode == 0, done.stderr
    assert (folder / "tuned" / "runs.jsonl").read_text().startswith(kept)
    for more, said in ((["--ranks", 4], "ranks was 8 and is 4"), (["--dir", "other"], "dir was .* and is .*other")):
        other = here(*TUNE, "12 runs", *more, "--", "./model")
        assert other.returncode == 1 and re.search(said, other.stderr) and "--state" in other.stderr


def test_confirming_is_asked_for_afterwards(folder, here):
    """Until then everything says that it was not; the tuned runs are not repeated for it."""
    words = [*TUNE, "16 runs", "--quiet"]
    done = here(*words, "--", "./model")
    written = [(folder / "tuned" / name).read_text() for name in ("sverdrup.yaml", "tune.html")]
    for text in (done.stdout, *written):
        assert "not confirmed at a larger scale; use --confirm" in " ".join(text.replace("#", " ").split())
    before = (folder / "runs").read_text()
    done = here(*words, "--confirm-ranks", 16, "--confirm-rounds", 3, "--", "./model")
    assert done.returncode == 0 and "Confirmed at the larger scale" in done.stdout, done.stderr
    assert len((folder / "runs").read_text().splitlines()) == len(before.splitlines()) + 9


@pytest.mark.parametrize(
    "words, said",
    [
        (["--budget", "5 runs", "--", "true"], "at least 8 runs"),
        (["--budget", "a lot", "--", "true"], "'60 runs', '20min'"),
        (["--budget", "1s", "--launcher", "env", "--", "sleep", "0.2"], r"too small: a run takes [0-9.]+ s"),
        (["--launcher", "nosuch", "--", "true"], "cannot start nosuch"),
        (["--launcher", "env", "--", "./nosuch"], "the default configuration fails.*exit status 127.*nosuch"),
        (
            ["--launcher", "env", "--run-limit", "0.2", "--", "sleep", "9"],
            "the default configuration fails.*time limit",
        ),
        (["--launcher", "env", "--metric", "m.json:a", "--", "true"], "m.json is not there after the run"),
        (
            ["--launcher", "env", "--metric", "m.json:a.b", "--", "sh", "-c", "echo '{\"a\": {}}' > m.json"],
            "no 'b' of 'a.b'",
        ),
        ([], "give either --workload or your own command"),
        (["--device", "1GB/s", "--", "true"], "--device is for workloads"),
        (["--confirm-rounds", "1", "--", "true"], "the noise cannot be estimated from one round"),
        (["--workload", "mom5", "--confirm", "mom5 'x"], "--confirm 'mom5 'x': No closing quotation"),
        (["--nodes", "9", "--", "true"], "--nodes 9 is more than there are ranks"),
        (["--workload", "nosuch", "--bin", "/nonexistent"], "sv-bench is not in /nonexistent"),
        (["--space", "none.yaml", "--", "true"], "none.yaml: No such file"),
        (["--layout", "3x3", "--", "true"], "3x3 does not have 8 ranks"),
    ],
)
def test_what_cannot_be_tuned_is_told(tmp_path, words, said, capsys, monkeypatch):
    """In this process, which is quicker; a failure leaves the status 1 and a message of a line."""
    from sverdrup.cli import main

    monkeypatch.chdir(tmp_path)
    assert main(["tune", "--quiet", *words]) == 1
    error = capsys.readouterr().err
    assert re.search(said, error) and error.startswith("sverdrup tune: ") and "Traceback" not in error


@pytest.mark.skipif(not BENCH, reason="SV_TEST_BENCH names no folder of sv-bench")
def test_a_workload_is_tuned(tmp_path):
    """Two ranks, and as few and small runs as there can be."""
    (tmp_path / "space.yaml").write_text("parameters: {route: [auto, ranges], combine: ['off', step]}\n")
    words = [
        "tune",
        "--workload",
        "field --shape 2x8x8",
        "--ranks",
        2,
        "--repeat",
        1,
        "--budget",
        "8 runs",
        "--bin",
        BENCH,
    ]
    done = sverdrup(*words, "--space", "space.yaml", "--dir", "out", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    found = json.loads((tmp_path / "tuned" / "tune.json").read_text())
    assert found["runs"][0]["key"] == "default" and len(found["runs"][0]["samples"]) == 1
    assert not [run["failed"] for run in found["runs"] if run["failed"]] and not list((tmp_path / "out").glob("*.nc"))
