"""The command `sverdrup cmip7`: it prints the streams that write a model's fields in the form of CMIP7."""

import argparse
import sys
from pathlib import Path

NAME = "cmip7"
HELP = "makes streams whose files have the form of CMIP7"
DESCRIPTION = (
    "Prints a configuration with a stream for each variable of CMIP7. It derives names, attributes, coordinates, paths "
    "and chunks from the tables of the data request and the controlled vocabularies, and reports missing entries "
    "with file, line and remedy."
)
EPILOG = """\
examples:
  SV_STREAM_FIELDS=fields.yaml mpiexec -n 4 ./ocean          # any run of the model writes the list of its fields
  git clone https://github.com/WCRP-CMIP/cmip7-cmor-tables
  sverdrup cmip7 dataset.yaml --tables cmip7-cmor-tables --fields fields.yaml --make-folders > sverdrup.yaml
  SV_CONFIG=sverdrup.yaml mpiexec -n 4 ./ocean

docs/streams.md explains the description of a dataset.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("dataset", metavar="DATASET", help="YAML file with the dataset and its variables")
    parser.add_argument(
        "--tables", metavar="DIR", required=True, help="folder with CMIP7_*.json and cmor-cvs.json (cmip7-cmor-tables)"
    )
    parser.add_argument(
        "--fields", metavar="FILE", required=True, help="the fields of the model, as a run has written them"
    )
    parser.add_argument("--output", metavar="DIR", default="", help="folder of the files (the model's working folder)")
    parser.add_argument("--make-folders", action="store_true", help="make the folders of the files, too")


def run(arguments: argparse.Namespace) -> int:
    import yaml

    from sverdrup.cmip7 import Cmip7Error
    from sverdrup.cmip7.dataset import read_keys
    from sverdrup.cmip7.streams import configuration, text_of
    from sverdrup.cmip7.tables import Tables

    try:
        model = yaml.safe_load(Path(arguments.fields).read_text(encoding="utf-8"))
        made = configuration(Tables(arguments.tables), read_keys(arguments.dataset), model, arguments.output)
    except (Cmip7Error, OSError) as error:
        print(f"sverdrup cmip7: {error}", file=sys.stderr)
        return 1
    if arguments.make_folders:
        for stream in made["streams"].values():
            Path(stream["file"]).parent.mkdir(parents=True, exist_ok=True)
    sys.stdout.write(text_of(made))
    return 0
