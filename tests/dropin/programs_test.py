"""Programs of PnetCDF by themselves and by sv-run: the same files, byte by byte, and the report of sv-run."""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import time

parser = argparse.ArgumentParser()
for name in ("run", "mpirun", "model", "dims", "traps", "handle", "real", "library", "header", "shim"):
    parser.add_argument(f"--{name}", required=True)
arguments = parser.parse_args()

CLASSIC, OFFSETS = 0, 0x0200  # that of CDF-5 is longer, and would move the data: PnetCDF leaves old values in between


def launch(ranks, command, dropped_in, **variables):
    head = [arguments.run] if dropped_in else []
    environment = {**os.environ, **variables}
    done = subprocess.run([*head, arguments.mpirun, str(ranks), *command], env=environment, capture_output=True, text=True,
                          timeout=60)
    assert done.returncode == 0, f"{command} on {ranks} ranks: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stderr


def files_of(printed):
    """By path: the lines of sv-run for the files, in their order."""
    return re.findall(r"^  (\S+): (.*)$", printed, flags=re.M)


def check_names():
    """The library has all names of the header, and no others."""
    listed = subprocess.run(["nm", "-D", "--defined-only", arguments.library], capture_output=True, text=True, check=True)
    exported = {line.split()[2].split("@")[0] for line in listed.stdout.splitlines()}
    text = re.sub(r"/\*.*?\*/", "", pathlib.Path(arguments.header).read_text(encoding="utf-8"), flags=re.S)
    assert exported == set(re.findall(r"\bncmpi_\w+(?=\s*\()", text)), "other names than those of the header"
    assert len(exported) > 900


def check_model(ranks, flags):
    theirs, ours = pathlib.Path("theirs.nc"), pathlib.Path("ours.nc")
    for path in (theirs, ours):
        path.unlink(missing_ok=True)
    launch(ranks, [arguments.model, str(theirs), str(flags)], False)
    printed = launch(ranks, [arguments.model, str(ours), str(flags)], True)
    assert "Sverdrup carried 9 of 9 files" in printed, printed
    for path, story in files_of(printed):
        assert re.fullmatch(r"ours\.nc(\.(hole|edge|kept|never))?", path) and story.startswith(f"{ranks} rank"), printed
    for ending in ("", ".kept"):
        same = [pathlib.Path(f"{path}{ending}").read_bytes() for path in (theirs, ours)]
        assert same[0] == same[1], f"{ranks} ranks, flags {flags}: the files *.nc{ending} differ"
    holes = [pathlib.Path(f"{path}.hole").read_bytes() for path in (theirs, ours)]
    rest = holes[1][len(holes[0]):]  # the last record is whole
    assert holes[1].startswith(holes[0]) and not any(rest) and len(rest) < 4, f"{ranks} ranks: the files with holes differ"


def check_left():
    """Files that only PnetCDF supports are left to it whole, and reported."""
    pathlib.Path("left.nc").unlink(missing_ok=True)
    printed = launch(2, [arguments.model, "left.nc"], True, PNETCDF_HINTS="nc_burst_buf=enable")
    assert "Sverdrup carried 0 of 9 files" in printed, printed
    assert [story for _, story in files_of(printed)] == ["left to PnetCDF: the hint nc_burst_buf"] * 9, printed
    assert pathlib.Path("left.nc").exists()


def check_many_dims():
    """More dimensions than Fortran arrays have, in files of both libraries; and records beyond those of the format."""
    def said(what, name, dropped_in):
        done = subprocess.run([*([arguments.run] if dropped_in else []), arguments.mpirun, "1", arguments.dims, what, name], capture_output=True,
                              text=True, timeout=60)
        assert done.returncode == 0, f"{what} {name}: {done.stdout}{done.stderr}"
        return done.stdout, files_of(done.stderr)

    assert said("make", "many_dims.nc", False)[0] == "0\n"
    values, printed = said("read", "many_dims.nc", True)
    assert values == "0 8\n", values
    assert not printed[0][1].startswith("left to"), printed
    assert said("make", "ours.nc", True)[0] == "0\n"
    assert pathlib.Path("ours.nc").read_bytes() == pathlib.Path("many_dims.nc").read_bytes()
    assert said("records", "records.nc", True)[0] == "-36 -57 0\n"  # NC_EINVAL, NC_EEDGE


def check_traps():
    """A program that traps floating-point exceptions dies of none of ours; nor does it of hints that MPI would not take."""
    pathlib.Path("traps.nc").unlink(missing_ok=True)
    hints = f"nc_var_align_size=;nc_num_subfiles={'1' * 300}"
    assert "Sverdrup carried 1 of 1 files" in launch(2, [arguments.traps, "traps.nc"], True, PNETCDF_HINTS=hints)


def check_handle():
    """Functions of PnetCDF that the program has looked up itself: they work, and the file is whole."""
    paths = [pathlib.Path(f"handle.{name}.nc") for name in ("theirs", "ours")]
    for dropped_in, path in enumerate(paths):
        path.unlink(missing_ok=True)
        launch(2, [arguments.handle, arguments.real, str(path)], dropped_in)
    assert paths[0].read_bytes() == paths[1].read_bytes(), "the files that are made by a handle differ"


