#!/usr/bin/env python3
"""Writes names.cpp: a function for every name of the pnetcdf.h that it reads. Each asks whether the file is ours: then what
answers stands in calls.hpp or access.hpp; otherwise the real library does. Run at build time.

    generate.py PNETCDF_H NAMES_CPP [--list | --jumps]

--list prints each name with what answers it, and writes nothing; --jumps writes the functions of libsv_run."""
import pathlib
import re
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from headers import jumps, parameters_of, prototypes

MEMORY = {"text": "MPI_CHAR", "schar": "MPI_SIGNED_CHAR", "uchar": "MPI_UNSIGNED_CHAR", "ubyte": "MPI_UNSIGNED_CHAR",
          "short": "MPI_SHORT", "ushort": "MPI_UNSIGNED_SHORT", "int": "MPI_INT", "uint": "MPI_UNSIGNED", "long": "MPI_LONG",
          "float": "MPI_FLOAT", "double": "MPI_DOUBLE", "longlong": "MPI_LONG_LONG_INT",
          "ulonglong": "MPI_UNSIGNED_LONG_LONG"}
# Names without a file that has been decided upon, and that we answer or decide upon.
DECIDING = {"ncmpi_create", "ncmpi_open", "ncmpi_copy_att", "ncmpi_inq_files_opened"}

TRANSFER = re.compile(r"ncmpi_(?P<call>put|get|iput|iget|bput|mput|mget)_(?P<kind>var[1asmnd]?)"
                      r"(?:_(?P<type>" + "|".join(MEMORY) + r"))?(?P<all>_all)?$")
ATTRIBUTE = re.compile(r"ncmpi_(?P<call>put|get)_att(?:_(?P<type>" + "|".join(MEMORY) + r"))?$")
# What parameters of transfers are called in the header, and in Access.
FIELDS = {"start": "start", "count": "count", "stride": "stride", "imap": "imap", "starts": "starts", "counts": "counts",
          "strides": "strides", "imaps": "imaps", "num": "number", "varid": "variable", "varids": "variables",
          "bufcount": "items", "buftype": "datatype", "bufcounts": "item_counts", "datatypes": "datatypes",
          "filetype": "file_type", "req": "request", "op": "data", "ip": "data", "buf": "buffers", "bufs": "buffers"}


def transfer(match, names):
    kind = {"": "whole", "1": "one", "a": "block", "s": "strided", "m": "mapped", "n": "list", "d": "typed"}[match["kind"][3:]]
    call = match["call"]
    timing = "posted" if call[0] == "i" else "buffered" if call[0] == "b" else "collective" if match["all"] else "alone"
    lines = [f"Access access{{Kind::{kind}, Direction::{call[-3:]}, Timing::{timing}}};"]
    for name in names[1:]:
        value = f"reinterpret_cast<void *const *>({name})" if FIELDS[name] == "buffers" else name
        if FIELDS[name] == "data":
            value = f"const_cast<void *>(static_cast<const void *>({name}))"
        lines.append(f"access.{FIELDS[name]} = {value};")
    if match["type"]:
        lines.append(f"access.datatype = {MEMORY[match['type']]};")
    carried = "transfer_typed" if kind == "typed" else "transfer_many" if call[0] == "m" else "transfer"
    return lines, f"{carried}(*own, access)"


def attribute(match, names):
    given = dict(zip(names, names))
    memory = MEMORY[match["type"]] if match["type"] else "MPI_DATATYPE_NULL"
    values = names[-1]
    if match["call"] == "get":
        return [], f"get_att(*own, varid, name, {memory}, {values})"
    length = given.get("nelems", "len")
    stored = given.get("xtype", "NC_CHAR")
    return [], f"put_att(*own, {{varid, name, {stored}, {length}}}, {memory}, {values})"


def answer(name, parameters):
    """What is done before, and the call that answers for a file of ours; None: the real library always does."""
    names = [each for _, each in parameters]
    if name in DECIDING:
        return [], f"{name[6:]}({', '.join(names)})"
    if not names or names[0] != "ncid":
        return None
    for pattern, make in ((TRANSFER, transfer), (ATTRIBUTE, attribute)):
        if match := pattern.match(name):
            return make(match, names)
    return [], f"{name[6:]}({', '.join(['*own', *names[1:]])})"


def function(match):
    parameters = parameters_of(match)
    name = match["name"]
    declared = ", ".join(each for each, _ in parameters)
    made = answer(name, parameters)
    yield f"SV_NAME {' '.join(match['result'].split())} {name}({declared}) {{"
    if made and name in DECIDING:
        yield f"  return answered([&] {{ return {made[1]}; }});"
    else:
        if made:
            yield "  if (const Called own{ncid}) {"
            for line in made[0]:
                yield f"    {line}"
            yield f"    return answered([&] {{ return {made[1]}; }});"
            yield "  }"
        yield f"  static const Real<decltype({name})> real(\"{name}\");"
        yield f"  return real(__builtin_return_address(0))({', '.join(each for _, each in parameters)});"
    yield "}"


def main():
    header, path = sys.argv[1:3]
    functions = prototypes(header, "ncmpi_")
    if "--list" in sys.argv:
        for match in functions:
            made = answer(match["name"], parameters_of(match))
            print(match["name"], made[1].split("(")[0] if made else "-")
        return
    if "--jumps" in sys.argv:
        pathlib.Path(path).write_text("\n".join([*jumps(functions, "libsverdrup_pnetcdf.so.0", ["#include <pnetcdf.h>"]), ""]), encoding="utf-8")
        return
    lines = ["// Made by generate.py from pnetcdf.h.", '#include "access.hpp"', '#include "calls.hpp"', '#include "real.hpp"', "",
             '#define SV_NAME extern "C" __attribute__((visibility("default")))', "", "namespace sv::pnetcdf {", ""]
    for match in functions:
        lines += function(match)
    lines += ["", "}  // namespace sv::pnetcdf", ""]
    with open(path, "w", encoding="utf-8") as out:
        out.write("\n".join(lines))


if __name__ == "__main__":
    main()
