#!/usr/bin/env python3
"""Draws the last record of the ocean model's output: demo_picture.py FILE PICTURE."""
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import netCDF4  # noqa: E402
import numpy as np  # noqa: E402
from matplotlib.colors import PowerNorm  # noqa: E402

try:  # the perceptual colour maps of oceanography
    from cmocean.cm import deep_r as AGE, haline as SALINITY, speed as SPEED, thermal as TEMPERATURE
except ImportError:
    TEMPERATURE, SPEED, SALINITY, AGE = "inferno", "cividis", "viridis", "YlGnBu_r"

WEST = 20.0  # degrees east of the maps' left edge: through Africa, so that no ocean is cut
LAND, COAST, INK = "#cfc8bd", "#5d564c", "#22303c"

# Robinson's (1974) table, every 5 degrees: lengths of parallels, and their distances from the equator.
LENGTHS = [1, 0.9986, 0.9954, 0.99, 0.9822, 0.973, 0.96, 0.9427, 0.9216, 0.8962, 0.8679, 0.835, 0.7986, 0.7597, 0.7186,
           0.6732, 0.6213, 0.5722, 0.5322]
HEIGHTS = [0, 0.062, 0.124, 0.186, 0.248, 0.31, 0.372, 0.434, 0.4958, 0.5571, 0.6176, 0.6769, 0.7346, 0.7903, 0.8435,
           0.8936, 0.9394, 0.9761, 1]


def robinson(lon, lat):
    """Map coordinates of degrees; the middle meridian is WEST + 180."""
    table = np.arange(0, 91, 5)
    x = 0.8487 * np.interp(np.abs(lat), table, LENGTHS) * np.radians(lon - WEST - 180)
    return x, 1.3523 * np.sign(lat) * np.interp(np.abs(lat), table, HEIGHTS)


class Ocean:
    """The last record, with the maps' left edge at WEST."""

    def __init__(self, path):
        self.data = netCDF4.Dataset(path)
        lon = self.data["lon"][:]
        self.roll = -int(np.searchsorted(lon, WEST))
        self.lat = self.data["lat"][:]
        step = lon[1] - lon[0]
        self.lon = lon[-self.roll] + step * np.arange(len(lon))
        self.lon_edges = self.lon[0] - step / 2 + step * np.arange(len(lon) + 1)
        self.lat_edges = np.linspace(-90, 90, len(self.lat) + 1)

    def field(self, name, *index):
        return np.roll(self.data[name][(-1, *index)], self.roll, axis=-1)

    def level(self, depth):
        levels = self.data["lev"][:]
        k = int(np.argmin(np.abs(levels - depth)))
        return k, float(levels[k])


def draw_map(axes, ocean, field, **style):
    x, y = robinson(*np.meshgrid(ocean.lon_edges, ocean.lat_edges))
    image = axes.pcolormesh(x, y, field, shading="flat", rasterized=True, **style)
    x, y = robinson(*np.meshgrid(ocean.lon, ocean.lat))
    wet = 1.0 - np.ma.getmaskarray(field)
    axes.contour(x, y, wet, levels=[0.5], colors=COAST, linewidths=0.5)
    side = np.linspace(-90, 90, 181)
    left, right = robinson(WEST, side), robinson(WEST + 360, side)
    frame_x, frame_y = np.concatenate([left[0], right[0][::-1]]), np.concatenate([left[1], right[1][::-1]])
    (frame,) = axes.fill(frame_x, frame_y, facecolor=LAND, edgecolor=INK, linewidth=0.8, zorder=0)
    axes.plot(np.append(frame_x, frame_x[0]), np.append(frame_y, frame_y[0]), color=INK, linewidth=0.8)
    for lat in (-60, -30, 0, 30, 60):
        axes.plot(*robinson(np.linspace(WEST, WEST + 360, 91), np.full(91, lat)), color=INK, linewidth=0.3, alpha=0.35)
    for lon in range(60, 380, 60):
        axes.plot(*robinson(np.full(181, float(lon)), side), color=INK, linewidth=0.3, alpha=0.35)
    image.set_clip_path(frame)
    axes.set_aspect("equal")
    axes.axis("off")
    return image, (x, y)


def draw_panel(figure, axes, ocean, panel):
    image, (x, y) = draw_map(axes, ocean, panel["field"], **panel["style"])
    axes.set_title(panel["title"], fontsize=12.5, color=INK, loc="left", pad=6, fontweight="bold")
    if "psi" in panel:
        psi = np.ma.filled(panel["psi"], np.nan)
        for levels, dash in ((np.arange(10, 210, 10), "solid"), (np.arange(-100, 0, 10), "dashed")):
            axes.contour(x, y, psi, levels=levels, colors="white", linewidths=0.45, linestyles=dash, alpha=0.8)
    bar = figure.colorbar(image, ax=axes, orientation="horizontal", fraction=0.045, pad=0.03, aspect=38,
                          extend=panel["extend"])
    bar.set_label(panel["label"], fontsize=9.5, color=INK)
    bar.ax.tick_params(labelsize=8.5, colors=INK)
    bar.outline.set_linewidth(0.5)


def panels(ocean):
    k, depth = ocean.level(60)
    speed = np.ma.hypot(ocean.field("u", 0), ocean.field("v", 0))
    age = ocean.field("age", k)
    return [
        {"title": "Sea surface temperature", "label": "°C", "extend": "both", "field": ocean.field("sst"),
         "style": {"cmap": TEMPERATURE, "vmin": -2, "vmax": 30}},
        {"title": "Surface currents and transport", "extend": "max", "field": speed, "psi": ocean.field("psi") * 1e-6,
         "label": "speed, m/s;  lines: barotropic streamfunction every 10 Sv, dashed where negative",
         "style": {"cmap": SPEED, "norm": PowerNorm(0.5, 0, 0.6)}},
        {"title": "Sea surface salinity", "label": "psu", "extend": "both", "field": ocean.field("sss"),
         "style": {"cmap": SALINITY, "vmin": 31, "vmax": 37.5}},
        {"title": f"Age of the water at {depth:.0f} m", "label": "days since last at the surface (0: mixed with it)", "extend": "neither",
         "field": age, "style": {"cmap": AGE, "vmin": 0, "vmax": float(ocean.data["time"][-1])}},
    ]


def main(path, picture):
    ocean = Ocean(path)
    figure, grid = plt.subplots(2, 2, figsize=(15, 9.6), dpi=110, facecolor="white")
    for axes, panel in zip(grid.flat, panels(ocean)):
        draw_panel(figure, axes, ocean, panel)
    nx, ny, nz = (len(ocean.data.dimensions[name]) for name in ("lon", "lat", "lev"))
    figure.suptitle(f"An ocean written by Sverdrup, day {float(ocean.data['time'][-1]):.0f}", fontsize=18, color=INK,
                    x=0.02, y=0.985, ha="left", fontweight="bold")
    figure.text(0.98, 0.972, f"{nx} × {ny} × {nz} cells · ETOPO5, Levitus, FNOC winds", fontsize=10.5, color=INK,
                ha="right")
    figure.subplots_adjust(left=0.015, right=0.985, top=0.915, bottom=0.055, wspace=0.03, hspace=0.2)
    figure.savefig(picture)
    print(f"  {picture}: the last of {len(ocean.data['time'])} records")


if __name__ == "__main__":
    main(*sys.argv[1:3])