def check_excluded():
    """A pattern of the configuration leaves files to PnetCDF."""
    pathlib.Path("excluding.yaml").write_text("files:\n  'own*': {take_over: false}\n", encoding="utf-8")
    for name, reason in (("own.nc", True), ("taken.nc", False)):
        pathlib.Path(name).unlink(missing_ok=True)
        printed = files_of(launch(2, [arguments.model, name], True, SV_CONFIG="excluding.yaml"))
        assert [story == "left to PnetCDF: the configuration says take_over: false" for _, story in printed] == [reason] * 9, printed


def check_compared():
    """--compare: two runs in folders of their own, next to this one, and their files."""
    home = pathlib.Path("compared").absolute()
    beside = [home.with_name(f"compared.{kind}") for kind in ("without", "with")]
    for folder in (home, *beside):
        shutil.rmtree(folder, ignore_errors=True)
    home.mkdir()
    (home / "input.txt").write_text("read only\n", encoding="utf-8")
    (home / "large.txt").write_text("linked\n", encoding="utf-8")

    def run(*command, code=0, pairs=1):
        head = [arguments.run, "--compare", "--link", "large*", "--pairs", str(pairs), "--"]
        done = subprocess.run([*head, *command], cwd=home, capture_output=True, text=True, timeout=60)
        assert done.returncode == code, f"{done.returncode}\n{done.stderr}"
        return done.stderr

    def compare(*command, code=0):
        return files_of(run(*command, code=code))

    check_runs(home, beside, run)
    printed = compare(arguments.mpirun, "2", arguments.model, "model.nc")
    assert ("model.nc", "the same bytes") in printed and not any(folder.exists() for folder in beside), printed
    assert [path.name for path in sorted(home.iterdir())] == ["input.txt", "large.txt"], "the folder itself was changed"
    # Where an earlier run has left the same file, it is compared, too.
    subprocess.run([arguments.mpirun, "2", arguments.model, "model.nc"], cwd=home, check=True, capture_output=True, timeout=60)
    printed = compare(arguments.mpirun, "2", arguments.model, "model.nc")
    assert ("model.nc", "the same bytes") in printed and "input.txt" not in dict(printed), printed
    (home / "model.nc").unlink()
    # Several times, with each of the two first in turn; a pair that differs is the last one.
    order = home.with_name("order")
    order.unlink(missing_ok=True)
    notes = "import os; open('../order', 'a').write('with ' if 'LD_PRELOAD' in os.environ else 'without ')"
    printed = run("python3", "-c", notes, pairs=3)
    assert order.read_text() == "without with with without without with ", order.read_text()
    assert re.search(r"without Sverdrup [\d.]+ s \([\d.]+ to [\d.]+\), with it .*: [\d.]+ \(.* to .*\); 3 pairs of runs", printed), printed
    order.unlink()
    run("python3", "-c", notes + "; os._exit('LD_PRELOAD' in os.environ)", pairs=3, code=1)
    assert order.read_text() == "without with " and all(folder.exists() for folder in beside), order.read_text()
    order.unlink()
    for folder in beside:
        shutil.rmtree(folder)
    # One of the runs writes other values: the model, and then a copy of it with a byte turned.
    other = ("import os, subprocess, sys; subprocess.run(sys.argv[1:], check=True); "
             "data = bytearray(open('model.nc', 'rb').read()); data[-40] ^= 1 if 'LD_PRELOAD' in os.environ else 0; "
             "open('model.nc', 'wb').write(data); open('note', 'w').write(os.environ.get('LD_PRELOAD', ''))")
    printed = dict(compare("python3", "-c", other, arguments.mpirun, "2", arguments.model, "model.nc", code=1))
    assert printed["model.nc"].startswith("values of '"), printed
    assert printed["note"].startswith("the bytes differ") and "input.txt" not in printed and "large.txt" not in printed, printed
    assert all((folder / "model.nc").exists() for folder in beside), "runs that differ are kept"
    # Only one of the runs leaves a file that can be read.
    for folder in beside:
        shutil.rmtree(folder)
    printed = dict(compare("python3", "-c", other.replace("data[-40] ^= 1 if", "data[3] ^= 64 if"), arguments.mpirun, "2", arguments.model,
                        "model.nc", code=1))
    assert printed["model.nc"] == "only the one without Sverdrup is a netCDF file", printed
    for folder in beside:
        shutil.rmtree(folder)
    check_links(home, run)


