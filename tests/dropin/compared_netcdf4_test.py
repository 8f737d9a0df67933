"""sv-run --compare: netCDF-4 files of two runs that differ in one thing each, which the table must name."""
import argparse
import os
import pathlib
import shutil
import signal
import subprocess
import time

parser = argparse.ArgumentParser()
parser.add_argument("--run", required=True)
parser.add_argument("--real", required=True, help="the netCDF library that sv-run loads")
arguments = parser.parse_args()
HOME = pathlib.Path("compared_netcdf4").absolute()
COPIES = [HOME.with_name(f"{HOME.name}.{kind}") for kind in ("without", "with")]

CDL = """netcdf made {
types: compound pair { int one; float two; }; byte enum ice {none = 0, thin = 1}; int(*) list; opaque(4) key;
dimensions: t = UNLIMITED; y = 3; x = 4;
variables:
  float temp(t, y, x); temp:units = "K"; temp:range = 1.f, 9.f; temp:_ChunkSizes = 1, 3, 4; temp:_DeflateLevel = 2; temp:_Shuffle = "true";
  string names(y);
  pair both(x); ice cover(x); list ragged(y); key keys(x);
  double depth(y, x); depth:_Fletcher32 = "true"; depth:_Endianness = "big"; depth:_ChunkSizes = 3, 4;
:title = "a title of more than sixty characters, so that its last word would be cut off";
data:
  cover = none, thin, thin, none; ragged = {1, 2}, {}, {3}; keys = 0x01020304, 0x05060708, 0X090A0B0C, 0X0D0E0F00;
  temp = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23;
  names = "a", "b", "c";
  both = {1, 2}, {3, 4}, {5, 6}, {7, 8};
group: inner { dimensions: z = 2; variables: int v(z); v:_FillValue = 7; data: v = 1, 2; }
}
"""
# Edits of the text in the run with Sverdrup, and words of the table.
CASES = {
    "same": ("", "", "the same "),
    "value": ("18, 19", "18, 20", "variable 'temp': values differ, first at (1, 1, 3)"),
    "string": ('"b"', '"d"', "variable 'names': values differ, first at (1)"),
    "compound": ("{3, 4}", "{3, 5}", "variable 'both': values differ, first at (1)"),
    "chunks": ("1, 3, 4;", "1, 3, 2;", "variable 'temp', chunks: 1 x 3 x 4 without, 1 x 3 x 2 with Sverdrup"),
    "deflate": ("Level = 2", "Level = 3", "variable 'temp', filters: deflate 2 without, deflate 3 with Sverdrup"),
    "shuffle": (' temp:_Shuffle = "true";', "", "variable 'temp', shuffle: on without, off with Sverdrup"),
    "attribute": ('"K"', '"C"', 'variable \'temp\', attribute \'units\': char "K" without, char "C" with Sverdrup'),
    "numbers": ("1.f, 9.f", "1.f, 8.f", "variable 'temp', attribute 'range': float 1, 9 without, float 1, 8 with Sverdrup"),
    "missing": (" string names(y);", ' string names(y); string more; more:units = "m";', "variable 'more': only with Sverdrup"),
    "group": ("group: inner { dimensions: z = 2; variables: int v(z); v:_FillValue = 7; data: v = 1, 2; }", "",
              "group 'inner': only without Sverdrup; dimension 'inner/z': only without Sverdrup; variable 'inner/v': only without Sverdrup"),
    "fill": ("_FillValue = 7", "_FillValue = 8", "variable 'inner/v', fill value: 7 without, 8 with Sverdrup; "
             "variable 'inner/v', attribute '_FillValue': int 7 without, int 8 with Sverdrup"),
    "dimension": ("z = 2", "z = UNLIMITED", "dimension 'inner/z': length 2 without, unlimited, 2 with Sverdrup"),
    "type": ("float two", "double two", "type 'pair': pair (class 16, 8 bytes, int one at 0, float two at 4) without, "
             "pair (class 16, 16 bytes, int one at 0, double two at 8) with Sverdrup"),
    "field": ("float two", "int two", "type 'pair': pair (class 16, 8 bytes, int one at 0, float two at 4) without, "
              "pair (class 16, 8 bytes, int one at 0, int two at 4) with Sverdrup"),
    "enum": ("thin = 1", "thin = 2", "type 'ice': ice (class 15, 1 bytes, byte, none = 0, thin = 1) without, "
             "ice (class 15, 1 bytes, byte, none = 0, thin = 2) with Sverdrup"),
    "base": ("int(*)", "uint(*)", "type 'list': list (class 13, 16 bytes, int) without, list (class 13, 16 bytes, uint) with Sverdrup"),
    "opaque": ("opaque(4)", "opaque(5)", "type 'key': key (class 14, 4 bytes) without, key (class 14, 5 bytes) with Sverdrup"),
    "member": ("none, thin, thin", "none, none, thin", "variable 'cover': values differ, first at (1)"),
    "ragged": ("{}, {3}", "{}, {4}", "variable 'ragged': values differ, first at (2)"),
    "shorter": ("{1, 2}", "{1}", "variable 'ragged': values differ, first at (0)"),
    "key": ("0x05060708", "0x05060709", "variable 'keys': values differ, first at (1)"),
    "order": ('"big"', '"little"', "variable 'depth', byte order: big-endian without, little-endian with Sverdrup"),
    "checksum": (' depth:_Fletcher32 = "true";', "", "variable 'depth', checksum: on without, off with Sverdrup"),
    "contiguous": ("pair both(x);", "pair both(x); both:_ChunkSizes = 2;", "variable 'both', chunks: contiguous without, 2 with Sverdrup"),
    "no_fill": (" depth:_Chunk", ' depth:_NoFill = "true"; depth:_Chunk', "variable 'depth', filling: on without, off with Sverdrup"),
    "dims": ("ice cover(x); ", "ice cover(y); ", "variable 'cover': ice (x) without, ice (y) with Sverdrup"),
    "number": ("int v(z)", "short v(z)", "variable 'inner/v': int (z) without, short (z) with Sverdrup"),
    "doubles": ("1.f, 9.f", "1., 9.", "variable 'temp', attribute 'range': float 1, 9 without, double 1, 9 with Sverdrup"),
    "title": ("cut off", "cut out", "attribute 'title': ... word would be cut off\" without, ... word would be cut out\" with Sverdrup"),
}
MAKE = """
import os, subprocess
for case, (theirs, ours) in {files!r}.items():
    open("made.cdl", "w").write(ours if "LD_PRELOAD" in os.environ else theirs)
    subprocess.run(["ncgen", "-4", "-o", case + ".nc", "made.cdl"], check=True)
os.remove("made.cdl")
raise SystemExit({ending})
"""


