"""Starting programs: whose environment they have, and that nothing of them is left."""

import os
import shutil
import sys
import time
from pathlib import Path

import pytest
from sverdrup import programs

SETTINGS = "OMPI_MCA_pml", "OMPI_MCA_mpi_yield_when_idle", "OMPI_MCA_hwloc_base_binding_policy"
SETTINGS += "PRTE_MCA_rmaps_default_mapping_policy", "HWLOC_PLUGINS_PATH"
MPIRUN = Path(__file__).parents[2] / "scripts" / "mpirun"
# Starts a program in a session of its own, as the commands of sverdrup do, prints its number, and ignores SIGTERM.
STUBBORN = """\
import os, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
inner = subprocess.Popen(["sleep", "60"], start_new_session=True)
open("inner", "w").write(str(inner.pid))
time.sleep(60)
"""


@pytest.fixture
def mpiexec(tmp_path, monkeypatch):
    """A launcher to be found, which starts a rank as it is."""
    path = tmp_path / "mpiexec.openmpi"
    path.write_text('#!/bin/sh\nshift 2\nexec "$@"\n')
    path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    for name in SETTINGS:
        monkeypatch.delenv(name, raising=False)


def seen(launcher: str | None) -> set[str]:
    reported = programs.launch(launcher, 2, ["env"])
    assert reported.ok, reported.reason
    return {line for line in reported.output.splitlines() if line.startswith(SETTINGS)}


def test_settings_of_one_machine_belong_to_the_launcher_that_is_found(mpiexec, monkeypatch):
    assert len(seen(None)) == len(SETTINGS)
    assert seen("env RANKS={ranks}") == set()
    monkeypatch.setenv("OMPI_MCA_pml", "ucx")  # the user's setting wins
    assert "OMPI_MCA_pml=ucx" in seen(None) and seen("env") == {"OMPI_MCA_pml=ucx"}


def test_a_program_of_a_build_gets_the_launcher_of_its_mpi(mpiexec, tmp_path):
    """Two MPIs are installed, and the build is that of the second."""
    folder = tmp_path / "build" / "bin"
    folder.mkdir(parents=True)
    (folder / "model").symlink_to(shutil.which("true"))
    (tmp_path / "mpiexec.mpich").write_text('#!/bin/sh\necho second "$@"\n')
    (tmp_path / "mpiexec.mpich").chmod(0o755)
    cache = folder.parent / "CMakeCache.txt"
    for compiler, output in (("mpicc.mpich", f"second -n 2 {folder}/model"), ("mpicc.absent", ""), ("cc", "")):
        cache.write_text(f"MPI_C_COMPILER:FILEPATH={tmp_path}/{compiler}\nMPI_C_HEADER_DIR:PATH=/mpicc\n")
        for found in (programs.run([MPIRUN, "2", folder / "model"]), programs.launch(None, 2, [folder / "model"])):
            assert found.ok and found.output.strip() == output, (compiler, found)


def test_the_launcher_of_tests_and_demo_has_the_same_settings(mpiexec, monkeypatch):
    def exported() -> set[str]:
        reported = programs.run([MPIRUN, "2", "env"])
        assert reported.ok, reported.reason
        return {line for line in reported.output.splitlines() if line.startswith(SETTINGS)}

    assert exported() == seen(None)
    monkeypatch.setenv("OMPI_MCA_mpi_yield_when_idle", "0")
    monkeypatch.setenv("PRTE_MCA_rmaps_default_mapping_policy", ":pe=2:oversubscribe")
    assert {"OMPI_MCA_mpi_yield_when_idle=0", "PRTE_MCA_rmaps_default_mapping_policy=:pe=2:oversubscribe"} < exported()
    assert exported() == seen(None)


def alive(process: int) -> bool:
    try:
        with open(f"/proc/{process}/stat") as status:
            return status.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_nothing_is_left_of_what_a_program_started(tmp_path, monkeypatch):
    monkeypatch.setattr(programs, "_GRACE", 0.3)
    ended = programs.run([sys.executable, "-c", STUBBORN], 2.0, folder=tmp_path)
    assert ended.timed_out
    inner = int((tmp_path / "inner").read_text())
    until = time.monotonic() + 5
    while alive(inner) and time.monotonic() < until:
        time.sleep(0.01)
    assert not alive(inner)
