"""Files that commands keep: whole or not at all, and through no file that somebody else has put next to them."""

import pytest

from sverdrup_studies.kept import read_json, replace_file, write_json


def test_what_stands_next_to_it_is_left_alone(tmp_path):
    precious = tmp_path / "precious"
    precious.write_text("of somebody else")
    kept = tmp_path / "kept.json"
    (tmp_path / "kept.json.part").symlink_to(precious)
    write_json(kept, {"a": 1})
    write_json(kept, {"a": 2})
    assert read_json(kept) == {"a": 2} and precious.read_text() == "of somebody else"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["kept.json", "kept.json.part", "precious"]


def test_users_stay(tmp_path):
    kept = tmp_path / "kept.json"
    write_json(kept, {})
    (tmp_path / "plain").touch()
    assert kept.stat().st_mode == (tmp_path / "plain").stat().st_mode
    kept.chmod(0o640)
    write_json(kept, {"a": 1})
    assert kept.stat().st_mode & 0o777 == 0o640


def test_a_failure_leaves_the_old_one(tmp_path):
    kept = tmp_path / "kept.json"
    write_json(kept, {"a": 1})

    def fail(partial):
        partial.write_text("half")
        raise RuntimeError

    with pytest.raises(RuntimeError):
        replace_file(kept, fail)
    assert read_json(kept) == {"a": 1} and [each.name for each in tmp_path.iterdir()] == ["kept.json"]