def compare(files, ending="0"):
    for folder in (HOME, *COPIES):
        shutil.rmtree(folder, ignore_errors=True)
    HOME.mkdir()
    done = subprocess.run([arguments.run, "--compare", "--", "python3", "-c", MAKE.format(files=files, ending=ending)], cwd=HOME, capture_output=True, text=True,
                          timeout=100)
    lines = [line.strip().partition(": ") for line in done.stderr.splitlines() if line.startswith("  ")]
    return done, {name.removesuffix(".nc"): words for name, _, words in lines}


STOP = """
import os, pathlib, signal
if "LD_PRELOAD" not in os.environ:
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            name, _, rest = (process / "stat").read_text().partition("(")[2].rpartition(")")
        except OSError:  # it has ended
            continue
        if name == "sv-run" and int(rest.split()[1]) == os.getppid():
            os.kill(int(process.name), signal.SIGSTOP)
            pathlib.Path({stopped!r}).write_text(process.name)
"""


def check_next_comparison():
    """A comparison that has ended leaves alone the folders of the next one, also if its process that removes copies is
    slow: the program stops that process, and the test continues it."""
    for folder in (HOME, *COPIES):
        shutil.rmtree(folder, ignore_errors=True)
    HOME.mkdir()
    stopped = HOME.with_name("stopped")
    program = STOP.format(stopped=str(stopped))
    subprocess.run([arguments.run, "--compare", "--", "python3", "-c", program], cwd=HOME, check=True, timeout=100)
    for folder in COPIES:
        folder.mkdir()
    os.kill(int(stopped.read_text()), signal.SIGCONT)
    stopped.unlink()
    time.sleep(0.5)
    assert all(folder.exists() for folder in COPIES), "a comparison that has ended removes the folders of the next one"


def compare_without_library():
    """Files that differ, while the netCDF library cannot be loaded: a file of its name that is none is found first."""
    for folder in (HOME, *COPIES, broken := HOME.with_name("broken")):
        shutil.rmtree(folder, ignore_errors=True)
    HOME.mkdir()
    broken.mkdir()
    (broken / pathlib.Path(arguments.real).resolve().name).touch()
    for name, ending in (("theirs", b"1"), ("ours", b"2")):
        (HOME / name).write_bytes(b"\x89HDF\r\n\x1a\n" + ending)
    copy = "if [ -n \"${LD_PRELOAD-}\" ]; then cp ours made.nc; else cp theirs made.nc; fi"
    return subprocess.run([arguments.run, "--compare", "--", "sh", "-c", copy], cwd=HOME, timeout=100,
                          env={**os.environ, "LD_LIBRARY_PATH": str(broken)}, capture_output=True, text=True)


edited = {case: (CDL, CDL.replace(theirs, ours) if theirs else CDL) for case, (theirs, ours, _) in CASES.items()}
done, table = compare(edited)
assert done.returncode == 1, f"{done.returncode}\n{done.stderr}"
for case, (_, _, wanted) in CASES.items():
    assert wanted in table[case], f"{case}: {table[case]}"
done, table = compare({"one": (CDL, CDL)})
assert done.returncode == 0 and table["one"].startswith("the same "), done.stderr
check_next_comparison()
done, table = compare({"one": (CDL, CDL)}, "3")
assert done.returncode == 3 and "fails without Sverdrup, too: it ended with 3 in both runs" in done.stderr, done.stderr
done = compare_without_library()
assert done.returncode == 1, f"{done.returncode}\n{done.stderr}"
assert "made.nc: the bytes differ; values are not compared" in done.stderr, done.stderr
print(f"{len(CASES)} cases")
