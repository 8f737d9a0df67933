"""The options of every program: --help and --version, and a word about wrong arguments; the command sverdrup has them without the packages that its work needs.

options_test.py VERSION PYTHON_FOLDER PROGRAM..."""
import subprocess
import sys

VERSION, PACKAGE, *PROGRAMS = sys.argv[1:]
# Stands for a Python in which nothing was installed.
HIDING = f"""
import sys
class Hiding:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("numpy", "scipy", "jinja2", "yaml", "matplotlib", "netCDF4"):
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Hiding())
sys.path.insert(0, {PACKAGE!r})
from sverdrup import cli
sys.exit(cli.main(sys.argv[1:]))
"""
COMMANDS = ("report", "watch", "probe", "tune", "streams", "weights", "cmip7", "information")


def said(command):
    """The output of a program, which must succeed."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60, check=False)
    text = done.stdout.decode(errors="replace")
    if done.returncode != 0:
        sys.exit(f"{' '.join(command[-2:])} ended with {done.returncode}: {text}")
    return text


def check(command, name):
    text = said([*command, "--version"])
    if VERSION not in text or name not in text:
        sys.exit(f"{name} --version reports no version: {text}")
    if "--" not in said([*command, "--help"]):
        sys.exit(f"{name} --help reports no options")


def refuses(program, name):
    """A wrong option is named, with the program and its usage."""
    done = subprocess.run([program, "--nonsense"], capture_output=True, text=True, timeout=60, check=False)
    wanted = (f"{name}: ", "--nonsense", f"Usage: {name} ")
    if done.returncode != 2 or not all(words in done.stderr for words in wanted):
        sys.exit(f"{name} --nonsense ended with {done.returncode}: {done.stderr}")


def notices_lost_output(command):
    """Output on a full device is lost, and the exit code shows it."""
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([*command, "--version"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
    if done.returncode != 1 or "output could not be written" not in done.stderr:
        sys.exit(f"{command[-1]} --version on a full device ended with {done.returncode}: {done.stderr}")


def main():
    if not PROGRAMS:
        sys.exit("no programs")
    for program in PROGRAMS:
        name = program.rsplit("/", 1)[-1]
        check([program], name)
        if name.startswith("sv-"):
            refuses(program, name)
            notices_lost_output([program])
    command = [sys.executable, "-S", "-c", HIDING]
    check(command, "sverdrup")
    for name in COMMANDS:
        said([*command, name, "--help"])


main()
