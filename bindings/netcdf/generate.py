#!/usr/bin/env python3
"""Writes names.cpp: a function for every name nc_* of the netcdf.h that it reads, and of more_names.h. Each asks whether the file is
ours: then what answers stands in calls.hpp, inquiry.hpp or access.hpp; otherwise the real library does. Run at build time.

    generate.py NETCDF_H NAMES_CPP [--list | --jumps]

--list prints each name with what answers it, and writes nothing; --jumps writes the functions of libsv_run."""
import pathlib
import re
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from headers import jumps, parameters_of, prototypes

MEMORY = {"text": "NC_CHAR", "schar": "NC_BYTE", "uchar": "NC_UBYTE", "ubyte": "NC_UBYTE", "short": "NC_SHORT",
          "ushort": "NC_USHORT", "int": "NC_INT", "uint": "NC_UINT", "long": "(sizeof(long) == 8 ? NC_INT64 : NC_INT)",
          "float": "NC_FLOAT", "double": "NC_DOUBLE", "longlong": "NC_INT64", "ulonglong": "NC_UINT64", "string": "NC_STRING"}
TRANSFER = re.compile(r"nc_(?P<call>put|get)_(?P<kind>var[1asm]?)(?:_(?P<type>" + "|".join(MEMORY) + r"))?$")
ATTRIBUTE = re.compile(r"nc_(?P<call>put|get)_att(?:_(?P<type>" + "|".join(MEMORY) + r"))?$")
# Where a file is decided upon, with what decides. netCDF's nc_create calls nc__create so that the caller is that of nc_create: without
# hints, the call may come from a program that has nc_create of the real library itself.
DECIDING = {"nc_create": "begin({caller, path, cmode, true}, nullptr, ncidp, REAL)",
            "nc__create": "begin({caller, path, cmode, true, initialsz == NC_SIZEHINT_DEFAULT && chunksizehintp == nullptr}, chunksizehintp, "
                          "ncidp, REAL)",
            "nc__create_mp": "basepe == 0 ? begin({caller, path, cmode, true}, chunksizehintp, ncidp, REAL) : REAL()",
            "nc_open": "begin({caller, path, mode, false}, nullptr, ncidp, REAL)",
            "nc__open": "begin({caller, path, mode, false}, chunksizehintp, ncidp, REAL)",
            "nc__open_mp": "basepe == 0 ? begin({caller, path, mode, false}, chunksizehintp, ncidp, REAL) : REAL()",
            **dict.fromkeys(("nc_create_par", "nc_open_par", "nc_create_par_fortran", "nc_open_par_fortran"),
                            'leave(path, "opened in parallel", REAL)'),
            "nc_set_default_format": "set_default_format(format, REAL)"}
# The others of these take two files.
TWO_FILES = {"nc_copy_att": "copy_att", "nc_copy_var": "copy_var"}
NUMBERS = {"ncid", "parent_ncid", "grpid", "ncid1", "ncid_in"}  # what the number of a file is called
# What these answer for a classic file depends on the version of netCDF, and not on the file: a file of the real library stands in for ours.
STAND_IN = re.compile(r"nc_((reclaim|copy)_data(_all)?|(dump|print)_data|(def|inq)_var_(bzip2|zstandard|blosc)|def_var_(filter|szip)|var_par_access)$")
FIELDS = {"start": "start", "count": "count", "stride": "stride", "imap": "imap", "index": "start"}


def transfer(match, names):
    kind = {"": "whole", "1": "one", "a": "block", "s": "strided", "m": "mapped"}[match["kind"][3:]]
    lines = [f"Access access{{Kind::{kind}, {'true' if match['call'] == 'put' else 'false'}}};",
             f"access.variable = {names[1]};"]
    for name in names[2:-1]:
        lines.append(f"access.{FIELDS[name.removesuffix('p')]} = {name};")
    lines.append(f"access.data = const_cast<void *>(static_cast<const void *>({names[-1]}));")
    if match["type"]:
        lines.append(f"access.type = {MEMORY[match['type']]};")
    return lines, "transfer(*own, access)"


