"""The history of a serial model by itself and by sv-run: the same bytes. When the disk fails, the program gets an error,
for each write and synchronisation; a file that is reported as complete is complete."""
import argparse
import json
import os
import pathlib
import resource
import subprocess
import time

parser = argparse.ArgumentParser()
for name in ("run", "program", "library", "shim"):
    parser.add_argument(f"--{name}", required=True)
arguments = parser.parse_args()
place = pathlib.Path("history")
place.mkdir(exist_ok=True)


def history(name, *options, dropped_in=True, before=None, **variables):
    path = place / name
    path.unlink(missing_ok=True)
    head = [arguments.run, "-q"] if dropped_in else []
    done = subprocess.run([*head, arguments.program, str(path), *options], env={**os.environ, **variables}, capture_output=True, text=True,
                          timeout=60, preexec_fn=before)
    return path, done


def check_bytes():
    for options in (("20", "6", "0", "pad"), ("20", "6", "0", "grow")):
        theirs, done = history("theirs.nc", *options, dropped_in=False)
        assert done.returncode == 0, done.stderr
        ours, done = history("ours.nc", *options)
        assert done.returncode == 0, done.stderr
        assert theirs.read_bytes() == ours.read_bytes(), f"{options}: the files differ"


def check_threadless():
    """Where the system gives no thread, since there is no room for its stack, the calls write."""
    theirs, done = history("theirs.nc", "20", "6", "0", "grow", dropped_in=False)
    assert done.returncode == 0, done.stderr
    wide = lambda: resource.setrlimit(resource.RLIMIT_STACK, (1 << 46, resource.RLIM_INFINITY))
    ours, done = history("ours.nc", "20", "6", "0", "grow", before=wide)
    assert done.returncode == 0, done.stderr
    assert theirs.read_bytes() == ours.read_bytes(), "without threads, the files differ"


def check_counts():
    """Every byte is written once, and none is read: netCDF-C writes them twice, and reads them once."""
    path, done = history("counted.nc", "20", "6", "0", "pad", LD_PRELOAD=arguments.shim, SV_SHIM_DIR=str(place.resolve()),
                         SV_SHIM_COUNTS="counts.json")
    assert done.returncode == 0, done.stderr
    counts = json.loads(pathlib.Path("counts.json").read_text(encoding="utf-8"))
    written = sum(counts[name]["bytes"] for name in ("write", "pwrite", "writev", "pwritev"))
    read = sum(counts[name]["bytes"] for name in ("read", "pread", "readv", "preadv"))
    assert written < 1.02 * path.stat().st_size and read == 0, counts


def check_faults():
    whole, done = history("whole.nc", "20", "6", "0", "pad")
    assert done.returncode == 0, done.stderr
    wanted = whole.read_bytes()
    heard = 0
    for kind in ("enospc", "eio", "short"):
        for number in (1, 2, 3, 5, 8, 12, 20):
            path, done = history("fault.nc", "20", "6", "0", "pad", LD_PRELOAD=arguments.shim, SV_INJECT=f"{kind}@{number}",
                                 SV_INJECT_DIR=str(place.resolve()))
            assert done.returncode in (0, 3), f"{kind}@{number}: {done.returncode}\n{done.stderr}"
            if done.returncode == 0:
                assert path.read_bytes() == wanted, f"{kind}@{number}: success was reported, but the file differs"
            heard += done.returncode == 3
            if kind == "enospc" and done.returncode == 3:
                assert "No space left" in done.stderr, done.stderr
    path, done = history("fault.nc", "20", "6", "0", "pad", LD_PRELOAD=arguments.shim, SV_INJECT="fsync@1", SV_INJECT_DIR=str(place.resolve()),
                         SV_DURABILITY="on_disk")
    assert done.returncode == 3 and "nc_sync" in done.stderr, done.stderr
    assert heard >= 8, f"only {heard} faults were heard of"
    print(f"{heard} faults were reported")


def check_kill():
    """Data that were synchronised before a kill are there: half of the records."""
    path = place / "killed.nc"
    path.unlink(missing_ok=True)
    child = subprocess.Popen([arguments.program, str(path), "20", "6", "0.3", "pad"],
                             env={**os.environ, "LD_PRELOAD": arguments.library})
    limit = time.monotonic() + 40  # the count follows the fourth record, when the program synchronises
    while not path.exists() or path.read_bytes()[:8] != b"CDF\x02\0\0\0\x04":
        assert child.poll() is None and time.monotonic() < limit, "nothing was synchronised"
        time.sleep(0.02)
    child.kill()
    child.wait()
    header = subprocess.run(["ncdump", "-h", str(path)], capture_output=True, text=True, check=True).stdout
    assert "(4 currently)" in header, header
    values = subprocess.run(["ncdump", "-v", "time", str(path)], capture_output=True, text=True, check=True).stdout
    assert "time = 0.5, 1.5, 2.5, 3.5 ;" in values, values


for check in (check_bytes, check_threadless, check_counts, check_faults, check_kill):
    check()
