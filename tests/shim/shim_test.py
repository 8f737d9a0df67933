"""The preloaded shim: shim_test.py LIBRARY. Python's os functions are thin enough to drive it."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

LIBRARY = sys.argv.pop()
OPEN = "import errno, os, sys, time; f = os.open(sys.argv[1] + '/data', os.O_RDWR | os.O_CREAT, 0o600)\n"
TELL = "def tell(call, *a):\n  try: print(call(*a))\n  except OSError as e: print(errno.errorcode[e.errno])\n"


class Shim(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.directory = pathlib.Path(place.name, "watched")
        self.directory.mkdir()
        self.counts = pathlib.Path(place.name, "counts.json")

    def run_under(self, command, **variables):
        environment = {**os.environ, "LD_PRELOAD": LIBRARY, **variables}
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=30)

    def python(self, code, **variables):
        done = self.run_under([sys.executable, "-c", OPEN + TELL + code, self.directory], **variables)
        self.assertEqual(done.stderr, "")
        return done.stdout.split()

    def inject(self, faults, code, **variables):
        return self.python(code, SV_INJECT=faults, SV_INJECT_DIR=str(self.directory), **variables)

    def test_a_fault_begins_at_its_number_and_stays(self):
        code = "for i in range(4): tell(os.pwrite, f, b'abcd', 4 * i)"
        self.assertEqual(self.inject("enospc@3", code), ["4", "4", "ENOSPC", "ENOSPC"])
        self.assertEqual(self.inject("eio@2..3", code), ["4", "EIO", "EIO", "4"])

    def test_short_transfers_write_what_they_say(self):
        self.assertEqual(self.inject("short@1..1", "tell(os.write, f, b'abcdefgh')"), ["4"])
        self.assertEqual((self.directory / "data").read_bytes(), b"abcd")
        self.assertEqual(self.inject("short@1..1", "tell(os.pwritev, f, [b'abc', b'de'], 0)"), ["3"])
        self.assertEqual(self.inject("short@1", "tell(os.pwrite, f, b'a', 0)"), ["1"])

    def test_every_kind_hits_its_own_operation(self):
        code = ("tell(os.pwrite, f, b'ab', 0); tell(os.fsync, f); tell(os.pread, f, 0, 0)\n"
                "tell(os.rename, sys.argv[1] + '/data', sys.argv[1] + '/final'); tell(os.close, f)\n"
                "tell(os.open, sys.argv[1] + '/data', os.O_WRONLY | os.O_CREAT)")
        well = ["2", "None", "b''", "None", "None", "3"]
        for kind, at, error in [("enospc@1", 0, "ENOSPC"), ("fsync@1", 1, "EIO"), ("read@1", 2, "EIO"),
                                ("rename@1", 3, "EIO"), ("close@1", 4, "EIO"), ("open@2", 5, "EACCES")]:
            expected = well[:at] + [error] + well[at + 1:]
            self.assertEqual(self.inject(kind, code), expected, kind)

    def test_other_files_are_left_alone(self):
        code = "tell(os.pwrite, f, b'ab', 0)"
        self.assertEqual(self.inject("eio@1", code, SV_INJECT_MATCH="*.part"), ["2"])
        self.assertEqual(self.inject("eio@1", code, SV_INJECT_MATCH="dat*"), ["EIO"])
        self.assertEqual(self.python(code, SV_INJECT="eio@1", SV_INJECT_DIR=str(self.directory) + "x"), ["2"])

    def test_a_relative_path_and_a_link_are_seen(self):
        (self.directory.parent / "link").symlink_to(self.directory)
        code = "os.chdir(sys.argv[1] + '/../link'); tell(os.open, 'other', os.O_WRONLY | os.O_CREAT)"
        self.assertEqual(self.inject("open@2", code), ["EACCES"])

    def test_processes_count_together_unless_told_otherwise(self):
        code = "if os.fork(): os.wait()\ntell(os.pwrite, f, b'ab', 0); sys.stdout.flush(); os._exit(0)"
        self.assertEqual(self.inject("eio@2", code), ["2", "EIO"])
        self.assertEqual(self.inject("eio@2", code, SV_INJECT_PER_PROCESS="1"), ["2", "2"])
        self.assertEqual(self.inject("eio@1", code, SV_INJECT_RANK="1", OMPI_COMM_WORLD_RANK="0"), ["2", "2"])
        self.assertEqual(self.inject("eio@1", code, SV_INJECT_RANK="1", OMPI_COMM_WORLD_RANK="1"), ["EIO", "EIO"])

    def test_programs_started_by_a_shell_count_together(self):
        write = f"{sys.executable} -c \"{OPEN.strip()}; os.pwrite(f, b'abcd', 0)\" {self.directory}"
        done = self.run_under(["sh", "-c", f"{write}; {write}"], SV_SHIM_DIR=str(self.directory),
                              SV_SHIM_COUNTS=str(self.counts))
        self.assertEqual(done.stderr, "")
        counts = json.loads(self.counts.read_text())
        self.assertEqual(counts["pwrite"], {"calls": 2, "bytes": 8})
        self.assertEqual(counts["open"]["calls"], 2)
        self.assertEqual(counts["read"]["calls"], 0)

    def test_kill_ends_the_process_before_the_write(self):
        done = self.run_under([sys.executable, "-c", OPEN + "os.write(f, b'a'); os.write(f, b'b')", self.directory],
                              SV_INJECT="kill@2", SV_INJECT_DIR=str(self.directory))
        self.assertEqual(done.returncode, -9)
        self.assertEqual((self.directory / "data").read_bytes(), b"a")

    def test_the_device_is_shared_and_keeps_its_rate(self):
        # 2 processes x 5 requests of 1 MB at 100 MB/s and 2 ms: 0.12 s.
        code = ("d = b'x' * 1000000; begin = time.monotonic(); n = os.fork()\n"
                "for i in range(5): os.pwrite(f, d, i * 1000000)\n"
                "if n: os.wait(); os.fsync(f); print(time.monotonic() - begin)")
        device = {"SV_DEVICE": "100MB/s,2ms", "SV_DEVICE_DIR": str(self.directory)}
        self.assertGreaterEqual(float(self.python(code, **device)[0]), 0.1199)

    def test_aio_is_seen_and_slowed(self):
        code = ("import ctypes, struct; c = ctypes.CDLL(None, use_errno=True); d = ctypes.create_string_buffer(100000)\n"
                "request = ctypes.create_string_buffer(256)  # struct aiocb of 64-bit glibc\n"
                "struct.pack_into('iii4xPQ', request, 0, f, 0, 0, ctypes.addressof(d), len(d))\n"
                "begin = time.monotonic(); sent = c.aio_write(request)\n"
                "if sent: print(errno.errorcode[ctypes.get_errno()]); sys.exit()\n"
                "while c.aio_error(request) == errno.EINPROGRESS: time.sleep(0.001)\n"
                "print(c.aio_return(request), time.monotonic() - begin)")
        written, seconds = self.python(code, SV_DEVICE="1MB/s", SV_DEVICE_DIR=str(self.directory),
                                       SV_SHIM_COUNTS=str(self.counts))
        self.assertEqual(int(written), 100000)
        self.assertGreaterEqual(float(seconds), 0.0999)
        self.assertEqual(json.loads(self.counts.read_text())["aio_write"], {"calls": 1, "bytes": 100000})
        self.assertEqual(self.inject("eio@1", code), ["EIO"])
        striped = self.python(code, SV_DEVICE="1MB/s,targets=2,stripe=50kB", SV_DEVICE_DIR=str(self.directory))
        self.assertGreaterEqual(float(striped[1]), 0.0499)

    def striped(self, code, more="", **variables):
        """Seconds, and hand-overs with their bytes, on 4 targets of 10 MB/s and 5 ms with stripes of 100 kB."""
        setting = {"SV_DEVICE": "10MB/s,5ms,targets=4,stripe=100kB" + more, "SV_DEVICE_DIR": str(self.directory),
                   "SV_SHIM_COUNTS": str(self.counts), **variables}
        self.counts.unlink(missing_ok=True)
        code = "d = b'x' * 100000; begin = time.monotonic()\n" + code + "\nprint(time.monotonic() - begin)"
        seconds = float(self.python(code, **setting)[0])
        return seconds, json.loads(self.counts.read_text())["hand_over"]

    # The cost of a request for each target is tested to the nanosecond in exact_device.cpp: here, that calls wait for it.
    def test_every_kind_of_request_waits_for_its_targets(self):
        # A target needs 5 ms + 10 ms for a stripe, 5 ms + 20 ms for two in one request.
        code = ("os.write(f, d); os.lseek(f, 300000, os.SEEK_CUR); os.writev(f, [d[1:], b'y'])\n"
                "os.pwrite(f, 8 * d, 0); os.pwritev(f, [d, d], 0); os.fsync(f)")
        seconds, hand_overs = self.striped(code)
        self.assertGreaterEqual(seconds, 0.0699)
        self.assertEqual(hand_overs, {"calls": 0, "bytes": 0})

    def test_targets_work_side_by_side_and_one_after_another(self):
        # Two writers, each five requests of a stripe.
        code = "n = os.fork()\nfor i in range(5): os.pwrite(f, d, {} * 100000)\nif n: os.wait()\nelse: os._exit(0)"
        self.assertGreaterEqual(self.striped(code.format("8 * i + 4 * bool(n)"))[0], 0.1499)
        self.assertGreaterEqual(self.striped(code.format("4 * i + bool(n)"))[0], 0.0749)

    def test_a_stripe_of_another_process_is_handed_over(self):
        # The child writes two stripes and a half: one of them is new, one and a half were the parent's.
        code = ("os.pwrite(f, 2 * d, 100000)\nif os.fork(): os.wait()\n"
                "else: os.pwrite(f, 2 * d + d[50000:], 0); os._exit(0)")
        for cost in 0, 0.1:
            seconds, hand_overs = self.striped(code, f",handover={cost}s")
            self.assertGreaterEqual(seconds, 0.0299 + cost)
            self.assertEqual(hand_overs, {"calls": 2, "bytes": 150000})

    def test_reads_take_time_where_asked_but_no_locks(self):
        code = "os.pwrite(f, 2 * d, 0)\nif os.fork(): os.wait()\nelse: os.pread(f, 200000, 0); os._exit(0)"
        seconds, hand_overs = self.striped(code, ",handover=1s", SV_DEVICE_READS="1")
        self.assertGreaterEqual(seconds, 0.0299)
        self.assertEqual(hand_overs["calls"], 0)

    def test_stripes_of_a_file_are_set_once_and_count(self):
        # A file of one stripe of 200 kB takes its target twice as long as one whose stripes lie on two.
        code = ("import fcntl, struct\nlov = lambda unit, count, pattern=1: struct.pack('IIQQIHH', 0x0BD10BD0, pattern, 0, 0, unit, count, 65535)\n"
                "set = lambda file, *a: tell(fcntl.ioctl, file, 0x4008669A, lov(*a))\n"
                "stripes = lambda file: print(struct.unpack('IIQQIHH', os.getxattr(file, 'lustre.lov'))[4:6])\n"
                "new = lambda name: os.open(sys.argv[1] + name, os.O_RDWR | os.O_CREAT | os.O_ASYNC)\n"
                "set(f, 65536, 2); stripes(f); a, b, c = new('/a'), new('/b'), new('/c')\n"
                "set(a, 1000, 2); set(a, 65536, 9); stripes(a); set(a, 65536, 2)\n"
                "set(b, 65536, 9, 0x201); stripes(b); os.write(c, b'x'); set(c, 65536, 2)")
        said = self.python(code, SV_DEVICE="1GB/s,targets=4,stripes=3,lustre", SV_DEVICE_DIR=str(self.directory))
        done = "b'" + "*"  # the result of a successful ioctl
        said = [done if each.startswith("b'") else each for each in said]
        self.assertEqual(said, ["EEXIST", "(1048576,", "3)", "EINVAL", done, "(65536,", "4)", "EEXIST", done, "(65536,",
                                "9)", "EEXIST"])

    def test_beegfs_makes_files_with_stripes(self):
        code = ("import fcntl, struct, ctypes\nhere = os.open(sys.argv[1], os.O_RDONLY)\n"
                "a, b = (ctypes.create_string_buffer(name) for name in (b'a', b'b'))\n"
                "hints = lambda name, *hints: struct.pack('PIIIxxxx', ctypes.addressof(name), 0o640, *hints)\n"
                "make = lambda *a: tell(lambda: fcntl.ioctl(here, 0x4018661B, hints(*a)) and 'made')\n"
                "stripes = lambda file: tell(lambda: struct.unpack('IIHxx', fcntl.ioctl(file, 0x800C6619, bytes(12)))[1:])\n"
                "make(a, 3, 98304); make(a, 3, 131072); make(a, 3, 131072); make(b, 9, 0)\n"
                "for name in '/a', '/b': stripes(os.open(sys.argv[1] + name, os.O_RDONLY))\n"
                "stripes(here); print(oct(os.stat(sys.argv[1] + '/a').st_mode))\n"
                "mount = bytearray(4100); fcntl.ioctl(here, 0x90046617, mount)\n"
                "targets = bytes(mount).split(b'\\0')[0].replace(b'config', b'storage_target_state')\n"
                "print(os.read(os.open(targets, os.O_RDONLY), 1 << 16).count(b'Target'))")
        said = self.python(code, SV_DEVICE="1GB/s,targets=4,stripes=3,beegfs", SV_DEVICE_DIR=str(self.directory))
        self.assertEqual(said, ["EINVAL", "made", "EEXIST", "made", "(131072,", "3)", "(1048576,", "4)", "EISDIR",
                                "0o100640", "4"])

    def test_nonsense_is_refused(self):
        for name, value in [("SV_DEVICE", "fast"), ("SV_DEVICE", "5MB/s,1"), ("SV_DEVICE", "5MB/s,targets=0"),
                            ("SV_DEVICE", "5MB/s,stripes=2"), ("SV_DEVICE", "5MB/s,targets=4,stripes=5"),
                            ("SV_DEVICE", "5MB/s,targets=2,stripe=1kB"), ("SV_DEVICE", "5MB/s,targets=2,colour=3"), ("SV_DEVICE", "5MB/s,lustre"),
                            ("SV_INJECT", "eio"), ("SV_INJECT", "eio@0"),
                            ("SV_INJECT", "eio@3..2"), ("SV_INJECT", "eio@1;"), ("SV_SHIM_COUNTS", "x")]:
            done = self.run_under(["true"], **{name: value})
            self.assertEqual(done.returncode, 126, (name, value))
            self.assertIn("sv_shim: SV_", done.stderr)


unittest.main(verbosity=1)
