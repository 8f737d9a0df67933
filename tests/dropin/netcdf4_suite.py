"""netCDF-C's, netCDF-Fortran's and netCDF4-python's tests of netCDF-4, each without and with sv-run.

    netcdf4_suite.py BUILD SOURCE [--python DIRECTORY] [--fortran DIRECTORY] [--ranks N...] [--only REGEX] [--folder DIRECTORY]
                     [--work DIRECTORY] [--limit SECONDS] [--mpi NAME --netcdf PREFIX]

SOURCE: the unpacked source of the installed netCDF-C (Debian: apt-get source netcdf); its tests are built into DIRECTORY of --work,
once: serial ones with libnetcdf.so.19, parallel ones with libnetcdf_mpi and mpicc (libnetcdf-mpi-dev). With --mpi
mpich, mpicc.mpich builds them with Debian's HDF5 for this MPI, mpiexec.mpich starts them, and they use the netCDF that
was installed in PREFIX (Debian has one for Open MPI only). DIRECTORY of --python: the
folder `test` of the source of netCDF4-python, whose files /usr/bin/python3 runs. DIRECTORY of --fortran: where netCDF-Fortran was built
(configure --disable-shared --enable-parallel-tests; make; make -C nf_test4 check TESTS=, and nf03_test4). Prints each test that passes
without sv-run and how it ends with it, and at the end why files were left to netCDF. Fails if a test passes only without sv-run. Of
netCDF-C 4.9.0 these do: tst_atts expects a defect (an attribute that was deleted after nc_enddef stays in the file); tst_parallel5 calls an
internal function of netCDF-C."""
import argparse
import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys

PARALLEL = re.compile(r"tst_(parallel\w*|nc4perf|mode|mpi_parallel|simplerw_coll_r)$")
# Tests of HDF5 itself, of other libraries, or of hours and gigabytes.
LEFT_OUT = re.compile(r"tst_(h_\w+|interops?\d*|interops_dims|large\d?|varsperf|nc4perf|alignment|virtual_datasets|quantize_par|dap|mode)$")
LEFT = re.compile(r"left to netCDF: (.*)")
MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_mpi_yield_when_idle": "1",
       "OMPI_MCA_rmaps_base_oversubscribe": "1"}


def configured(source, work, options):
    """The folder that has the tests' config.h."""
    made = work / "made"
    if not (made / "config.h").exists():
        made.mkdir(parents=True, exist_ok=True)
        hdf5 = f"/usr/lib/{os.uname().machine}-linux-gnu/hdf5/{options.mpi}"
        subprocess.run([source / "configure", f"CC=mpicc.{options.mpi}", f"CPPFLAGS=-I/usr/include/hdf5/{options.mpi}",
                        f"LDFLAGS=-L{hdf5}", "--disable-dap", "--disable-nczarr", "--disable-byterange",
                        "--disable-static"],
                       cwd=made, check=True, stdout=subprocess.DEVNULL)
    return made


def libraries_of(name, prefix):
    """Linker options for a test's netCDF: the one in the folder `prefix`, or Debian's."""
    if prefix:
        return [f"-L{prefix.resolve()}/lib", f"-Wl,-rpath,{prefix.resolve()}/lib", "-lnetcdf"]
    return ["-lnetcdf_mpi"] if PARALLEL.match(name) else ["-l:libnetcdf.so.19"]


def build(source, work, options):
    """Programs, by name; those that this machine cannot build are named."""
    made, programs = configured(source, work, options), work / "bin"
    programs.mkdir(exist_ok=True)
    folders = (made, made / "include", source / "include", source / "nc_test4", source / "nc_test",
               f"/usr/include/hdf5/{options.mpi}")
    flags = ["-DHAVE_CONFIG_H", "-w", "-O1", *(f"-I{each}" for each in folders)]
    found = {}
    for file in sorted((source / "nc_test4").glob("tst_*.c")):
        name = file.stem
        if LEFT_OUT.match(name) or not re.search(options.only, name):
            continue
        program = found[name] = programs / name
        command = [f"mpicc.{options.mpi}", *flags, file, "-o", program, *libraries_of(name, options.netcdf), "-lm"]
        if not program.exists() and subprocess.run(command, capture_output=True).returncode != 0:
            print(f"{name:32} cannot be built here")
            del found[name]
    return found


