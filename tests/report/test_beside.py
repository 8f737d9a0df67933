"""The time that servers take from the computing, and two runs on a page: one has the change that the other needs."""

import pytest
import runs
from sverdrup.analysis import analyse, analyse_run
from sverdrup.analysis.cores import Cores
from sverdrup.analysis.traced_run import TracedRun
from sverdrup.page import render
from sverdrup.trace import Run
from synthetic import Synthetic


def of_kind(run, kind):
    return next((advice for advice in run["findings"] if advice["kind"] == kind), None)


@pytest.mark.parametrize(
    ("lists", "by_host", "crowd"),
    [
        (["0-1", "0-1", "0-1", "0-1"], {"vm": 2}, 2.0),
        (["0", "1", "2", "3,7-8"], {"vm": 6}, 4 / 6),
        ([None, "0-1", "0-1", "0-1"], {"vm": 2}, 2.0),  # those of a host share what one of them may use
        ([None, None, None, None], None, None),
        (["", "x-", "1-y", "-3"], None, None),
    ],
)
def test_ranks_share_the_cores_of_their_host(tmp_path, lists, by_host, crowd):
    for rank, cores in enumerate(lists):
        process = Synthetic(tmp_path, rank, len(lists))
        if cores is not None:
            process.note(kind="cores", may_use=cores)
        process.compute(1)
        process.save()
    cores = Cores(TracedRun(Run(tmp_path)))
    assert (cores.by_host, cores.crowd) == (by_host, crowd)


def test_computing_takes_longer_on_fewer_ranks(tmp_path):
    found = {}
    for name, cores in (("own", "0-3"), ("shared", "0-1"), ("untold", None)):
        found[name] = Cores(TracedRun(Run(runs.synchronous(tmp_path / name, cores=cores))))
    assert found["own"].longer(3.0, 4, 1) == pytest.approx(1.0)  # 3 of 4 ranks on a core each
    assert found["shared"].longer(3.0, 4, 1) == pytest.approx(1.0)  # two thirds of 3 ranks' work on one of 2 cores
    assert found["shared"].longer(3.0, 4, 2) == pytest.approx(0.0)  # 2 ranks on 2 cores, as 4 before
    assert found["untold"].longer(3.0, 4, 1) == pytest.approx(1.0)


def test_servers_are_counted_against_the_cores_they_take(tmp_path):
    saves = {}
    for name, cores in (("spare", "0-7"), ("full", "0-3"), ("shared", "0-2"), ("untold", None)):
        run = analyse_run(Run(runs.synchronous(tmp_path / name, cores=cores)))
        saves[name] = of_kind(run, "servers")["saves_seconds"]
        text = of_kind(run, "servers")["text"]
        assert ("4 ranks ran on 3 cores" in text) == (name == "shared"), text
    work = 2 * 6 * 0.2  # two writers
    assert saves["spare"] == saves["untold"]
    assert saves["full"][1] < saves["spare"][1]
    assert saves["shared"] == pytest.approx([0, max(saves["spare"][1] - work / 3, 0)], abs=0.01)
    # Two writers keep two cores busy already: servers on these cores gain nothing.
    assert of_kind(analyse_run(Run(runs.synchronous(tmp_path / "busy", cores="0-1"))), "servers") is None


def test_more_servers_take_cores_too(tmp_path):
    def more(name, cores):
        folder = runs.served(tmp_path / name, clients=8, servers=1, write_s=0.6, wait_s=0.25, cores=cores)
        return of_kind(analyse_run(Run(folder)), "server_memory")

    spare, full = more("spare", "0-15"), more("full", "0-8")
    computing = spare["saves_seconds"][1], full["saves_seconds"][1]
    assert spare["configuration"] == full["configuration"] == "async: servers:2\n"
    assert 0 < computing[1] < computing[0] and "longer on 7 ranks" in full["text"]


@pytest.fixture
def synchronous(tmp_path):
    return Run(runs.synchronous(tmp_path / "synchronous"))


def test_a_slower_run_with_servers_refutes_the_advice(tmp_path, synchronous):
    served = Run(runs.served(tmp_path / "served", write_s=0.9))
    assert of_kind(analyse_run(synchronous), "servers")["saves_seconds"][1] > 1
    found = analyse([served, synchronous])
    run = found["runs"][1]
    advice = of_kind(run, "servers")
    assert advice["refuted"] and advice["saves_seconds"] == [0, 0] and advice["configuration"] is None
    assert advice["measured"]["run"] == "served" and advice["measured"]["seconds"] == served.seconds
    assert "the run \u201cserved\u201d next to it, with 2 servers, took" in advice["text"]
    assert run["headline"]["change"] != advice["id"]
    page = render(found)
    assert "Largest saving" not in page and "Use 1 server for the output" not in page
    assert page.count("async: servers:1") == 0 and advice["measured"]["text"] in page


