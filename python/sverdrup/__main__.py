"""Runs the command `sverdrup` as `python -m sverdrup`."""

import sys

from sverdrup.cli import main

sys.exit(main())
