"""Writes the results of the crash campaign, tests/crash/crash.json, between two markers of pages of the documentation.

table.py            writes
table.py --check    exit status 1 where a page is not what would be written, or where the campaign has other rows"""
import json
import pathlib
import sys

import rows

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
BEGIN, END = "<!-- crash states: begin {} -->", "<!-- crash states: end -->"
FATES = ("whole", "partial", "lost", "refused", "wrong")


def number(count):
    return f"{count:,}"


def line(*cells):
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def per_cent(part, whole):
    if whole == 0:
        return "–"
    if part in (0, whole):
        return "100" if part else "0"
    return f"{min(99.9, max(0.1, 100 * part / whole)):.1f}"


def parts_of(name):
    """Kind, store, durability of a row; the kind has commas of its own."""
    kind, store, durability = name.rsplit(", ", 2)
    return kind, store, durability


def only_when_closed(kind, store, durability=None):
    """HDF5 changes its index in place; our store does so with a journal, which a kill leaves."""
    in_place = store == "netcdf4_library" or (store == "netcdf4" and durability == "written")
    return in_place and not rows.is_published(kind)


def kill_promise(kind, store, durability):
    if only_when_closed(kind, store):
        return "closed files; no guarantee for open ones"
    if rows.is_published(kind):
        return "the older or the new file, complete"
    if durability == "ordered":
        return "counted records, at least the confirmed ones"
    return "every committed record"


def power_promise(kind, store, durability):
    if only_when_closed(kind, store, durability):
        receipt = "" if durability == "on_disk" else "confirmed "
        return f"{receipt}closed files; no guarantee for open ones"
    if durability == "written" and store != "zarr":
        return "confirmed data"
    if durability in ("written", "ordered"):
        return "counted records, at least the confirmed ones"
    return "every committed record; closed files"


def promises(results):
    """Stores for which the same is promised share a line."""
    groups = {}
    for name in results["rows"]:
        kind, store, durability = parts_of(name)
        files = "published" if rows.is_published(kind) else "growing"
        key = (files, durability, kill_promise(kind, store, durability), power_promise(kind, store, durability))
        stores = groups.setdefault(key, [])
        if store not in stores:
            stores.append(store)
    text = [line("files", "`durability`", "stores", "after a kill of all processes", "after a power loss"),
            line(*["---"] * 5)]
    for (files, durability, kill, power), stores in groups.items():
        text.append(line(files, f"`{durability}`", ", ".join(f"`{store}`" for store in stores), kill, power))
    return text


def total(results, crash, what):
    return sum(row[crash][what] for row in results.values())


def add(sums, key, row):
    for crash in ("kill", "power"):
        found = sums.setdefault(key, {}).setdefault(crash, dict.fromkeys(("states", *FATES), 0))
        for what in found:
            found[what] += row[crash][what]


def figures(results):
    """A line for all kinds of which the files get their names at the same time; tests/crash/crash.json has each. The
    lines of a store in which every state is whole are one, its last."""
    each = {}
    for name, row in results.items():
        kind, store, durability = parts_of(name)
        add(each, (f"`{store}`", f"`{durability}`", "published" if rows.is_published(kind) else "growing"), row)
    stores = list(dict.fromkeys(store for store, *_ in each))
    whole = {key for key, row in each.items() if all(row[crash]["whole"] == row[crash]["states"] for crash in row)}
    partly = {key[0] for key in set(each) - whole}
    sums = {}
    for key in sorted(each, key=lambda key: (stores.index(key[0]), key in whole)):
        add(sums, (key[0], *(["other" if key[0] in partly else "all"] * 2)) if key in whole else key, each[key])
    text = [line("store", "`durability`", "files", "kills", "whole, %", "power losses", *(f"{fate}, %" for fate in FATES)),
            line(*["---"] * (6 + len(FATES)))]
    for key, row in sums.items():
        kill, power = row["kill"], row["power"]
        text.append(line(*key, number(kill["states"]), per_cent(kill["whole"], kill["states"]),
                         number(power["states"]), *(per_cent(power[fate], power["states"]) for fate in FATES)))
    return text


def peers(results):
    fates = [f"{fate}, %" for fate in FATES]
    text = [line("program", "crash", "states", *fates), line(*["---"] * 8)]
    sums = {}
    for name, row in results.items():
        library, synced = parts_of(name)[1:]
        add(sums, f"{library.split(' over ')[0]}, {synced}", row)  # over every MPI-IO
    for program, row in sums.items():
        for crash, word in (("kill", "kill"), ("power", "power loss")):
            found = row[crash]
            text.append(line(program, word, number(found["states"]), *(per_cent(found[fate], found["states"]) for fate in FATES)))
    return text


def reached(results):
    states = sum(total(results["rows"], crash, "states") for crash in ("kill", "power"))
    promised = sum(total(results["rows"], crash, "promised") for crash in ("kill", "power"))
    recordings = sum(row["recordings"] for row in results["rows"].values())
    broken = sum(row["violations"] for row in results["rows"].values())
    return [f"The campaign read **{number(states)}** distinct states of {number(recordings)} recorded runs. "
            f"A guarantee covers {number(promised)} of them; broken guarantees: **{broken}** (seed {results['seed']})."]


def with_section(text, name, section):
    begin = BEGIN.format(name)
    before, rest = text.split(begin)
    after = rest.split(END, 1)[1]
    return before + begin + "\n" + "\n".join(section) + "\n" + END + after


def pages(results):
    errors, crash = DOCS / "errors.md", DOCS / "crash.md"
    yield errors, with_section(errors.read_text(encoding="utf-8"), "promises", promises(results))
    text = crash.read_text(encoding="utf-8")
    for name, section in (("reached", reached(results)), ("figures", figures(results["rows"])),
                          ("peers", peers(results["peers"]))):
        text = with_section(text, name, section)
    yield crash, text


def complaints(results):
    """Of results that must not become a table."""
    for name, row in results["rows"].items():
        if row["violations"]:
            yield f"{name}: {row['violations']} broken promises"
    if {row.name for row in rows.documented_rows()} != set(results["rows"]):
        yield "tests/crash/crash.json has other rows than the campaign: run it again, with --results tests/crash/crash.json"


def main():
    results = json.loads(pathlib.Path(__file__).with_name("crash.json").read_text(encoding="utf-8"))
    found = list(complaints(results))
    for path, text in pages(results):
        if sys.argv[1:] == ["--check"]:
            if path.read_text(encoding="utf-8") != text:
                found.append(f"{path} is not what tests/crash/table.py would write: run it")
        elif not found:
            path.write_text(text, encoding="utf-8")
    print("\n".join(found) or "crash: the tables agree with the campaign")
    return 1 if found else 0


sys.exit(main())
