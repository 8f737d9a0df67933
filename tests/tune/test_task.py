"""The commands that measure a configuration, and that sv-bench understands them."""

import os
import re
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import yaml
from sverdrup.cli import main
from sverdrup.tune import TuneError, space
from sverdrup.tune.predict import Predictor
from sverdrup.tune.task import METHODS, SAID, Bench, Command, larger

BENCH = os.environ.get("SV_TEST_BENCH")
LOOP = "--compute 1ms"
SMALLEST = {
    "field": "--shape 2x8x6",
    "patterns": "--shape 2x8x6",
    "records": "--vars 2 --records 2 --block 3x4",
    "coll_perf": "--block 3 --vars 2",
    "flash": "--blocks 2",
    "points": "--cells 300 --levels 2 --ownership runs",
    "overlap": f"--steps 2 --bytes 10kB {LOOP}",
    "cfio_loop": "--variables 2 --scale 65536 --loops 2",
    "cfio_throughput": "--variables 2 --scale 65536",
    "macom": "--scale 20000 --levels 2 --ownership runs --steps 2 --outputs 2 --step 1ms",
    "mom5": "--scale 10000 --steps 1",
    "cmaq": "--scale 400 --species 2 --steps 1",
    "pop": f"--scale 100000 --steps 10 {LOOP}",
    "cice": f"--scale 100000 --days 1 {LOOP}",
    "licom": f"--scale 100000 --days 1 {LOOP}",
    "replay": "header.cdl --records 2",
    "segments": "--segments 20",
    "small": "--vars 2 --shape 2x4",
}
HEADER = "netcdf a { dimensions: t = UNLIMITED ; y = 6 ; x = 5 ; variables: float v(t, y, x) ; }"


def bench(text: str, parameters: dict, **more) -> Bench:
    return Bench(
        space.from_entries({"parameters": parameters}, "here"), text.split(), 4, Path("/out"), Path("sv-bench"), **more
    )


def after(option: str, task: Bench, **values: str) -> list[str]:
    """The words after each such option of the command for a configuration."""
    words = task.command(task.space.completed(values), Path("/out/results.json"))
    return [word for before, word in zip(words, words[1:]) if before == option]


def test_how_a_workload_reads_is_always_said():
    reading, servers = {"reading": ["auto", "self", "writers"]}, {"async": ["none", "servers:2"]}
    task = bench("mom5 --steps 1", reading | servers, serves=True)
    assert after("--set", task) == ["reading=auto"] and after("--only", task) == ["sverdrup.auto"]
    assert after("--set", task, reading="writers") == ["reading=writers"]
    assert after("--set", task, **{"async": "servers:2"}) == ["reading=auto"]  # as without, for a fair comparison
    assert after("--only", task, **{"async": "servers:2"}) == ["sverdrup.servers"]
    own = bench("mom5 --steps 1", {"route": ["auto", "row"]})
    assert after("--set", own, route="row") == ["reading=auto", "route=row"]
    assert after("--set", bench("cmaq", {"route": ["auto", "row"]})) == []


def test_who_writes_is_set_where_it_is_more_than_a_number():
    values = {"async": ["none", "servers:2", "threads", "auto:1 per node"]}
    task = bench("cice", values, serves=True)
    task.space = replace(task.space, nodes=2)

    def words(mode):
        return [after(option, task, **{"async": mode}) for option in ("--only", "--servers", "--set")]

    assert words("servers:2") == [["sverdrup.servers"], ["2"], []]
    assert words("threads") == [["sverdrup.no_servers"], ["0"], ["async=threads"]]
    assert words("auto:1 per node") == [["sverdrup.servers"], ["2"], ["async=auto:1 per node"]]
    own = Command(task.space, ["{ranks}", "{servers}", "{settings}"], 4, Path("/out"))
    for mode, made in (("servers:2", ["6", "2"]), ("auto:1 per node", ["6", "2", "async=auto:1 per node"])):
        assert own.command(task.space.completed({"async": mode}), Path("/out/c.yaml")) == made


def test_ready_ranks_and_threads_are_predicted_with_as_many_ranks(tmp_path, monkeypatch):
    task = bench("cfio_loop", {"async": ["none", "servers:1", "threads", "auto:1 per node"]}, serves=True)
    task.folder = tmp_path
    predictor = Predictor(task, Path("sv-plan"), tmp_path / "none.yaml")
    monkeypatch.setattr(predictor, "_case", lambda servers: tmp_path / str(servers))
    monkeypatch.setattr(
        predictor, "_asked", lambda case, wanted: [{"seconds": {"total": 1.0 + int(case.name)}} for _ in wanted]
    )
    seconds = predictor.seconds(task.space.configurations(np.random.default_rng(0)))
    assert list(seconds) == [1, 2, 1, 2]


