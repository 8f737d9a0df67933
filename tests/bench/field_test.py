"""sv-bench field on a small field: field_test.py MPIEXEC PROGRAM."""
import unittest

from bench import Bench, by_name

ROUTES = {"sverdrup." + route for route in ("auto", "serial", "shared", "domains", "row", "column", "ranges",
                                         "per_pe", "per_domain")}
LIBRARIES = {"pnetcdf", "netcdf4", "netcdf4.contiguous", "gather", "file_per_rank", "read.pnetcdf"}
PLAIN = {"floor", "read.pread", "read.sverdrup"}


class Field(Bench):
    def test_every_method_runs_or_says_why_not(self):
        found = self.results(5, "--shape", "3x23x17", "--layout", "5x1", "--repeat", "3")
        entries = by_name(found)
        missing = {entry["name"] for entry in found["missing"]}
        self.assertEqual(set(entries) | missing, ROUTES | LIBRARIES | PLAIN)
        self.assertLessEqual(missing, LIBRARIES)
        for name, entry in entries.items():
            seconds = entry["seconds"]
            self.assertTrue(0 < seconds["min"] <= seconds["median"] <= seconds["max"], name)
            self.assertEqual(len(entry["rounds"]), 3, name)
            self.assertGreater(entry["cold_seconds"], 0)
            if name.startswith("read.") or not missing:
                self.assertIs(entry["verified"], True, name)
            if not name.startswith("read."):
                self.assertGreaterEqual(entry["bytes"], found["case"]["bytes"], name)
                self.assertGreater(entry["writes"], 0, name)
        self.assertEqual(entries["floor"]["writes"], 1)
        self.assertEqual(entries["read.pread"]["reads"], 3 * 23 * 5)
        self.assertIn(found["environment"]["mpi_io"].rstrip("0123456789"), ("ompio", "romio"))

    def test_stores_beside_their_libraries(self):
        case = ("--shape", "3x23x17", "--repeat", "1", "--store", "pnetcdf,netcdf4,netcdf4_library")
        if "is not there: it was not compiled" in self.bench(2, *case).stderr:
            self.skipTest("the stores are not there")
        found = self.results(2, *case)
        entries = by_name(found)
        if LIBRARIES & {entry["name"] for entry in found["missing"]}:
            self.skipTest("their libraries are not there")
        ours = {f"sverdrup.pnetcdf{way}" for way in ("", ".domains", ".shared")}
        ours |= {f"sverdrup.{store}{way}" for store in ("netcdf4", "netcdf4_library") for way in ("", ".domains", ".chunks", ".default", ".deflate")}
        direct = {"pnetcdf", "netcdf4", "netcdf4.contiguous", "netcdf4.deflate", "gather.deflate"}
        reading = {"read.sverdrup.netcdf4.deflate", "read.netcdf4.deflate"}
        self.assertEqual(set(entries), ours | direct | reading | {"floor", "sverdrup.auto"})
        self.assertEqual({entry["name"] for entry in found["missing"]}, {"floor.deflate", "read.floor.deflate"})  # no --chunk
        for name, entry in entries.items():
            self.assertIs(entry["verified"], True, name)

    def test_the_floor_of_compressed_files(self):
        case = ("--shape", "3x24x16", "--layout", "2x1", "--repeat", "1", "--store", "netcdf4", "--chunk", "1x24x8", "--only", "*deflate")
        if "is not there: it was not compiled" in self.bench(2, *case).stderr:
            self.skipTest("the store is not there")
        for by in ((), ("--own",)):
            entries = by_name(self.results(2, *case, *by))
            self.assertEqual(entries["floor.deflate"]["writes"], 2)
            self.assertEqual(entries["read.floor.deflate"]["reads"], 6)
            for name in ("read.floor.deflate", "read.sverdrup.netcdf4.deflate"):
                self.assertIs(entries[name]["verified"], True, name)

    def test_types_and_fields_without_levels(self):
        for kind, width in (("float", 4), ("int", 4), ("double", 8)):
            found = self.results(2, "--shape", "31x8", "--type", kind, "--repeat", "1", "--only", "sverdrup.auto,floor,read.*")
            self.assertEqual(found["case"]["bytes"], 31 * 8 * width)

    def test_the_device_is_as_slow_as_asked_for(self):
        found = self.results(2, "--shape", "10x250x100", "--repeat", "1", "--device", "20MB/s,1ms", "--only", "sverdrup.auto,floor")
        for entry in found["results"]:  # 2 MB
            self.assertGreaterEqual(entry["seconds"]["min"], 0.1, entry["name"])
        self.assertEqual(found["case"]["device"], "20MB/s,1ms")

    def test_memory_is_told(self):
        found = self.results(2, "--shape", "4x100x100", "--repeat", "2", "--memory", "--only", "sverdrup.auto")
        memory = found["results"][0]["memory"]
        self.assertEqual(memory["pool_bytes"], 64 << 20)
        self.assertGreater(memory["peak_bytes_beyond"], 4 * 100 * 100 * 8)
        self.assertGreater(memory["baseline_bytes"], 0)
        self.assertLess(memory["peak_bytes_beyond"], memory["pool_bytes"] + 2 * (4 << 20))  # each of 2 ranks, its MPI included

    def test_bad_requests_are_refused_once(self):
        for arguments, words in ((["--layout", "3x1"], "needs 3 ranks"), (["--shape", "5"], "--shape"),
                                 (["--device", "quick"], "SV_DEVICE='quick'"), (["--type", "char"], "char")):
            done = self.bench(2, *arguments)
            self.assertNotEqual(done.returncode, 0, arguments)
            self.assertIn(words, done.stderr)
        self.assertEqual(self.bench(2, "--shape", "5").stderr.count("not '5'"), 1)

    def test_the_four_patterns(self):
        found = by_name(self.results(5, "--shape", "3x23x17", "--layout", "5x1", "--repeat", "2", command="patterns"))
        files = {name: entry["files"] for name, entry in found.items()}
        self.assertEqual(files, {"sverdrup.serial": 1, "sverdrup.per_pe": 5, "sverdrup.per_domain": 2, "sverdrup.auto": 1})
        for name, entry in found.items():
            self.assertGreater(entry["seconds"]["min"], 0, name)
            self.assertEqual(entry["join"] is None, entry["files"] == 1, name)


unittest.main(verbosity=1)
