"""Prototypes of a C header, for the scripts that make the names of another library (generate.py beside this folder's bindings)."""
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