def run(command, source, folder, limit):
    """Exit status and output of a test in a folder of its own, with the files that tests take for granted."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(source, folder, ignore=lambda _, names: [each for each in names if not each.endswith((".nc", ".cdl", ".py", ".gz"))])
    try:
        done = subprocess.run(command, cwd=folder, env={**os.environ, **MPI}, capture_output=True, text=True, errors="replace", timeout=limit)
    except subprocess.TimeoutExpired:
        return 124, f"takes more than {limit} s"
    return done.returncode, done.stdout + done.stderr


def commands(options, work):
    """(name, command, folder with its files) of each test."""
    source, mpiexec = options.source.resolve(), f"mpiexec.{options.mpi}"
    for name, program in build(source, work, options).items():
        if PARALLEL.match(name):
            for ranks in options.ranks:
                yield f"{name} on {ranks}", [mpiexec, "-n", str(ranks), program], source / "nc_test4"
        else:
            yield name, [program], source / "nc_test4"
    for folder in ("nf_test4", "nf03_test4") if options.fortran else ():
        for program in sorted((options.fortran.resolve() / folder).glob("f*tst_*")):
            if program.suffix or not re.search(options.only, program.name):
                continue
            numbers = options.ranks if "parallel" in program.name else [None]
            for ranks in numbers:
                command = [mpiexec, "-n", str(ranks), program] if ranks else [program]
                yield f"{program.name} on {ranks}" if ranks else program.name, command, program.parent
    if options.python:
        for file in sorted(options.python.resolve().glob("tst_*.py")):
            if re.search(options.only, file.stem) and not LEFT_OUT.match(file.stem):
                yield file.name, ["/usr/bin/python3", file.name], options.python.resolve()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("--python", type=pathlib.Path)
    parser.add_argument("--fortran", type=pathlib.Path)
    parser.add_argument("--mpi", default="openmpi", help="the MPI, by the name that Debian's commands end with")
    parser.add_argument("--netcdf", type=pathlib.Path, help="the folder where netCDF-C for this MPI is installed")
    parser.add_argument("--ranks", type=int, nargs="+", default=[4])
    parser.add_argument("--only", default=".")
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("/dev/shm/netcdf4_suite"), help="where files are written")
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("netcdf4_suite"), help="where programs are built")
    parser.add_argument("--limit", type=float, default=120, help="seconds of each test")
    options = parser.parse_args()
    work, sv_run = options.work.resolve(), options.build.resolve() / "bin/sv-run"
    (work / "output").mkdir(parents=True, exist_ok=True)
    counts, reasons = collections.Counter(), collections.Counter()
    for name, command, source in commands(options, work):
        if run(command, source, options.folder, options.limit)[0] != 0:
            outcome = "fails without sv-run"
        else:
            status, output = run([sv_run, *command], source, options.folder, options.limit)
            reasons.update(LEFT.findall(output))
            outcome = "passes" if status == 0 else f"FAILS with sv-run: exit status {status}"
            if status != 0:
                (work / "output" / name.replace(" ", "_")).write_text(output)
        counts[outcome.split(":")[0]] += 1
        print(f"{name:32} {outcome}", flush=True)
    shutil.rmtree(options.folder, ignore_errors=True)
    print(", ".join(f"{count} {outcome}" for outcome, count in counts.items()))
    for reason, count in reasons.most_common():
        print(f"  {count:4} files left to netCDF: {reason}")
    sys.exit(counts["FAILS with sv-run"] > 0)


if __name__ == "__main__":
    main()
