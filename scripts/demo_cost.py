#!/usr/bin/env python3
"""The cost of output in the demonstration: demo_cost.py ROWS, written by scripts/demo.

ROWS has a line for each run: method, computing ranks, serving ranks, seconds, seconds in output calls, file size,
separated by tabs. The methods ran in turn, "no output" among them. Prints medians and ranges, and a verdict. Methods are
ranked only if they differ by more than the noise, which is half of the largest range of a method's runs.
"""
import statistics
import sys

BASE, IN_CALLS = "no output", "synchronous"


def read(path):
    """By method, its ranks, the seconds of its runs, those in calls, and the size of its file."""
    found = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            name, computing, serving, wall, calls, size = line.rstrip("\n").split("\t")
            one = found.setdefault(name, {"ranks": (computing, serving), "wall": [], "calls": [], "size": size})
            one["wall"].append(float(wall))
            one["calls"].append(float(calls))
    return found


def table(found):
    yield f"  {'':24} {'computing':>9} {'serving':>7}  {'seconds':<20} {'in output calls':>15} {'file':>9}"
    for name, one in found.items():
        seconds = f"{statistics.median(one['wall']):.2f} ({min(one['wall']):.2f} to {max(one['wall']):.2f})"
        calls = statistics.median(one["calls"])
        yield f"  {name:24} {one['ranks'][0]:>9} {one['ranks'][1]:>7}  {seconds:<20} {calls:15.2f} {one['size']:>9}"


def verdict(found):
    """Sentences: the share of each method's run that output cost, and the cheapest method if it is distinct."""
    middle = {name: statistics.median(one["wall"]) for name, one in found.items()}
    noise = max((max(one["wall"]) - min(one["wall"])) / 2 for one in found.values())
    base = middle.pop(BASE)
    cost = {name: seconds - base for name, seconds in middle.items()}
    yield f"Noise: {noise:.2f} s, half of the largest range of {len(found[BASE]['wall'])} runs of a method."
    if cost[IN_CALLS] <= noise:
        yield "The cost of output is within the noise: this comparison ranks no method."
        return
    shares = [f"{name} {cost[name] / middle[name]:.0%}" if cost[name] > noise else f"{name} no more than the noise"
              for name in cost if name != IN_CALLS]
    yield f"Writing in the calls cost {cost[IN_CALLS] / middle[IN_CALLS]:.0%} of the run; " + ", ".join(shares) + "."
    best, *others = sorted(cost, key=cost.get)
    if others and cost[others[0]] - cost[best] > noise:
        yield f"The cheapest method here is '{best}'."
    else:
        near = [name for name in sorted(cost, key=cost.get) if cost[name] - cost[best] <= noise]
        yield f"The cheapest methods ({', '.join(near)}) differ by less than the noise, and are not ranked."


def main(path):
    found = read(path)
    print("\n".join(table(found)))
    for sentence in verdict(found):
        print(f"  {sentence}")


if __name__ == "__main__":
    main(sys.argv[1])
