"""Every block of code in the documents: blocks.py BUILD WORK MPICC MPIFORT PAGE...

  fortran, c   is a whole program that an example is compared with (readme_example.sh), or is compiled between the
               declarations of fragments.f90 and fragments.c; a namelist is read as a configuration
  python       is compiled, and the names that it takes from sverdrup are there; python.library
               and readers.virtual_index run its calls
  yaml         is read as a configuration, or as a space of parameters
  diff         docs.port compares it
  commands     their programs and files are there, with every option, goal of make and test that they name. They are not
               run: most measure for minutes, or need a cluster. A sv-plan whose output follows it is run and compared
  others       show the output of a program

Prints how many there were of each, and the errors."""

import ast
import collections
import os
import re
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD, WORK = Path(sys.argv[1]), Path(sys.argv[2])
BLOCK = re.compile(r"^```([\w{}]*)\n(.*?)^```", re.M | re.S)
# Foreign programs in commands, whose options are unknown.
FOREIGN = {"ncdump", "echo", "jq", "pip", "export", "cmake", "srun", "python", "python3", "/usr/bin/python3"}
FOREIGN |= {"build/venv/bin/python", "mpifort", "mpicc", "mkdir", "mount"}
USERS = {"./model", "./ocean", "./ice"}  # programs of the reader
LAUNCHERS = {"mpiexec", "srun"}


class Wrong(Exception):
    """The error in a block."""


def said(command, **words):
    run = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=WORK, **words)
    return run.returncode, run.stdout + run.stderr


# ---- programs in C and Fortran


def fragment(language, text, compiler):
    whole = ("program " if language == "fortran" else "int main(") in text
    if language == "fortran" and text.startswith("&"):
        return configuration(text, "nml")
    if whole:
        return "compared with an example"
    frame = (ROOT / "tests/docs" / f"fragments.{'f90' if language == 'fortran' else 'c'}").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.strip().split("  ")[0] != "..."]
    if language == "fortran":
        head = [line for line in lines if "::" in line or line.startswith("use ")]
        lines = [line for line in lines if line not in head]
        head = [line for line in head if line.strip() != "use sverdrup"]
        frame = frame.replace("! DECLARATIONS", "\n".join(head))
    frame = frame.replace("/* HERE */", "\n".join(lines)).replace("! HERE", "\n".join(lines))
    file = WORK / f"fragment.{'f90' if language == 'fortran' else 'c'}"
    file.write_text(frame, encoding="utf-8")
    status, output = said([*shlex.split(compiler), "-fsyntax-only", str(file)])
    if status:
        raise Wrong(f"does not compile:\n{output}")
    return "compiled"


# ---- Python, configurations


def python(text):
    import sverdrup

    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "sverdrup":
            if node.attr != "xarray" and not hasattr(sverdrup, node.attr):
                raise Wrong(f"sverdrup has no {node.attr}")
    return "compiled"


def configuration(text, suffix):
    import sverdrup
    import yaml
    from sverdrup.tune import space

    file = WORK / f"configuration.{suffix}"
    file.write_text(text, encoding="utf-8")
    if suffix == "yaml" and "parameters" in yaml.safe_load(text):
        space.read(file)
        return "read"
    try:
        with sverdrup.Context(config=file, summary={"table": False}):
            pass
    except sverdrup.ConfigurationError as error:
        if "of 1 ranks leaves none" in str(error):  # servers, which this one rank cannot have
            return "read"
        raise Wrong(f"is no configuration: {error}") from error
    return "read"


# ---- commands


def commands_of(text):
    """The commands of a block, each as its words and the output below it (after the prompt `$ `); None if a line is
    not a command."""
    text = text.replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line.strip()]
    prompts = lines[0].startswith("$ ")
    found = []
    for line in lines:
        if prompts and not line.startswith("$ "):
            found[-1][1].append(line)
            continue
        line = re.split(r"\s+# ", line.removeprefix("$ "))[0].strip()
        try:
            words = shlex.split(line)
        except ValueError:
            return None
        parts, current = [], []
        for word in words:
            if word in ("&&", "|", ":"):
                parts.append(current)
                current = []
            elif word in (">",):
                break
            else:
                current.append(word)
        parts = [stripped(part) for part in [*parts, current]]
        if not all(part and known(part[0]) for part in parts):
            return None
        found += [(part, []) for part in parts]
    return found


def stripped(words):
    """Without the words before a program: variables, the launcher and its options."""
    while words and re.match(r"[A-Za-z_]+=", words[0]):
        words = words[1:]
    if words and words[0] in ("mpiexec", "-n") and "-n" in words:
        words = words[words.index("-n") + 2 :]
        while len(words) > 1 and words[0].startswith("-"):
            words = words[2:]
    elif words[:1] == ["scripts/mpirun"]:
        words = words[2:]
    return words


