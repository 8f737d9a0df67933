"""The subcommands of `sverdrup`, a module each.

A module has NAME, HELP (a line), DESCRIPTION (a sentence or two), perhaps EPILOG (examples, printed as they are
written), `add_arguments(parser)`, and `run(arguments)`, which returns the exit status: 0; 1 where something fails;
2 where arguments contradict each other. It imports what takes long in `run`, not before. cli.py makes the parsers.
"""
