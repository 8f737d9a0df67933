"""sv-bench field through the store `tiny`, whose values it checks one by one: tiny_bench.py MPIEXEC PROGRAM."""
import unittest

from bench import Bench, by_name

OURS = {f"sverdrup.tiny{way}" for way in ("", ".domains", ".shared")}


class Tiny(Bench):
    def test_every_value_is_there(self):
        for ranks in (1, 4, 5):
            layout = ("--layout", f"{ranks}x1")
            found = self.results(ranks, "--shape", "3x23x17", *layout, "--repeat", "2", "--store", "tiny")
            entries = by_name(found)
            self.assertEqual(set(entries), OURS | {"floor", "sverdrup.auto"})
            for name in OURS:
                self.assertIs(entries[name]["verified"], True, name)

    def test_an_unknown_store_is_refused(self):
        done = self.bench(2, "--shape", "3x23x17", "--store", "tinny")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(" or tiny; the nearest is 'tiny'", done.stderr)


unittest.main(verbosity=1)
