"""A real run places, sends and writes what sv-plan says: real_test.py MPIEXEC REAL_RUN SV_PLAN."""
import itertools
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SV_PLAN = sys.argv.pop()
REAL_RUN = sys.argv.pop()
MPIEXEC = sys.argv.pop()
SHAPE, STRIPE = (5, 61, 71), 4096
SMALL, LARGE = "256KiB", "2MiB"  # windows: the large one holds each field as a whole
ROUTES = [{"route": "auto"}, {"route": "serial"}, {"route": "shared"}, {"route": "ranges", "writers": "3"}, {"route": "row"},
          {"route": "ranges", "writers": "1 per node"}, {"route": "column", "writers": "2"},
          {"route": "domains", "io_layout": "2,2"}, {"route": "domains", "io_layout": "2,1", "writers": "3"},
          {"route": "per_pe"}, {"route": "per_domain", "io_layout": "2,2"}]
SETTINGS = {"servers": "async=servers:", "partition": "points.partition="}  # by options of sv-plan
SERVERS = {"writes"}  # which servers join
MASK = ["11110", "01111", "10011", "01100"]  # 13 of 20 blocks, as on a map
POINT_ROUTES = [{"route": "auto"}, {"route": "serial"}, {"route": "ranges", "writers": "3"},
                {"route": "ranges", "writers": "1 per node"}, {"route": "ranges", "writers": "3", "partition": "cells"},
                {"route": "ranges", "writers": "2", "partition": "levels"}]
GAPS = ["10110", "10111", "00000", "10110", "10001"]  # 12; a column and a row of blocks are all land


class Case:
    def __init__(self, layout, per_node, window, route, mask=None, shape=SHAPE, points=None):
        self.layout, self.per_node, self.window, self.route, self.mask = layout, per_node, window, route, mask
        self.shape, self.points = shape, points

    def __str__(self):
        return f"{self.layout}, {self.per_node} per node, {self.window}, {self.route}{', masked' if self.mask else ''}{self.points or ''}"

    def line(self):
        """As real_run reads it."""
        blocks = self.points or "-"
        if self.mask:
            cells = "".join(reversed(self.mask))
            blocks = ",".join(str(block) for block, has in enumerate(cells) if has == "1")
        route = " ".join(f"{SETTINGS.get(key, key + '=')}{value.replace(' ', '_')}" for key, value in self.route.items())
        return (f"{' '.join(map(str, self.shape))} {self.layout[0]} {self.layout[1]} {blocks} file_system.stripe={STRIPE} "
                f"transport.window={self.window} testing.ranks_per_node={self.per_node} {route}\n")

    def plan(self, directory):
        """The output of sv-plan."""
        self.run_plan(directory, "--json", directory / "plan.json")
        return json.loads((directory / "plan.json").read_text())

    def run_plan(self, directory, *more):
        arguments = ["--shape", "x".join(map(str, self.shape)), "--per-node", self.per_node, "--window", self.window,
                     "--stripe", STRIPE, "--local-fs", *more]
        if self.points:
            arguments += ["--points", self.points, "--ranks", self.layout[0] * self.layout[1]]
        elif self.mask:
            (directory / "mask.txt").write_text("\n".join(self.mask))
            arguments += ["--mask", directory / "mask.txt"]
        else:
            arguments += ["--layout", f"{self.layout[0]}x{self.layout[1]}"]
        for key, value in self.route.items():
            arguments += ["--" + key.replace("_", "-"), value]
        return subprocess.run([SV_PLAN, *map(str, arguments)], check=True, capture_output=True, text=True, timeout=30).stdout


def counts(summary):
    return {"placed_bytes": summary["bytes"]["placed"], "messages": summary["messages"],
            "sent_bytes": summary["bytes"]["sent"], "written_bytes": summary["bytes"]["written"],
            "writes": summary["writes"]}


