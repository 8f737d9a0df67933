"""Writes the tables of netcdf_calls.c from a netcdf.h: a function of one signature for each name that moves values of variables or
attributes, which passes the arguments that the name wants, and one for each name of netCDF-4 that takes a file.
netcdf_table.py NETCDF_H TABLE_C"""
import pathlib
import re
import sys

TYPES = ["text", "schar", "uchar", "ubyte", "short", "ushort", "int", "uint", "long", "float", "double", "longlong", "ulonglong"]
MOVING = re.compile(r"nc_(put|get)_(var[1asm]?|att)(?:_(" + "|".join(TYPES) + r"))?$")
PASSED = {"ncid": "ncid", "varid": "a->variable", "start": "a->start", "index": "a->start", "count": "a->count", "stride": "a->stride",
          "imap": "a->imap", "op": "a->data", "ip": "a->data", "name": "a->name", "xtype": "a->stored", "len": "a->length",
          "value": "a->data"}
# Names of netCDF-4, with the arguments for their parameters. Those that are given a type of a program's own, free memory or print are left out.
ENHANCED = {"ncid": "ncid", "parent_ncid": "ncid", "grpid": "ncid", "ncid1": "ncid", "ncid2": "ncid", "varid": "0", "name": "text",
            "typeid1": "NC_INT", "typeid2": "NC_INT", "xtype": "NC_INT"}
LEFT_OUT = re.compile(r"nc_(free|reclaim|copy|dump|set_var_chunk|def_var_filter|inq_var_filter|rename_grp|def_user|put_vlen|get_vlen|"
                      r"(def|inq)_var_quantize|inq_path|close|abort|sync|redef|_?_?enddef|set_fill|def_var_fill|def_dim|def_var$|del|rename|"
                      r"inq_format_extended|set_base|get_att|put_att)")

text = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
functions, rows, enhanced, enhanced_rows = [], [], [], []
for name, parameters in re.findall(r"\bint\s+(nc_\w+)\s*\(([^;{]*?)\)\s*;", text):
    declared = [" ".join(each.split()) for each in parameters.split(",")]
    names = [match[1] if (match := re.search(r"(\w+)\s*(?:\[\])?$", each)) else "" for each in declared]
    if match := MOVING.match(name):
        call, kind, memory = match.groups()
        given = ", ".join(PASSED[n.removesuffix("p") if n not in ("op", "ip") else n] for n in names)
        functions.append(f"static int run_{name}(int ncid, const struct arguments *a) {{ return {name}({given}); }}")
        rows.append(f"  {{\"{name}\", run_{name}, '{'t' if kind == 'att' else kind[3:] or 'w'}', {int(call == 'put')}, "
                    f"{TYPES.index(memory) if memory else -1}}},")
    elif names[0] in ENHANCED and not LEFT_OUT.match(name):
        given, numbers = [], 0
        for each, short in zip(declared, names):
            if "*" in each or "[]" in each:
                given.append("text" if "const char" in each else f"(void *)out[{numbers}]")
                numbers += "const char" not in each
            else:
                given.append(ENHANCED.get(short, "0"))
        if numbers <= 8:
            enhanced.append(f"static int try_{name}(int ncid, const char *text, long long (*out)[64]) {{ (void)text; (void)out; "
                            f"return {name}({', '.join(given)}); }}")
            enhanced_rows.append(f"  {{\"{name}\", try_{name}}},")
pathlib.Path(sys.argv[2]).write_text("\n".join([
    *functions, "static const struct call calls[] = {", *rows, "};", *enhanced, "static const struct question questions[] = {", *enhanced_rows,
    "};", ""]), encoding="utf-8")
