"""Each piece of advice (analysis/advice) is given where it should be, and nowhere else."""

import os
import subprocess
import sys
from pathlib import Path

import cases
import pytest
import runs
from sverdrup.analysis import analyse, analyse_run
from sverdrup.analysis.advice import own_costs
from sverdrup.page import render
from sverdrup.trace import Run
from synthetic import Synthetic

PYTHON = Path(__file__).parents[2] / "python"


def found(folder):
    run = analyse_run(Run(folder))
    return run, {advice["kind"]: advice for advice in run["findings"]}


@pytest.mark.parametrize("case", cases.EXPECTED, ids=lambda case: case.__name__)
def test_advice(tmp_path, case):
    kind, lines = cases.EXPECTED[case]
    run, by_kind = found(case(tmp_path))
    assert kind in by_kind, run["headline"]["sentence"]
    advice = by_kind[kind]
    assert advice["title"] and len(advice["text"]) > 40 and advice["evidence"]
    assert advice["configuration"] is None if lines is None else lines in advice["configuration"]
    assert (advice["configuration"] is None) == (advice["language"] is None)
    low, high = advice["saves_seconds"]
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
        (cases.syncing, {"syncing", "port"}),
        (cases.writers, {"writers", "port", "arrival"}),
        (cases.reading, {"reading"}),
        (cases.prefill, {"prefill"}),
        (cases.reopening, {"reopening", "port"}),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_nothing_else_is_found(tmp_path, case, kinds):
    _, by_kind = found(case(tmp_path))
    assert set(by_kind) <= kinds, by_kind


def test_threads_and_servers_are_bounded_by_what_the_model_waits_for(tmp_path):
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
    assert "1 ms of 3 s" in run["headline"]["nothing_to_gain"]
    assert run["findings"][0]["evidence"][0]["chart"] == "balance"


def test_nothing_to_gain_stands_on_the_page_once(tmp_path):
    found = analyse([Run(cases.nothing(tmp_path))])
    assert render(found).count(found["runs"][0]["headline"]["nothing_to_gain"]) == 1


def test_a_file_of_sverdrup_that_is_opened_again_and_again_is_better_growing(tmp_path):
    """Kept open, its records can be read while it grows; no other line is needed."""
    _, by_kind = found(cases.with_sverdrup(cases.reopening(tmp_path)))
    assert by_kind["reopening"]["configuration"] == "kind: growing\n"
    assert "Keep the file open" in by_kind["reopening"]["text"]


def test_cdf5_is_not_advised_for_a_compressed_file(tmp_path):
    cases.metadata(tmp_path)
    process = Synthetic(tmp_path, 0, 2, pid=77)
    process.call("netcdf", "nc_def_var_deflate", 0.001, file=cases.FILE, variable="t")
    process.save()
    assert "metadata" not in found(tmp_path)[1]


def test_lines_are_in_the_language_of_the_program(tmp_path):
    program = tmp_path / "model"
    fortran = (b"\x7fELF libnetcdff.so.7", "fortran", "nf90_create")
    for content, language, line in (fortran, (b"\x7fELF", "c", "nc_create")):
        program.write_bytes(content)
        for process in Run(cases.metadata(tmp_path)).processes:
            header = bytearray(process.path.read_bytes())
            header[160:416] = str(program).encode().ljust(256, b"\0")
            process.path.write_bytes(header)
        advice = found(tmp_path)[1]["metadata"]
        assert advice["language"] == language and line in advice["configuration"]


def test_a_rank_that_comes_late_is_named(tmp_path):
    _, by_kind = found(cases.arrival(tmp_path))
    assert "most often for rank 1" in by_kind["arrival"]["text"]
    assert by_kind["arrival"]["seconds"] == pytest.approx(3 * 0.4, rel=0.05)


def test_nothing_to_gain_is_not_said_where_one_rank_writes_for_all(tmp_path):
    """As ROMS: rank 0 gathers each of four variables, then puts it; the I/O itself is 1.6 % of the run."""
    for rank in range(4):
        process = Synthetic(tmp_path, rank, 4)
        process.mpi_start()
        for _ in range(5):
            process.compute(1.0)
            for variable in "uvts":
                process.compute(0.013)  # gathering, which is not recorded outside of I/O calls
                if rank == 0:
                    with process.within("netcdf", "nc_put_vara_float", "/scratch/his.nc", variable, bytes=1 << 20):
                        process.call("posix", "pwrite64", 0.0044, file="/scratch/his.nc", bytes=1 << 20, offset=0)
                else:
                    process.compute(0.0044)
        process.mpi_end()
        process.save()
    run, by_kind = found(tmp_path)
    assert run["headline"]["io_share"] == pytest.approx(0.0164, abs=0.0005)
    assert "nothing" not in by_kind and run["headline"]["nothing_to_gain"] is None
    advice = by_kind["gather"]
    whole = 5 * 4 * (0.013 + 0.0044)  # 6.5 % of the run
    assert advice["seconds"] == pytest.approx(whole, rel=0.01) and "(6.5 % of the run)" in advice["text"]
    assert advice["saves_seconds"][1] <= whole and run["headline"]["change"] == advice["id"]


