"""The kit with stand-ins: a failure stops nothing, finished steps are not repeated, page and archive hold all."""

import json
import os
import re
import signal
import subprocess
import sys
import tarfile
import time

import pytest
from conftest import LAUNCHER, ROOT

from sverdrup import programs
from sverdrup_studies.__main__ import main
from sverdrup_studies.kit import KitError
from sverdrup_studies.kit.kit_page import kit_page
from sverdrup_studies.kit.plan import WORKLOADS, Asked, Step, chosen, fitted, minutes_of, scaled, steps
from sverdrup_studies.kit.running import outcome, run_all
from sverdrup_studies.kit.work import DOES, Work

NAMES = ("field", "mom5", "records", "flash", "pop", "macom", "points", "replay")
STEPS = ",".join(["environment", "probe", *(f"workload-{name}" for name in NAMES)])


def test_times():
    assert [minutes_of(text) for text in ("90", "90min", "1.5h", "30 s")] == [90, 90, 90, 0.5]
    for text in ("", "soon", "0", "-3min"):
        with pytest.raises(KitError, match="--budget"):
            minutes_of(text)


def test_steps_share_the_budget():
    for minutes in (30, 60, 600):
        assert sum(step.minutes for step in steps(minutes)) == pytest.approx(minutes, abs=3)
    assert [step.name for step in chosen(steps(60), "tune, workload-pop")] == ["workload-pop", "tune"]
    with pytest.raises(KitError, match="there is no 'prob'"):
        chosen(steps(60), "prob")


def test_steps_fit_the_budget_or_are_refused(capsys):
    for minutes in (13, 15, 30, 600):
        planned = fitted(steps(minutes), minutes)
        assert sum(step.minutes for step in planned) <= minutes + 1e-6
        assert min(step.minutes for step in planned) >= 0.5
    assert fitted(chosen(steps(5), "probe,tune"), 5)[0].minutes == 0.5
    assert main(["kit", "--dry-run", "--budget", "5min"]) == 2
    reported = capsys.readouterr().err
    assert "5 min is too little for 26 steps" in reported and "--budget 13min or more" in reported
    assert main(["kit", "--dry-run", "--budget", "13min"]) == 0
    assert "13.0 min, of a budget of 13 min" in capsys.readouterr().out


def test_dry_run_lists_and_does_nothing(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["kit", "--dry-run", "--budget", "2h"]) == 0
    reported = capsys.readouterr().out
    assert all(step.name in reported for step in steps(120)) and list(tmp_path.iterdir()) == []
    assert "120.0 min, of a budget of 120 min" in reported
    assert main(["kit", "--budget", "none"]) == 2 and main(["kit", "--ranks", "1"]) == 2
    assert main(["kit", "--nodes", "17"]) == 2 and "--nodes" in capsys.readouterr().err


def test_what_the_kit_needs_is_checked_first(tmp_path, monkeypatch, capsys):
    kit = ["kit", "--steps", "probe", "--budget", "5min", "--output", str(tmp_path / "out")]
    assert main([*kit, "--launcher", "false"]) == 2
    assert "16 ranks of the command 'true' cannot be started" in capsys.readouterr().err
    assert main([*kit, "--launcher", "/no/launcher"]) == 2
    monkeypatch.setattr("sverdrup_studies.kit.needs.find_spec", lambda name: name != "scipy" or None)
    assert main(kit) == 2 and "are missing: scipy" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_scales_follow_the_ranks():
    assert [scaled(1600, ranks) for ranks in (2, 8, 64, 10**6)] == [1600, 1600, 200, 1]


def test_every_workload_is_run_with_options_that_it_has():
    folder = os.environ.get("SVERDRUP_TEST_BIN")
    if not folder or not os.path.exists(os.path.join(folder, "sv-bench")):
        pytest.skip("sv-bench is not built")
    program = programs.program("sv-bench", folder)
    reported = programs.run([program, "--help"], 60).output.partition("Subcommands:")[2]
    assert set(re.findall(r"^  (\w+)", reported, re.MULTILINE)) == set(WORKLOADS)
    for name, workload in WORKLOADS.items():
        known = programs.run([program, name, "--help"], 60).output
        options = [word for word in workload.options.split() if word.startswith("--")]
        for option in [*options, "--scale"] if workload.scale else options:
            assert re.search(rf"{option}\b", known), (name, option)


