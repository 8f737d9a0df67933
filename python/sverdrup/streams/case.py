"""Describes the plan of streams as a case of `sv-plan --case` (docs/prediction.md), which predicts its seconds."""

from typing import Any

from sverdrup.streams import StreamsError


def _variable(variable: dict[str, Any], records: int) -> dict[str, Any]:
    lengths = list(variable["dims"].values())
    shape = [1] * (2 - len(lengths)) + lengths  # the ranks divide two dimensions
    return {"shape": shape, "type": variable["type"], "count": 1, "records": records if variable["operation"] else 0}


def case_of(plan: dict[str, Any], ranks: int, compute_seconds: float) -> dict[str, Any]:
    """`compute_seconds`: of a step. Raises StreamsError if the length of a step is not known."""
    if plan["step_seconds"] <= 0:
        raise StreamsError("the steps of the run vary: give --step, so that the outputs of each step are known")
    files = [
        {
            "name": file["name"],
            "reads": False,
            "times": 1,
            "after": file["steps"],
            "variables": [_variable(each, file["records"]) for each in stream["variables"]],
        }
        for stream in plan["streams"]
        for file in stream["files"]
    ]
    steps = max((file["after"][-1] for file in files), default=0)
    return {
        "workload": "streams",
        "ranks": ranks,
        "ranks_per_node": 48,
        "steps": steps,
        "compute_seconds": compute_seconds,
        "files": files,
    }
