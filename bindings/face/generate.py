#!/usr/bin/env python3
"""Writes the generated sources of a library that replaces PnetCDF or netCDF, from that library's header, at build time:

    generate.py pnetcdf|netcdf|netcdf4 HEADER NAMES_CPP [--list | --jumps]

NAMES_CPP gets a function for every name of the header. Each asks whether the file is ours: then a function of bindings/FACE answers,
otherwise the real library does. calls.hpp in the same folder declares the answers that have the name of their function, with the
file in place of its number. --list prints each name with its answer, and writes nothing; --jumps writes the functions of libsv_run."""
import pathlib
import re
import sys

from prototypes import jumps, parameters_of, prototypes

BINDINGS = pathlib.Path(__file__).resolve().parent.parent
KINDS = {"": "whole", "1": "one", "a": "block", "s": "strided", "m": "mapped", "n": "list", "d": "typed"}
# The names of parameters of transfers in the headers, and in Access.
FIELDS = {"start": "start", "index": "start", "count": "count", "stride": "stride", "imap": "imap", "starts": "starts", "counts": "counts",
          "strides": "strides", "imaps": "imaps", "num": "number", "varid": "variable", "varids": "variables", "bufcount": "items",
          "buftype": "datatype", "bufcounts": "item_counts", "datatypes": "datatypes", "filetype": "file_type", "req": "request",
          "op": "data", "ip": "data", "buf": "buffers", "bufs": "buffers"}
VOID = {"data": "const_cast<void *>(static_cast<const void *>({}))", "buffers": "reinterpret_cast<void *const *>({})"}


class Pnetcdf:
    prefix, library, header, numbers = "ncmpi_", "libsverdrup_pnetcdf.so.0", "pnetcdf.h", {"ncid"}
    lookup, no_type, more, stand_in, unanswered, unknown = "const Called own{{{}}}", "MPI_DATATYPE_NULL", None, None, None, None
    memory_field, or_there, includes = "datatype", "", []
    memory = {"text": "MPI_CHAR", "schar": "MPI_SIGNED_CHAR", "uchar": "MPI_UNSIGNED_CHAR", "ubyte": "MPI_UNSIGNED_CHAR",
              "short": "MPI_SHORT", "ushort": "MPI_UNSIGNED_SHORT", "int": "MPI_INT", "uint": "MPI_UNSIGNED", "long": "MPI_LONG",
              "float": "MPI_FLOAT", "double": "MPI_DOUBLE", "longlong": "MPI_LONG_LONG_INT", "ulonglong": "MPI_UNSIGNED_LONG_LONG"}
    # Names whose call decides who handles a file, and names without a file that we answer, with the function that
    # does. REAL: the real library's answer.
    deciding = {"ncmpi_create": "begin({comm, path, cmode, info, true}, ncidp, REAL)",
                "ncmpi_open": "begin({comm, path, omode, info, false}, ncidp, REAL)",
                "ncmpi_inq_files_opened": "inq_files_opened(num, ncids, REAL)"}

    def transfer(self, match):
        call = match["call"]
        timing = "posted" if call[0] == "i" else "buffered" if call[0] == "b" else "collective" if match["all"] else "alone"
        carried = "transfer_typed" if match["kind"][3:] == "d" else "transfer_many" if call[0] == "m" else "transfer"
        return f"Direction::{call[-3:]}, Timing::{timing}", carried