def test_kit_goes_on_and_keeps_everything(tmp_path, programs_folder, capsys, monkeypatch):
    monkeypatch.delenv("OMPI_MCA_io", raising=False)
    output = tmp_path / "kit"
    words = ["kit", "--bin", str(programs_folder), "--launcher", LAUNCHER, "--ranks", "4", "--dir", str(tmp_path)]
    words += ["--budget", "10min", "--output", str(output), "--steps", STEPS]
    assert main(words) == 1
    there = {step.name: there for step in steps(10) if (there := outcome(output, step))}
    status = {name: one["status"] for name, one in there.items()}
    assert status == {
        "environment": "done",
        "probe": "missing",
        "workload-field": "done",
        "workload-records": "failed",
        "workload-mom5": "done",
        "workload-flash": "failed",
        "workload-pop": "missing",
        "workload-macom": "missing",
        "workload-points": "failed",
        "workload-replay": "done",
    }
    assert (
        "no room in the directory" in there["workload-records"]["why"] and "SIGKILL" in there["workload-flash"]["why"]
    )
    assert "has no workload pop" in there["workload-pop"]["why"]
    assert "set OMPI_MCA_io=ompio" in there["workload-points"]["why"]
    commands = [command for one in there.values() for command in one["commands"] if "sv-bench" in command]
    assert len(commands) == 7 + 6 and all(command.startswith("OMPI_MCA_io=^ompio env RANKS=4 ") for command in commands)
    assert all(os.path.exists(word) for command in commands for word in command.split() if word.endswith(".cdl"))
    assert not list(tmp_path.glob("*.files"))
    large = json.loads((output / "workload-mom5" / "large.json").read_text())
    assert float(large["case"]["scale"]) == 1  # the stand-in takes no time: 1600, 400, 100, 25, 6.25, 1.5625, 1
    first = capsys.readouterr().out
    assert "left out: probe: sv-probe is not in" in first
    assert "workload-pop: missing" in first and "written: " in first

    kept = (output / "workload-field" / "small.json").stat().st_mtime_ns
    (output / "probe" / "curve.svg").write_text("<svg/>", encoding="utf-8")
    assert main(words) == 1
    again = capsys.readouterr().out
    assert again.count("finished earlier") == 4 and "workload-records: failed" in again
    assert (output / "workload-field" / "small.json").stat().st_mtime_ns == kept
    html = (output / "index.html").read_text(encoding="utf-8")
    assert "4 of 10 steps were finished" in html and "&lt;b&gt;pnetcdf" in html and "<b>pnetcdf" not in html
    assert "MPI-IO: ^ompio" in html
    assert "no room in the directory" in html and "data:image/svg+xml" in html
    assert "http:" not in html and "https:" not in html and "<script" not in html
    with tarfile.open(tmp_path / "kit.tar.gz") as packed:
        assert {"kit/index.html", "kit/workload-mom5/large.json", "kit/workload-flash/log.txt"} <= set(
            packed.getnames()
        )


@pytest.fixture
def asked(tmp_path, programs_folder):
    return Asked(LAUNCHER, str(programs_folder), 4, tmp_path, 1.0, tmp_path / "kit")


def test_a_fault_of_ours_costs_one_step(asked, monkeypatch):
    from sverdrup_studies.kit import running

    monkeypatch.setitem(running.DOES, "probe", lambda work: 1 / 0)
    results = run_all(asked, chosen(steps(1), "probe,environment"), lambda text: None)
    assert [one["status"] for one in results] == ["done", "failed"] and "ZeroDivisionError" in results[1]["why"]
    assert "1 of 2 steps were finished" in kit_page(asked, results)


