"""Random sequences of calls by Sverdrup and by netCDF-C: tests/oracle/oracle on 1 to 4 ranks and every store that was built.

campaign.py BUILD COUNT [SEED]             COUNT cases, from number SEED on (1), divided among stores and ranks
campaign.py BUILD shrink STORE RANKS CASE  the shortest failing part of a failing case

It stops at no failure: each one gets a line with the command that repeats it. JOBS from the environment: so many programs at a
time (1). The exit status is 1 if a case failed."""
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
MPIRUN = HERE.parent.parent / "scripts" / "mpirun"
CASE_SECONDS, BATCH = 20, 50
SLOW = float(os.environ.get("SV_TEST_SLOW", "1"))


def kind_of(wrong):
    """The begin of a failure's text, without its rank: to see whether it is the same one."""
    return None if wrong is None else wrong.split(": ", 1)[-1][:20]


class Oracle:
    """One store and number of ranks, in a folder of its own."""

    def __init__(self, build, store, ranks):
        self.store, self.ranks = store, ranks
        self.program = build / "tests" / "oracle_sequences"
        self.folder = build / "tests" / "work" / "oracle" / f"{store}.{ranks}"
        self.folder.mkdir(parents=True, exist_ok=True)

    def command(self, first, count, omit=()):
        omitted = f"OMIT={','.join(map(str, omit))} " if omit else ""
        return f"{omitted}scripts/mpirun {self.ranks} {os.path.relpath(self.program, HERE.parent.parent)} {self.store} {first} {count}"

    def run(self, first, count, omit=(), show=False):
        """Returns (cases begun, None or the error, the output)."""
        flags = {"OMIT": ",".join(map(str, omit)), "OMPI_MCA_btl_vader_backing_directory": str(self.folder)}
        if show:
            flags["SHOW"] = "1"
        with open(self.folder / "out", "w+", encoding="utf-8") as out:
            process = subprocess.Popen(["nice", MPIRUN, str(self.ranks), self.program, self.store, str(first), str(count)],
                                       cwd=self.folder, stdout=out, stderr=subprocess.STDOUT, env={**os.environ, **flags})
            wrong = self.wait(process, out)
            out.seek(0)
            text = out.read()
        begun = [line for line in text.splitlines() if line.startswith("CASE ")]
        if wrong is None and process.returncode != 0:
            reported = [line for line in text.splitlines() if line.startswith("FAILED")]
            wrong = reported[0] if reported else f"exit status {process.returncode}"
        return begun, wrong, text

    @staticmethod
    def wait(process, out):
        """A case that takes too long ends the program."""
        size, since = -1, time.monotonic()
        while True:
            try:
                process.wait(0.5)
                return None
            except subprocess.TimeoutExpired:
                pass
            now = os.fstat(out.fileno()).st_size
            if now != size:
                size, since = now, time.monotonic()
            elif time.monotonic() - since > CASE_SECONDS * SLOW:
                process.terminate()
                process.wait()
                return f"hangs: no progress for {CASE_SECONDS * SLOW:.0f} s"

    def campaign(self, first, count):
        """Returns (cases, lines about failures)."""
        lines, done = [], 0
        while done < count:
            begun, wrong, _ = self.run(first + done, min(BATCH, count - done))
            if wrong is None:
                done += min(BATCH, count - done)
                continue
            done += max(1, len(begun))
            what = begun[-1] if begun else "before the first case"
            lines.append(f"{self.store}: {what}\n  {wrong}\n  again: {self.command(first + done - 1, 1)}")
            print(lines[-1], flush=True)
        return done, lines

    def shrink(self, case):
        begun, wrong, _ = self.run(case, 1)
        if wrong is None:
            sys.exit("the case does not fail")
        operations = int(begun[0].split(" operations")[0].split()[-1])
        omit, size = [], max(1, operations // 2)
        while size >= 1:
            for start in range(0, operations, size):
                more = [n for n in range(start, min(start + size, operations)) if n not in omit]
                if more and kind_of(self.run(case, 1, sorted(omit + more))[1]) == kind_of(wrong):
                    omit = sorted(omit + more)
            size //= 2
        print(self.run(case, 1, omit, True)[2])
        print("SHOW=1 " + self.command(case, 1, omit))


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    if sys.argv[2] == "shrink":
        return Oracle(build, sys.argv[3], int(sys.argv[4])).shrink(int(sys.argv[5]))
    count, seed = int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1
    stores = ["cdf"] + [path.stem[6:] for path in sorted((build / "lib" / "sverdrup").glob("store_*.so"))]
    oracles = [Oracle(build, store, ranks) for store in stores for ranks in (1, 2, 3, 4)]
    each, begin = -(-count // len(oracles)), time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", "1"))) as pool:
        results = list(pool.map(lambda oracle: oracle.campaign(seed, each), oracles))
    for oracle, (cases, lines) in zip(oracles, results):
        print(f"{oracle.store} on {oracle.ranks}: {cases} cases, {len(lines)} failed")
    failed = sum(len(lines) for _, lines in results)
    print(f"{sum(cases for cases, _ in results)} cases, {failed} failed; {time.monotonic() - begin:.0f} s")
    sys.exit(1 if failed else 0)


main()
