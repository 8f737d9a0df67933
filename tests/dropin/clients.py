"""Test suites of programs that use netCDF and PnetCDF, without sv-run and under it: a test that passes only without it is a failure.

    clients.py BUILD [--sources DIRECTORY] [--only REGEX] [--most N] [--work DIRECTORY] [--limit SECONDS]

The commands of NCO, CDO and netCDF's own tools need no sources. Below --sources, a folder that has the name of a project below is built
and tested: ParallelIO, scorpio, FMS (by CMake and ctest), netcdf4-python (by pytest, with the netCDF4 of this Python)."""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("build", type=pathlib.Path)
parser.add_argument("--sources", type=pathlib.Path)
parser.add_argument("--only", default=".", help="suites and tests whose name has a match, as in 'commands/nc'")
parser.add_argument("--most", type=int, default=10**6, help="tests of each suite")
parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("clients"), help="where projects are built and tests run")
parser.add_argument("--limit", type=int, default=120, help="seconds of each test of a project")
arguments = parser.parse_args()

build, work = arguments.build.resolve(), arguments.work.resolve()
sv_run = [str(build / "bin/sv-run"), "-q"]
environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
               "OMPI_MCA_mpi_yield_when_idle": "1"}
parallel = next(pathlib.Path("/usr/lib").glob("*-linux-gnu/netcdf/mpi/pkgconfig"), None)
if parallel:
    environment |= {"PKG_CONFIG_PATH": str(parallel), "CPATH": str(parallel.parent / "include"), "LIBRARY_PATH": str(parallel.parent)}
# The arguments of CMake, and the target that makes the tests.
PROJECTS = {
    "ParallelIO": (["-DPIO_ENABLE_FORTRAN=OFF", "-DPIO_ENABLE_TIMING=OFF", "-DPIO_ENABLE_DOC=OFF", "-DPIO_ENABLE_EXAMPLES=OFF"], "tests"),
    "scorpio": (["-DPIO_ENABLE_FORTRAN=OFF", "-DPIO_ENABLE_TIMING=OFF", "-DPIO_ENABLE_DOC=OFF", "-DPIO_ENABLE_EXAMPLES=OFF",
                 "-DPIO_ENABLE_TESTS=ON"], "tests"),
    "FMS": (["-DUNIT_TESTS=ON"], "all"),
}
MODEL = """netcdf model {
dimensions: time = UNLIMITED ; lat = 4 ; lon = 6 ;
variables:
  double time(time) ; time:units = "days since 2000-01-01" ; time:calendar = "standard" ;
  double lat(lat) ; lat:units = "degrees_north" ; double lon(lon) ; lon:units = "degrees_east" ;
  float sst(time, lat, lon) ; sst:_FillValue = -99.f ; sst:units = "K" ;
  short ice(time, lat, lon) ; ice:scale_factor = 0.01 ; int mask(lat, lon) ;
  :title = "a model" ;
data: time = 0, 1, 2 ; lat = -60, -20, 20, 60 ; lon = 0, 60, 120, 180, 240, 300 ;
  mask = 1, 1, 0, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1 ;
  sst = SST ; ice = ICE ; }
"""
# Compared are the files of a command, and its output. Some change their file in place.
COMMANDS = """
nccopy -k nc3 model.nc out.nc
nccopy -k nc6 model.nc out.nc
nccopy -k cdf5 model.nc out.nc
nccopy -k nc4 -d 1 model.nc out.nc
nccopy -u model.nc out.nc
ncdump model.nc
ncdump -h model.nc
ncdump -v sst -p 5 model.nc
ncgen -k nc3 -o out.nc model.cdl
ncgen -k nc4 -o out.nc model.cdl
ncks -O -h -v sst model.nc out.nc
ncks -O -h -d time,1 model.nc out.nc
ncks -O -h -d lon,0.,130. model.nc out.nc
ncks -O -h --fix_rec_dmn time model.nc out.nc
ncks -A -h -v mask model.nc other.nc
ncks -O -h -5 model.nc out.nc
ncks -O -h -4 -L 1 model.nc out.nc
ncrcat -O -h model.nc other.nc out.nc
ncra -O -h model.nc other.nc out.nc
ncea -O -h model.nc other.nc out.nc
ncecat -O -h model.nc other.nc out.nc
ncbo -O -h --op_typ=- model.nc other.nc out.nc
ncwa -O -h -a lon model.nc out.nc
ncpdq -O -h -a lon,lat model.nc out.nc
ncpdq -O -h -P all_new model.nc out.nc
ncrename -O -h -v sst,tos model.nc out.nc
ncrename -h -v sst,tos model.nc
ncatted -O -h -a units,sst,o,c,degC model.nc out.nc
ncatted -h -a note,global,c,c,a_longer_attribute_than_the_header_has_room_for model.nc
ncap2 -O -h -s tos=sst-273.15 model.nc out.nc
ncap2 -h -A -s extra=sst*2 model.nc
ncflint -O -h -w 0.5 model.nc other.nc out.nc
cdo -s -O copy model.nc out.nc
cdo -s -O -f nc4c -z zip_1 copy model.nc out.nc
cdo -s -O mergetime model.nc other.nc out.nc
cdo -s -O timmean model.nc out.nc
cdo -s -O selname,sst model.nc out.nc
cdo -s -O selindexbox,1,3,1,2 -selname,sst model.nc out.nc
cdo -s -O zonmean -selname,sst model.nc out.nc
cdo -s -O splitsel,1 model.nc part
cdo -s sinfon model.nc
cdo -s infon model.nc
cdo -s -O remapbil,r12x6 -selname,sst model.nc out.nc
""".strip().splitlines()

