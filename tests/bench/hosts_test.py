"""sv-bench on ranks of several hosts, each with counts of its own: hosts_test.py MPIEXEC PROGRAM."""
import json
import os
import pathlib
import subprocess
import unittest

from bench import MPIEXEC, PROGRAM, Bench, by_name

BUILD = pathlib.Path(PROGRAM).parent.parent
SHIM, LAUNCHER = BUILD / "lib" / "libsv_shim.so", BUILD / "mpi" / "bin" / "mpiexec"
RANKS = 5
# STATE HOSTS SHIM FILES PROGRAM...: ranks whose shims have no state in common share no counts, as those of different hosts.
ON_A_HOST = """
state=$1.$((${OMPI_COMM_WORLD_RANK-$PMI_RANK} % $2)) shim=$3 files=$4
shift 4
LD_PRELOAD=$shim SV_SHIM_DIR=$files SV_SHIM_STATE=$state exec "$@"
"""


class Hosts(Bench):
    def on_hosts(self, hosts):
        """The counts of each method, for ranks on so many hosts."""
        files, results = self.directory / "files", self.directory / "results.json"
        files.mkdir(exist_ok=True)
        # The launcher that belongs to a build is found next to its programs, where the shell is not.
        environment = {"MPIEXEC": str(LAUNCHER), **os.environ} if LAUNCHER.exists() else None
        done = subprocess.run([MPIEXEC, str(RANKS), "/bin/sh", "-c", ON_A_HOST, "sh", self.directory / f"on-{hosts}", str(hosts), SHIM,
                               files, PROGRAM, "field", "--dir", files, "--shape", "3x23x17", "--layout", f"{RANKS}x1",
                               "--repeat", "1", "--json", results],
                              capture_output=True, text=True, timeout=100, env=environment)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertNotIn("were seen", done.stderr)
        self.assertEqual(len(list(self.directory.glob(f"on-{hosts}.*"))), hosts)
        return {name: [entry.get(what) for what in ("bytes", "writes", "reads")]
                for name, entry in by_name(json.loads(results.read_text())).items()}

    def test_every_host_is_counted_and_none_twice(self):
        one = self.on_hosts(1)
        self.assertEqual(one["read.pread"][2], 3 * 23 * RANKS)
        self.assertGreaterEqual(one["sverdrup.per_pe"][1], RANKS)
        for hosts in (2, RANKS):
            self.assertEqual(self.on_hosts(hosts), one, f"{hosts} hosts")


unittest.main(verbosity=1)
