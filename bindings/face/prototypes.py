"""Prototypes of a C header, for generate.py, which writes the functions of a library that has them."""
import re
import sys


def prototypes(header, prefix):
    """A match for each function whose name begins with `prefix`: result, name, parameters. Those that are not understood end the run."""
    text = open(header, encoding="utf-8").read()
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    text = re.sub(r"^\s*#(?:[^\n]*\\\n)*[^\n]*$", "", text, flags=re.M)
    pattern = re.compile(rf"(?P<result>(?:const\s+)?\w+[\s*]+)(?P<name>{prefix}\w+)\s*\((?P<parameters>[^;{{]*?)\)\s*;")
    found = {match["name"]: match for match in pattern.finditer(text)}
    missing = set(re.findall(rf"\b({prefix}\w+)\s*\(", text)) - set(found)
    if missing:
        sys.exit(f"{header}: prototypes that are not understood: {' '.join(sorted(missing))}")
    return list(found.values())


def parameters_of(match):
    """(declaration, name) of each."""
    listed = " ".join(match["parameters"].split())
    if listed in ("", "void"):
        return []
    return [(each.strip(), re.search(r"(\w+)\s*(?:\[\])?$", each)[1]) for each in listed.split(",")]


def jumps(functions, file, header):
    """C: the functions of libsv_run (bindings/run/run.h) that lead to those of the library `file`. `functions`: matches of prototypes();
    `header`: the header that declares them."""
    yield from ("/* Made by face/generate.py. */", '#include "run.h"', *header, "")
    yield "static const char *const names[] = {" + ", ".join(f'"{match["name"]}"' for match in functions) + "};"
    yield f"static sv_run_function functions[{len(functions)}];"
    yield f'static struct sv_run_library library = {{"{file}", names, functions, 0, 0}};'
    for number, match in enumerate(functions):
        parameters = parameters_of(match)
        declared, names = ", ".join(each for each, _ in parameters) or "void", ", ".join(each for _, each in parameters)
        result = " ".join(match["result"].split())
        yield f'__attribute__((visibility("default"))) {result} {match["name"]}({declared}) {{'
        yield f'  return ((__typeof__({match["name"]}) *)sv_run_find(&library, {number}))({names});'
        yield "}"
