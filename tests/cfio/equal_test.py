"""The module cfio is equal to cfio.h: the same functions and constants, each of them in docs/cfio.md. equal_test.py SOURCES."""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
header = re.sub(r"/\*.*?\*/", "", (root / "include/cfio.h").read_text(), flags=re.S)
fortran = re.sub(r"!.*", "", (root / "bindings/cfio/cfio.f90").read_text())
document = (root / "docs/cfio.md").read_text()

ONLY_C = {"cfio_put_vara_float", "cfio_get_vara_float", "cfio_client_comm_fortran"}
ONLY_FORTRAN = {"cfio_put_vara", "cfio_get_vara", "cfio_put_att_str", "cfio_put_att_int", "cfio_put_att_real",
                "cfio_put_att_double"}
wrong = []
functions = set(re.findall(r"CFIO_API[^;]*?\b(cfio_\w+)\(", header))
public = {name for line in re.findall(r"public :: (cfio[^\n]*)", fortran) for name in re.findall(r"cfio_\w+", line)}
wrong += [f"{name} is in C only" for name in sorted(functions - public - ONLY_C)]
wrong += [f"{name} is in Fortran only" for name in sorted(public - functions - ONLY_FORTRAN)]
wrong += [f"docs/cfio.md does not describe {name}" for name in sorted(functions) if f"`{name}" not in document]

constant = r"\b((?:CFIO|NF|NF90)_\w+)"
in_c = {name: int(value, 0) for name, value in re.findall(constant + r" = (-?\w+)", header)}
in_c |= {name: in_c[other] for name, other in re.findall(r"#define (CFIO_\w+) (CFIO_\w+)$", header, re.M)}
in_fortran = {name: int(value) for name, value in re.findall(constant + r" = (-?\d+)", fortran)}
in_c["NF90_GLOBAL"] = in_c["NF_GLOBAL"]  # a trap for Fortran programs only
wrong += [f"{name} is {in_c.get(name)} in C and {in_fortran.get(name)} in Fortran"
          for name in sorted(in_c.keys() | in_fortran.keys()) if in_c.get(name) != in_fortran.get(name)]
print("\n".join(wrong) or f"{len(functions)} functions and {len(in_c)} constants are equal")
sys.exit(bool(wrong) or len(functions) < 25 or len(in_c) < 25)
