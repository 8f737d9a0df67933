"""The predictions of the papers' equations, compared with sv-plan --predict for an invented machine."""

import json
import subprocess

import pytest

from sverdrup import programs
from sverdrup_studies.consistency import equations

ROWS, COLUMNS, RANKS, STRIPE = 64, 1024, 64, 4096
SIZE = ROWS * COLUMNS * 8.0  # bytes
PLAN = ["--shape", f"1x{ROWS}x{COLUMNS}", "--layout", f"1x{RANKS}", "--per-node", "1", "--stripe", str(STRIPE)]
# Without what equations.py has no term for: packing, latencies, calls.
FREE = {"cores_per_node": 1, "pack_bytes_per_second": 1e18, "memory_bytes_per_second": 1e18}
FREE |= {"message_seconds": 0, "write_seconds": 0, "open_seconds": 0}


def predicted(folder, plan: list[str], message_rate: float, writer_rate: float, shared_rate: float) -> dict:
    """Seconds of the phases, of one round."""
    try:
        program = programs.program("sv-plan")
    except programs.ProgramError as error:
        pytest.skip(str(error))
    rates = {"message_bytes_per_second": message_rate, "writer_bytes_per_second": writer_rate}
    machine = FREE | rates | {"storage_bytes_per_second": shared_rate}
    (folder / "machine.yaml").write_text("".join(f"{key}: {value}\n" for key, value in machine.items()))
    words = [program, *PLAN, *plan, "--predict", "machine.yaml", "--json", "plan.json"]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    found = json.loads((folder / "plan.json").read_text())
    assert found["rounds"]["count"] == 1
    return found["prediction"]["seconds"]


def test_serial_write(tmp_path):
    seconds = predicted(tmp_path, ["--route", "serial"], 2e6, 1e6, 1e18)
    sent = 1 - 1 / RANKS  # the writer does not send its own part, which is too little for equations.py
    assert seconds["transfer"] == pytest.approx(equations.serial_write(SIZE, 1e6, 2e6 / sent))
    assert seconds["write"] == pytest.approx(equations.serial_write(SIZE, 1e6))


@pytest.mark.parametrize("writers", [1, 4, 16])
@pytest.mark.parametrize("shared_rate", [1e18, 3e6, 5e5])
def test_parallel_write(tmp_path, writers, shared_rate):
    plan = ["--route", "ranges", "--writers", str(writers)]
    seconds = predicted(tmp_path, plan, 1e18, 1e6, shared_rate)
    assert seconds["write"] == pytest.approx(equations.parallel_write(SIZE, writers, 1e6, shared_rate))
