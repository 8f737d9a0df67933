"""sv-bench pop, cice and licom, on small cases: streams_test.py MPIEXEC PROGRAM."""
import json
import unittest

from bench import Bench

EVERY = {"no_output", "pack", "gather", "pnetcdf", "sverdrup.no_servers", "sverdrup.threads", "sverdrup.auto", "sverdrup.servers"}
SMALL = ("--repeat", "1", "--set", "async.memory=4MiB", "--set", "transport.window=1MiB", "--compute", "0.1ms")


class Streams(Bench):
    COMMAND = "pop"

    def check(self, found, files):
        """All methods ran, with the right values, or said why not; `files` of each stream by its name. Returns them by name."""
        entries, missing = self.entries(found, EVERY, ("gather", "pnetcdf"))
        for name, entry in entries.items():
            self.assertEqual({stream["name"]: stream["files"] for stream in entry["streams"]}, files, name)
            self.assertEqual(sum(stream["bytes"] for stream in entry["streams"]), found["case"]["bytes"], name)
            blocked = sum(stream["blocked"] for stream in entry["streams"])
            if name not in ("no_output", "pack"):
                self.assertGreater(blocked, 0, name)
                self.assertGreaterEqual(entry["bytes"], found["case"]["bytes"], name)
                self.assertIs(entry["verified"], None if missing else True, name)
            parts = entry["open"] + entry["compute"]["max"] + entry["blocked"]["median"] + entry["drain"]
            self.assertGreaterEqual(parts, 0.99 * entry["seconds"]["min"], name)  # the slowest rank of each
            self.assertGreaterEqual(entry["compute"]["mean"], found["case"]["steps"] * 0.0001, name)
        return entries

    def test_an_ocean_model_whose_files_grow(self):
        found = self.results(5, "--servers", "2", "--scale", "100000", "--days", "1", "--growing", "--layout", "3x1", *SMALL)
        cells = 11 * 8
        self.assertEqual(found["case"]["shape"], [40, 8, 11])
        self.assertEqual({stream["name"]: (stream["outputs"], stream["bytes"]) for stream in found["case"]["streams"]},
                         {"history": (24, 24 * 4 * 40 * cells * 4), "movie": (24, 24 * 2 * cells * 4),
                          "restart": (1, (8 * 40 + 14) * cells * 8)})
        entries = self.check(found, {"history": 1, "movie": 1, "restart": 1})
        served, alone = entries["sverdrup.servers"], entries["no_output"]["seconds"]["median"]
        self.assertAlmostEqual(served["overhead"], served["seconds"]["median"] - alone)
        if "pnetcdf" in entries:
            self.assertAlmostEqual(served["ratios"]["overhead_to_pnetcdf"], served["overhead"] / entries["pnetcdf"]["overhead"])

    def test_a_file_for_each_output(self):
        found = self.results(3, "--servers", "1", "--scale", "100000", "--days", "2", "--device", "1GB/s", *SMALL, command="cice")
        self.assertEqual(found["case"]["bytes"], 2 * 58 * 11 * 8 * 4)
        self.check(found, {"history": 2})
        found = self.results(3, "--set", "async=servers:1", "--scale", "100000", "--days", "1", *SMALL, command="licom")
        self.assertEqual(found["case"]["bytes"], (5 * 55 + 4 * 55 + 1) * 11 * 5 * 8)
        self.assertEqual(found["case"]["servers"], 1)
        self.check(found, {"history": 1, "restart": 1})

    def test_the_paper_s_volumes(self):
        for model, gigabytes in (("pop", 314.9), ("cice", 80.2), ("licom", 144.1)):
            path = self.directory / "case.json"
            done = self.bench(1, "--servers", "0", "--scale", "1", "--describe", path, command=model)
            self.assertEqual(done.returncode, 0, done.stderr)
            width = {"double": 8, "float": 4}
            case = json.loads(path.read_text())
            total = 0
            for file in case["files"]:
                self.assertEqual(len(file["after"]), file["times"])
                self.assertEqual(file["after"][-1], case["steps"])
                for variable in file["variables"]:
                    cells = 1
                    for length in variable["shape"]:
                        cells *= length
                    total += file["times"] * variable["count"] * cells * width[variable["type"]] * max(1, variable["records"])
            self.assertAlmostEqual(total / 1e9, gigabytes, 1)
            first = {"pop": 10, "cice": 24, "licom": 144}[model]  # an hour of 220 steps a day; a day
            self.assertEqual(case["files"][0]["after"][0], first)

    def test_bad_requests_are_refused_once(self):
        for arguments, words in ((["--servers", "2"], "leaves no clients"), (["--servers", "0", "--steps", "3"], "no output"),
                                 (["--servers", "0", "--scale", "1"], "take a larger --scale")):
            done = self.bench(2, *arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertEqual(done.stderr.count(words), 1, done.stderr)
        done = self.bench(2, "--set", "async=servers:1", command="records")
        self.assertEqual(done.stderr.count("has no method with servers"), 1, done.stderr)


unittest.main(verbosity=1)
