"""Sverdrup's own parser accepts the lines of advice."""

import os
import subprocess

import cases
import pytest
from sverdrup.analysis import analyse_run
from sverdrup.trace import Run

PARSER = os.environ.get("SV_TEST_PARSER")


@pytest.mark.skipif(not PARSER, reason="SV_TEST_PARSER names no parser: this build has no yaml-cpp")
def test_configuration_lines_are_valid(tmp_path):
    paths = {}
    for case in cases.EXPECTED:
        folder = case(tmp_path / case.__name__)
        found = analyse_run(Run(folder))["findings"]
        if not list(folder.glob("*-2.svtrace")):
            found += analyse_run(Run(cases.with_sverdrup(folder)))["findings"]
        for advice in found:
            if advice["language"] == "yaml":
                path = tmp_path / f"{case.__name__}-{advice['kind']}.yaml"
                path.write_text(advice["configuration"])
                paths.setdefault(advice["kind"], []).append(path)
    expected = {"servers", "server_memory", "alignment", "port", "writers", "chunks", "small_writes", "metadata"}
    assert expected | {"imbalance", "reopening", "compression", "reading"} <= set(paths)
    paths = [path for each in paths.values() for path in each]
    run = subprocess.run([PARSER, *paths], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text("serverss: 1\n")
    run = subprocess.run([PARSER, wrong], capture_output=True, text=True)
    assert run.returncode == 1 and "servers" in run.stderr
