"""The Fortran module is equal to the C interface: the same functions, constants and status codes. docs/fortran.md lists
its functions. equal_test.py SOURCES."""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(root / "scripts"))
import interface  # noqa: E402: found only now

headers = [path for path in interface.HEADERS if path.name not in ("grid.h", "streams.h")]
fortran = "\n".join(path.read_text() for path in sorted((root / "bindings/fortran").glob("sverdrup*")))
fortran = re.sub(r"!.*", "", fortran)
document = (root / "docs/fortran.md").read_text()

# In Fortran these are other specifics of a generic name, have another name, or are not needed: sections say what MPI's
# datatypes do.
ELSEWHERE = {"sv_init_fortran": "sv_init", "sv_put_att_text": "sv_put_att",
             "sv_mput_vara_mpi": "sv_mput_vara", "sv_mget_vara_mpi": "sv_mget_vara"}
ONLY_FORTRAN = {"sv_values", "sv_group"}  # SV_GROUP is a macro in C
# These help callers in C that describe memory by MPI's datatypes, and interfaces of other libraries over this one.
ONLY_C = {"sv_def_varoffsets", "sv_share_definitions", "sv_inq_datatype", "sv_inq_datatype_runs", "sv_inq_decomp",
          "sv_inq_decomp_cells", "sv_inq_memory", "sv_undef_var",
          "sv_gather_items", "sv_scatter_items", "sv_mcopy", "sv_free_string"}  # Fortran fills the caller's characters
# A record number counts from 1 in Fortran, and 0 is none; the version is a function.
DIFFERENT = {"SV_NO_RECORD": 0}
ONLY_ONE = {"SV_VERSION", "SV_API", "SV_ALL",  # for all requests, their list is left out
            "SV_SIGUSR1"}  # signal.h has it

wrong = []
functions = set(interface.functions(headers))
public = {name for line in re.findall(r"public ::([^\n]*)", fortran) for name in re.findall(r"sv_\w+", line)}
public |= set(re.findall(r"^ *function (sv_\w+)", fortran, re.M))
expected = {ELSEWHERE.get(name, name) for name in functions - ONLY_C}
wrong += [f"{name} is in the C interface only" for name in sorted(expected - public)]
wrong += [f"{name} is in the Fortran module only" for name in sorted(public - expected - ONLY_FORTRAN)]

constants = {name: re.sub(r"^\(?(?:\(\w+\))?(-?\w+)\)?$", r"\1", value) for name, value in interface.constants(headers).items()}
parameters = dict(re.findall(r"\b(SV_\w+) = (?:\w+\()?(-?\d+)", fortran))
for name in sorted(set(constants) | set(parameters)):
    if name in ONLY_ONE:
        continue
    if name not in constants or name not in parameters:
        wrong.append(f"{name} is in one of the interfaces only")
    elif int(parameters[name]) != DIFFERENT.get(name, int(constants[name], 0)):
        wrong.append(f"{name} is {parameters[name]} in Fortran and {constants[name]} in C")

for name in sorted(expected | ONLY_FORTRAN):
    if f"`{name}" not in document:
        wrong.append(f"docs/fortran.md does not describe {name}")
print("\n".join(wrong) or f"{len(functions)} functions and {len(parameters)} constants are equal")
sys.exit(bool(wrong) or len(functions) < 40 or len(parameters) < 40)