counts = {}


def wanted(suite, test):
    return re.search(arguments.only, f"{suite}/{test}") is not None


def judge(suite, test, without, under):
    outcome = "passed" if under else "FAILED" if without else "failed without sv-run, too"
    counts[outcome] = counts.get(outcome, 0) + 1
    print(f"{outcome:27} {suite}/{test}", flush=True)


def contents(folder):
    """The values of netCDF files, the bytes of others."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            dump = subprocess.run(["ncdump", "-n", "x", path], capture_output=True, env=environment)
            # The history of CDO has the time of day.
            found[path.name] = re.sub(rb"(?m)^.*:history = .*(\n\s+\".*)*$", b"", dump.stdout) if dump.returncode == 0 else path.read_bytes()
    return found


def result_of(command, head, folder):
    """Exit code, output and files of a command that runs in a folder of its own."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(work / "inputs", folder)
    done = subprocess.run([*head, *command], cwd=folder, env=environment, capture_output=True, timeout=120)
    return done.returncode, done.stdout, contents(folder)


def commands():
    inputs = work / "inputs"
    shutil.rmtree(inputs, ignore_errors=True)
    inputs.mkdir(parents=True)
    values = {"SST": ", ".join(str(270 + i % 31) if i % 7 else "_" for i in range(72)), "ICE": ", ".join(str(i % 100) for i in range(72))}
    text = re.sub("SST|ICE", lambda match: values[match[0]], MODEL)
    (inputs / "model.cdl").write_text(text, encoding="utf-8")
    (inputs / "other.cdl").write_text(text.replace("time = 0, 1, 2", "time = 3, 4, 5"), encoding="utf-8")
    for name in ("model", "other"):
        subprocess.run(["ncgen", "-k", "nc6", "-o", f"{name}.nc", f"{name}.cdl"], cwd=inputs, check=True)
    for line in COMMANDS[:arguments.most]:
        command = line.split()
        if not wanted("commands", line) or not shutil.which(command[0]):
            continue
        theirs = result_of(command, [], work / "run")
        ours = result_of(command, sv_run, work / "run")
        judge("commands", line, theirs[0] == 0, ours == theirs)
        if ours != theirs:
            print(f"    exit codes {theirs[0]} and {ours[0]}; files that differ: "
                  f"{sorted(name for name in {*theirs[2], *ours[2]} if theirs[2].get(name) != ours[2].get(name))}")


def outcomes(path):
    """{test: passed} of a JUnit file."""
    found = {}
    for case in xml.etree.ElementTree.parse(path).iter("testcase"):
        found[f"{case.get('classname') or ''}.{case.get('name')}".lstrip(".")] = not any(case.findall(each) for each in ("failure", "error"))
    return found


def compare(suite, run_suite):
    """`run_suite` writes a JUnit file, with sv-run or without."""
    theirs, ours = run_suite([], work / f"{suite}.without.xml"), run_suite(sv_run, work / f"{suite}.under.xml")
    for test in sorted({*theirs, *ours}):
        judge(suite, test, theirs.get(test, False), ours.get(test, False))


def project(name):
    options, target = PROJECTS[name]
    folder = work / name
    folder.mkdir(parents=True, exist_ok=True)
    compilers = {"CC": "mpicc.openmpi", "CXX": "mpicxx.openmpi", "FC": "mpif90.openmpi"}
    with open(work / f"{name}.log", "w", encoding="utf-8") as log:
        for command in (["cmake", "-S", arguments.sources.resolve() / name, "-B", folder, *options],
                        ["cmake", "--build", folder, "-j2", "--target", target]):
            if subprocess.run(command, env={**environment, **compilers}, stdout=log, stderr=subprocess.STDOUT).returncode != 0:
                sys.exit(f"clients: {name} cannot be built: {log.name}")

    def run_suite(head, to):
        names = subprocess.run(["ctest", "--test-dir", folder, "-N"], capture_output=True, text=True, env=environment).stdout
        chosen = [test for test in re.findall(r"Test +#\d+: (\S+)", names) if wanted(name, test)][:arguments.most]
        if not chosen:
            return {}
        subprocess.run([*head, "ctest", "--test-dir", folder, "--timeout", str(arguments.limit), "--output-junit", to, "-R", f"^({'|'.join(chosen)})$"],
                       env=environment, capture_output=True)
        return outcomes(to)

    compare(name, run_suite)


def netcdf4_python():
    tests = sorted((arguments.sources / "netcdf4-python/test").resolve().glob("test_*.py"))
    chosen = [test for test in tests if wanted("netcdf4-python", test.stem)][:arguments.most]

    def run_suite(head, to):
        found = {}
        for test in chosen:
            subprocess.run([*head, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--junit-xml", to, test], cwd=test.parent,
                           env={**environment, "NO_NET": "1"}, capture_output=True, timeout=300)
            found[test.stem] = to.exists() and all(outcomes(to).values())
            to.unlink(missing_ok=True)
        return found

    compare("netcdf4-python", run_suite)


def main():
    work.mkdir(parents=True, exist_ok=True)
    suite = arguments.only.partition("/")[0]
    if re.search(suite, "commands"):
        commands()
    for name in (*PROJECTS, "netcdf4-python"):
        if not re.search(suite, name):
            continue
        if arguments.sources is None or not (arguments.sources / name).is_dir():
            print(f"left out: {name}, which has no folder below --sources")
        elif name in PROJECTS:
            project(name)
        else:
            netcdf4_python()
    print(", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items())) or "nothing was run")
    sys.exit(1 if counts.get("FAILED") or not counts.get("passed") else 0)


main()