def known(program):
    ours = re.match(r"(sv-|sverdrup$|(studies/)?scripts/|studies/|build/(studies/)?bin/)", program)
    return bool(ours) or program in FOREIGN | USERS | {"make", "ctest"}


@cache
def help_of(program, *more):
    name = Path(program).name
    if program.startswith(("scripts/", "studies/scripts/")) or program == "studies/build":
        path = ROOT / program
        if not path.exists():
            raise Wrong(f"there is no {program}")
        return path.read_text(encoding="utf-8")
    folder = BUILD / "studies" / "bin" if program.startswith("build/studies/bin/") else BUILD / "bin"
    commands = {"sverdrup": [sys.executable, "-m", "sverdrup"], "study": [sys.executable, str(ROOT / "studies/study")]}
    command = commands.get(name, [str(folder / name)])
    if name not in commands and not Path(command[0]).exists():
        raise Wrong(f"there is no program {name}")
    status, output = said([*command, *more, "--help"])
    if status:
        raise Wrong(f"'{name} {' '.join(more)}' is no command: {output[:200]}")
    return output


def options_of(words):
    """The options before a command that is run by this one."""
    for word in words[1:]:
        if word == "--" or word in LAUNCHERS or word.startswith(("./", "sv-")) or "build/bin/" in word or "build/studies/bin/" in word:
            return
        if word.startswith("--"):
            yield word.partition("=")[0]


def command(words, output):
    program = words[0]
    if program in USERS | FOREIGN:
        for word in words[1:]:
            if re.match(r"(tests|benchmarks|scripts|docs|studies)/[\w/]+\.(py|sh)$", word) and not (ROOT / word).exists():
                raise Wrong(f"there is no {word}")
        return
    if program == "make":
        goals = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
        if any("=" not in word and word not in goals for word in words[1:]):
            raise Wrong(f"'{' '.join(words)}': no such goal")
        return
    if program == "ctest":
        return
    if program.startswith("build/studies/bin/") and not (BUILD / "studies/bin").exists():
        return  # the campaign of the studies builds it, and holds this against it
    name = Path(program).name
    below = words[1:2] if name in ("sverdrup", "study", "sv-bench") and words[1:2] and not words[1].startswith("-") else []
    text = help_of(program, *below)
    for option in options_of(words):
        if not re.search(re.escape(option) + r"(?![\w-])", text):
            raise Wrong(f"'{' '.join([name, *below])}' has no option {option}")
    if output and name == "sv-plan":
        printed = said([str(BUILD / "bin/sv-plan"), *words[1:]])[1].splitlines()
        shown = [line.rstrip() for line in output]
        if [line.rstrip() for line in printed if line.strip()] != shown:
            raise Wrong("sv-plan prints something else:\n" + "\n".join(printed))


def block(language, text, compilers):
    """The check that it passed."""
    if language in ("fortran", "c"):
        return f"{language}, {fragment(language, text, compilers[language])}"
    if language == "python":
        return f"python, {python(text)}"
    if language == "yaml":
        return f"yaml, {configuration(text, 'yaml')}"
    if language == "diff":
        return "diff, compared by docs.port"
    if language.startswith("{"):
        return "of the site"
    found = commands_of(text)
    if found is None:
        if language == "sh":
            raise Wrong("is said to be commands, and is not")
        return "shown, not run: what something prints"
    for words, output in found:
        command(words, output)
    return "commands, whose options are there"


def main():
    compilers = {"c": sys.argv[3], "fortran": sys.argv[4]}
    done, wrong = collections.Counter(), []
    (WORK / "run").mkdir(parents=True, exist_ok=True)
    os.chdir(WORK)  # configurations name files
    for page in sys.argv[5:]:
        text = Path(page).read_text(encoding="utf-8")
        if ROOT / "studies" in Path(page).parents:  # which have an sv-bench of their own
            text = re.sub(r"(^|\s)sv-bench ", r"\1build/studies/bin/sv-bench ", text)
        for found in BLOCK.finditer(text):
            place = f"{os.path.relpath(page, ROOT)}:{text[: found.start()].count(chr(10)) + 1}"
            try:
                done[block(found[1], found[2], compilers)] += 1
            except Wrong as reason:
                wrong.append(f"{place}: {reason}")
    for kind, number in sorted(done.items()):
        print(f"{number:4d}  {kind}")
    print("\n".join(wrong) or "blocks: all as they should be")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
