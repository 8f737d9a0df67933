"""The Python tools of Sverdrup: the packages behind the command `sverdrup` (cli.py). The report is made in three
stages: `trace` reads trace files, `analysis` computes the report from them, `page` draws it. The other commands have a
package each: `probe`, `tune`, `findings`, `consistency` and `kit`."""

__version__ = "0.1.0"
