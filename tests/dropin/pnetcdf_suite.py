"""PnetCDF's own tests under sv-run, on 1 and 4 ranks; failed tests are run with PnetCDF alone, too.

    pnetcdf_suite.py BUILD SOURCE [--ranks 1,4] [--only REGEX] [--folder DIRECTORY] [--work DIRECTORY]

SOURCE: the unpacked source of the PnetCDF that is installed (Debian: apt-get source pnetcdf), whose test programs are built into
DIRECTORY of --work, once. Variables of Sverdrup are handed on: nc_test, nf_test and nf90_test open a file for reading that they are
writing, which they can with SV_KIND=growing."""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys

FOLDERS = ("C", "F90", "testcases", "nonblocking", "header", "cdf_format", "largefile", "fandc")
# These write files of many GB, or are no tests by themselves.
SKIPPED = {"largefile.large_files", "largefile.large_var", "largefile.bigrecords", "largefile.tst_flarge", "testcases.redef1",
           "fandc.fixedform", "fandc.freeform"}
# By themselves on one rank only, as PnetCDF's make does it.
ALONE = re.compile(r"nc_test\.|nf_test\.|nf90_test\.")
FORMATS = {"nc_test.nc_test", "nf_test.nf_test", "nf90_test.nf90_test"}

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("build", type=pathlib.Path)
parser.add_argument("source", type=pathlib.Path)
parser.add_argument("--ranks", default="1,4")
parser.add_argument("--only", default=".")
parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("/dev/shm/pnetcdf_suite"), help="where files are written")
parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("pnetcdf_suite"), help="where programs are built")
arguments = parser.parse_args()

tests = arguments.source.resolve() / "test"
work, build = arguments.work.resolve(), arguments.build.resolve()
mpirun = pathlib.Path(__file__).resolve().parents[2] / "scripts/mpirun"
made = work / "made"
programs = work / "bin"
includes = [f"-I{tests / each}" for each in ("common", "nc_test", "../src/include", "../src/drivers/include")] + [f"-I{made}"]
# The settings of PnetCDF's configure that the tests use.
HEADERS = {
    "config.h": "",
    "nctypes.h": "typedef signed char schar;\ntypedef unsigned char uchar;\ntypedef long long longlong;\ntypedef unsigned long long ulonglong;\n",
    "mpinetcdf_impl.h": "#include <mpi.h>\n#define FORTRAN_API\n#define FORT_CALL\n#define F77_NAME_LOWER_USCORE\n",
    "mpifnetcdf.h": "",
}
defines = ["-DHAVE_DECL_MPI_OFFSET", "-DRELAX_COORD_BOUND", "-DERANGE_FILL"]
C = ["mpicc.openmpi", "-O1", "-w", *defines, *includes, "-include", "nctypes.h"]
FORTRAN = ["mpif90.openmpi", "-O1", "-w", "-fallow-argument-mismatch", "-DRELAX_COORD_BOUND", "-DHAVE_F77_INT1", f"-J{made}", *includes, "-I/usr/include/x86_64-linux-gnu",
           "-I/usr/lib/x86_64-linux-gnu/fortran/gfortran-mod-15"]


def run(command, **more):
    done = subprocess.run([str(each) for each in command], capture_output=True, text=True, **more)
    if done.returncode != 0:
        print(f"{' '.join(str(each) for each in command)}\n{done.stderr[-2000:]}", file=sys.stderr)
    return done


def expanded(path, ending):
    """The output of m4."""
    to = made / path.parent.name / (path.stem + ending)
    to.parent.mkdir(exist_ok=True)
    to.write_text(run(["m4", "-DPNETCDF", "-DHAVE_F77_GNU_INT", f"-I{tests.parent / 'm4'}", path]).stdout)
    return to


def sources():
    """(name, source) of the programs that are one file."""
    for folder in FOLDERS:
        for path in sorted((tests / folder).iterdir()):
            if path.suffix == ".m4":
                path = expanded(path, ".c")
            if path.suffix in (".c", ".f", ".F", ".f90", ".F90"):
                yield f"{folder}.{path.stem}", path
    for name in "t_nc tst_misc tst_norm tst_small tst_names tst_atts3 tst_atts tst_nofill".split():
        yield f"nc_test.{name}", tests / "nc_test" / f"{name}.c"


def build_one(name, path):
    to = programs / name
    if to.exists() or name in SKIPPED:
        return
    is_c = path.suffix == ".c"
    objects = [made / "testutils.o"] if is_c else [made / "testutilsf.o", made / "testutils.o"]
    run([*(C if is_c else FORTRAN), path, *objects, "-o", to, "-lpnetcdf", "-lm"])


