"""Errors say what a user wrote as the user wrote it: no lists, mappings or None of Python."""

import json

import pytest
from sverdrup import cli
from sverdrup.tune import TuneError, space, task
from sverdrup.tune.journal import Journal, Run

PYTHON = ("[", "]", "{", "}", "None", "'--")


def plain(text):
    assert not [mark for mark in PYTHON if mark in text], text
    return text


def test_a_journal_of_another_task(tmp_path):
    path = tmp_path / "runs.jsonl"
    before = {"command": ["./ocean", "--days", "1 or 2"], "layout": [8, 15], "workload": None, "ranks": 8}
    Journal(path, before).run("start", {}, lambda one: Run("", {}, 1.0))
    with pytest.raises(TuneError) as error:
        Journal(path, {"command": [], "layout": None, "workload": "mom5 --scale 400", "ranks": 8})
    text = plain(str(error.value))
    assert "command was ./ocean --days '1 or 2' and is not given" in text
    assert "layout was 8x15 and is not given" in text and "workload was not given and is mom5 --scale 400" in text


def test_a_journal_is_cut_and_never_made_anew(tmp_path, monkeypatch):
    path, task = tmp_path / "runs.jsonl", {"ranks": 8}
    Journal(path, task).run("start", {}, lambda one: Run("", {}, 1.0))
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"stage": "scr\xc3')
    monkeypatch.setattr("pathlib.Path.write_text", None)
    assert len(Journal(path, task)._old) == 1 and path.read_bytes() == whole


@pytest.mark.parametrize("content", [b"mine\n", b"mine", b'{"task": 1}\n{}\n', b'{"task": {}}\n\xff\n'])
def test_a_foreign_file_stays_as_it_is(tmp_path, content):
    path = tmp_path / "runs.jsonl"
    path.write_bytes(content)
    with pytest.raises(TuneError, match="not a journal"):
        Journal(path, {"ranks": 8})
    assert path.read_bytes() == content


def test_numbers_that_are_none(tmp_path):
    for words in (["--seed", "-1"], ["--run-limit", "nan"], ["--servers", "-3"]):
        with pytest.raises(SystemExit) as ended:
            cli.main(["tune", "--print-space", *words])
        assert ended.value.code == 2
    (tmp_path / "deep.yaml").write_text("[" * 2000)
    with pytest.raises(TuneError, match="not YAML"):
        space.read(tmp_path / "deep.yaml")


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        ({"parameters": {"writers": {"only": {}}}}, "writers: give 'values', and if need be"),
        ({"parameters": {"writers": {"values": [1], "b": 1, "a": 2}}}, "not 'a', 'b'"),
        ({"parameters": {"writers": [{"a": 1}]}}, "a mapping is no value"),
        ({"parameters": {"writers": [1]}, "never": ["x"]}, "never: x is no parameter with its values"),
        ({"parameters": {"writers": {"values": [1], "only": ["x"]}}}, "only: x is no parameter with its values"),
    ],
)
def test_a_space_that_is_none(entries, said):
    with pytest.raises(TuneError) as error:
        space.from_entries(entries, "space.yaml")
    assert said in plain(str(error.value))


@pytest.mark.parametrize(
    ("content", "path", "said"),
    [
        ({"results": [1, 2]}, "results.7", "has no '7' of 'results.7'; there is: a list of 2"),
        ({"results": [1, 2]}, "results", "'results' is a list of 2, not seconds"),
        ({"a": {"b": 1}}, "a", "'a' is an object with b, not seconds"),
        ({"a": None}, "a", "'a' is null, not seconds"),
    ],
)
def test_a_metric_that_is_no_number(tmp_path, content, path, said):
    file = tmp_path / "run.json"
    file.write_text(json.dumps(content))
    with pytest.raises(TuneError) as error:
        task.metric(file, path)
    assert said in plain(str(error.value))