class Netcdf:
    prefix, library, header = "nc_", "libsverdrup_netcdf.so.0", "netcdf.h"
    # Numbers of files that libsverdrup_netcdf4 and libsverdrup_netcdf4_serial have.
    or_there, includes = " || is_led({})", ['#include "led.hpp"']
    numbers = {"ncid", "parent_ncid", "grpid", "ncid1", "ncid_in"}  # parameters with the number of a file
    lookup, no_type, more, memory_field = "[[maybe_unused]] Dataset *const own = dataset({})", "NC_NAT", "netcdf/more_names.h", "type"
    memory = {"text": "NC_CHAR", "schar": "NC_BYTE", "uchar": "NC_UBYTE", "ubyte": "NC_UBYTE", "short": "NC_SHORT",
              "ushort": "NC_USHORT", "int": "NC_INT", "uint": "NC_UINT", "long": "(sizeof(long) == 8 ? NC_INT64 : NC_INT)",
              "float": "NC_FLOAT", "double": "NC_DOUBLE", "longlong": "NC_INT64", "ulonglong": "NC_UINT64", "string": "NC_STRING"}
    # netCDF's nc_create calls nc__create so that the caller is that of nc_create: without hints, the call may come from a program that
    # has nc_create of the real library itself.
    deciding = {"nc_create": "begin({caller, path, cmode, true}, nullptr, ncidp, REAL)",
                "nc__create": "begin({caller, path, cmode, true, initialsz == NC_SIZEHINT_DEFAULT && chunksizehintp == nullptr}, "
                              "chunksizehintp, ncidp, REAL)",
                "nc__create_mp": "basepe == 0 ? begin({caller, path, cmode, true}, chunksizehintp, ncidp, REAL) : REAL()",
                "nc_open": "begin({caller, path, mode, false}, nullptr, ncidp, REAL)",
                "nc__open": "begin({caller, path, mode, false}, chunksizehintp, ncidp, REAL)",
                "nc__open_mp": "basepe == 0 ? begin({caller, path, mode, false}, chunksizehintp, ncidp, REAL) : REAL()",
                "nc_create_par": "begin_parallel({caller, path, cmode, 0, comm, info}, ncidp, REAL)",
                "nc_create_par_fortran": "begin_parallel({caller, path, cmode, 1, number(comm), number(info)}, ncidp, REAL)",
                "nc_open_par": 'begin_parallel({caller, path, mode, 0, comm, info}, ncidp, REAL, "sv_netcdf4_open")',
                "nc_open_par_fortran": 'begin_parallel({caller, path, mode, 1, number(comm), number(info)}, ncidp, REAL, "sv_netcdf4_open")',
                "nc_set_default_format": "set_default_format(format, REAL)"}
    # For classic files, the answers of these depend on the version of netCDF, and not on the file: a file of the real
    # library stands in.
    stand_in = re.compile(r"nc_((reclaim|copy)_data(_all)?|(dump|print)_data|(def|inq)_var_(bzip2|zstandard|blosc)|def_var_(filter|szip)|"
                          r"var_par_access)$")
    unanswered = "NC_ENOTNC4"
    unknown = re.compile(r"nc_((def|inq)_var_chunking|set_var_chunk_cache)_ints$")  # here netCDF does not know the number of a classic file

    def transfer(self, match):
        return "true" if match["call"] == "put" else "false", "transfer"


class Netcdf4(Netcdf):
    """Files of netCDF-4 that are made in parallel. bindings/netcdf leads the calls with their numbers here."""
    or_there, includes = "", []
    # Calls that define what Sverdrup's files may have, of these types and filters; and why others make a file the real library's.
    # Inquiry is the real library's in any case, since it has the definitions.
    held = re.compile(r"(def_dim|def_var|def_var_(fill|deflate|fletcher32|chunking(_ints)?|endian|quantize|zstandard|filter)|rename_(dim|var|att)|"
                      r"del_att|set_fill|insert_enum|set_var_chunk_cache(_ints)?|put_att\w*)$")
    held_if = (("def_var", "xtype", "reason_of_type(own, xtype)"), ("put_att", "xtype", "reason_of_attribute(own, name, xtype)"),
               ("", "id", "reason_of_filter(id)"))
    reasons = (("def_var_", "a filter that Sverdrup does not apply"), ("", "user-defined types"))
    inquiry = re.compile(r"inq|get_att|get_var_chunk_cache|show_metadata|reclaim|copy_data|dump|print|(put|get)_vlen|set_base_pe|close_memio")


