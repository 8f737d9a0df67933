"""The kit with stand-ins: what fails stops nothing, what is done is not done again, page and archive hold it all."""

import json
import tarfile
import time

import pytest
from conftest import LAUNCHER

from sverdrup import cli
from sverdrup.kit import KitError
from sverdrup.kit.page import page
from sverdrup.kit.plan import Asked, Step, chosen, minutes_of, steps
from sverdrup.kit.running import outcome, run_all

STEPS = "environment,workload-field,workload-mom5,workload-records,workload-flash,workload-pop,probe"


def test_times():
    assert [minutes_of(text) for text in ("90", "90min", "1.5h", "30 s")] == [90, 90, 90, 0.5]
    for text in ("", "soon", "0", "-3min"):
        with pytest.raises(KitError, match="--budget"):
            minutes_of(text)


def test_steps_share_the_budget():
    for minutes in (60, 600):
        assert sum(step.minutes for step in steps(minutes)) == pytest.approx(minutes, abs=3)
    assert [step.name for step in chosen(steps(60), "tune, workload-pop")] == ["workload-pop", "tune"]
    with pytest.raises(KitError, match="there is no 'prob'"):
        chosen(steps(60), "prob")


def test_dry_run_lists_and_does_nothing(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["kit", "--dry-run", "--budget", "2h"]) == 0
    told = capsys.readouterr().out
    assert all(step.name in told for step in steps(120)) and "24.0 min" in told and list(tmp_path.iterdir()) == []
    assert cli.main(["kit", "--budget", "none"]) == 2 and cli.main(["kit", "--ranks", "1"]) == 2


def test_kit_goes_on_and_keeps_everything(tmp_path, programs_folder, capsys):
    output = tmp_path / "kit"
    words = ["kit", "--bin", str(programs_folder), "--launcher", LAUNCHER, "--ranks", "4", "--dir", str(tmp_path)]
    words += ["--budget", "10min", "--output", str(output), "--steps", STEPS]
    assert cli.main(words) == 1
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
    }
    assert (
        "no room in the directory" in there["workload-records"]["why"] and "SIGKILL" in there["workload-flash"]["why"]
    )
    assert "has no workload pop" in there["workload-pop"]["why"]
    assert not list(tmp_path.glob("*.files"))
    large = json.loads((output / "workload-mom5" / "large.json").read_text())
    assert 1 <= float(large["case"]["scale"]) < 100  # the stand-in takes no time: far more fits than 400 lets through
    first = capsys.readouterr().out
    assert "workload-pop: missing" in first and "written: " in first

    kept = (output / "workload-field" / "small.json").stat().st_mtime_ns
    (output / "probe" / "curve.svg").write_text("<svg/>", encoding="utf-8")
    assert cli.main(words) == 1
    again = capsys.readouterr().out
    assert again.count("was done before") == 3 and "workload-records: failed" in again
    assert (output / "workload-field" / "small.json").stat().st_mtime_ns == kept
    html = (output / "index.html").read_text(encoding="utf-8")
    assert "3 of 7 steps were done" in html and "&lt;b&gt;pnetcdf" in html and "<b>pnetcdf" not in html
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
    from sverdrup.kit import running

    monkeypatch.setitem(running.DOES, "probe", lambda work: 1 / 0)
    results = run_all(asked, chosen(steps(1), "probe,environment"), lambda text: None)
    assert [one["status"] for one in results] == ["done", "failed"] and "ZeroDivisionError" in results[1]["why"]
    assert "1 of 2 steps were done" in page(asked.output, results)


def test_an_interruption_is_kept(asked, monkeypatch):
    from sverdrup.kit import running

    def interrupted(work):
        raise KeyboardInterrupt

    monkeypatch.setitem(running.DOES, "probe", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run_all(asked, chosen(steps(1), "probe,environment"), lambda text: None)
    assert outcome(asked.output, chosen(steps(1), "probe")[0])["status"] == "interrupted"


def test_time_runs_out(asked, monkeypatch):
    from sverdrup.kit import running

    monkeypatch.setitem(running.DOES, "probe", lambda work: work.run(["sleep", "60"]))
    began = time.monotonic()
    spent = Asked(asked.launcher, asked.bin, 4, asked.directory, 0.0, asked.output)
    assert run_all(spent, steps(1)[:1], lambda text: None)[0]["status"] == "no time left"
    monkeypatch.setattr(running, "_LEAST_SECONDS", 0.3)
    results = run_all(asked, [Step("probe", "probe", "sleeps", 0.001)], lambda text: None)
    assert results[0]["status"] == "failed" and "time limit" in results[0]["why"] and time.monotonic() - began < 10
