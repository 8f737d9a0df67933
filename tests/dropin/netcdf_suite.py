"""netCDF-C's nc_test and netCDF-Fortran's nf_test, the classic parts, under sv-run; failed tests are run with netCDF alone, too.

    netcdf_suite.py BUILD SOURCE [--fortran SOURCE] [--prefix DIRECTORY] [--only REGEX] [--folder DIRECTORY] [--work DIRECTORY]

SOURCE: the unpacked sources of the netCDF-C (and netCDF-Fortran) that is installed below --prefix (Debian: apt-get source netcdf
netcdf-fortran, and libnetcdff-dev for the second), whose test programs are built into DIRECTORY of --work, once."""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

# Programs of one file, and the files that are to lie where they run.
ONE_FILE = """t_nc tst_atts3 tst_nofill tst_small tst_misc tst_norm tst_names tst_nofill2 tst_nofill3 tst_meta tst_inq_type tst_utf8_validate
    tst_utf8_phrases tst_global_fillval tst_max_var_dims tst_formats tst_def_var_fill tst_err_enddef tst_default_format tst_diskless
    tst_diskless3 tst_cdf5_begin tst_open_cdf5""".split()
BESIDE = {"tst_open_cdf5": ["bad_cdf5_begin.nc"]}
ARGUMENTS = {"tst_open_cdf5": ["bad_cdf5_begin.nc"], "tst_diskless3": ["diskless", "persist", "create"]}
# The tests of netCDF-C 4.9 as its configure sees this machine.
CONFIG = """#include <stdint.h>
#include <sys/types.h>
#define TOPSRCDIR "."
#define TOPBINDIR "."
#define HAVE_UNISTD_H 1
#define HAVE_STDINT_H 1
#define ENABLE_CDF5 1
#define USE_HDF5 1
#define VERSION "4"
#define NC_VERSION "4"
#define HAVE_SYS_STAT_H 1
#define HAVE_STDBOOL_H 1
#define HAVE_SSIZE_T 1
#define RELAX_COORD_BOUND 1
typedef unsigned char uchar;
typedef signed char schar;
typedef long long longlong;
typedef unsigned long long ulonglong;
"""

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("build", type=pathlib.Path)
parser.add_argument("source", type=pathlib.Path)
parser.add_argument("--fortran", type=pathlib.Path)
parser.add_argument("--prefix", type=pathlib.Path, default=pathlib.Path("/usr"), help="below which netCDF is installed")
parser.add_argument("--only", default=".")
parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("/dev/shm/netcdf_suite"), help="where files are written")
parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("netcdf_suite"), help="where programs are built")
arguments = parser.parse_args()

source, work, prefix = arguments.source.resolve(), arguments.work.resolve(), arguments.prefix.resolve()
tests, made, programs = source / "nc_test", work / "made", work / "bin"
libraries = prefix / "lib" / (os.uname().machine + "-linux-gnu")
FORTRAN_TYPES = ["-DNF_RELAX_COORD_BOUND", "-DNCBYTE_T=byte", "-DNCSHORT_T=integer*2", "-DNF_INT1_T=byte", "-DNF_INT2_T=integer*2", "-DNF_INT8_T=integer*8",
                 *(f"-D{each}=1" for each in """NF_INT1_IS_C_SIGNED_CHAR NF_INT2_IS_C_SHORT NF_INT_IS_C_INT NF_INT8_IS_C_LONG_LONG
                   NF_REAL_IS_C_FLOAT NF_DOUBLEPRECISION_IS_C_DOUBLE""".split())]
C = ["cc", "-O1", "-w", f"-I{made}", f"-I{source / 'include'}", f"-I{tests}"]
LINK = [f"-L{libraries}", f"-Wl,-rpath,{libraries}", "-l:libnetcdf.so.19", "-lm"]


def run(command):
    done = subprocess.run([str(each) for each in command], capture_output=True, text=True)
    if done.returncode != 0:
        print(f"{' '.join(map(str, command))}\n{done.stderr[-2000:]}", file=sys.stderr)
    return done.stdout


def build_c():
    (made / "config.h").write_text(CONFIG)
    run(["sh", "-c", f"sed 's/@[A-Z0-9_]*@/0/' {source}/include/netcdf_meta.h.in > {made}/netcdf_meta.h"])
    for name in ONE_FILE:
        if not (programs / name).exists():
            run([*C, tests / f"{name}.c", "-o", programs / name, *LINK])
    if not (programs / "nc_test").exists():
        parts = [tests / f"{each}.c" for each in "nc_test error test_get test_put test_read test_write util".split()]
        run([*C, *parts, "-o", programs / "nc_test", *LINK])


def build_fortran():
    own = arguments.fortran.resolve() / "nf_test"
    compiler = ["gfortran", "-O1", "-w", "-fallow-argument-mismatch", *FORTRAN_TYPES, "-ffixed-line-length-none", f"-I{own}", f"-I{prefix / 'include'}", f"-J{made}"]
    link = [f"-L{libraries}", "-lnetcdff", *LINK]
    run(["cc", "-O1", "-w", f"-I{made}", f"-I{own}", "-c", own / "f03lib.c", "-o", made / "f03lib.o"])
    parts = [own / each for each in "f03lib_f_interfaces.f90 test_get.F test_put.F nf_error.F nf_test.F test_read.F test_write.F util.F".split()]
    for name, files in {"nf_test": parts, "tst_int64": [own / "tst_int64.F"], "tst_f77_v2": [own / "tst_f77_v2.F"], "ftest": [own / "ftest.F"]}.items():
        if not (programs / f"fortran.{name}").exists():
            run([*compiler, *files, made / "f03lib.o", "-o", programs / f"fortran.{name}", *link])


def passes(name, head):
    """And its output."""
    shutil.rmtree(arguments.folder, ignore_errors=True)
    arguments.folder.mkdir(parents=True)
    for each in BESIDE.get(name, []):
        shutil.copy(tests / each, arguments.folder)
    if name == "fortran.ftest":
        shutil.copy(arguments.fortran / "nf_test/ref_fills.nc", arguments.folder / "fills.nc")
    try:
        done = subprocess.run([*head, str(programs / name), *ARGUMENTS.get(name, [])], cwd=arguments.folder, capture_output=True, text=True,
                              errors="replace", timeout=120)
    except subprocess.TimeoutExpired:
        return False, "takes more than 120 s"
    said = done.stdout + done.stderr
    return done.returncode == 0 and not re.search(r"FAILURE|\*\*\* FAIL", said), f"{said}\nexit status {done.returncode}\n"


for folder in (made, programs, work / "said"):
    folder.mkdir(parents=True, exist_ok=True)
build_c()
if arguments.fortran:
    build_fortran()
counts = {"passed": 0, "failed": 0, "failed with netCDF, too": 0}
for program in sorted(each.name for each in programs.iterdir()):
    if not re.search(arguments.only, program):
        continue
    good, said = passes(program, [str(arguments.build.resolve() / "bin/sv-run"), "-q"])
    told = "passed" if good else "failed" if passes(program, [])[0] else "failed with netCDF, too"
    counts[told] += 1
    if not good:
        (work / "said" / program).write_text(said)
    print(f"{told:25} {program}", flush=True)
shutil.rmtree(arguments.folder, ignore_errors=True)
print(", ".join(f"{count} {told}" for told, count in counts.items()))
sys.exit(counts["failed"] > 0)