class Generator:
    own_parameters = ("Dataset &own",)

    def __init__(self, name, header):
        name = name.removesuffix("_serial")  # of which there are two libraries
        self.name, self.face = name, {"pnetcdf": Pnetcdf, "netcdf": Netcdf, "netcdf4": Netcdf4}[name]()
        self.functions = [each for each in prototypes(header, self.face.prefix) if "..." not in each["parameters"]]  # cannot be handed on
        there = {each["name"] for each in self.functions}
        more = prototypes(BINDINGS / self.face.more, self.face.prefix) if self.face.more else []
        self.more = [each for each in more if each["name"] not in there]
        self.functions += self.more
        sources = "".join(each.read_text(encoding="utf-8") for each in sorted(BINDINGS.glob(f"{name}/*.cpp")))
        self.own = set(re.findall(r"^int (\w+)\(Dataset &", sources, flags=re.M))
        shared = (BINDINGS / "face/inquiry.hpp").read_text(encoding="utf-8")
        self.answering = self.own | set(re.findall(r"^int (\w+)\(Own &", shared, flags=re.M))
        types = "|".join(self.face.memory)
        self.transfers = re.compile(rf"{self.face.prefix}(?P<call>put|get|iput|iget|bput|mput|mget)_(?P<kind>var[1asmnd]?)"
                                    rf"(?:_(?P<type>{types}))?(?P<all>_all)?$")
        self.attributes = re.compile(rf"{self.face.prefix}(?P<call>put|get)_att(?:_(?P<type>{types}))?$")

    def short(self, match):
        return match["name"][len(self.face.prefix):]

    def transfer(self, match, names):
        kind, carried = self.face.transfer(match)
        lines = [f"Access access{{Kind::{KINDS[match['kind'][3:]]}, {kind}}};"]
        for name in names[1:]:
            field = FIELDS.get(name) or FIELDS.get(name.removesuffix("p"), "data")
            lines.append(f"access.{field} = {VOID.get(field, '{}').format(name)};")
        if match["type"]:
            lines.append(f"access.{self.face.memory_field} = {self.face.memory[match['type']]};")
        return lines, f"{carried}(*own, access)"

    def attribute(self, match, names):
        memory = self.face.memory[match["type"]] if match["type"] else self.face.no_type
        if match["call"] == "get":
            return [], f"get_att(*own, varid, name, {memory}, {names[-1]})"
        stored = "xtype" if "xtype" in names else "NC_CHAR" if match["type"] == "text" else memory
        return [], f"put_att(*own, {{varid, name, {stored}, {names[-2]}}}, {memory}, {names[-1]})"

    def answer(self, match):
        """The statements before, and the call that answers for a file of ours; None: the real library always does."""
        name, names = match["name"], [each for _, each in parameters_of(match)]
        if not names or names[0] not in self.face.numbers:
            return None
        for pattern, make in ((self.transfers, self.transfer), (self.attributes, self.attribute)):
            if found := pattern.match(name):
                return make(found, names)
        if self.face.stand_in and self.face.stand_in.match(name):
            given = ["stand_in_variable(*own, varid)" if each == "varid" else each for each in names[1:]]
            return [], f"real(caller)({', '.join(['stand_in(caller)', *given])})"
        if self.face.unknown and self.face.unknown.match(name):
            return [], "NC_EBADID"
        if self.short(match) in self.answering or self.face.unanswered is None:
            return [], f"{self.short(match)}({', '.join(['*own', *names[1:]])})"
        return [], self.face.unanswered

    def led_on(self, name, names):
        """Calls with numbers of another library of ours go there."""
        if self.face.or_there:
            yield f"  if (is_led({names[0]})) {{"
            yield f"    static constinit const LedFunction<decltype({name})> there(\"{name}\");"
            yield f"    return there({names[0]})({', '.join(names)});"
            yield "  }"

    def function(self, match):
        parameters, name = parameters_of(match), match["name"]
        names = [each for _, each in parameters]
        real = f"real(caller)({', '.join(names)})"
        yield f"SV_NAME {' '.join(match['result'].split())} {name}({', '.join(each for each, _ in parameters)}) {{"
        yield f"  static constinit const RealFunction<decltype({name})> real(\"{name}\");"
        yield "  const void *const caller = __builtin_return_address(0);"
        made = self.answer(match)
        if name in self.face.deciding:
            yield f"  return answered([&] {{ return {self.face.deciding[name].replace('REAL', f'[&] {{ return {real}; }}')}; }});"
        else:
            files = [each for each in names if each in ("ncid_in", "ncid_out")]
            if len(files) == 2:
                ours = [f"dataset({each}) != nullptr{self.face.or_there.format(each)}" for each in files]
                yield f"  if ({' || '.join(ours)})"
                yield f"    return answered([&] {{ return {self.short(match)}({', '.join(names)}); }});"
            elif made:
                yield from self.led_on(name, names)
                if made[1] in (self.face.unanswered, "NC_EBADID"):
                    yield f"  if (dataset({names[0]}) != nullptr) return {made[1]};"
                else:
                    yield f"  if ({self.face.lookup.format(names[0])}) {{"
                    yield from (f"    {line}" for line in made[0])
                    yield f"    return answered([&] {{ return {made[1]}; }});"
                    yield "  }"
            yield f"  return {real};"
        yield "}"

    def declarations(self):
        yield "// Made by face/generate.py: the answers that have the name of their function. Collective where the library's calls are."
        yield from ("#pragma once", '#include "access.hpp"', f"namespace sv::{self.name} {{")
        for match in self.functions:
            if self.short(match) in self.own - {"put_att", "get_att"}:
                rest = [declared for declared, _ in parameters_of(match)[1:]]
                yield f"int {self.short(match)}({', '.join([*self.own_parameters, *rest])});"
        yield f"}}  // namespace sv::{self.name}"

    def names(self):
        declared = [" ".join(each[0].split()) for each in self.more]
        yield from ("// Made by face/generate.py.", '#include "calls.hpp"', '#include "../face/loaded.hpp"', *self.face.includes, "",
                    '#define SV_NAME extern "C" __attribute__((visibility("default")))', 'extern "C" {', *declared, "}",
                    f"namespace sv::{self.name} {{")
        for match in self.functions:
            yield from self.function(match)
        yield f"}}  // namespace sv::{self.name}"


