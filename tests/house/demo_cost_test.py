#!/usr/bin/env python3
"""The verdict of the demonstration (scripts/demo_cost.py) ranks methods only beyond the noise, and never the run without output."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent.parent / "scripts/demo_cost.py"


class Verdicts(unittest.TestCase):
    def printed(self, **seconds):
        rows = [f"{name.replace('_', ' ')}\t8\t0\t{wall}\t0.1\t2MB\n" for name, walls in seconds.items() for wall in walls]
        with tempfile.NamedTemporaryFile("w", suffix=".tsv") as file:
            file.writelines(rows)
            file.flush()
            done = subprocess.run([sys.executable, SCRIPT, file.name], check=True, text=True, capture_output=True)
        return done.stdout

    def test_distinct_methods_are_ranked(self):
        text = self.printed(no_output=[3.0, 3.1], synchronous=[5.0, 5.1], threads=[3.3, 3.4], servers=[3.6, 3.7])
        self.assertIn("Writing in the calls cost 40% of the run; threads 9%, servers 16%.", text)
        self.assertIn("The cheapest method here is 'threads'.", text)

    def test_methods_within_the_noise_are_not_ranked(self):
        text = self.printed(no_output=[3.0, 3.6], synchronous=[5.0, 5.1], threads=[3.8, 4.0], servers=[3.9, 4.0])
        self.assertIn("(threads, servers) differ by less than the noise, and are not ranked", text)
        self.assertNotIn("cheapest method here", text)

    def test_a_cost_within_the_noise_is_no_verdict(self):
        text = self.printed(no_output=[3.0, 4.0], synchronous=[3.2, 3.9], threads=[2.9, 3.1], servers=[3.0, 3.4])
        self.assertIn("within the noise: this comparison ranks no method", text)
        self.assertNotIn("threads ", text.split("Noise:")[1])


if __name__ == "__main__":
    unittest.main()
