"""Runs of tests/kill/writer that are killed: its processes, which may be on several hosts that ssh reaches by their names."""
import collections
import contextlib
import os
import pathlib
import signal
import socket
import subprocess
import time

from left_behind import SLOW, fail

ENDS = []  # seconds from each kill of this case to the end of its launcher
HERE = socket.gethostname()
Process = collections.namedtuple("Process", "pid host")


def is_alive(pid):
    """Of this host."""
    try:
        return open(f"/proc/{pid}/stat", encoding="ascii").read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def on_host(host, command, pids):
    """The output of a command there; $p is each process in turn."""
    said = subprocess.run(["ssh", host, f"for p in {' '.join(map(str, pids))}; do {command}; done; true"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if said.returncode != 0:
        fail(f"{host} does not answer: {said.stderr}")
    return said.stdout


def by_host(processes):
    hosts = collections.defaultdict(list)
    for process in processes:
        hosts[process.host].append(process.pid)
    return hosts.items()


def alive(processes):
    """Whether any of them is."""
    for host, pids in by_host(processes):
        if any(map(is_alive, pids)) if host == HERE else on_host(host, "grep -s '^State:' /proc/$p/status | grep -v Z", pids):
            return True
    return False


def end(processes):
    """At once, and awaits it."""
    for host, pids in by_host(processes):
        if host != HERE:
            on_host(host, "kill -KILL $p 2>/dev/null", pids)
            continue
        for pid in filter(is_alive, pids):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
    while alive(processes):
        time.sleep(0.001)


class Writer:
    """A run in the current directory."""

    def __init__(self, mpirun, program, ranks, arguments, environment=None):
        here = os.environ.get("SCRATCH", os.getcwd())  # other runs are alive in /dev/shm and /tmp
        flags = {"OMPI_MCA_btl_vader_backing_directory": here, "OMPI_MCA_btl_sm_backing_directory": here,
                 "OMPI_MCA_orte_tmpdir_base": here}
        self.process = subprocess.Popen([mpirun, str(ranks), program, *arguments], stdout=open("out", "w", encoding="utf-8"),
                                        stderr=subprocess.STDOUT, env={**os.environ, **flags, **(environment or {})})

    def wait(self, seconds):
        try:
            return self.process.wait(seconds * SLOW)
        except subprocess.TimeoutExpired:
            self.process.kill()
            end(self.ranks())
            self.process.wait()
            fail("a run hangs: " + pathlib.Path("out").read_text(encoding="utf-8"))

    @staticmethod
    def ranks():
        """The processes that the writer printed."""
        if not os.path.exists("log"):
            return []
        words = open("log", encoding="ascii").readline().split()
        reported = [word.split("@", 1) for word in words[1:]] if words[:1] == ["RANKS"] else []
        return [Process(int(pid), host) for pid, host in reported]

    def kill_after_first(self, begun, whom, seconds, servers):
        """`begun`: true when the time begins; `whom`: all, rank, server or launcher. Returns, when all ranks have ended, at which time it was dead."""
        begin = time.monotonic()
        while not begun():
            if self.process.poll() is not None or time.monotonic() - begin > 60 * SLOW:
                fail("no step: " + pathlib.Path("out").read_text(encoding="utf-8"))
            time.sleep(0.002)
        time.sleep(seconds)
        ranks = self.ranks()
        models = ranks[:len(ranks) - servers]
        victims = {"all": ranks, "rank": [models[int(seconds * 1e6) % len(models)]], "server": ranks[-1:],
                   "launcher": [Process(self.process.pid, HERE)]}[whom]
        end(victims)
        killed = time.monotonic()
        if self.wait(30) == 0:
            fail("a killed run ended well")
        ENDS.append(time.monotonic() - killed)
        self.end_orphans(ranks)
        return killed

    @staticmethod
    def end_orphans(ranks):
        """Ranks without a launcher end by themselves, or go on writing: they are given a moment, then ended."""
        last_moment = time.monotonic() + 3 * SLOW
        while alive(ranks) and time.monotonic() < last_moment:
            time.sleep(0.02)
        end(ranks)
