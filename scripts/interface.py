#!/usr/bin/env python3
"""The public interface, as the sources declare it: scripts/interface.py [--write].

Compares tests/house/interface.txt with the C headers (functions with their arguments, constants, types), and the table of
names in docs/languages.md with the headers, the C++ headers, the Fortran module and the Python package. A function
without a counterpart must be listed in ABSENT. --write makes both files anew; docs/versions.md says when. Tests import
the parser of the headers.
"""

import ast
import collections
import difflib
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
INTERFACE = ROOT / "tests/house/interface.txt"
TABLE = ROOT / "docs/languages.md"
MARK = "<!-- The rest of this page is written by scripts/interface.py. -->\n"
HEADERS = sorted((ROOT / "include/sverdrup").glob("*.h"), key=lambda path: (path.stem != "sverdrup", path.stem))
CFIO = ROOT / "include/cfio.h"

# Functions under another name: Fortran's generics; and calls that the parsers below cannot see.
OTHER_NAME = {
    "C++": {"sv_message": "Error::what", "sv_free_decomp": "Decomposition::free"},
    "Fortran": {"sv_init_fortran": "sv_init", "sv_put_att_text": "sv_put_att", "sv_mput_vara_mpi": "sv_mput_vara",
                "sv_mget_vara_mpi": "sv_mget_vara", "sv_prepare_grid_fortran": "sv_prepare_grid"},
    "Python": {"sv_def_static_field": "Streams.static_field", "sv_def_stream": "Streams.define", "sv_message": "Error", "sv_version": "version", "sv_inq_servers": "Context.servers", "sv_inq_grps": "File.groups",
               "sv_inq_grpid": "File.groups", "sv_inq_grpname": "File.groups", "sv_inq_var_enum_member": "Variable.enum"},
}
# Functions without a counterpart. Those for authors of bindings have none: they describe memory and offsets.
FOR_BINDINGS = set("sv_inq_decomp sv_inq_decomp_cells sv_inq_memory sv_inq_datatype sv_inq_datatype_runs sv_gather_items sv_scatter_items".split())
ABSENT = {
    "C++": FOR_BINDINGS | set("""sv_free_string sv_mcopy sv_mput_vara_mpi sv_mget_vara_mpi sv_init_fortran sv_prepare_grid sv_prepare_grid_fortran
        sv_undef_var""".split()),
    "Fortran": FOR_BINDINGS | {"sv_def_varoffsets", "sv_share_definitions", "sv_free_string", "sv_mcopy", "sv_undef_var"},
    "Python": FOR_BINDINGS | set("""sv_mcopy sv_mput_vara_mpi sv_mget_vara_mpi sv_init_fortran sv_prepare_grid sv_prepare_grid_fortran
        sv_abort sv_begin_indep sv_def_alignment sv_def_varoffsets sv_end_indep sv_fill_var sv_inq_attid sv_inq_file_layout
        sv_inq_kind sv_inq_range_errors sv_inq_setting sv_inq_type sv_inq_varoffset sv_share_definitions sv_strerror
        sv_wait_indep sv_free_string sv_inq_grp_parent""".split()),
}
MOST_ARGUMENTS = 7
# Parts of public classes of Python, under the name of the class.
PART_OF = {"Described": "Variable", "Requests": "Variable", "Lists": "File"}
PUBLIC_PARTS = {"Attributes", "Dimensions", "Variables", *PART_OF}


# ---- C


def code(text):
    """A header without comments."""
    return re.sub(r"/\*.*?\*/", "", text, flags=re.S)


def squeezed(text):
    """On one line, with one space where there are several."""
    return re.sub(r"\s*([(),;{}])\s*", r"\1", " ".join(text.split())).replace(",", ", ").strip()


def functions(headers=HEADERS):
    """By name, each function's declaration."""
    found = {}
    for path in headers:
        for declaration in re.findall(r"^(?:SV|CFIO)_API ([^;]*);", code(path.read_text(encoding="utf-8")), re.M):
            found[re.search(r"(\w+)\(", declaration)[1]] = squeezed(declaration)
    return found


def constants(headers=HEADERS):
    """By name, the text of each value: enumerators, and macros of one value."""
    found = {}
    for path in headers:
        text = code(path.read_text(encoding="utf-8"))
        for body in re.findall(r"\benum\b[^{;]*\{([^}]*)\}", text):
            found |= {name: value for name, value in re.findall(r"(\w+) = ([-\w]+)", body)}
        found |= {name: value.strip() for name, value in re.findall(r"^#define (\w+)[ ](.+)$", text, re.M) if not name.endswith("_API")}
    return found


def macros(headers=HEADERS):
    """The macros with arguments."""
    return [squeezed(text.replace("\\\n", " ")) for path in headers
            for text in re.findall(r"^#define (\w+\((?:[^\n]*\\\n)*[^\n]*)", code(path.read_text(encoding="utf-8")), re.M)]


