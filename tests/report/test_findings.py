"""Each finding is found where it should be, and nowhere else."""

import cases
import pytest
import runs
from sverdrup.analysis import analyse_run
from sverdrup.trace import Run


def found(folder):
    run = analyse_run(Run(folder))
    return run, {finding["kind"]: finding for finding in run["findings"]}


@pytest.mark.parametrize("case", cases.EXPECTED, ids=lambda case: case.__name__)
def test_finding(tmp_path, case):
    kind, lines = cases.EXPECTED[case]
    run, by_kind = found(case(tmp_path))
    assert kind in by_kind, run["headline"]["sentence"]
    finding = by_kind[kind]
    assert finding["title"] and len(finding["text"]) > 40 and finding["evidence"]
    assert finding["configuration"] is None if lines is None else lines in finding["configuration"]
    assert (finding["configuration"] is None) == (finding["language"] is None)
    low, high = finding["saves_seconds"]
    assert 0 <= low <= high <= run["headline"]["io_seconds"] + 1e-9
    assert high > 0


@pytest.mark.parametrize(
    ("case", "kinds"),
    [
        (cases.nothing, {"nothing"}),
        (cases.servers, {"servers"}),
        (cases.more_servers, {"server_memory"}),
        (runs.served, set()),
        (cases.gather, {"gather", "metadata"}),
        (cases.writers, {"writers", "port", "arrival"}),
        (cases.reading, {"reading"}),
        (cases.prefill, {"prefill"}),
        (cases.reopening, {"reopening"}),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_nothing_else_is_found(tmp_path, case, kinds):
    _, by_kind = found(case(tmp_path))
    assert set(by_kind) <= kinds, by_kind


def test_servers_are_bounded_by_what_the_model_waits_for(tmp_path):
    run, by_kind = found(cases.servers(tmp_path))
    low, high = by_kind["servers"]["saves_seconds"]
    blocked, packing = 6 * (0.02 + 0.2 + 0.002) + 0.002, 6 * 0.02
    assert high == pytest.approx(blocked - packing, rel=0.01)
    assert low < high and run["headline"]["change"] == by_kind["servers"]["id"]


def test_the_headline_names_the_change_that_saves_most(tmp_path):
    run, _ = found(cases.gather(tmp_path))
    first = run["findings"][0]
    assert run["headline"]["change"] == first["id"] == "F1"
    assert all(sum(first["saves_seconds"]) >= sum(each["saves_seconds"]) for each in run["findings"])


def test_nothing_to_gain_is_said_with_its_evidence(tmp_path):
    run, _ = found(cases.nothing(tmp_path))
    assert run["headline"]["change"] is None
    assert "1 ms of 3.0 s" in run["headline"]["nothing_to_gain"]
    assert run["findings"][0]["evidence"][0]["chart"] == "balance"


def test_a_rank_that_comes_late_is_named(tmp_path):
    _, by_kind = found(cases.arrival(tmp_path))
    assert "most often for rank 1" in by_kind["arrival"]["text"]
    assert by_kind["arrival"]["seconds"] == pytest.approx(3 * 0.4, rel=0.05)
