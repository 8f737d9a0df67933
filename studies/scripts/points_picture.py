#!/usr/bin/env python3
"""Draws the last record of the points model's output: points_picture.py FILE PICTURE."""
import io
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import netCDF4  # noqa: E402
import numpy as np  # noqa: E402
from matplotlib.collections import PolyCollection  # noqa: E402
from matplotlib.colors import PowerNorm  # noqa: E402
from PIL import Image  # noqa: E402

LAND, INK = "#cfc8bd", "#22303c"
# Seen from above these places (degrees): longitude, latitude.
VIEWS = {"Pacific": (200, 10), "Southern Ocean": (0, -75)}


def project(lon, lat, view):
    """Orthographic: coordinates on the disc, and whether the place is on this side."""
    lon, lat = np.radians(lon - view[0]), np.radians(lat)
    middle = np.radians(view[1])
    x = np.cos(lat) * np.sin(lon)
    y = np.cos(middle) * np.sin(lat) - np.sin(middle) * np.cos(lat) * np.cos(lon)
    return x, y, np.sin(middle) * np.sin(lat) + np.cos(middle) * np.cos(lat) * np.cos(lon)


def draw(axes, data, field, view, style):
    faces = data["face_nodes"][:]
    x, y, _ = project(data["node_lon"][:], data["node_lat"][:], view)
    *_, height = project(data["lon"][:], data["lat"][:], view)
    seen = (height > 0) & ~np.ma.getmaskarray(field)
    cells = np.stack([x[faces[seen]], y[faces[seen]]], axis=-1)
    image = PolyCollection(cells, array=np.asarray(field[seen]), linewidths=0.2, edgecolors="face", antialiased=False, **style)
    axes.add_patch(plt.Circle((0, 0), 1, facecolor=LAND, edgecolor=INK, linewidth=0.8))
    axes.add_collection(image)
    axes.set(xlim=(-1.02, 1.02), ylim=(-1.02, 1.02), aspect="equal")
    axes.axis("off")
    return image


def main(path, picture):
    with netCDF4.Dataset(path) as data:
        speed = np.ma.hypot(data["u"][-1, 0], data["v"][-1, 0])
        panels = [
            ("Surface temperature", "°C", data["sst"][-1], {"cmap": "RdYlBu_r", "clim": (-2, 28)}),
            ("Surface height of the mean flow", "m", data["eta"][-1], {"cmap": "PuOr", "clim": (-0.15, 0.15)}),
            ("Surface speed", "m/s", speed, {"cmap": "viridis", "norm": PowerNorm(0.5, 0, 0.4)}),
        ]
        figure, grid = plt.subplots(len(VIEWS), len(panels), figsize=(11, 7.6), constrained_layout=True)
        for column, (title, units, field, style) in enumerate(panels):
            for row, view in enumerate(VIEWS.values()):
                image = draw(grid[row, column], data, field, view, style)
            grid[0, column].set_title(title, color=INK)
            figure.colorbar(image, ax=grid[:, column], orientation="horizontal", shrink=0.8, aspect=30, label=units)
        day = float(data["time"][-1])
    figure.suptitle(f"An ocean on points, day {day:.0f}", fontsize=14, color=INK)
    drawn = io.BytesIO()
    figure.savefig(drawn, dpi=80)
    Image.open(drawn).quantize(256).save(picture, optimize=True)  # a third of the bytes


main(*sys.argv[1:3])