class Real(unittest.TestCase):
    def run_cases(self, directory, ranks, lines):
        (directory / "cases").write_text("".join(lines))
        done = subprocess.run([MPIEXEC, str(ranks), REAL_RUN, "cases"], cwd=directory, capture_output=True, text=True,
                              timeout=150)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def compare(self, ranks, cases):
        with tempfile.TemporaryDirectory() as place:
            directory = pathlib.Path(place)
            self.run_cases(directory, ranks, [case.line() for case in cases])
            for number, case in enumerate(cases):
                summary = {which: json.loads((directory / f"{number}.{which}.json").read_text())
                           for which in ("without", "with")}
                before, after = counts(summary["without"]), counts(summary["with"])
                plan = case.plan(directory)
                if case.mask:  # masked fields are records: how many there are is written once in each file, 4 bytes
                    divides = case.route["route"].startswith("per_")
                    files = (after["written_bytes"] - before["written_bytes"] - plan["totals"]["written_bytes"]) // 4
                    self.assertTrue(1 < files <= ranks if divides else files == 1, f"{case}: {files} files")
                    after["writes"] -= files
                    after["written_bytes"] -= 4 * files
                keys = set(after) - (SERVERS if "servers" in case.route else set())
                with self.subTest(str(case)):
                    self.assertEqual({key: after[key] - before[key] for key in keys},
                                     {key: plan["totals"][key] for key in keys})
                    # The first round finds no memory of the window in use: data that fit the gate are exchanged in a round.
                    chosen = set(summary["with"]["strategies"]["write"]) - set(summary["without"]["strategies"]["write"])
                    planned = plan["strategy"]["name"]
                    self.assertIn(chosen, [{planned}, {"two_phase"} if planned == "in_gate" else {planned}])
                    if "servers" in case.route:
                        continue
                    self.assertEqual(plan["case"]["nodes"], summary["with"]["nodes"])
                    self.assertEqual(plan["route"]["name"], summary["with"]["files"][0]["route"])
                    self.assertEqual(plan["route"]["reason"], summary["with"]["files"][0]["reason"])
                    if plan["case"]["nodes"] > 1 and case.route["route"] == "ranges":
                        self.assertGreater(after["messages"], before["messages"])

    def in_turn(self, layout, places, mask=None):
        """Each route once, in the next of the places."""
        return [Case(layout, *place, route, mask) for place, route in zip(itertools.cycle(places), ROUTES)]

    def test_8_ranks(self):
        """Every route with every number of nodes and window; other numbers of ranks and masks have each of them once."""
        self.compare(8, [Case((4, 2), *place, route) for place in itertools.product((8, 2), (SMALL, LARGE)) for route in ROUTES])

    def test_16_ranks(self):
        self.compare(16, self.in_turn((4, 4), [(16, SMALL), (2, LARGE)]))

    def test_masked(self):
        self.compare(13, self.in_turn((5, 4), [(13, LARGE), (2, SMALL)], MASK))

    def test_land_from_side_to_side(self):
        self.compare(12, self.in_turn((5, 5), [(2, SMALL), (12, SMALL)], GAPS))

    def test_points(self):
        """Random ones with every number of nodes and window, strips with each of them once."""
        places = [(7, SMALL), (3, LARGE)], [(7, LARGE), (3, SMALL)]
        dealt = {"random": lambda number: places[0] + places[1], "strips": lambda number: places[number % 2]}
        self.compare(7, [Case((7, 1), *place, route, points=points) for points, of in dealt.items()
                         for number, route in enumerate(POINT_ROUTES) for place in of(number)])

    def test_servers(self):
        """Their summary contains the bytes that the models place and send."""
        routes = [{"servers": "2"}, {"servers": "2", "writers": "1"}, {"servers": "1"}]
        for route in routes:
            self.compare(6 + int(route["servers"]), [Case((3, 2), per_node, LARGE, {"route": "auto", **route})
                                                     for per_node in (8, 3)])

    def test_chunks(self):
        """Of two or more, in parts where the window is small."""
        kinds = ["published", "growing"]
        cases = [Case((5, 4), per_node, window, {}, MASK, (5, 430, 500))
                 for per_node in (13, 2) for window in ("2MiB", "24MiB")]
        with tempfile.TemporaryDirectory() as place:
            directory = pathlib.Path(place)
            self.run_cases(directory, 13, [f"{case.line().rstrip()} store=netcdf4 compression=deflate:1 chunks=auto kind={kind}\n"
                                           for case in cases for kind in kinds])
            for number, case in enumerate(cases):
                said = re.findall(r"a put of a record: \d+ rounds?, (\d+|no) message",
                                  case.run_plan(directory, "--chunks"))
                for k, kind in enumerate(kinds):
                    before, after = (json.loads((directory / f"{2 * number + k}.{which}.json").read_text())["messages"]
                                     for which in ("without", "with"))
                    with self.subTest(f"{case}, {kind}"):
                        self.assertEqual(after - before, 0 if said[k] == "no" else int(said[k]))
                        self.assertEqual(said[k] == "no", case.per_node == 13)


unittest.main(verbosity=1)
