#!/usr/bin/env python3
"""Prints what the demonstration did: demo_summary.py SUMMARY.json FILE PICTURE."""
import importlib.util
import json
import os
import shutil
import sys


def size(count):
    for unit in ("B", "kB", "MB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} GB"


def viewers(path):
    """The installed program that shows the file."""
    found = [f"{name}{path}" for name in ("ncdump -h ", "ncview ") if shutil.which(name.split()[0])]
    modules = {"xarray": "xarray.open_dataset", "netCDF4": "netCDF4.Dataset"}
    found += [f"{call}({path!r}) in {sys.executable}" for name, call in modules.items() if importlib.util.find_spec(name)][:1]
    return found


def main(summary_path, path, picture):
    with open(summary_path, encoding="utf-8") as text:
        summary = json.load(text)
    file = next(f for f in summary["files"] if os.path.basename(f["path"]) == os.path.basename(path))
    phases = summary["phases"]
    seconds = ", ".join(f"{name} {phases[name]['max']:.2f}" for name in ("open", "read_meta", "read", "write", "close"))
    lines = [
        ("file", f"{path}, {file['format']}, {size(file['bytes'])}, {file['records']} records, {file['outcome']}"),
        ("ranks", f"{summary['ranks']} on {summary['nodes']} node" + ("s" if summary["nodes"] > 1 else "")),
        ("route", f"{file['route']}, {file['writers']} writer" + ("s" if file["writers"] != 1 else "")),
        ("why", file["reason"]),
        ("transport", f"{summary['transport']}: {summary['transport_reason']}"),
        ("bytes", f"{size(summary['bytes']['written'])} written in {summary['writes']} writes, "
                  f"{size(summary['bytes']['read'])} read in {summary['reads']} reads"),
        ("seconds", f"{seconds} of {phases['total']['max']:.2f} in all (the slowest rank of each)"),
        ("summary", summary_path),
    ]
    if os.path.exists(picture):
        lines.append(("picture", picture))
    print("Sverdrup wrote an ocean:")
    for name, value in lines:
        print(f"  {name:<10} {value}")
    if found := viewers(path):
        print(f"Look at it: {' or '.join(found)}")


if __name__ == "__main__":
    main(*sys.argv[1:4])
