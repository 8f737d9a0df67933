"""sv-plan by itself: its numbers add up, bad requests are refused, drawings are whole: numbers_test.py SV_PLAN."""
import json
import pathlib
import resource
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

SV_PLAN = sys.argv.pop()
FMS_TABLE = "2\n4,3\n1,1\n3,2\n"
PICTURE = "1111\n1101\n0111\n"  # the same, as on a map
ROUTES = (["auto"], ["serial"], ["shared"], ["row"], ["column", "--writers", "3"], ["ranges", "--writers", "2 per node"],
          ["domains", "--io-layout", "2,2"], ["domains", "--io-layout", "3,2", "--writers", "4"], ["per_pe"],
          ["per_domain", "--io-layout", "2,3"])


class Plan(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.directory = pathlib.Path(place.name)

    def run_plan(self, *arguments):
        return subprocess.run([SV_PLAN, *map(str, arguments)], cwd=self.directory, capture_output=True, text=True, timeout=60)

    def plan(self, *arguments):
        done = self.run_plan(*arguments, "--json", "plan.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads((self.directory / "plan.json").read_text())

    def refused(self, words, *arguments):
        done = self.run_plan(*arguments)
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn(words, done.stderr + done.stdout)

    def write(self, name, text):
        (self.directory / name).write_text(text)
        return name


class Numbers(Plan):
    def check_sums(self, plan):
        case, totals, nodes, receivers = plan["case"], plan["totals"], plan["nodes"], plan["receivers"]
        last = plan["route"]["stages"] - 1
        for stage in range(last + 1):  # every owned byte arrives exactly once
            into = [receiver for receiver in receivers if receiver["stage"] == stage]
            whole = case["owned_bytes"] if stage == 0 else case["bytes"]
            self.assertLessEqual(sum(receiver["bytes"] for receiver in into), whole)
            self.assertGreaterEqual(sum(receiver["bytes"] for receiver in into), case["owned_bytes"])
        self.assertEqual(sum(receiver["bytes"] for receiver in receivers), totals["placed_bytes"])
        self.assertEqual(sum(receiver["bytes"] - receiver["own_node_bytes"] for receiver in receivers), totals["sent_bytes"])
        self.assertEqual(sum(receiver["messages"] for receiver in receivers), totals["messages"])
        self.assertEqual(sum(node["messages"] for node in nodes), totals["messages"])
        self.assertEqual(sum(node["sent_bytes"] for node in nodes), totals["sent_bytes"])
        self.assertEqual(sum(node["received_bytes"] for node in nodes), totals["sent_bytes"])
        self.assertEqual(sum(node["ranks"] for node in nodes), case["ranks"])
        if "points" not in plan:
            self.assertLessEqual(totals["messages"], totals["messages_before_combining"])
        self.assertEqual(max(node["peak_window_bytes"] for node in nodes), plan["memory"]["peak_bytes"])
        self.assertLessEqual(plan["memory"]["peak_bytes"], plan["memory"]["pool_bytes"])
        self.assertGreaterEqual(totals["written_bytes"], case["owned_bytes"])
        written = {receiver["rank"]: receiver for receiver in receivers if receiver["stage"] == last}
        if case["land_blocks"] == 0:
            self.assertEqual(totals["written_bytes"], case["bytes"])
            self.assertEqual(sum(receiver["written_bytes"] for receiver in written.values()), case["bytes"])
        matrix = plan["bytes_by_receiver_and_node"]
        if matrix:
            self.assertEqual([sum(row) for row in matrix], [receiver["bytes"] for receiver in receivers])

    def check_ranges(self, plan):
        case, at = plan["case"], plan["case"]["offset_bytes"]
        for owned in plan["ranges"]:
            self.assertEqual(owned["first_byte"], at)
            at = owned["end_byte"]
        if plan["ranges"]:
            self.assertEqual(at, case["offset_bytes"] + case["bytes"])
            self.assertEqual(plan["stripes"]["with_several_writers"], 0)

    def test_sums(self):
        mask = self.write("mask", PICTURE)
        for route in ROUTES:
            for layout in (["--layout", "4x3"], ["--mask", mask]):
                for window in ("192KiB", "64MiB"):
                    for per_node in (3, 100):
                        arguments = ["--shape", "7x61x83", *layout, "--per-node", per_node, "--window", window, "--stripe",
                                     "8192", "--route", *route, "--flows", "--most", "10000"]
                        with self.subTest(arguments):
                            plan = self.plan(*arguments)
                            self.check_sums(plan)
                            self.check_ranges(plan)
                            self.assertEqual(plan["flows_left_out"], 0)
                            self.assertEqual(sum(flow["bytes"] for flow in plan["flows"]), plan["totals"]["placed_bytes"])

    def test_sums_of_points(self):
        for points in ("random", "strips"):
            for route in (["auto"], ["serial"], ["ranges", "--writers", "3"],
                          ["ranges", "--writers", "3", "--partition", "cells"],
                          ["ranges", "--writers", "2", "--partition", "levels"]):
                for window in ("192KiB", "64MiB"):
                    for per_node in (3, 100):
                        arguments = ["--shape", "7x61x83", "--points", points, "--ranks", "11", "--per-node", per_node,
                                     "--window", window, "--stripe", "8192", "--route", *route]
                        with self.subTest(arguments):
                            plan = self.plan(*arguments)
                            self.check_sums(plan)
                            self.assertEqual(plan["totals"]["messages"] > 0, per_node == 3)

    def test_servers_by_hand(self):
        """4 ranks and 2 servers on 2 nodes: the last rank of each serves, and takes half of 64 KiB from all ranks."""
        plan = self.plan("--shape", "8x32x32", "--layout", "2x2", "--per-node", "3", "--servers", "2", "--stripe", "8KiB",
                         "--server-memory", "1MiB")
        self.assertEqual(plan["servers"], {"ranks": [2, 5], "ring_bytes": 512 << 10, "most_field_bytes": 32 << 10})
        self.assertEqual([receiver["rank"] for receiver in plan["receivers"]], [2, 5])
        self.assertEqual([receiver["written_bytes"] for receiver in plan["receivers"]], [32 << 10, 32 << 10])
        self.assertEqual((plan["case"]["ranks"], plan["case"]["nodes"], plan["case"]["land_blocks"]), (6, 2, 0))
        self.assertEqual(plan["rounds"]["count"], 1)
        self.assertEqual(plan["totals"]["messages"], 2)
        self.assertEqual(plan["totals"]["sent_bytes"], 32 << 10)
        self.assertEqual(plan["totals"]["placed_bytes"], 64 << 10)
        fewer = self.plan("--shape", "8x32x32", "--layout", "2x2", "--per-node", "3", "--servers", "2", "--writers", "1")
        self.assertEqual([receiver["rank"] for receiver in fewer["receivers"]], [2])

    def test_points_by_hand(self):
        """4 ranks on 2 nodes have 3 of 12 cells each, on 2 levels; rank 0 writes all in one round."""
        small = ("--shape", "2x3x4", "--ranks", "4", "--per-node", "2", "--route", "serial")
        plan = self.plan(*small, "--points", "strips")
        self.assertEqual(plan["totals"]["messages"], 1)
        self.assertEqual(plan["totals"]["sent_bytes"], 2 * 6 * 8)
        # Of a rank: where its run is in its arrays, and 48 bytes for each rank of the job. Of a node: the lists of 4 ranks,
        # of 2 words for each run, and 3 of each and of its holes.
        self.assertEqual(plan["points"], {"kind": "strips", "runs": 4, "most_runs": 1, "rank_bytes": 8 + 4 * 48,
                                          "node_bytes": 8 * 4 * (2 + 6)})
        dealt = self.plan(*small, "--points", "random")
        self.assertEqual(dealt["totals"]["sent_bytes"], plan["totals"]["sent_bytes"])
        self.assertGreater(dealt["points"]["runs"], 4)

    def test_messages_by_hand(self):
        # Two ranks on each of two nodes, blocks side by side; two writers, a level each; one round.
        plan = self.plan("--shape", "2x64x64", "--layout", "4x1", "--per-node", "2", "--writers", "1 per node", "--offset",
                         "32768", "--stripe", "32768")
        self.assertEqual(plan["rounds"], {"count": 1, "bytes": 32768})
        self.assertEqual(plan["totals"]["messages_before_combining"], 4)
        self.assertEqual(plan["totals"]["messages"], 2)
        self.assertEqual(plan["totals"]["sent_bytes"], 32768)
        self.assertEqual(plan["totals"]["copies"], 2)
        self.assertEqual(plan["bytes_by_receiver_and_node"], [[16384, 16384], [16384, 16384]])
        self.assertEqual([(r["rank"], r["first_byte"], r["end_byte"]) for r in plan["ranges"]],
                         [(0, 32768, 65536), (2, 65536, 98304)])

    def test_stripes_of_blocks_by_hand(self):
        # A stripe is two rows of the 4 blocks side by side; a file of each has none to share.
        shared = ["--shape", "8x512", "--layout", "4x2", "--stripe", "8192"]
        self.assertEqual(self.plan(*shared, "--route", "shared")["stripes"],
                         {"count": 4, "examined": 4, "with_several_writers": 4, "most_writers": 4, "mean_writers": 4})
        self.assertEqual(self.plan(*shared, "--route", "row")["stripes"]["with_several_writers"], 0)
        self.assertIsNone(self.plan(*shared, "--route", "per_pe")["stripes"])

    def test_masks(self):
        for text in (PICTURE, FMS_TABLE):
            plan = self.plan("--shape", "2x30x40", "--mask", self.write("mask", text))
            self.assertEqual(plan["case"]["ranks"], 10)
            self.assertEqual(plan["case"]["land_blocks"], 2)
            self.assertEqual(plan["case"]["owned_bytes"], 2 * 30 * 40 * 8 * 10 // 12)
        first = self.run_plan("--shape", "2x30x40", "--mask", "mask", "--rank", "0").stdout
        self.assertIn("block [0:10, 10:20]", first)  # of the first row of blocks, the first is land

    def test_lists_tell_what_they_leave_out(self):
        done = self.run_plan("--layout", "8x4", "--flows", "--writers", "3", "--most", "5").stdout
        self.assertIn("and 91 flows more, left out; --most 96 shows them", done)
        done = self.run_plan("--layout", "4x4", "--route", "shared", "--most", "2").stdout
        self.assertIn("and 14 lines more", done)

    def test_one_rank(self):
        done = self.run_plan("--shape", "2x64x64", "--layout", "4x1", "--per-node", "2", "--writers", "1 per node",
                             "--offset", "32768", "--stripe", "32768", "--rank", "2").stdout
        for words in ("rank 2, on node 1", "sends 1 message with 16.4 KB", "receives 1 message",
                      "round 0, to rank 0: 8.2 KB", "64 runs of 16 cells, every 64, from cell 32 of its share"):
            self.assertIn(words, done)

    def test_very_many_ranks(self):
        plan = self.plan("--ranks", "100000", "--preset", "0.1")
        self.assertEqual(plan["totals"]["written_bytes"], 50 * 2700 * 3600 * 8)
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertLess(usage.ru_maxrss, 500000)
        self.assertLess(usage.ru_utime - self.before, 5)

    def setUp(self):
        super().setUp()
        self.before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


class Refused(Plan):
    def test_requests(self):
        small = ["--shape", "3x40x50", "--layout", "4x3"]
        self.refused("The nearest valid one is io_layout = 4,3", *small, "--route", "domains", "--io-layout", "9,3")
        self.refused("The nearest valid request is writers = 12", *small, "--writers", "13")
        self.refused("The nearest valid request is the route 'ranges'", *small, "--route", "serial", "--writers", "2")
        self.refused("there is no route 'rows'", *small, "--route", "rows")
        self.refused("The nearest valid request is --layout 50x3", "--shape", "3x40x50", "--layout", "60x3")
        self.refused("The nearest number of ranks that can is 58", "--shape", "3x40x50", "--ranks", "59")
        self.refused("The nearest valid request is --ranks 12", *small, "--ranks", "13")
        self.refused("Ranks are 0 to 11", *small, "--rank", "12")
        self.refused("'many' is not understood", *small, "--writers", "many")
        self.refused("not in range", *small, "--window", "1KiB")

    def test_points(self):
        small = ["--shape", "3x4x5", "--points", "random"]
        self.refused("The nearest number of ranks that can is 20", *small, "--ranks", "21")
        self.refused("Ask for the route 'auto', 'ranges' or 'serial'", *small, "--route", "domains")
        self.refused("Ask for the route 'auto', 'ranges' or 'serial'", *small, "--writers", "self")
        self.refused("--points excludes --svg", *small, "--svg", "plan.svg")
        self.refused("--partition requires --points", "--partition", "cells")

    def test_servers(self):
        self.refused("Ask for the route 'auto', 'ranges' or 'serial'", "--servers", "2", "--route", "row")
        self.refused("Leave --servers out", "--servers", "2", "--svg", "plan.svg")
        self.refused("excludes", "--servers", "2", "--points", "strips")

    def test_options(self):
        for arguments in (["--shape", "5"], ["--shape", "5x0x2"], ["--layout", "4"], ["--type", "char"], ["--preset", "2"],
                          ["--stripe", "1KiB"], ["--nonsense"], ["--ranks", "0"], ["--shape", "9999999x9999999x9999999"],
                          ["--shared-fs", "--local-fs"]):
            self.refused("", *arguments)

    def test_masks(self):
        for text, words in (("11\n1\n", "row 2 of the mask has 1 blocks"), ("1x\n", "holds 'x'"), ("00\n", "is land"),
                            ("", "is empty"), ("2\n4,3\n1,1\n", "announces 2 blocks and lists 1"),
                            ("1\n4,3\n5,1\n", "'5,1' is no block of 4,3")):
            self.refused(words, "--mask", self.write("mask", text))
        self.refused("longer than 64 MiB", "--mask", "/dev/zero")
        self.refused("1000000 blocks", "--mask", self.write("mask", ("1" * 1001 + "\n") * 1000))
        self.assertEqual(self.run_plan("--mask", "nowhere").returncode, 1)
        self.refused("--layout 4x3, or none", "--layout", "4x4", "--mask", self.write("mask", PICTURE))

    def test_a_file_that_cannot_be_written_is_no_bad_request(self):
        self.assertEqual(self.run_plan("--json", "nowhere/plan.json").returncode, 1)


MACHINE = """# four cores, round numbers
cores_per_node: 4
pack_bytes_per_second: 1e6
memory_bytes_per_second: 1e9
message_seconds: 0
message_bytes_per_second: 1e6
writer_bytes_per_second: 1e6
storage_bytes_per_second: 1e9   # never reached
write_seconds: 0.5
open_seconds: 3
band: 4
"""


class Prediction(Plan):
    CASE = ("--shape", "5x20x40", "--layout", "2x2", "--per-node", "4")  # 32 000 bytes, one writer, one round

    def test_seconds_by_hand(self):
        found = self.plan(*self.CASE, "--predict", self.write("machine", MACHINE))["prediction"]
        self.assertEqual(found["counts"]["most_placed_bytes_of_node"], 32000)
        self.assertEqual((found["counts"]["openers"], found["counts"]["most_writes_of_writer"]), (1, 1))
        for phase, seconds in (("open", 3), ("pack", 0.008), ("send", 0), ("write", 0.532), ("transfer", 0.54), ("close", 1),
                               ("total", 4.54), ("total_low", 4.54 / 4), ("total_high", 4.54 * 4)):
            self.assertAlmostEqual(found["seconds"][phase], seconds, msg=phase)
        self.assertEqual((found["limit"], found["served"]), ("write calls", None))

    def test_servers(self):
        found = self.plan(*self.CASE, "--predict", self.write("machine", MACHINE), "--servers", "1", "--steps", "3", "--compute",
                          "2")["prediction"]["served"]
        self.assertAlmostEqual(found["drain"], 0.532)
        self.assertAlmostEqual(found["model"], 3 + 3 * 2.008)
        self.assertAlmostEqual(found["total"], 3 + 3 * 2.008 + 0.532 + 1)

    def test_configurations_of_a_case(self):
        variable = {"shape": [5, 20, 40], "type": "double", "count": 3, "records": 2}
        case = {"workload": "w", "ranks": 4, "layout": [2, 2], "ranks_per_node": 4, "steps": 2, "compute_seconds": 1,
                "files": [{"name": "f", "reads": False, "times": 2, "variables": [variable]}]}
        wishes = [{}, {"route": "shared"}, {"async": "servers:1"}, {"route": "domains", "io_layout": "9,9"}, {"rout": "auto"},
                  {"format": "netcdf4", "compression": "deflate:1"}, {"store": "netcdf4_library"},
                  {"store": "pnetcdf", "mpi_io.cb_nodes": "2"}]
        arguments = ("--case", self.write("case.json", json.dumps(case)), "--predict", self.write("machine", MACHINE))
        done = self.run_plan(*arguments, "--configurations", self.write("list.json", json.dumps(wishes)), "--json", "out.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        auto, shared, served, *refused = json.loads((self.directory / "out.json").read_text())
        # 12 fields of 0.54 s, two commits of 0.5 s for each of two files, which open for 3 s and close for 1; 2 s of computing
        self.assertAlmostEqual(auto["seconds"]["blocked"], 12 * 0.54 + 4 * 0.5)
        self.assertAlmostEqual(auto["seconds"]["total"], 12 * 0.54 + 4 * 0.5 + 2 * 4 + 2)
        self.assertEqual((auto["writers"], auto["cores"], auto["limited_by"]), (1, 4, "write calls"))
        self.assertEqual(shared["writers"], 4)
        self.assertLess(served["seconds"]["blocked"], auto["seconds"]["blocked"])
        for answer, words in zip(refused, ("does not fit", "'route'", "rate of compression with deflate", "HDF5", "PnetCDF")):
            self.assertIn(words, answer["refused"])
        self.refused("is no case", "--case", self.write("bad", "{}"), "--predict", self.write("machine", MACHINE),
                     "--configurations", self.write("list.json", "[]"))

    def predicted(self, machine, files, wishes, **words):
        case = {"workload": "w", "ranks": 4, "layout": [2, 2], "ranks_per_node": 4, "steps": 2, "files": files, **words}
        done = self.run_plan("--case", self.write("case.json", json.dumps(case)), "--predict", self.write("machine", machine),
                             "--configurations", self.write("list.json", json.dumps(wishes)), "--json", "out.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        return [answer["seconds"] for answer in json.loads((self.directory / "out.json").read_text())]

    def test_calls_beside_their_bytes(self):
        variable = {"shape": [5, 20, 40], "type": "double", "count": 3, "records": 2}
        written = [{"name": "f", "reads": False, "variables": [variable]}]
        costs = MACHINE + "put_seconds: 0.1\nput_seconds_per_rank: 0.01\nread_seconds: 0.25\n"
        free, costly = self.predicted(MACHINE, written, [{}])[0], self.predicted(costs, written, [{}])[0]
        # 6 puts and 2 ends of steps by 4 ranks; opening and closing are two each
        for phase, calls in (("blocked", 8), ("open", 2), ("close", 2), ("total", 12)):
            self.assertAlmostEqual(costly[phase] - free[phase], calls * 0.13)
        read = {"name": "g", "reads": True, "variables": [{"shape": [5, 20, 40], "type": "double"}]}
        self.assertAlmostEqual(self.predicted(costs, [read], [{}])[0]["read"], 0.13)
        # By itself, through buffers of 8192 bytes: 10 rows of 320 bytes, 5 levels, 4 ranks on 4 cores
        read["reading"] = "self"
        self.assertAlmostEqual(self.predicted(costs, [read], [{}])[0]["read"], 5 * (1 + 3200 / 8192) * 0.25)
        rates = MACHINE + "read_bytes_per_second: 1e6\nstorage_read_bytes_per_second: 1e5\n"  # buffers are filled, even if little is needed of them
        self.assertAlmostEqual(self.predicted(rates, [read], [{}])[0]["read"], 4 * 5 * (8192 + 3200) / 1e5)
        rows = costs + "read_row_seconds: 0.001\n"  # 50 rows of each
        self.assertAlmostEqual(self.predicted(rows, [read], [{}])[0]["read"], 5 * (1 + 3200 / 8192) * 0.25 + 50 * 0.001)
        whole = self.predicted(rows, [read], [{}], layout=[1, 4])[0]["read"]  # rows that are not cut: a stretch of each level
        self.assertAlmostEqual(whole, 5 * (1 + 1600 / 8192) * 0.25 + 5 * 0.001)

    CODECS = ("codec_isal_1_bytes_per_second: 1e5\ncodec_isal_1_node_bytes_per_second: 2e5\ncodec_isal_1_ratio: 0.5\n"
              "codec_zlib_6_bytes_per_second: 1e4\ncodec_zlib_6_ratio: 0.25\ncodec_zlib_6_read_bytes_per_second: 1\n"
              "netcdf4_file_seconds: 10\nnetcdf4_variable_seconds: 2\n")

    def test_compressed_by_hand(self):
        # Four owners on four cores, five chunks of 200 cells each, which are levels of their own blocks: nothing is packed. A
        # write by each, of 4000 bytes that are left of 8000, and 0.5 s a call.
        machine = self.write("codecs", MACHINE + self.CODECS)
        stored = ("--predict", machine, "--set", "store=netcdf4", "compression=deflate:1", "chunks=1,10,20")
        found = self.plan(*self.CASE, *stored)["prediction"]
        self.assertEqual(found["counts"]["most_placed_bytes_of_node"], 0)
        self.assertEqual((found["codec"]["name"], found["codec"]["level"], found["codec"]["ratio"]), ("isal", 1, 0.5))
        for phase, seconds in (("open", 3 + 10 + 2), ("pack", 0), ("compress", 32000 / 2e5), ("write", 0.504)):
            self.assertAlmostEqual(found["seconds"][phase], seconds, msg=phase)
        # One round: it was written at the commit, since no rank could do so while others compressed.
        self.assertAlmostEqual(found["seconds"]["transfer"] + found["seconds"]["behind"], 0.16 + 0.504)
        given = self.plan(*self.CASE, *stored, "--ratio", "0.125")["prediction"]
        self.assertAlmostEqual(given["seconds"]["write"], 0.501)
        self.assertEqual((given["codec"]["ratio"], given["codec"]["ratio_is_given"]), (0.125, True))
        reported = self.run_plan(*self.CASE, *stored).stdout
        self.assertIn("codec: isal 1: 0.1 MB/s of a core, 0.2 MB/s of a node, leaves 0.5 of the bytes (of the profile)", reported)
        # Level 6 of auto is libdeflate's or zlib's with any profile; chunks of two blocks are packed.
        other = self.plan(*self.CASE, "--predict", machine, "--set", "store=netcdf4", "compression=deflate:5", "chunks=1,20,20")["prediction"]
        self.assertEqual((other["codec"]["name"], other["codec"]["level"]), ("zlib", 6))
        self.assertGreater(other["counts"]["most_placed_bytes_of_node"], 0)
        self.assertAlmostEqual(other["seconds"]["compress"], 3 * 20 * 20 * 8 / 1e4)  # ten chunks of four ranks: three of one
        for words, settings in (("rate of compression with zstd", ["compression=zstd:1"]), ("without shuffle", ["compression=deflate:1", "compression.shuffle=false"]),
                                ("combine", ["compression=deflate:1", "combine=step"]), ("quantized", ["compression=deflate:1", "compression.quantize=bitround:3"])):
            self.refused(words, *self.CASE, "--predict", machine, "--set", "store=netcdf4", *settings)

    def test_rounds_are_written_while_others_are_compressed(self):
        # 16 ranks take turns on four cores; 50 chunks of 64 000 bytes of each in a window for a few of them.
        machine = self.write("codecs", MACHINE.replace("write_seconds: 0.5", "write_seconds: 0").replace(
            "storage_bytes_per_second: 1e9   # never reached", "storage_bytes_per_second: 1e6") + self.CODECS)
        case = ("--shape", "50x400x320", "--layout", "4x4", "--per-node", "16", "--window", "8MiB", "--predict", machine,
                "--set", "store=netcdf4", "compression=deflate:1", "chunks=1,100,80", "--ratio", "0.5")
        s = self.plan(*case)["prediction"]["seconds"]
        self.assertAlmostEqual(s["compress"], 51.2e6 / 2e5)
        self.assertAlmostEqual(s["write"], 25.6)
        # The shorter phase is hidden, except that of the first or the last rank.
        both, apart = s["transfer"] + s["behind"], s["compress"] + s["write"]
        self.assertLess(both, apart - s["write"] * 0.7)
        self.assertGreater(both, s["compress"])
        growing = [{"store": "netcdf4", "compression": "deflate:1", "chunks": "1,100,80", "kind": kind} for kind in ("published", "growing")]
        variable = {"shape": [50, 400, 320], "type": "double", "records": 3}
        once, often = self.predicted(MACHINE + self.CODECS, [{"name": "f", "variables": [variable]}], growing, ranks=16,
                                     layout=[4, 4], ranks_per_node=16)
        self.assertGreater(often["total"], once["total"])  # the last rounds of each step are waited for

    def test_all_files_of_servers_are_on_one_clock(self):
        # Three of four ranks compute. A field of 32 000 bytes is handed over in 0.008 s, and written in 0.532 s; its file opens in
        # 0.1 s, and is closed in 1 s. The model passes an output in 0.108 s; the servers take 1.532 s.
        machine = MACHINE.replace("open_seconds: 3", "open_seconds: 0.1")
        variable = {"shape": [5, 20, 40], "type": "double"}
        often = {"name": "history", "times": 4, "variables": [variable]}
        once = {"name": "restart", "variables": [variable]}

        def total(files, steps, compute):
            return self.predicted(machine, files, [{"async": "servers:1"}], steps=steps, compute_seconds=compute)[0]

        busy = total([often, once], 4, 1)  # the servers never rest after the first output
        self.assertAlmostEqual(busy["total"], 1.108 + 5 * 1.532)
        self.assertAlmostEqual(busy["blocked"], 5 * 0.008)
        self.assertAlmostEqual(busy["close"], 1.108 + 5 * 1.532 - (4 + 5 * 0.108))
        idle = total([often, once], 4, 2)  # they rest until the last step, after which there are two outputs
        self.assertAlmostEqual(idle["total"], 4 * 2.108 + 2 * 1.532)
        late = total([{**often, "times": 2, "after": [3, 4]}, once], 4, 1)
        self.assertAlmostEqual(late["total"], 3.108 + 3 * 1.532)
        early = total([{**often, "times": 1, "after": [1]}], 4, 1)  # written while the model goes on
        self.assertAlmostEqual(early["total"], 4 + 0.108)
        self.assertAlmostEqual(early["close"], 0)
        single = total([{**often, "times": 1}, once], 1, 10)  # a step is computed once, not once for each file
        self.assertAlmostEqual(single["total"], 10.108 + 2 * 1.532)
        # The reads of each step, 32 000 bytes by three ranks, give the servers time.
        machine += "read_bytes_per_second: 8e4\n"
        read = {"name": "input", "reads": True, "variables": [{**variable, "records": 4}]}
        self.assertAlmostEqual(total([often, once, read], 4, 1)["total"], 0.1 + 1.108 + 0.4 / 3 + 5 * 1.532)

    def test_threads_write_behind_the_calls(self):
        # Four ranks on four cores compute. A field of 32 000 bytes is packed in 0.008 s, and then written in 0.532 s by a thread.
        machine = MACHINE.replace("open_seconds: 3", "open_seconds: 0.1")
        files = [{"name": "history", "times": 3, "variables": [{"shape": [5, 20, 40], "type": "double"}]}]

        def forecasts(machine, compute, *modes):
            return self.predicted(machine, files, [{"async": each} for each in modes], steps=3, compute_seconds=compute)

        calls, threads, either = forecasts(machine, 2, "none", "threads", "auto")
        self.assertAlmostEqual(threads["total"], 3 * 2.108 + 1.532)
        self.assertAlmostEqual(threads["blocked"], 3 * 0.008)
        self.assertEqual(either, threads)
        self.assertLess(threads["total"], calls["total"])
        shared, = forecasts(machine + "writer_core_part: 0.5\n", 2, "threads")  # of a core of four, while all compute
        self.assertAlmostEqual(shared["blocked"], 3 * (0.008 + 0.532 * 0.5 / 4))
        # Computing that takes no time hides nothing: four ranks write as fast as a thread, and one less computes where one is ready.
        calls, either, ready = forecasts(machine, 0, "none", "auto", "auto:1")
        self.assertLessEqual(either["total"], calls["total"])
        self.assertGreater(ready["total"], 0)

    def test_cases_tell_when_outputs_come(self):
        def refused(words, **file):
            variable = {"shape": [5, 20, 40], "type": "double"}
            case = {"workload": "w", "ranks": 1, "steps": 4, "files": [{"name": "f", "variables": [variable], **file}]}
            self.refused(words, "--case", self.write("case.json", json.dumps(case)), "--predict", self.write("machine", MACHINE),
                         "--configurations", self.write("list.json", "[]"))

        refused("from 1 to 4, ascending, not 5", after=[5])
        refused("ascending, not 2", times=2, after=[3, 2])
        refused("1 steps for 2 outputs", times=2, after=[3])
        refused("at most 1000000", times=1000001)
        variable = {"shape": [5, 20, 40], "type": "double"}
        refused("from 1 to 100000", variables=[{**variable, "count": 2 * 10**9}])
        refused("2^60 bytes", variables=[{**variable, "shape": [1 << 20, 1 << 20], "count": 10**5, "records": 10**5}])

    def test_cases_have_ranks(self):
        machine, wishes = self.write("machine", MACHINE), self.write("list.json", "[]")
        file = {"name": "f", "times": 600000, "variables": [{"shape": [5, 20, 40], "type": "double"}]}
        for words, case in (("from 1 to 1000000", {"ranks": 1 << 31}), ("'layout'", {"ranks": 16, "layout": [-4, -4]}),
                            ("'layout'", {"ranks": 16, "layout": [1 << 16, 1 << 16]}),
                            ("more than 1000000 outputs", {"files": [file] * 2})):
            case = self.write("case.json", json.dumps({"workload": "w", "files": [], **case}))
            self.refused(words, "--case", case, "--predict", machine, "--configurations", wishes)

    def test_combined_steps_go_to_owners_of_ranges(self):
        variable = {"shape": [5, 200, 400], "type": "double", "count": 3, "records": 2}  # 3.2 MB each
        wishes = [{"combine": "step", "route": "ranges", "writers": "4"}, {"combine": "step", "route": "shared"}]
        four, one = self.predicted(MACHINE, [{"name": "f", "reads": False, "variables": [variable]}], wishes)
        self.assertAlmostEqual(four["write"], 2 * (2.4 + 0.5))  # a write of 2.4 MB by each
        self.assertAlmostEqual(one["write"], 2 * (9.6 + 3 * 0.5))  # of at most 4 MiB
        variable["shape"] = [5, 100, 200]  # a step of 2.4 MB is in three stripes, on as many of the four targets
        striped = MACHINE + "targets: 4\ntarget_bytes_per_second: 1e5\n"
        one, = self.predicted(striped, [{"name": "f", "reads": False, "variables": [variable]}], wishes[1:])
        self.assertAlmostEqual(one["write"], 2 * (10.48576 + 0.5))

    def test_servers_write_small_fields_together(self):
        # A step of 6 MB in fields of 0.4 MB: 4 MiB, then the rest, each at the pace of the target that has a stripe of it.
        variable = {"shape": [5, 100, 100], "type": "double", "count": 15, "records": 2}
        files = [{"name": "f", "reads": False, "variables": [variable]}]
        striped = MACHINE + "targets: 4\ntarget_bytes_per_second: 1e5\n"
        one, = self.predicted(striped, files, [{"async": "servers:1", "async.memory": "64MiB"}])
        self.assertAlmostEqual(one["write"], 2 * (2 * 10.48576 + 2 * 0.5))

    def test_the_choice_is_held_against_all(self):
        done = self.run_plan(*self.CASE, "--predict", self.write("machine", MACHINE), "--choose", "--json", "out.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        found = json.loads((self.directory / "out.json").read_text())
        best = min(candidate["seconds"] for candidate in found["candidates"])
        self.assertAlmostEqual(found["regret"], found["auto"]["seconds"] / best - 1)
        self.assertEqual(found["candidates"][0]["seconds"], best)
        self.assertEqual(found["stripes"], {"count": 1, "nodes_with_data": {"mean": 1, "most": 1},
                                            "ranks_with_data": {"mean": 4, "most": 4}})

    def chosen(self, *arguments):
        done = self.run_plan(*arguments, "--predict", self.write("machine", MACHINE), "--choose", "--json", "out.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads((self.directory / "out.json").read_text())

    def test_who_has_data_in_a_stripe_by_hand(self):
        # 128 rows of 512 bytes, 8 to a stripe, the first after half of one: 7 of 17 stripes meet two of the blocks of 16 rows, 3 two nodes.
        found = self.chosen("--shape", "2x64x64", "--layout", "1x4", "--per-node", "2", "--stripe", "4096", "--offset", "2048")
        self.assertEqual(found["stripes"]["count"], 17)
        for who, mean in (("nodes", 20 / 17), ("ranks", 24 / 17)):
            self.assertAlmostEqual(found["stripes"][who + "_with_data"]["mean"], mean)
            self.assertEqual(found["stripes"][who + "_with_data"]["most"], 2)

    def test_the_counts_of_the_documents(self):  # studies/docs/figures.md, "Plans at scale", its first row
        found = self.chosen("--preset", "0.1", "--ranks", "1440", "--stripe-count", "64")
        auto, stripes = found["auto"], found["stripes"]
        self.assertEqual((auto["writers"], auto["rounds"], auto["messages"], auto["most_messages_of_node"]), (64, 20, 3284, 157))
        self.assertEqual((auto["most_bytes_of_writer"], auto["bytes_held_by_writer"]), (61857792, 6291456))
        self.assertEqual((stripes["count"], stripes["nodes_with_data"]["most"], stripes["ranks_with_data"]["most"]), (3708, 3, 72))
        self.assertAlmostEqual(stripes["nodes_with_data"]["mean"], 7041 / 3708)
        self.assertAlmostEqual(stripes["ranks_with_data"]["mean"], 203800 / 3708)

    def test_the_example_and_many_ranks(self):
        example = pathlib.Path(__file__).parents[2] / "tools/plan/example-machine.yaml"
        done = self.run_plan("--preset", "0.1", "--ranks", "100000", "--stripe-count", "64", "--most", "1", "--predict", example)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("predicted, not measured", done.stdout)

    def test_bad_profiles(self):
        for text, words in ((MACHINE + "cores: 3\n", "'cores' is no key"), (MACHINE + "band: 3\n", "is there twice"),
                            (MACHINE.replace("band: 4", "band: 4 GB"), "out of range"), ("", "'cores_per_node' is missing"),
                            (MACHINE + "burst_bytes: 1\n", "'sustained_bytes_per_second' is missing"),
                            (MACHINE + "stripe_bytes: 1e300\n", "'stripe_bytes' is out of range"),
                            (MACHINE + "nothing\n", "is no 'key: number'")):
            self.refused(words, *self.CASE, "--predict", self.write("machine", text))
        self.assertEqual(self.run_plan("--predict", "nowhere").returncode, 1)
        self.refused("--predict", "--steps", "2")
        machine = self.write("machine", MACHINE)
        for option in ("--compute", "--ratio"):
            self.refused("is no number", *self.CASE, "--predict", machine, option, "nan")
        self.refused("one by one", "--shape", "1000x100000x10000", "--stripe", "4096", "--predict", machine)


class Drawing(Plan):
    def texts(self, *arguments):
        done = self.run_plan(*arguments, "--svg", "plan.svg")
        self.assertEqual(done.returncode, 0, done.stderr)
        root = xml.etree.ElementTree.parse(self.directory / "plan.svg").getroot()
        return [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]

    def test_every_route(self):
        mask = self.write("mask", PICTURE)
        for route in ROUTES:
            for layout in (["--layout", "4x3"], ["--mask", mask]):
                texts = self.texts("--shape", "7x61x83", *layout, "--per-node", "3", "--route", *route)
                ranks = 12 if "--layout" in layout else 10
                self.assertLessEqual({str(rank) for rank in range(ranks)}, set(texts), route)

    def test_many_ranks_have_no_labels(self):
        texts = self.texts("--preset", "0.25", "--layout", "40x36", "--per-node", "48")
        self.assertIn("node 7", texts)
        self.assertNotIn("1439", texts)
        self.assertLess((self.directory / "plan.svg").stat().st_size, 200000)
        self.texts("--preset", "0.1", "--ranks", "100000")
        self.assertLess((self.directory / "plan.svg").stat().st_size, 1000000)


unittest.main(verbosity=1)