def test_what_the_words_settle_is_not_tried():
    both = {"reading": ["auto", "writers"], "transport.window": ["64MiB", "8MiB"], "file_system.stripe": ["0", "4MiB"]}
    task = bench("mom5 --set reading=self transport.window=1MiB --steps 1", both)
    assert {each.name: each.values for each in task.space.parameters} == {
        "reading": ("self",),
        "transport.window": ("1MiB",),
        "file_system.stripe": ("0", "4MiB"),
    }
    striped = after("--set", task, **{"file_system.stripe": "4MiB"})
    assert striped == ["reading=self", "file_system.stripe=4MiB"]  # and transport.window=1MiB with the first
    held = larger(task, ["mom5", "--set", "transport.window=2MiB"], 9)
    assert after("--set", held) == ["transport.window=2MiB", "reading=self"] and held.ranks == 9


def test_a_layout_is_handed_on_where_it_is_that_of_all_ranks():
    task = bench("mom5", {"async": ["none", "servers:2"]}, serves=True, layout=(1, 4))
    assert after("--layout", task) == ["1x4"] and after("--layout", task, **{"async": "servers:2"}) == []
    assert after("--layout", larger(task, None, 16)) == []


def test_workloads_that_cannot_be_tuned_so_are_told():
    with pytest.raises(TuneError, match="which method of the workload new is tuned .* --only METHOD"):
        after("--only", bench("new", {"combine": ["off", "step"]}))
    assert after("--only", bench("new --only=mine", {"combine": ["off", "step"]})) == []
    with pytest.raises(TuneError, match="the workload field has no servers"):
        bench("field", {"async": ["none", "servers:1"]})


def test_the_prediction_knows_what_the_words_settle(tmp_path, monkeypatch):
    task = bench("cfio_loop --set async.memory=32MiB", {"combine": ["off", "step"]}, serves=True)
    task.folder = tmp_path
    asked = []
    predictor = Predictor(task, Path("sv-plan"), tmp_path / "none.yaml")
    monkeypatch.setattr(predictor, "_case", lambda servers: tmp_path)
    monkeypatch.setattr(predictor, "_asked", lambda case, wanted: asked.extend(wanted) or [{} for _ in wanted])
    predictor.seconds([{"combine": "off"}, {"combine": "step"}])
    assert asked == [{"async.memory": "32MiB"}, {"async.memory": "32MiB", "combine": "step"}]


def test_reading_is_tried_where_a_workload_reads(capsys):
    for workload, there in (("mom5 --steps 1", True), ("cmaq", False)):
        assert main(["tune", "--print-space", "--workload", workload]) == 0
        assert ("reading" in yaml.safe_load(capsys.readouterr().out)["parameters"]) == there


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("workloads")
    (folder / "header.cdl").write_text(HEADER)
    return folder


def workloads():
    """Those that this sv-bench has: the one of the studies has more."""
    reported = subprocess.run([f"{BENCH}/sv-bench", "--help"], capture_output=True, text=True, timeout=60).stdout
    return re.findall(r"^  ([a-z]\w+) ", re.split("subcommands:", reported, flags=re.IGNORECASE)[1], re.MULTILINE)


@pytest.mark.skipif(not BENCH, reason="SV_TEST_BENCH names no folder of sv-bench")
def test_all_workloads_are_known():
    listed = workloads()
    # `start` and `subsets` write nothing.
    assert set(listed) - {"start", "subsets"} <= set(METHODS) == set(SMALLEST) and set(SAID) <= set(METHODS)


@pytest.mark.skipif(not BENCH, reason="SV_TEST_BENCH names no folder of sv-bench")
@pytest.mark.parametrize("workload", SMALLEST)
def test_each_workload_is_measured_with_servers_and_without(workload, place):
    if workload not in workloads():
        pytest.skip("it is one of the studies")
    words = [str(place / word) if word == "header.cdl" else word for word in SMALLEST[workload].split()]
    serves = len(METHODS[workload]) > 1
    ways = ["none", "servers:1", "threads", "auto:1 per node"]
    parameters = {"combine": ["off", "step"]} | ({"async": ways} if serves else {})
    made = space.from_entries({"parameters": parameters}, "here")
    task = Bench(made, [workload, *words], 2, place, Path(BENCH, "sv-bench"), repeat=1, limit=60, serves=serves)
    for mode in made.parameter("async").values if serves else ("none",):
        run = task.measure(made.completed({"combine": "step", "async": mode}))
        if run.failed and "not compiled" in run.failed:
            pytest.skip(run.failed)
        assert run.failed is None and run.seconds > 0, (mode, run.failed)
    assert not list(place.glob("sv-tune-*"))
