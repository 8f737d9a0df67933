"""The commands of studies/study: the measurements and the arithmetic of papers, on the package `sverdrup`. Each study
is a package: `consistency`, `findings` and `kit`."""
