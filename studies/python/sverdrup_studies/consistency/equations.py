"""The papers' equations for the seconds of output, with extensions. score.py fits their parameters. Units are bytes,
bytes per second, and seconds.

Names are those of a machine profile: writer_rate is what one writer reaches, shared_rate what all of them together do
(sustained, not burst), message_rate what arrives at a rank, forward_rate what arrives at a server, client_rate what
clients pack and send together."""

import math
from dataclasses import dataclass


def serial_write(size: float, writer_rate: float, message_rate: float = math.inf) -> float:
    """All ranks send to one, which writes when it has received (Yang et al. 2020, Sect. 2)."""
    return size / message_rate + size / writer_rate


def parallel_write(size: float, writers: int, writer_rate: float = math.inf, shared_rate: float = math.inf) -> float:
    """Writers with equal shares of a file, bound by their own rates or by the device (Yang et al. 2020, Sect. 4.2)."""
    return max(size / writers / writer_rate, size / shared_rate)


def open_files(ranks: int, open_seconds: float = 0.0, open_seconds_per_rank: float = 0.0) -> float:
    """Opening and creating of the files of a run, dearer the more ranks contend (Yang et al. 2020, Table 4)."""
    return open_seconds + open_seconds_per_rank * ranks


@dataclass(frozen=True)
class Forwarded:
    """A run whose servers write while it computes. size: of all its outputs, which are equally large; compute: its
    seconds without output; server_write_rate: of all servers together."""

    size: float
    servers: int
    outputs: int
    compute: float
    server_write_rate: float


def forwarding(run: Forwarded, forward_rate: float, client_rate: float) -> float:
    """The cost of output for a run with synchronous forwarding: Eq. 2 of Huang et al. 2013, less the computing. Where
    clients are slower, nothing hides the last output (its Sect. 5.4); where servers are, they begin after the first
    period of computing. All servers receive at once, from clients that also pack."""
    receive = run.size / (run.servers * forward_rate)
    send = receive + run.size / client_rate
    write = run.size / run.server_write_rate
    first = run.compute / run.outputs
    return max(send + write / run.outputs, first + receive + write - run.compute)


def waiting(period: float, write: float, outputs: int) -> float:
    """How long clients wait for their one send buffer, which is free when the servers take its content up; they do
    when the output before is written (Pang et al. 2023, Sect. 4.2). period: computing between outputs; write: of one
    output."""
    clock = waited = taken_up = written = 0.0
    for _ in range(outputs):
        clock += period
        waited += max(0.0, taken_up - clock)
        clock = max(clock, taken_up)
        taken_up = max(clock, written)
        written = taken_up + write
    return waited


def fewest_steps(step: float, write: float, outputs: int, allowed: float) -> int:
    """The fewest steps of `step` seconds between outputs at which clients wait no longer than `allowed` seconds in
    all."""
    steps = 1
    while waiting(steps * step, write, outputs) > allowed:
        steps += 1
    return steps