class UndecidedGenerator(Generator):
    """Functions for files that the real library knows, too: by its number `own.there`. Each makes `real`, the call with another number."""
    own_parameters = ("Dataset &own", "const RealCall &real")

    def __init__(self, name, header):
        super().__init__(name, header)
        self.functions = [each for each in self.functions if self.answers(each)]
        self.more = [each for each in self.more if self.answers(each)]

    def answers(self, match):
        names = [each for _, each in parameters_of(match)]
        return bool(names) and names[0] in self.face.numbers and "ncid_out" not in names

    def route(self, match, names):
        """Lines before, and the answer."""
        short = self.short(match)
        if short in self.own:
            return [], f"{short}({', '.join(['own', 'real', *names[1:]])})"
        if found := self.transfers.match(match["name"]):
            return self.transfer(found, names)[0], "transfer(own, real, access)"
        if self.face.inquiry.match(short):
            return [], "inquire(own, real, varid)" if "varid" in names and "chunk_cache" not in short else "real(own.there)"
        if short in ("rename_dim", "rename_var"):
            return [], "rename(own, real)"
        if not self.face.held.match(short):
            reason = next(text for part, text in self.face.reasons if part in short)
            return [], f'define(own, real, "{reason}")'
        conditions = (text for start, name, text in self.face.held_if if short.startswith(start) and name in names)
        return [], f"define(own, real, {next(conditions, 'nullptr')})"

    def function(self, match):
        parameters, name = parameters_of(match), match["name"]
        names = [each for _, each in parameters]
        lines, answer = self.route(match, names)
        yield f"SV_NAME {' '.join(match['result'].split())} {name}({', '.join(each for each, _ in parameters)}) {{"
        yield f"  static constinit const RealFunction<decltype({name})> function(\"{name}\");"
        yield f"  Dataset *const found = dataset({names[0]});"
        yield "  if (found == nullptr) return NC_EBADID;"
        yield "  Dataset &own = *found;"
        given = ["number_there(ncid2)" if each == "ncid2" else each for each in names[1:]]  # another file
        yield f"  const auto call = [&](int there) {{ return function(own.caller)({', '.join(['there', *given])}); }};"
        yield f"  const RealCall real(call, {names[0]} - own.ncid);"
        yield from (f"  {line}" for line in lines)
        yield f"  return answered([&] {{ return {answer}; }});"
        yield "}"


def main():
    name, header, path = sys.argv[1:4]
    made, path = (UndecidedGenerator if name.startswith("netcdf4") else Generator)(name, header), pathlib.Path(path)
    if "--list" in sys.argv:
        for match in made.functions:
            answer = made.answer(match)
            print(match["name"], answer[1].split("(")[0] if answer else "-")
        return
    if "--jumps" in sys.argv:
        more = [" ".join(each[0].split()) for each in made.more]
        path.write_text("\n".join([*jumps(made.functions, made.face.library, [f"#include <{made.face.header}>", *more]), ""]), encoding="utf-8")
        return
    path.with_name("calls.hpp").write_text("\n".join([*made.declarations(), ""]), encoding="utf-8")
    path.write_text("\n".join([*made.names(), ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
