"""sv-bench overlap and the two programs of CFIO's paper, on small cases: overlap_test.py MPIEXEC PROGRAM."""
import unittest

from bench import Bench, by_name

POLICIES = {"sverdrup.servers." + policy for policy in ("synchronous", "asynchronous", "paced")}
SERVED = POLICIES | {"sverdrup.servers"}
OURS_ALONE = {"sverdrup.no_servers", "sverdrup.threads"}
ALONE = {"no_output", "pack", "pnetcdf"} | OURS_ALONE
SMALL = ("--repeat", "1", "--set", "async.memory=4MiB", "--set", "transport.window=1MiB")


class Overlap(Bench):
    COMMAND = "overlap"

    def check(self, found, names):
        """All of them ran, with the right values, or said why not; returns them by name."""
        entries, missing = self.entries(found, names)
        for name, entry in entries.items():
            parts = entry["open"] + entry["compute"]["max"] + entry["blocked"]["median"] + entry["drain"]
            self.assertGreaterEqual(parts, 0.99 * entry["seconds"]["min"], name)  # the slowest rank of each
            self.assertLessEqual(entry["compute"]["mean"], 1.001 * entry["compute"]["max"], name)
            if name.startswith(("sverdrup", "pnetcdf")) and not missing:
                self.assertIs(entry["verified"], True, name)
                self.assertGreaterEqual(entry["bytes"], found["case"]["bytes"], name)
            if name.startswith("sverdrup.servers"):
                self.assertGreater(entry["resident"]["servers"]["bytes"], 0, name)
        return entries

    def test_every_method(self):
        alone = ALONE | {"sverdrup.auto"}
        every = alone | SERVED | {name + ".all_ranks" for name in alone}
        found = self.results(5, "--clients", "3", "--servers", "2", "--steps", "2", "--bytes", "300kB", "--compute", "10ms",
                             "--layout", "3x1", *SMALL)
        self.assertEqual(found["case"]["bytes"], 2 * 8 * 9 * 65 * 65)
        entries = self.check(found, every)
        for name, entry in entries.items():
            share = 3 / 5 if name.endswith(".all_ranks") else 1
            self.assertGreaterEqual(entry["compute"]["mean"], 2 * 0.01 * share, name)
            self.assertEqual(entry["clients"], 5 if name.endswith(".all_ranks") else 3, name)
            self.assertEqual(entry["servers"], 2 if name in SERVED else 0, name)
        for name in SERVED | OURS_ALONE:
            ratios, entry = entries[name]["ratios"], entries[name]
            self.assertAlmostEqual(ratios["blocked_to_pack"], entry["blocked"]["median"] / entries["pack"]["blocked"]["median"])
            hidden = entries["no_output"]["seconds"]["median"] + entry["drain"]
            self.assertAlmostEqual(ratios["wall_to_no_output_and_drain"], entry["seconds"]["median"] / hidden)
            equal = entry if name in SERVED else entries[name + ".all_ranks"]
            self.assertEqual(entry["equal_ranks_seconds"], equal["seconds"]["median"])

    def test_halos_and_a_device(self):
        found = self.results(5, "--clients", "4", "--servers", "1", "--steps", "2", "--bytes", "1MB", "--compute", "halo:20ms",
                             "--device", "50MB/s", "--only", "no_output,sverdrup.servers.paced", *SMALL)
        entries = self.check(found, {"no_output", "sverdrup.servers.paced"})
        for name, entry in entries.items():
            self.assertGreater(entry["communication"], 0, name)
            self.assertLess(entry["communication"], entry["compute"]["max"], name)
        served = entries["sverdrup.servers.paced"]
        self.assertLessEqual(served["of_device"], 1)
        self.assertGreaterEqual(served["seconds"]["min"], found["case"]["bytes"] / 50e6)

    def test_servers_write_small_fields_together_when_their_memory_runs_short(self):
        """Or a slow device would get ever smaller writes, and stay behind. The device is slower than a model on a busy machine."""
        found = self.results(4, "--variables", "48", "--loops", "2", "--scale", "2048", "--servers", "1", "--repeat", "1",
                             "--set", "async.memory=1MiB", "--only", "sverdrup.servers", "--device", "1GB/s,50ms",
                             command="cfio_loop")
        entry = by_name(found)["sverdrup.servers"]
        self.assertIs(entry["verified"], True)
        self.assertLessEqual(entry["writes"], 2 * 48 / 4)

    def test_the_programs_of_the_paper(self):
        case = ("--servers", "2", "--variables", "3", "--scale", "4096", *SMALL)
        found = self.results(4, *case, command="cfio_throughput")
        self.assertEqual(found["case"]["bytes"], 3 * 64 * 32 * 8)
        self.check(found, {"pnetcdf", "sverdrup.servers.1", "sverdrup.servers.2"} | OURS_ALONE)
        found = self.results(4, *case, "--loops", "2", command="cfio_loop")
        self.assertEqual(found["case"]["bytes"], 2 * 3 * 64 * 32 * 8)
        entries = self.check(found, ALONE | {"sverdrup.servers"})
        alone, served = entries["no_output"]["seconds"]["median"], entries["sverdrup.servers"]
        self.assertAlmostEqual(served["overhead"], served["seconds"]["median"] - alone)

    def test_bad_requests_are_refused_once(self):
        for arguments, words in ((["--clients", "2", "--servers", "1"], "need 3 ranks"), (["--compute", "quick"], "'quick'")):
            done = self.bench(2, *arguments)
            self.assertNotEqual(done.returncode, 0, arguments)
            self.assertEqual(done.stderr.count(words), 1, done.stderr)


class Start(Bench):
    COMMAND = "start"

    def test_contexts_are_made_with_all_kinds_of_writers(self):
        found = self.results(3, "--repeat", "2", "--set", "async.memory=4MiB")
        names = ["MPI_Comm_dup", "sverdrup.no_servers", "sverdrup.threads", "sverdrup.servers.1", "sverdrup.servers.2"]
        self.assertEqual([entry["name"] for entry in found["results"]], names)
        for entry in found["results"]:
            self.assertEqual(len(entry["rounds"]), 2)
            self.assertGreater(entry["seconds"]["min"], 0, entry["name"])


unittest.main(verbosity=1)