def test_a_run_that_only_starts_later_is_told_as_that(tmp_path, synchronous):
    text = {}
    for name, options in (("late", {"write_s": 0.2, "start_s": 1.5}), ("slow", {"write_s": 0.9})):
        served = Run(runs.served(tmp_path / name, **options))
        advice = of_kind(analyse([synchronous, served])["runs"][0], "servers")
        assert advice["refuted"] and served.seconds > synchronous.seconds
        text[name] = advice["measured"]["text"]
    assert "only the start took longer, so a longer run may gain" in text["late"] and "start" not in text["slow"]


def test_a_faster_run_with_servers_takes_the_place_of_the_estimate(tmp_path, synchronous):
    served = Run(runs.served(tmp_path / "served", write_s=0.2))
    run = analyse([synchronous, served])["runs"][0]
    advice = of_kind(run, "servers")
    saved = synchronous.seconds - served.seconds
    assert saved > 0 and not advice["refuted"]
    assert advice["saves_seconds"] == pytest.approx([saved, saved])
    assert advice["configuration"] == "async: servers:2\n" and run["headline"]["change"] == advice["id"]


def test_other_work_refutes_nothing(tmp_path, synchronous):
    longer = Run(runs.served(tmp_path / "longer", write_s=0.9, steps=7))
    advice = of_kind(analyse([synchronous, longer])["runs"][0], "servers")
    assert advice["measured"] is None and not advice["refuted"]
    assert advice["saves_seconds"] == of_kind(analyse_run(synchronous), "servers")["saves_seconds"]


def test_the_fastest_of_threads_and_servers_is_advised(tmp_path, synchronous):
    threads, served = Run(runs.behind(tmp_path / "threads")), Run(runs.served(tmp_path / "served", write_s=0.9))
    advice = of_kind(analyse([synchronous, threads, served])["runs"][0], "servers")
    assert threads.seconds < synchronous.seconds < served.seconds
    assert advice["configuration"] == "async: threads\n" and not advice["refuted"]
    assert advice["title"] == "Let threads write the output while the ranks compute"
    assert "the run \u201cthreads\u201d next to it, with threads, took" in advice["measured"]["text"]
    assert "the run \u201cserved\u201d next to it, with 2 servers, took" in advice["measured"]["text"]
    assert "threads was the fastest, as the models said" in advice["measured"]["text"]
    late = Run(runs.behind(tmp_path / "late", start_s=2.0))
    quick = Run(runs.served(tmp_path / "quick", write_s=0.2))
    advice = of_kind(analyse([synchronous, late, quick])["runs"][0], "servers")
    assert advice["configuration"] == "async: servers:2\n" and advice["title"] == "Use 2 servers for the output"
    assert "servers was the fastest, other than the models said" in advice["measured"]["text"]


def test_nothing_is_compared_if_a_run_without_output_is_slower(tmp_path, synchronous):
    idle = Synthetic(tmp_path / "idle", 0, 1)
    idle.compute(99)
    idle.save()
    served = Run(runs.served(tmp_path / "served", write_s=0.2))
    found = analyse([Run(tmp_path / "idle"), synchronous, served])
    assert of_kind(found["runs"][1], "servers")["measured"] is None
    assert "within the noise" in render(found)


def test_a_run_with_threads_is_not_advised_to_have_some(tmp_path, synchronous):
    threads = Run(runs.behind(tmp_path / "threads"))
    assert of_kind(analyse([threads, synchronous])["runs"][0], "servers") is None


def test_a_thread_takes_a_core_where_none_is_spare(tmp_path):
    saves = {}
    for name, cores in (("spare", "0-7"), ("full", "0-3"), ("shared", "0-2")):
        advice = of_kind(analyse_run(Run(runs.synchronous(tmp_path / name, cores=cores))), "servers")
        best = "async: servers:1\n" if name == "full" else "async: threads\n"  # its thread writes nearly all the time
        assert advice["configuration"] == best, name
        assert "threads, " in advice["text"] and "1 server, " in advice["text"]
        saves[name] = advice["saves_seconds"]
    work, blocked = 2 * 6 * 0.2, 6 * (0.2 + 0.002) + 0.002  # of two writers; without packing
    assert saves["spare"] == pytest.approx([blocked - work / 6, blocked], abs=0.03)  # the last step is waited for
    assert saves["full"][1] == pytest.approx(blocked - work / 4, abs=0.03)
    assert saves["shared"] == pytest.approx([0, blocked - work / 3], abs=0.03)
