"""Writes the metadata of an installed package: its version and its entry points, such as xarray's engine. They are
those of pyproject.toml: dist_info.py FOLDER, in which sverdrup-VERSION.dist-info is made anew.
"""

import shutil
import sys
import tomllib
from pathlib import Path

root = Path(__file__).resolve().parents[2]
project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
name, release = project["name"], project["version"]
for older in Path(sys.argv[1]).glob(f"{name}-*.dist-info"):
    shutil.rmtree(older)
folder = Path(sys.argv[1]) / f"{name}-{release}.dist-info"
folder.mkdir(parents=True)
metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {release}\nSummary: {project['description']}\n"
(folder / "METADATA").write_text(metadata, encoding="utf-8")
points = []
for group, members in project["entry-points"].items():
    points += [f"[{group}]", *(f"{member} = {place}" for member, place in members.items())]
(folder / "entry_points.txt").write_text("\n".join(points) + "\n", encoding="utf-8")