def types(headers=HEADERS):
    """The structures and names of types."""
    return [squeezed(text) for path in headers
            for text in re.findall(r"^typedef (?:struct \w+ \{[^}]*\} \w+|[^{;]*)", code(path.read_text(encoding="utf-8")), re.M)]


def described():
    lines = ["# The public interface in C. Written by scripts/interface.py --write: see docs/versions.md."]
    for path in [*HEADERS, CFIO]:
        lines += ["", f"[{path.relative_to(ROOT / 'include')}]", *types([path]), *macros([path])]
        lines += [f"{name} = {value}" for name, value in constants([path]).items()]
        lines += functions([path]).values()
    return "\n".join(lines) + "\n"


# ---- the contracts that the headers state


def documented(path):
    """Of each function of a header, the text that describes it: its comment, which several functions in a row may share;
    the comments that head its section; and the header's first comment."""
    text = path.read_text(encoding="utf-8")
    top, section, own, serves, found = "", "", "", False, {}  # serves: a function has `own`
    for match in re.finditer(r"/\*.*?\*/|^(?:SV|CFIO)_API [^;]*;(?:[ ]*/\*.*?\*/)?|\n[ ]*\n", text, re.S | re.M):
        piece = match[0]
        words = " ".join(re.sub(r"^[ ]*\*", "", piece, flags=re.M).split())
        if piece.startswith("/* ----"):
            section, own = words, ""
        elif piece.startswith("/*") and not top:
            top = words
        elif piece.startswith("/*"):
            own, serves = words, False
        elif piece.isspace():  # a comment by itself is of the section; the next function has another one
            section, own = section if serves else section + " " + own, ""
        else:
            found[re.search(r"(\w+)\(", code(piece))[1]] = (own + words, section, top)
            serves = True
    return found


def contract_faults():
    """Functions whose comments do not say whether they are collective or local, or name none of their errors; sentences
    that sverdrup.h lacks; and functions with too many arguments. A section's comment, or `Errors:` in the first comment
    of a header, serves all of its functions."""
    wrong = []
    arguments = {name: text.split(", ") for name, text in functions().items()}
    for path in HEADERS:
        for name, (own, section, top) in documented(path).items():
            for_all = re.findall(r"(?:All calls|The (sv_[a-z]+)_ calls) are (?:local|collective)", top)
            is_said = any(not prefix or name.startswith(prefix) for prefix in for_all)
            if not is_said and not re.search(r"\b([Cc]ollective|[Ll]ocal)\b", own + section):
                wrong.append(f"{path.name}: the comment of {name} does not say whether it is collective or local")
            if len(arguments[name]) > MOST_ARGUMENTS:
                wrong.append(f"{path.name}: {name} has {len(arguments[name])} arguments: pass some in a struct")
            errors = own + section + "".join(re.findall(r"Errors: .*", top))
            if not re.search(r"\bSV_E[A-Z]+|\b[Nn]o errors?\b", errors):
                wrong.append(f"{path.name}: the comment of {name} names no error that it returns")
    conventions = documented(HEADERS[0])["sv_init"][2]
    return wrong + [f"{HEADERS[0].name} does not say for all functions: {word}"
                    for word in ("Errors of all calls", "MPI_THREAD_SINGLE") if word not in conventions]


# ---- the other languages


def in_fortran():
    """By C function, the public name of the modules."""
    sources = [*sorted((ROOT / "bindings/fortran").glob("sverdrup*")), *sorted((ROOT / "libs").rglob("*.f90"))]
    text = re.sub(r"!.*", "", "\n".join(path.read_text(encoding="utf-8") for path in sources))
    names = {name for line in re.findall(r"public ::([^\n]*)", text) for name in re.findall(r"sv_\w+", line)}
    return {name: [name] for name in names | set(re.findall(r"^ *function (sv_\w+)", text, re.M))}


def in_cxx():
    """By C function, the public functions and members of the C++ headers that call it. The headers are formatted: a member
    begins at the second column, a free function at the first."""
    found = collections.defaultdict(list)
    for path in sorted((ROOT / "include/sverdrup").glob("*.hpp")):
        scope, member, is_public, in_detail = "", "", True, False
        for line in path.read_text(encoding="utf-8").splitlines():
            if "namespace detail" in line:
                in_detail = line.startswith("namespace")
            elif head := re.match(r"(?:class|struct) (\w+)", line):
                scope, is_public = head[1], line.startswith("struct")
            elif line.startswith("};"):
                scope, is_public = "", True
            elif label := re.match(r" (public|private|protected):", line):
                is_public = label[1] == "public"
            line = line.split("//")[0]
            head = re.match(rf"{'  ' if scope else ''}(?! |template|requires|friend|namespace)[^(=;]*?(\w+)\(", line)
            member = head[1] if head else member
            name = scope if member == scope else "::".join(filter(None, [scope, member]))
            for call in re.findall(r"\bsv_\w+", line) if is_public and not in_detail else ():
                found[call] += [name] if name not in found[call] else []
    return found


