"""sv-bench replay of small headers, as files and as text: replay_test.py MPIEXEC PROGRAM."""
import json
import shutil
import subprocess
import unittest

from bench import Bench, by_name

LIBRARY = {"pnetcdf.put_vara_all", "pnetcdf.iput_wait_all"}
ALONE = {"sverdrup", "gather"} | LIBRARY
QUICK = ("--repeat", "1", "--set", "transport.window=1MiB")
# Every type, every form of a literal, names that need escapes, comments, padding after short rows, a scalar, and
# records of text; written by hand, so that no library is needed.
EVERYTHING = r"""// a comment, and then the header
netcdf every\ thing-1.2 {
dimensions:
  time = UNLIMITED ; // (2 currently)
  y = 7, x = 9 ;
  lev = 3 ;
  text = 5 ;
  lon\:deg = 4 ;
variables:
  double time(time) ;
    time:units = "days since 2000-01-01 // no comment; {nor} this" ;
  float sst(time, y, x), area(y, x) ;
    sst:_FillValue = 1.e+20f ;
    sst:valid_range = -2.f, 4.5e1f ;
    sst:bad = NaNf, -Infinityf ;
  short ice(time, lev, y, x) ;
    ice:_FillValue = -32767s ;
    ice:scale_factor = 0.01 ;
    ice:flags = 1b, -2b ;
    ice:masks = 1UB, 255ub ;
  byte mask(y, x) ;
    byte mask:valid = 0, 1 ;
  char label(time, text) ;
    label:note = "two\n",
                 "lines \"quoted\" \\ \101" ;
  int64 big(y, x) ;
    big:_FillValue = -9223372036854775807LL ;
    big:range = 1ULL, 18446744073709551615ULL ;
  uint64 bits(x) ;
  uint counts(y, x) ;
    counts:top = 4294967295U ;
    counts:sixty = 60000US ;
  ushort few(lev) ;
  ubyte one ;
  int crs ;
    crs:grid_mapping_name = "rotated" ;
    crs:numbers = 1, -2 ;
  double lon\:deg(lon\:deg) ;
    lon\:deg:half = 0.5, .5, 5. ;
  int last(lev) ;
    last:old = 12l, 3 ;
// global attributes:
    :title = "" ;
    :history = "made up" ;
    float :versions = 1, 2 ;
data:
  crs = 3 ;
}
"""
BYTES_OF_RECORD = 8 + 7 * 9 * 4 + 3 * 7 * 9 * 2 + 5
BYTES_FIXED = 7 * 9 * (4 + 1 + 8 + 4) + 9 * 8 + 3 * 2 + 1 + 4 + 4 * 8 + 3 * 4


class Replay(Bench):
    COMMAND = "replay"

    def header(self, text, name="header.cdl"):
        path = self.directory / name
        path.write_text(text)
        return path

    def check(self, found, names):
        """All of them ran, with the right values and attributes, or said why not."""
        entries = by_name(found)
        missing = {entry["name"] for entry in found["missing"]}
        self.assertEqual(set(entries) | missing, names)
        self.assertLessEqual(missing, LIBRARY)
        for name, entry in entries.items():
            if not missing:
                self.assertIs(entry["verified"], True, name)
            self.assertGreater(entry["seconds"]["min"], 0, name)
        return entries

    def test_the_text_of_a_header(self):
        found = self.results(5, self.header(EVERYTHING), "--layout", "5x1", *QUICK)
        self.assertEqual(found["case"]["bytes"], 2 * BYTES_OF_RECORD + BYTES_FIXED)
        self.check(found, ALONE)

    def test_a_file_and_servers(self):
        if shutil.which("ncgen") is None:
            self.skipTest("ncgen is not there")
        path = self.directory / "like.nc"
        text = EVERYTHING.replace("int64 big", "double big").replace("-9223372036854775808LL", "-1.")  # of which ncgen makes int
        subprocess.run(["ncgen", "-k", "cdf5", "-o", path, self.header(text)], check=True)
        found = self.results(3, path, "--records", "4", "--servers", "1", "--set", "async.memory=4MiB", *QUICK)
        self.assertEqual(found["case"]["bytes"], 4 * BYTES_OF_RECORD + BYTES_FIXED)
        self.assertEqual(found["case"]["records"], 4)
        self.check(found, ALONE | {"sverdrup.servers"})

    def test_chunks_and_compression(self):
        text = """netcdf stored { dimensions: t = UNLIMITED ; // (2 currently)
          y = 40 ; x = 60 ; variables: float v(t, y, x) ; v:_ChunkSizes = 1, 20, 30 ; v:_DeflateLevel = 1 ; v:_Shuffle = "true" ;
          double w(y, x) ; w:_FillValue = -1. ; }"""
        path = self.header(text)
        if shutil.which("ncgen") is not None:  # the text is read by a test of its own
            path = self.directory / "stored.nc"
            subprocess.run(["ncgen", "-k", "nc4", "-o", path, self.header(text)], check=True)
        done = self.bench(2, path, "--records", "2", "--json", self.directory / "results.json", *QUICK)
        if "not compiled" in done.stderr:
            self.skipTest(done.stderr)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        found = json.loads((self.directory / "results.json").read_text())
        missing = {entry["name"] for entry in found["missing"]}
        if missing & {"netcdf4", "sverdrup.netcdf4"}:
            self.skipTest("netCDF-4 is not there")
        self.check(found, ALONE | {"netcdf4", "sverdrup.netcdf4"})
        self.assertEqual(found["case"]["storage"], ["format=netcdf4", "chunks.layout=2,2", "compression=deflate:1", "compression.shuffle=true"])

    def test_scaled_over_named_dimensions(self):
        text = "netcdf mesh { dimensions: t = UNLIMITED ; cell = 8000 ; lev = 2 ; variables: double u(t, lev, cell), b(cell) ; }"
        found = self.results(2, self.header(text), "--over", "cell", "--scale", "4", "--records", "2", *QUICK)
        self.assertEqual(found["case"]["bytes"], (2 * 2 * 2000 + 2000) * 8)
        self.check(found, ALONE)

    def test_what_cannot_be_replayed_is_told_once(self):
        large = "netcdf a { dimensions: x = 90000000 ; y = 90000000 ; variables: int v(x, y) ; }"
        for text, words in (("netcdf a { dimensions: x = 4 ; variables: string s(x) ; }", "type 'string' cannot"),
                            (large, "--scale"), ("neither\n", "neither a netCDF file nor")):
            self.refused(self.header(text), words)
        self.refused(self.directory / "missing.nc", "cannot be read: No such file")
        text = "CDF\5 but then nothing of the kind"
        self.refused(self.header(text, "short.nc"), "short.nc")

    def refused(self, path, words):
        done = self.bench(2, path)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stderr.count(words), 1, done.stderr)


unittest.main(verbosity=1)
