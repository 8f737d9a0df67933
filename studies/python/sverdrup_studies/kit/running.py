"""Runs the steps of the kit. Each leaves a file step.json; a step that fails does not stop the others, and one that is
done is not done again."""

import shutil
import tarfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path

from sverdrup_studies.kept import read_json, replace_file, write_json

from .plan import Asked, Step
from .work import DOES, StepError, Work

_LEAST_SECONDS = 60.0  # that the last step gets, at the end of the budget
_PATIENCE = 3  # times what a step should take: then it is ended
DONE, FAILED, MISSING, SKIPPED, INTERRUPTED = "done", "failed", "missing", "no time left", "interrupted"


def outcome(output: Path, step: Step) -> dict | None:
    """The contents of step.json, or None: not run."""
    return read_json(output / step.name / "step.json") or None


def _run(asked: Asked, step: Step, seconds: float) -> dict:
    """Runs a step and keeps what came of it. An interruption is kept, and raised again."""
    folder = asked.output / step.name
    folder.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    scratch = asked.directory / f"{asked.output.name}-{step.name}.files"
    work = Work(asked, step, folder, scratch, began, began + seconds)
    result = {
        "name": step.name,
        "about": step.about,
        "status": INTERRUPTED,
        "why": "",
        "started": time.strftime("%H:%M:%S"),
    }
    try:
        scratch.mkdir(parents=True, exist_ok=True)
        DOES[step.group](work)
        result["status"] = DONE
    except StepError as error:
        result |= {"status": MISSING if error.missing else FAILED, "why": str(error)}
    except Exception as error:  # a fault of ours costs this step only
        (folder / "fault.txt").write_text(traceback.format_exc(), encoding="utf-8")
        result |= {"status": FAILED, "why": f"{type(error).__name__}: {error} ({step.name}/fault.txt)"}
    finally:
        shutil.rmtree(scratch, ignore_errors=True)  # runs that were ended leave what they wrote
        result |= {"commands": work.commands, "seconds": round(time.monotonic() - began, 1)}
        write_json(folder / "step.json", result)
    return result


def run_all(asked: Asked, steps: list[Step], tell: Callable[[str], None]) -> list[dict]:
    """The outcome of each step, in order. Raises KeyboardInterrupt, and keeps the finished steps."""
    end = time.monotonic() + 60 * asked.minutes
    results = []
    for index, step in enumerate(steps, 1):
        before = f"[{index}/{len(steps)}] {step.name}"
        there = outcome(asked.output, step)
        if there and there["status"] == DONE:
            tell(f"{before}: finished earlier")
            results.append(there)
            continue
        left = end - time.monotonic()
        if left <= 0:
            folder = asked.output / step.name
            folder.mkdir(parents=True, exist_ok=True)
            why = f"the budget of {asked.minutes:.0f} minutes was used up"
            result = {
                "name": step.name,
                "about": step.about,
                "status": SKIPPED,
                "why": why,
                "seconds": 0.0,
                "commands": [],
            }
            write_json(folder / "step.json", result)
            results.append(result)
            tell(f"{before}: {SKIPPED}")
            continue
        tell(f"{before}: {step.about}; about {step.minutes:.0f} min; watch {asked.output / step.name / 'log.txt'}")
        results.append(_run(asked, step, min(_PATIENCE * 60 * step.minutes, max(left, _LEAST_SECONDS))))
        last = results[-1]
        tell(f"{before}: {last['status']} after {last['seconds']:.0f} s{': ' + last['why'] if last['why'] else ''}")
    return results


def archive(output: Path) -> Path:
    """All that is in the folder as OUTPUT.tar.gz next to it; complete or not there."""
    path = output.parent / f"{output.name}.tar.gz"

    def pack(partial: Path) -> None:
        with tarfile.open(partial, "w:gz") as packed:
            packed.add(output, arcname=output.name)

    replace_file(path, pack)
    return path
