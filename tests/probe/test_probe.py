"""`sverdrup probe` with sv-probe, on emulated devices whose parameters are known. Two ranks."""

import json
import os
import pathlib
import signal
import subprocess
import time

import pytest

from sverdrup import cli, programs

MPIRUN = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "mpirun"


def probe(folder, *options: str) -> tuple[int, dict, dict]:
    """Exit status, the keys of the profile as read from its text, and all samples."""
    files = {name: folder / name for name in ("machine.yaml", "samples.json")}
    for path in files.values():
        path.unlink(missing_ok=True)
    storage = folder / "storage"
    storage.mkdir(exist_ok=True)
    words = ["probe", "--ranks", "2", "--dir", str(storage), "--output", str(files["machine.yaml"])]
    words += ["--json", str(files["samples.json"]), "--burst", "0", "--budget", "3", *options]
    status = cli.main(words)
    assert list(storage.iterdir()) == []
    if status:
        return status, {}, {}
    lines = files["machine.yaml"].read_text().splitlines()
    keys = dict(line.split(": ") for line in lines if not line.startswith("#"))
    assert keys.pop("directory") == str(storage) and len(keys.pop("measured")) == len("2026-01-31")
    return status, {key: float(value) for key, value in keys.items()}, json.loads(files["samples.json"].read_text())


def best(keys: dict, samples: dict) -> dict:
    """The keys, rates and the time of a call by their best sample: a busy machine only makes things slower. The
    difference of two times stays the median: a busy machine makes it smaller as well."""
    differences = "lock_seconds", "read_row_seconds"
    for key in samples["keys"]:
        if key["samples"] and key["name"] not in differences:
            keys[key["name"]] = (max if key["unit"] == "bytes/s" else min)(key["samples"])
    return keys


def found(folder, device: str, wanted: dict[str, tuple[float, float]]) -> dict:
    """The keys of the device; of three probes at least one is within the part of the expected value (value, part).
    Without a number of targets, there is one."""
    missed = {}
    for _ in range(3):
        status, keys, samples = probe(folder, "--device", device)
        assert status == 0
        keys = {"targets": 1} | best(keys, samples)
        near = {key: abs(keys.get(key, 0) - value) <= part * value for key, (value, part) in wanted.items()}
        missed = {key: keys.get(key) for key in wanted if not near[key]}
        if not missed:
            return keys
    pytest.fail(f"{device}: {missed}, wanted {wanted}")


def test_a_device_is_found_again(tmp_path):
    rates = "storage_bytes_per_second", "writer_bytes_per_second"
    keys = found(tmp_path, "500MB/s", {rate: (500e6, 0.05) for rate in rates} | {"targets": (1, 0)})
    assert keys["storage_bytes_per_second"] <= 501e6  # a sleeping device is never faster
    assert keys["lock_seconds"] < 2e-3
    # Through netCDF, where it was compiled: a row takes less than a call of the system.
    profile = (tmp_path / "machine.yaml").read_text()
    assert ("read_row_seconds" in keys) != ("# read_row_seconds: not measured: built without netCDF" in profile)
    assert 1e-9 < keys.get("read_row_seconds", 1e-7) < 2e-6


def test_codecs_are_measured_on_a_sample(tmp_path):
    status, keys, samples = probe(tmp_path)
    assert status == 0
    rates = [key for key in keys if key.startswith("codec_") and key.endswith("_1_bytes_per_second")]
    assert "codec_zlib_1_bytes_per_second" in rates or not rates
    for rate in rates:
        codec = rate.removesuffix("_bytes_per_second")
        assert 1e6 < keys[rate] < 1e11 and 1e6 < keys[f"{codec}_node_read_bytes_per_second"] < 1e12
        assert 0.05 < keys[f"{codec}_ratio"] < 0.95
    reported = (tmp_path / "machine.yaml").read_text()
    assert ("values of a smooth field of single precision" in reported) == bool(rates)
    assert 0 <= keys["writer_core_part"] <= 1
    assert ("netcdf4_file_seconds" in keys) == ("netcdf4_variable_seconds" in keys)
    case = [programs.program("sv-plan"), "--shape", "4x64x64", "--predict", str(tmp_path / "machine.yaml")]
    stored = [*case, "--set", "store=netcdf4", "compression=deflate:1"]
    planned = subprocess.run(stored, capture_output=True, text=True, timeout=60)
    assert (planned.returncode == 0) == bool(rates), planned.stderr


def test_cores_turn_between_ranks_where_these_are_more(tmp_path):
    status, keys, samples = probe(tmp_path, "--ranks", "4")
    assert status == 0
    turns = [turn for key in samples["keys"] if key["name"] == "core_turn_seconds" for turn in key["samples"]]
    assert not turns or keys["cores_per_node"] < 4
    assert all(1e-5 < turn < 0.1 for turn in turns)
    profile = str(tmp_path / "machine.yaml")
    plan = [programs.program("sv-plan"), "--shape", "4x64x64", "--ranks", "4", "--predict", profile]
    reported = subprocess.run(plan, capture_output=True, text=True, timeout=60)
    assert reported.returncode == 0, reported.stderr