class Calls(ast.NodeVisitor):
    """By function (module, class, name), the compiled functions and the other names that it uses."""

    def __init__(self, module):
        self.module, self.scope, self.used, self.current = module, [], {}, None

    def visit_ClassDef(self, node):
        self.scope.append(node.name)
        self.generic_visit(node)
        self.scope.pop()

    def visit_FunctionDef(self, node):
        outer = self.current
        self.current = outer or (self.module, ".".join(self.scope), node.name)
        self.used.setdefault(self.current, set())
        self.generic_visit(node)
        self.current = outer

    def visit_Attribute(self, node):
        if self.current:
            is_core = isinstance(node.value, ast.Name) and node.value.id == "_core"
            self.used[self.current].add(("core." if is_core else "") + node.attr)
        self.generic_visit(node)

    def visit_Name(self, node):
        if self.current:
            self.used[self.current].add(node.id)


def shown(key):
    """A function of Python, as programs call it."""
    scope = PART_OF.get(key[1], key[1])
    if key[2] in ("__getitem__", "__setitem__", "__delitem__"):
        return f"{scope}[...]"
    return scope if key[2].startswith("__") else ".".join(filter(None, [scope, key[2]]))


def in_python():
    """By C function, the public functions and methods that use the compiled function of its name, directly or, if there
    are none, by the shortest chain of other functions."""
    used = {}
    for path in sorted((ROOT / "python/sverdrup/library").glob("*.py")):
        calls = Calls(path.stem)
        calls.visit(ast.parse(path.read_text(encoding="utf-8")))
        used |= calls.used
    package = (ROOT / "python/sverdrup/__init__.py").read_text(encoding="utf-8")
    public = PUBLIC_PARTS | set(re.search(r'_LIBRARY = frozenset\(\s*"""(.*?)"""', package, re.S)[1].split())
    is_public = {key: key[1] in public and not re.match("_[^_]", key[2]) if key[1] else key[2] in public for key in used}
    found = {}
    for call in {name for names in used.values() for name in names if name.startswith("core.")}:
        level, seen, names = {key for key in used if call in used[key]}, set(), []
        while level and not names:
            seen |= level
            names = sorted({shown(key) for key in level if is_public[key]})
            called = {key[2] for key in level if not key[2].startswith("__")}
            level = {key for key in used if used[key] & called} - seen
        found["sv_" + call.removeprefix("core.")] = names
    # One method has both forms: the stride is an argument of its own.
    return found | {name.removesuffix("s") + "a": there for name, there in found.items() if name.endswith("_vars")}


def rows():
    """Of each C function, its header and its names in the other languages; and the functions that lack one."""
    known = {"C++": in_cxx(), "Fortran": in_fortran(), "Python": in_python()}
    made, wrong = [], []
    for path in HEADERS:
        for name in functions([path]):
            names = {}
            for language, found in known.items():
                other = OTHER_NAME[language].get(name)
                names[language] = [other] if other else found.get(name, [])
                if not names[language] and name not in ABSENT[language]:
                    wrong.append(f"{name} is not in {language}: add it there, or to ABSENT of scripts/interface.py")
                if names[language] and name in ABSENT[language]:
                    wrong.append(f"{name} is in {language}: remove it from ABSENT of scripts/interface.py")
            made.append((path.name, name, names))
    return made, wrong


def cell(names):
    return "<br>".join(f"`{each}`" for each in names[:3])


def table(made):
    lines, header = [], None
    for path, name, names in made:
        if path != header:
            lines += ["", f"### `{path}`", "", "| C and Fortran | C++ | Python |", "| --- | --- | --- |"]
            header = path
        fortran = names["Fortran"]
        own = "" if fortran == [name] else f", Fortran: {cell(fortran)}" if fortran else " (C)"
        cells = [f"`{name}`{own}", cell(names["C++"]), cell(names["Python"])]
        lines.append(" ".join(["|", *(f"{each} |" if each else "|" for each in cells)]))
    return "\n".join(lines) + "\n"


def main():
    made, wrong = rows()
    wrong += contract_faults()
    page = TABLE.read_text(encoding="utf-8").split(MARK)[0]
    files = {INTERFACE: described(), TABLE: page + MARK + table(made)}
    for path, text in files.items():
        if sys.argv[1:] == ["--write"]:
            path.write_text(text, encoding="utf-8")
            continue
        listed = path.read_text(encoding="utf-8") if path.exists() else ""
        if listed != text:
            wrong.append(f"{path.relative_to(ROOT)} differs from the sources:")
            difference = difflib.unified_diff(listed.splitlines(), text.splitlines(), "listed", "declared", n=0, lineterm="")
            wrong += [f"  {line}" for line in difference if not line.startswith("@@")]
    print("\n".join(wrong) or f"interface: {len(made)} functions, as the files list them")
    if wrong:
        print("If the change is wanted, follow 'Change the interface' of docs/versions.md; then run scripts/interface.py --write")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
