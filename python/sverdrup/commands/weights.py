"""The command `sverdrup weights`: it makes the weights of a remapping, for the key `grid` of streams."""

import argparse
import sys

NAME = "weights"
HELP = "makes weights that remap fields onto another grid"
DESCRIPTION = (
    "Writes a file of weights in ESMF's form, from the grid of a variable onto another one. The key 'grid' of a stream "
    "names it."
)
EPILOG = """\
grids:
  360x180               regular cells of longitude and latitude
  healpix:64            HEALPix in nested order, with nside 64; healpix:64:ring by ring

examples:
  sverdrup weights ocean.nc sst 360x180 to_1_degree.nc
  sverdrup weights ocean.nc sst healpix:256 to_healpix.nc --method bilinear
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", metavar="FILE", help="a file with a variable on the grid of the model")
    parser.add_argument("variable", metavar="VARIABLE", help="that variable")
    parser.add_argument("grid", metavar="GRID", help="the other grid")
    parser.add_argument("weights", metavar="WEIGHTS", help="the file of weights, which is replaced")
    parser.add_argument(
        "--method", choices=("conservative", "bilinear", "nearest"), default="conservative",
        help="conservative: of first order, between axes of longitudes and latitudes (the default)",
    )  # fmt: skip


def run(arguments: argparse.Namespace) -> int:
    from sverdrup.weights import WeightsError, files, grids

    try:
        source, target = grids.source(arguments.source, arguments.variable), grids.target(arguments.grid)
        count = files.write(arguments.weights, source, target, arguments.method)
    except (WeightsError, OSError) as error:
        print(f"sverdrup weights: {error}", file=sys.stderr)
        return 1
    print(f"{arguments.weights}: {count} weights, {len(source.lat)} cells to {len(target.lat)}")
    return 0
