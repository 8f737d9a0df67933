"""Advises to keep a file open, where it is opened and closed again and again."""

from sverdrup.analysis.advice.advice import Advice
from sverdrup.analysis.facts import Facts
from sverdrup.analysis.words import plural, seconds

OFTEN = 4


def detect(facts: Facts) -> Advice | None:
    table, best = facts.table, None
    for row in facts.file_rows:
        outer = (table.file == table.files.index(row["path"])) & table.knows_file & facts.traced.counted
        opens = outer & table.is_function(lambda _, name: "open" in name.lower())
        count = int(table.by_rank(opens, "calls").max(initial=0))
        took = row["open"] + row["close"]
        if count >= OFTEN and facts.worth(took * (1 - 1 / count), 0.01) and (best is None or took > best[0]):
            best = took, count, row
    if best is None:
        return None
    took, count, row = best
    saved = took * (1 - 1 / count)
    text = (
        f"One rank opened {row['file']} {plural(count, 'time')} and spent {seconds(took)} opening and closing it. Keep "
        "the file open, and synchronise it where others have to see the data: then this cost is paid once."
    )
    lines, language = ("kind: growing\n", "yaml") if facts.traced.uses_sverdrup else (None, None)
    evidence = [(f"{plural(count, 'opening')}, {seconds(row['open'])}; closing {seconds(row['close'])}", "files")]
    return Advice("Keep the file open", text, took, (saved / 2, saved), lines, language, evidence)
