"""The command `sverdrup report`, started as a user starts it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from sverdrup.cli import main

PACKAGE = Path(__file__).parents[2] / "python"


def sverdrup(*arguments, folder):
    environment = os.environ | {"PYTHONPATH": str(PACKAGE)}
    command = [sys.executable, "-m", "sverdrup", *map(str, arguments)]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def test_json_goes_to_standard_output_and_nothing_else_does(folders, tmp_path):
    run = sverdrup("report", folders["killed"], f"good={folders['pnetcdf']}", "--json", "-", folder=tmp_path)
    assert run.returncode == 0
    report = json.loads(run.stdout)
    assert report["sverdrup_report"] == 1
    assert [each["name"] for each in report["runs"]] == ["killed", "good"]
    assert "rank 3" in run.stderr and not list(tmp_path.iterdir())


def test_the_page_is_written_where_it_was_asked_for(folders, tmp_path, monkeypatch, capsys):
    run = sverdrup("report", folders["served"], "--output", "page.html", "--json", "page.json", folder=tmp_path)
    assert run.returncode == 0, run.stderr
    assert "of the run was I/O" in run.stdout and "page.html, page.json" in run.stdout
    assert (tmp_path / "page.html").read_text().startswith("<!DOCTYPE html>")
    assert json.loads((tmp_path / "page.json").read_text())["runs"][0]["name"] == "served"
    monkeypatch.chdir(tmp_path)
    assert main(["report", str(folders["no_output"])]) == 0
    assert "There is nothing to gain" in capsys.readouterr().out and (tmp_path / "report.html").exists()


def test_a_folder_whose_name_is_no_text(folders, tmp_path):
    name = os.fsdecode(b"run-\xff.svtrace")
    os.symlink(next(iter(folders.values())), tmp_path / name)
    done = sverdrup("report", name, "--output", os.fsdecode(b"page-\xff.html"), folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / os.fsdecode(b"page-\xff.html")).read_text(encoding="utf-8").rstrip().endswith("</html>")


def test_errors_are_one_line_and_a_status(folders, tmp_path, monkeypatch, capsys):
    """The first as a user has it, the others in this process, which is quicker."""
    run = sverdrup("report", "nowhere", folder=tmp_path)
    assert run.returncode == 1 and run.stderr == (
        "sverdrup: nowhere: there is no such folder. Give the folder that sv-trace wrote\n"
    )
    monkeypatch.chdir(tmp_path)
    assert main(["report", str(folders["served"]), "--output", "no/page.html"]) == 1
    error = capsys.readouterr().err
    assert "no/page.html" in error and "Traceback" not in error
    for words, status in ((["report"], 2), (["report", "--help"], 0)):
        with pytest.raises(SystemExit) as ended:
            main(words)
        assert ended.value.code == status
    assert "sv-trace" in capsys.readouterr().out
