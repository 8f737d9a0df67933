#!/usr/bin/env python3
"""With `durability: ordered`, and with `file_system.visibility: late`, compares every written record count with the disk: counts.py MPIRUN WRITER.

When the owner writes a count, the data of the counted records must have been synchronised after it was written, by a
process that wrote it or another one. 77: strace is missing, or may not trace.
"""
import re
import sys

from receipts import base, judged

RECORD_BYTES, COUNT_OFFSET = 48 * 32 * 4, 4


def scenes():
    made = []
    for kind in ("published", "growing"):
        for servers in (0, 2):
            made.append(f"ordered_{kind}_{servers};{kind};transport.window=1MiB,writers=2,file_system.stripe=4096,durability=ordered,"
                        f"header_reserve=0,format=cdf2,async=servers:{servers},async.memory=8MiB")
    for servers in (0, 2):  # where other hosts see late what one has written, a written record is one on the disk, too
        made.append(f"late_growing_{servers};growing;transport.window=1MiB,writers=2,file_system.stripe=4096,file_system.visibility=late,header_reserve=0,"
                    f"format=cdf2,async=servers:{servers},async.memory=8MiB")
    return made


def position(call):
    return int(call.arguments.rsplit(",", 1)[1])


def faults_of(folder, calls):
    """Counts that were written before the records they count were on the disk; and how many records lagged."""
    afloat, faults, counts = {}, [], 0
    for call in calls:
        where = base(call.descriptor or "")
        if f"/{folder}/" not in where:
            continue
        if call.name in ("fsync", "fdatasync"):
            afloat = {key: since for key, since in afloat.items() if key[0] != where or call.begin < since}
        elif call.name == "pwrite64" and position(call) == COUNT_OFFSET:
            counts += 1
            number = int.from_bytes(re.search(r'"(.*)"', call.arguments)[1].encode().decode("unicode_escape").encode("latin-1"),
                                    "big")
            lost = [at for name, at in afloat if name == where and at < 4096 + number * RECORD_BYTES and at >= 4096]
            if lost:
                faults.append(f"{number} records of {where} are counted, and byte {min(lost)} is not on the disk")
        elif call.name == "pwrite64":
            afloat[(where, position(call))] = call.end
    if counts < 3:  # closing each of the files, and the flush between
        faults.append(f"{counts} counts")
    return faults


sys.exit(judged(*sys.argv[1:3], scenes(), faults_of, "every count is of what is on the disk"))
