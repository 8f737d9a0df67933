"""The command `sverdrup information`: it measures how many bits of each variable hold information, and prints them as
a configuration."""

import argparse
import sys

NAME = "information"
HELP = "measures how many bits of each variable hold information, for compression"
DESCRIPTION = (
    "Measures the bitwise information of floats in the first records of a netCDF file (Klöwer and others 2021), and "
    "prints the section 'variables' of a configuration that keeps a share of it."
)


def _share(text: str) -> float:
    value = float(text)
    if not 0 < value <= 1:
        raise argparse.ArgumentTypeError(f"'{text}' is no share above 0, up to 1")
    return value


def _records(text: str) -> int:
    if int(text) < 1:
        raise argparse.ArgumentTypeError("at least one record is needed")
    return int(text)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="output of the model")
    parser.add_argument("--keep", type=_share, default=0.99, metavar="SHARE", help="of the information (0.99)")
    parser.add_argument("--records", type=_records, default=3, metavar="N", help="how many records are measured (3)")


def run(arguments: argparse.Namespace) -> int:
    from sverdrup.information import InformationError, files

    try:
        found = list(files.needed_bits(arguments.file, arguments.keep, arguments.records))
    except (InformationError, OSError) as error:
        print(f"sverdrup information: {error}", file=sys.stderr)
        return 1
    if not found:
        print(f"sverdrup information: {arguments.file}: it has no floats over space", file=sys.stderr)
        return 1
    print(f"variables:   # {100 * arguments.keep:g} % of the information of {arguments.file}")
    for name, bits, all_bits in found:
        print(f'  "{name}": {{compression: {{quantize: "bitround:{bits}"}}}}   # of {all_bits}')
    return 0
