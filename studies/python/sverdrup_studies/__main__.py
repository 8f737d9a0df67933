"""Runs a study as `python -m sverdrup_studies`; studies/study finds the packages that this needs."""

import sys

from sverdrup import cli

STUDY = cli.Program(
    "study",
    "Repeats the measurements and the arithmetic of papers, and measures a machine as they do.",
    "sverdrup_studies.commands",
    ("consistency", "findings", "kit"),
)


def main(arguments: list[str] | None = None) -> int:
    return cli.main(arguments, STUDY)


if __name__ == "__main__":
    sys.exit(main())