def test_computing_between_outputs_is_no_gathering(tmp_path):
    run, by_kind = found(cases.gather(tmp_path))
    assert by_kind["gather"]["seconds"] == pytest.approx(run["headline"]["io_seconds"])


def lists_of_cells(directory, segments, wait_s=1.2, piece=8 << 20):
    """As E3SM-IO: a request of very many single cells, and a wait in which they are written."""

    def work(process, rank):
        process.call("pnetcdf", "ncmpi_create", 0.001, file=cases.FILE)
        place = dict(bytes=4 * segments, requests=segments)
        process.call("pnetcdf", "ncmpi_iput_varn_float", 0.2, file=cases.FILE, variable="t", **place)
        with process.within("pnetcdf", "ncmpi_wait_all", cases.FILE):
            process.compute(wait_s)
            process.call("posix", "pwrite64", 0.01, file=cases.FILE, bytes=piece, offset=piece * rank)

    return cases._ranks(directory, 4, work)


def test_port_counts_what_sverdrup_itself_costs(tmp_path):
    took = 0.001 + 0.2 + 1.2 + 0.01
    _, few = found(lists_of_cells(tmp_path / "few", 1000))
    calls = own_costs.CONTEXT_S + own_costs.FILE_S + own_costs.PUT_S + 1000 * own_costs.SEGMENT_S
    copying = 4 * (8 << 20) * own_costs.BYTE_S / 4  # four ranks, each on a core as far as is known
    least, own = 0.01, calls + copying
    low, high = few["port"]["saves_seconds"]
    assert high == pytest.approx(took - least - own, abs=0.001)
    assert low == pytest.approx(took - 2 * (least + own), abs=0.001)
    _, many = found(lists_of_cells(tmp_path / "many", 2_000_000))
    assert many["port"]["saves_seconds"][0] == 0 and many["port"]["saves_seconds"][1] < took / 2
    _, most = found(lists_of_cells(tmp_path / "most", 4_000_000))
    assert "port" not in most


def test_port_counts_the_copies(tmp_path):
    """A program that does nothing but write at the rate of the device cannot write faster than that."""

    def work(process, rank):
        process.call("pnetcdf", "ncmpi_create", 0.001, file=cases.FILE)
        with process.within("pnetcdf", "ncmpi_put_vara_double_all", cases.FILE, "t", bytes=1 << 30):
            process.compute(0.05)  # the exchange
            process.call("posix", "pwrite64", 0.25, file=cases.FILE, bytes=1 << 30, offset=rank << 30)

    _, by_kind = found(cases._ranks(tmp_path, 4, work))
    assert "port" not in by_kind  # copying 4 GiB takes longer than the exchange did


def test_port_names_the_way_that_needs_no_change(tmp_path):
    _, by_kind = found(cases.port(tmp_path))
    assert "sv-run" in by_kind["port"]["configuration"]


def test_port_says_what_it_needs_where_no_rate_is_known(tmp_path):
    _, by_kind = found(lists_of_cells(tmp_path, 1000, piece=1 << 10))
    low, high = by_kind["port"]["saves_seconds"]
    took = 0.001 + 0.2 + 1.2 + 0.01
    assert low == 0 and took - 0.01 < high < took
    assert "the rate of the storage is not known" in by_kind["port"]["text"]
    assert "ROMIO" in by_kind["port"]["text"]


def test_port_advises_no_server_where_no_core_is_spare(tmp_path):
    folder = cases.port(tmp_path)
    for process in Run(folder).processes:
        known = Synthetic(folder, process.rank, process.ranks, pid=process.pid + 5000, parent=process.pid, cores="0-1")
        known.save()
    _, by_kind = found(folder)
    assert "async" not in by_kind["port"]["configuration"]


def test_a_trace_is_always_told_in_the_same_words(tmp_path):
    """Also where functions took equally long: Python gives names another order in each process."""
    program = "import sys; sys.path.insert(0, sys.argv[1]); from sverdrup.analysis import analyse_run; "
    program += "from sverdrup.trace import Run; print(analyse_run(Run(sys.argv[2]))['findings'])"
    command = [sys.executable, "-c", program, str(PYTHON), str(cases.gather(tmp_path))]
    environments = [{**os.environ, "PYTHONHASHSEED": str(seed)} for seed in (1, 2, 3, 4)]
    runs = [subprocess.run(command, env=each, capture_output=True, text=True, check=True) for each in environments]
    texts = {run.stdout for run in runs}
    assert len(texts) == 1