def test_findings_that_need_more_ranks_are_named(asked):
    one = {"title": "Best", "outcome": "holds", "paper": "", "where": "", "claim": "", "pictures": []}
    for folder in ("findings", "findings-own"):
        (asked.output / folder).mkdir(parents=True)
        (asked.output / folder / "stripes.json").write_text(json.dumps(one))
    html = kit_page(asked, [])
    assert html.count("<h3>Left out</h3>") == 2 and "1 of 1 findings" in html
    assert html.count("There is an optimum in writers per node: needs 16 ranks, and --ranks allows 4") == 2
    assert html.count("the device is too slow: needs 5 ranks") == html.count("too slow: varies the emulated") == 1
    assert "Stripes equal to writers are best:" not in html and "falls below one writer:" not in html


def test_an_interruption_is_kept(asked, monkeypatch):
    from sverdrup_studies.kit import running

    def interrupted(work):
        raise KeyboardInterrupt

    monkeypatch.setitem(running.DOES, "probe", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run_all(asked, chosen(steps(1), "probe,environment"), lambda text: None)
    assert outcome(asked.output, chosen(steps(1), "probe")[0])["status"] == "interrupted"


def test_tuning_tries_servers_and_nodes_and_confirms(asked, monkeypatch):
    ran = []
    monkeypatch.setattr(Work, "run", lambda work, command, variables=None: ran.append([str(word) for word in command]))
    wanted = Asked(asked.launcher, asked.bin, 64, asked.directory, 30.0, asked.output, 2)
    step = chosen(steps(30), "tune")[0]
    DOES["tune"](Work(wanted, step, asked.output, asked.directory, 0.0, 0.0))
    words = ran[0][ran[0].index("tune") :]
    said = dict(zip(words[1::2], words[2::2]))
    assert (said["--ranks"], said["--servers"], said["--nodes"]) == ("56", "8", "2")
    assert said["--workload"] == "mom5 --scale 50 --steps 8" and said["--confirm"] == "mom5 --scale 12.5 --steps 8"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_ends_all_processes(tmp_path, programs_folder, number):
    """The kit runs findings, which runs sv-bench, each in a session of its own."""
    started = tmp_path / "started"
    words = ["--bin", str(programs_folder), "--launcher", LAUNCHER, "--ranks", "8", "--dir", str(tmp_path)]
    words += ["--budget", "60min", "--output", str(tmp_path / "kit"), "--steps", "findings"]
    variables = {**os.environ, "PYTHONPATH": str(ROOT / "python"), "SLEEPS_AS": str(started)}
    command = [sys.executable, str(ROOT / "studies/study"), "kit", *words]
    kit = subprocess.Popen(
        command,
        env=variables,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # tests may run with it ignored
    )
    try:
        until = time.monotonic() + 60
        while not (started.exists() and started.read_text()) and time.monotonic() < until:
            time.sleep(0.05)
        bench = int(started.read_text())
        kit.send_signal(number)
        reported = kit.communicate(timeout=60)[0]
    finally:
        kit.kill()
    assert kit.returncode in (130, 143) and "written: " in reported
    step = json.loads((tmp_path / "kit" / "findings" / "step.json").read_text())
    assert step["status"] == "interrupted"
    with pytest.raises(ProcessLookupError):
        os.kill(bench, 0)


def test_time_runs_out(asked, monkeypatch):
    from sverdrup_studies.kit import running

    monkeypatch.setitem(running.DOES, "probe", lambda work: work.run(["sleep", "60"]))
    began = time.monotonic()
    spent = Asked(asked.launcher, asked.bin, 4, asked.directory, 0.0, asked.output)
    assert run_all(spent, steps(1)[:1], lambda text: None)[0]["status"] == "no time left"
    monkeypatch.setattr(running, "_LEAST_SECONDS", 0.3)
    results = run_all(asked, [Step("probe", "probe", "sleeps", 0.001)], lambda text: None)
    assert results[0]["status"] == "failed" and "time limit" in results[0]["why"] and time.monotonic() - began < 10
