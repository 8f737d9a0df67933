"""Writes the table of every_call.c from a pnetcdf.h: a function of one signature for each name that moves values, which passes the
arguments that the name wants. table.py PNETCDF_H TABLE_C"""
import pathlib
import re
import sys

TYPES = ["text", "schar", "uchar", "ubyte", "short", "ushort", "int", "uint", "long", "float", "double", "longlong", "ulonglong"]
NAME = re.compile(r"ncmpi_(put|get|iput|iget|bput|mput|mget)_var([1asmn]?)(?:_(" + "|".join(TYPES) + r"))?(_all)?$")
PASSED = {"ncid": "ncid", "varid": "a->variable", "start": "a->start", "count": "a->count", "stride": "a->stride", "imap": "a->imap",
          "num": "a->number", "starts": "a->starts", "counts": "a->counts", "strides": "a->strides", "imaps": "a->imaps",
          "varids": "a->variables", "op": "a->data", "ip": "a->data", "buf": "(void *)a->buffers", "bufs": "(void *)a->buffers",
          "bufcount": "a->items", "buftype": "a->datatype", "bufcounts": "a->item_counts", "datatypes": "a->datatypes",
          "req": "a->request"}

text = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
functions, rows = [], []
for name, parameters in re.findall(r"\bint\s+(ncmpi_\w+)\s*\(([^;{]*?)\)\s*;", text):
    match = NAME.match(name)
    if not match:
        continue
    call, kind, memory, together = match.groups()
    names = [re.search(r"(\w+)\s*(?:\[\])?$", each.strip())[1] for each in parameters.split(",")]
    functions.append(f"static int run_{name}(int ncid, const struct arguments *a) {{ return {name}({', '.join(PASSED[n] for n in names)}); }}")
    timing = {"i": "POSTED", "b": "BUFFERED"}.get(call[0], "TOGETHER" if together else "ALONE")
    rows.append(f"  {{\"{name}\", run_{name}, '{kind or 'w'}', {int(call[-3:] == 'put')}, {timing}, {int(call[0] == 'm')}, "
                f"{TYPES.index(memory) if memory else -1}}},")
pathlib.Path(sys.argv[2]).write_text("\n".join([*functions, "static const struct call calls[] = {", *rows, "};", ""]), encoding="utf-8")