def check_runs(home, copies, run):
    """--compare: readers of the copies, the effect of a signal, and names in the output."""
    home.chmod(0o700)  # no other user may read the copies, either
    run("python3", "-c", "import os; assert os.stat('.').st_mode & 0o777 == 0o700")
    # Neither run takes the signals from the next one; one that is interrupted is the last.
    run("python3", "-c", "import signal; assert signal.getsignal(signal.SIGINT) == signal.default_int_handler", pairs=2)
    run("python3", "-c", "import os; 'LD_PRELOAD' in os.environ or os.kill(os.getpid(), 15)", code=143)
    assert not any(folder.exists() for folder in copies)
    # Signals to sv-run itself: the command gets one that can be caught; the copies go in any case.
    run("python3", "-c", "import os, time; os.kill(os.getppid(), 1); time.sleep(50)", code=129)
    assert not any(folder.exists() for folder in copies)
    run("python3", "-c", "import os; os.kill(os.getppid(), 2); os._exit(7)", code=7)  # as launchers end
    assert not any(folder.exists() for folder in copies)
    run("python3", "-c", "import os; os.kill(os.getppid(), 9)", code=-9)
    end = time.monotonic() + 20
    while any(folder.exists() for folder in copies):
        assert time.monotonic() < end, "the copies of a killed run stay"
        time.sleep(0.02)
    printed = run("python3", "-c", "open('o\x1b[31mx', 'w')")
    assert "o\\x1b[31mx: the same bytes" in printed, printed


def check_links(home, run):
    """--compare: targets of links outside the folder are copied; files of --link are shared, and watched."""
    outside = home.with_name("outside")
    shutil.rmtree(outside, ignore_errors=True)
    outside.mkdir()
    archive = outside / "archive.txt"
    archive.write_text("original\n", encoding="utf-8")
    links = {"absolute.txt": archive, "relative.txt": "../outside/archive.txt", "data": "../outside", "broken": outside / "new.txt",
             "within.txt": home / "input.txt"}
    for name, target in links.items():
        (home / name).symlink_to(target)
    program = ("import os; [open(name, 'a').write('more') for name in ('absolute.txt', 'relative.txt', 'data/archive.txt', 'broken')]; "
               "assert os.path.realpath('within.txt') == os.path.abspath('input.txt')")
    run("python3", "-c", program)
    assert archive.read_text() == "original\n" and os.listdir(outside) == ["archive.txt"], "a run has written into an original"
    (home / "loop").symlink_to("..")
    refused = subprocess.run([arguments.run, "--compare", "--", "true"], cwd=home, capture_output=True, text=True, timeout=60)
    assert refused.returncode == 1 and "a folder that contains it" in refused.stderr, refused.stderr
    assert not home.with_name("compared.without").exists()
    (home / "loop").unlink()
    report = run("python3", "-c", "open('large.txt', 'a').write('more')", code=1)
    assert f"{home}/large.txt: the program has written into this original" in report, report


def check_traced():
    """--trace: the records of sv-trace, and the summary next to them."""
    shutil.rmtree("traces", ignore_errors=True)
    done = subprocess.run([arguments.run, "--trace", "traces", arguments.mpirun, "2", arguments.model, "traced.nc"],
                          capture_output=True, text=True, timeout=100)
    assert done.returncode == 0 and "Sverdrup carried 9 of 9 files" in done.stderr, done.stderr
    assert len(list(pathlib.Path("traces").glob("*.svtrace"))) >= 2, done.stderr  # the launcher, too


def check_faults():
    """Any write fails, on a full disk or otherwise: the program gets the error, or the files are whole."""
    place = pathlib.Path("faults").resolve()
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    launch(2, [arguments.model, str(place / "whole.nc")], True)
    heard = 0
    for fault in ("enospc@1", "enospc@5", "eio@3", "eio@20", "short@4"):
        path = place / "fault.nc"
        path.unlink(missing_ok=True)
        variables = {"LD_PRELOAD": arguments.shim, "SV_INJECT": fault, "SV_INJECT_DIR": str(place)}
        done = subprocess.run([arguments.run, "-q", arguments.mpirun, "2", arguments.model, str(path)], env={**os.environ, **variables},
                              capture_output=True, text=True, timeout=60)
        if done.returncode == 0:
            assert path.read_bytes() == (place / "whole.nc").read_bytes(), f"{fault}: success was reported, but the file differs"
        heard += "model.c:" in done.stderr
    assert heard >= 3, f"only {heard} faults were heard of"


def check_nothing():
    """A program that writes nothing: no file, no message, and no MPI library that it does not have itself."""
    empty = pathlib.Path("empty")
    empty.mkdir(exist_ok=True)
    done = subprocess.run([arguments.run, "true"], cwd=empty, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), done
    assert not list(empty.iterdir())
    done = subprocess.run([arguments.run, "cat", "/proc/self/maps"], cwd=empty, capture_output=True, text=True, timeout=60)
    assert "libsv_run.so" in done.stdout and not re.search("libsverdrup|libmpi", done.stdout), done.stdout


check_names()
for ranks, flags in ((1, CLASSIC), (2, OFFSETS), (4, OFFSETS), (5, CLASSIC)):
    check_model(ranks, flags)
check_left()
check_many_dims()
check_traps()
check_handle()
check_excluded()
check_compared()
check_traced()
check_faults()
check_nothing()