def test_a_sample_of_a_file(tmp_path, capfd):
    netcdf = pytest.importorskip("netCDF4")
    values = tmp_path / "values.nc"
    with netcdf.Dataset(values, "w") as file:
        for name, length in (("time", None), ("y", 40), ("x", 50)):
            file.createDimension(name, length)
        file.createVariable("same", "f8", ("time", "y", "x"))[0] = 3.0
    status, keys, _ = probe(tmp_path, "--sample", f"{values}:same")
    refused = "built without netCDF-C" in capfd.readouterr().err
    assert refused or status == 0
    assert all(value < 0.05 for key, value in keys.items() if key.startswith("codec_") and key.endswith("_ratio"))
    for sample in (f"{values}:other", f"{tmp_path}/nowhere.nc:same", "values"):
        assert probe(tmp_path, "--sample", sample)[0] == 1
        assert refused or "--sample" in capfd.readouterr().err


def test_a_striped_device_is_found_again(tmp_path, capsys):
    wanted = {
        "storage_bytes_per_second": (447e6, 0.1),  # 16 MiB over four targets, and the latency
        "target_bytes_per_second": (125e6, 0.25),
        "lock_seconds": (10e-3, 0.2),
        "write_seconds": (4e-3, 0.25),
        "targets": (4, 0),
        "stripe_bytes": (1 << 20, 0),
    }
    found(tmp_path, "125MB/s,4ms,targets=4,handover=10ms", wanted)
    profile = str(tmp_path / "machine.yaml")
    plan = [programs.program("sv-plan"), "--shape", "4x64x64", "--ranks", "4", "--predict", profile]
    reported = subprocess.run(plan, capture_output=True, text=True, timeout=60)
    assert reported.returncode == 0, reported.stderr
    assert "predicted" in reported.stdout
    assert "handing over a stripe" in capsys.readouterr().out


def test_a_failure_of_one_rank_is_told_once(tmp_path, capfd, monkeypatch):
    storage = tmp_path / "storage"
    shim = str(programs.program("libsv_shim.so"))
    faults = {"SV_INJECT": "enospc@3", "SV_INJECT_RANK": "1", "SV_INJECT_DIR": str(storage)}
    for name, value in {"LD_PRELOAD": shim, **faults}.items():
        monkeypatch.setenv(name, value)
    assert probe(tmp_path)[0] == 1
    reported = capfd.readouterr().err
    assert reported.count("rank 1 cannot write to it: No space left on device") == 1
    assert "sverdrup probe: sv-probe on 2 ranks: exit status 1" in reported


def test_what_cannot_be_probed_is_refused(tmp_path, capsys):
    missing = str(tmp_path / "missing")
    assert cli.main(["probe", "--dir", missing]) == 1
    assert f"{missing} is not a folder" in capsys.readouterr().err
    assert cli.main(["probe", "--ranks", "0"]) == 2
    assert cli.main(["probe", "--dir", str(tmp_path), "--bin", missing]) == 1
    assert f"sv-probe is not in {missing}" in capsys.readouterr().err


def test_outputs_are_tried_before_measuring(tmp_path, capfd):
    nowhere = str(tmp_path / "nowhere" / "machine.yaml")
    for option in ("--output", "--json", "--page"):
        assert cli.main(["probe", "--dir", str(tmp_path), option, nowhere]) == 1
        reported = capfd.readouterr()
        assert nowhere in reported.err and "once for warming up" not in reported.err and reported.out == ""
    command = [programs.program("sv-probe"), "--dir", tmp_path, "--output", nowhere]
    finished = programs.launch(None, 1, command, 60)
    assert not finished.ok and f"{nowhere}: cannot be written" in finished.errors
    assert "once for warming up" not in finished.errors
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("ending", [[signal.SIGTERM], [signal.SIGTERM, signal.SIGTERM], [signal.SIGKILL]])
def test_a_probe_that_is_ended_leaves_nothing(tmp_path, ending):
    """A launcher that gets two signals, as from timeout and some batch systems, gives its processes no time."""
    program = pathlib.Path(os.environ["SVERDRUP_BIN"]) / "sv-probe"
    command = [MPIRUN, "2", program, "--dir", tmp_path, "--budget", "60", "-q"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as launcher:
        deadline = time.monotonic() + 30
        while not list(tmp_path.glob("*.tmp")) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert list(tmp_path.glob("*.tmp"))
        for number in ending:
            launcher.send_signal(number)
    deadline = time.monotonic() + 30
    while list(tmp_path.iterdir()) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert list(tmp_path.iterdir()) == []