def attribute(match, names):
    memory = MEMORY[match["type"]] if match["type"] else "NC_NAT"
    if match["call"] == "get":
        return [], f"get_att(*own, {', '.join(names[1:3])}, {memory}, {names[-1]})"
    stored = "xtype" if "xtype" in names else memory
    return [], f"put_att(*own, {{{', '.join([*names[1:3], stored, 'len'])}}}, {memory}, {names[-1]})"


def answered_names():
    """Those for which the headers beside this script have a function."""
    folder = pathlib.Path(__file__).parent
    text = "".join((folder / each).read_text(encoding="utf-8") for each in ("calls.hpp", "inquiry.hpp"))
    return set(re.findall(r"^int (\w+)\(Dataset &own", text, flags=re.M))


def answer(name, names, known):
    """What is done before, and the call that answers for a file of ours; None: the real library always does."""
    if not names or names[0] not in NUMBERS:
        return None
    for pattern, make in ((TRANSFER, transfer), (ATTRIBUTE, attribute)):
        if match := pattern.match(name):
            return make(match, names)
    if name[3:] in known:
        return [], f"{name[3:]}({', '.join(['*own', *names[1:]])})"
    if STAND_IN.match(name):
        given = ["stand_in_variable(*own, varid)" if each == "varid" else each for each in names[1:]]
        return [], f"real(caller)({', '.join(['stand_in(caller)', *given])})"
    return [], "NC_ENOTNC4"


def function(match, known):
    parameters = parameters_of(match)
    name, names = match["name"], [each for _, each in parameters]
    yield f"SV_NAME {' '.join(match['result'].split())} {name}({', '.join(each for each, _ in parameters)}) {{"
    yield f"  static const Real<decltype({name})> real(\"{name}\");"
    yield "  const void *const caller = __builtin_return_address(0);"
    real = f"real(caller)({', '.join(names)})"
    made = answer(name, names, known)
    if name in DECIDING:
        call = DECIDING[name].replace("REAL", f"[&] {{ return {real}; }}")
        yield f"  return answered([&] {{ return {call}; }});"
    else:
        if name in TWO_FILES:
            yield "  if (dataset(ncid_in) != nullptr || dataset(ncid_out) != nullptr)"
            yield f"    return answered([&] {{ return {TWO_FILES[name]}({', '.join(names)}); }});"
        elif made and made[1] == "NC_ENOTNC4":
            yield f"  if (dataset({names[0]}) != nullptr) return NC_ENOTNC4;"
        elif made:
            yield f"  if ([[maybe_unused]] Dataset *const own = dataset({names[0]})) {{"
            yield from (f"    {line}" for line in made[0])
            yield f"    return answered([&] {{ return {made[1]}; }});"
            yield "  }"
        yield f"  return {real};"
    yield "}"


def main():
    header, path = sys.argv[1:3]
    # A call with any number of arguments cannot be handed on; the real library keeps its name.
    functions = [match for match in prototypes(header, "nc_") if "..." not in match["parameters"]]
    known = answered_names()
    there = {match["name"] for match in functions}
    more = [match for match in prototypes(pathlib.Path(__file__).with_name("more_names.h"), "nc_") if match["name"] not in there]
    functions += more
    if "--list" in sys.argv:
        for match in functions:
            made = answer(match["name"], [each for _, each in parameters_of(match)], known)
            print(match["name"], made[1].split("(")[0] if made else "-")
        return
    declared = [" ".join(match[0].split()) for match in more]
    if "--jumps" in sys.argv:
        pathlib.Path(path).write_text("\n".join([*jumps(functions, "libsverdrup_netcdf.so.0", ["#include <netcdf.h>", *declared]), ""]), encoding="utf-8")
        return
    lines = ["// Made by generate.py from netcdf.h and more_names.h.", '#include "access.hpp"', '#include "calls.hpp"', '#include "copying.hpp"',
             '#include "inquiry.hpp"', '#include "real.hpp"', "",
             '#define SV_NAME extern "C" __attribute__((visibility("default")))', "", 'extern "C" {',
             *declared, "}", "", "namespace sv::netcdf {", ""]
    for match in functions:
        lines += function(match, known)
    lines += ["", "}  // namespace sv::netcdf", ""]
    with open(path, "w", encoding="utf-8") as out:
        out.write("\n".join(lines))


if __name__ == "__main__":
    main()
