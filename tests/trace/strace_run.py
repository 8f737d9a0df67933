"""Runs a command under strace, and counts what it did with files."""
import collections
import pathlib
import re
import subprocess

CALLS = ("open,openat,creat,read,pread64,readv,preadv,preadv2,write,pwrite64,writev,pwritev,pwritev2,fsync,fdatasync,"
         "ftruncate,fallocate,copy_file_range,sendfile,rename,renameat,renameat2,close")
LINE = re.compile(r"^(\w+)\((.*)\)\s*= (-?\d+)(?:<([^>]*)>)?")
# The system call behind functions with other names.
SYSTEM_CALL = {"pread": "pread64", "pwrite": "pwrite64", "posix_fallocate": "fallocate", "preadv2": "preadv",
               "pwritev2": "pwritev", "open": "openat", "renameat2": "renameat",
               "fclose": "close", "fopen": "openat",
               "aio_read": "pread64", "aio_write": "pwrite64"}


def system_call(function):
    """The name that strace gives to a function of the C library: "__pread64_chk" is "pread64". The trace
    records the file that a copy reads under a name of its own."""
    name = re.sub(r"^__|_chk$|_2$|_from$", "", function)
    name = {"preadv64v2": "preadv2", "pwritev64v2": "pwritev2"}.get(name, re.sub(r"64$", "", name))
    return SYSTEM_CALL.get(name, name)


def paths_of(call, arguments, opened, folder):
    """The files that a line of strace is about."""
    if call in ("openat", "creat", "open", "rename", "renameat", "renameat2"):
        if opened:
            return [opened]
        names = re.findall(r'(?:(?:AT_FDCWD|\d+)(?:<([^>]*)>)?, )?"([^"]*)"', arguments)  # and their directories
        return [str(pathlib.Path(folder, *names[-1]))] if names else []
    named = re.findall(r"\d+<([^>]*)>", arguments)
    return named[:2] if call in ("copy_file_range", "sendfile") else named[:1]


def count(command, folder, environment):
    """{(system call, path): [calls, bytes]} of a command that runs in `folder`; of files in there."""
    logs = pathlib.Path(folder).parent / "strace"
    logs.mkdir(exist_ok=True)
    strace = ["strace", "-ff", "-y", "-s", "0", "-e", "trace=" + CALLS, "-e", "signal=none", "-o", str(logs / "log")]
    assignments = [word for name, value in environment.items() for word in ("-E", f"{name}={value}")]
    subprocess.run([*strace, *assignments, *command], cwd=folder, check=True, timeout=60)
    counts = collections.defaultdict(lambda: [0, 0])
    for log in logs.iterdir():
        for line in log.read_text().splitlines():
            match = LINE.match(line)
            for path in paths_of(match[1], match[2], match[4], folder) if match else ():
                if not path.startswith(str(folder) + "/"):
                    continue
                entry = counts[system_call(match[1]), path]
                entry[0] += 1
                moves = match[1].removesuffix("64").rstrip("v2") in ("read", "pread", "write", "pwrite")
                moves = moves or match[1] in ("copy_file_range", "sendfile")
                entry[1] += max(int(match[3]), 0) if moves else 0
    return dict(counts)