def build_large():
    """The programs of many files."""
    if not (programs / "nc_test.nc_test").exists():
        expanded(tests / "nc_test/tests.h.m4", "")
        parts = [expanded(tests / f"nc_test/test_{each}.m4", ".c") for each in "get put iget iput read write".split()]
        own = [tests / f"nc_test/{each}.c" for each in ("nc_test", "error", "util")]
        run([*C, f"-I{made / 'nc_test'}", *own, *parts, made / "testutils.o", "-o", programs / "nc_test.nc_test", "-lpnetcdf", "-lm"])
    for folder, ending in (("nf_test", ".F"), ("nf90_test", ".F90")):
        to = programs / f"{folder}.{folder}"
        if to.exists():
            continue
        text = (tests / folder / "tests.inc.in").read_text()
        values = {"NF_INT1_T": "integer*1", "NF_INT2_T": "integer*2", "NF_INT8_T": "integer*8", "PNF_X_INT8_MIN": "(-9223372036854775807_8-1)",
                  "PNF_X_INT8_MAX": "9223372036854775807_8", "PNF_X_UINT_MAX": "4294967295_8"}
        (made / folder).mkdir(exist_ok=True)
        (made / folder / "tests.inc").write_text(re.sub(r"@(\w+)@", lambda match: values.get(match[1], ""), text))
        parts = [expanded(tests / folder / f"test_{each}.m4", ending) for each in "get put iget iput".split()]
        own = [each for each in sorted((tests / folder).iterdir()) if each.suffix == ending]
        run([*C, "-c", tests / folder / "fortlib.c", "-o", made / folder / "fortlib.o"])
        run([*FORTRAN, f"-I{made / folder}", "-ffixed-line-length-none" if ending == ".F" else "-ffree-line-length-none", *own, *parts,
             made / folder / "fortlib.o", made / "testutilsf.o", made / "testutils.o", "-o", to, "-lpnetcdf"])


def build_all():
    made.mkdir(parents=True, exist_ok=True)
    programs.mkdir(exist_ok=True)
    for header, text in HEADERS.items():
        (made / header).write_text(text)
    if not (made / "testutilsf.o").exists():
        run([*C, "-c", tests / "common/testutils.c", "-o", made / "testutils.o"])
        run([*FORTRAN, "-c", tests / "common/testutilsf.F90", "-o", made / "testutilsf.o"])
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda each: build_one(*each), list(sources())))
    build_large()


def runs(name, folder):
    """The arguments of each start of a program; the first ones prepare."""
    if name in FORMATS:
        return [[programs / name, *form, "-d", folder] for form in ([], ["-2"], ["-5"])]
    path = folder / "testfile.nc"
    if name == "F90.tst_io":
        return [[programs / name, folder]]
    if name == "C.pres_temp_4D_rd":
        return [[programs / "C.pres_temp_4D_wr", path], [programs / name, path]]
    if name in ("cdf_format.test_inq_format", "cdf_format.tst_corrupt"):
        return [[programs / name, tests / "cdf_format"]]
    if name == "cdf_format.tst_open_cdf5":
        return [[programs / name, tests / "cdf_format/bad_begin.nc5"]]
    return [[programs / name, path]]


def passes(name, ranks, head):
    """And its output."""
    shutil.rmtree(arguments.folder, ignore_errors=True)
    arguments.folder.mkdir(parents=True)
    environment = {**os.environ, "OMPI_MCA_mpi_yield_when_idle": "1", "PNETCDF_SAFE_MODE": ""}
    del environment["PNETCDF_SAFE_MODE"]
    said = ""
    place = arguments.folder
    if name in FORMATS:  # they open a file of this name, which is none of netCDF
        for other in (name.split(".")[0], "test_get.F90"):
            (place / other).write_text("no netCDF file")
    for command in runs(name, arguments.folder):
        try:
            done = subprocess.run([*head, str(mpirun), str(ranks), *map(str, command)], cwd=place, env=environment,
                                  capture_output=True, text=True, errors="replace", timeout=60)
        except subprocess.TimeoutExpired:
            return False, "takes more than 60 s"
        said = done.stdout + done.stderr
        if done.returncode != 0 or (re.search(r"fail|(?<!no )error", said, re.I) and "pass" not in said.lower()):
            return False, said + f"\nexit status {done.returncode}\n"
    return True, said


build_all()
counts = {"passed": 0, "failed": 0, "failed with PnetCDF, too": 0}
(work / "said").mkdir(exist_ok=True)
for program in sorted(programs.iterdir()):
    for ranks in (int(each) for each in arguments.ranks.split(",")):
        if not re.search(arguments.only, program.name) or program.name in SKIPPED or (ranks > 1 and ALONE.match(program.name)):
            continue
        good, said = passes(program.name, ranks, [str(build / "bin/sv-run"), "-q"])
        verdict = "passed" if good else "failed" if passes(program.name, ranks, [])[0] else "failed with PnetCDF, too"
        counts[verdict] += 1
        if not good:
            (work / "said" / f"{program.name}.{ranks}").write_text(said)
        print(f"{verdict:25} {ranks} {program.name}", flush=True)
shutil.rmtree(arguments.folder, ignore_errors=True)
print(", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
