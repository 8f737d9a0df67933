"""The table, the curves and the page, of samples that are made up."""

import xml.etree.ElementTree as xml

import pytest

from sverdrup.probe import curves, tables
from sverdrup.probe.probe_page import probe_page

RATE = "bytes/s"


@pytest.fixture
def measured() -> dict:
    def key(name: str, unit: str, value: float, samples: list[float]) -> dict:
        return {"name": name, "unit": unit, "value": value, "how": "<made up>", "samples": samples}

    return {
        "version": "0.1.0", "ranks": 2, "nodes": 1, "directory": "/scratch/<me>", "rounds": 2, "seconds": 3.0,
        "keys": [
            key("cores_per_node", "", 2, []),
            key("writer_bytes_per_second", RATE, 5e8, [4e8, 5e8, 6e8]),
            key("stripe_bytes", "bytes", 1 << 20, []),
            key("new_key_seconds", "s", 0.002, [0.002]),
        ],
        "writers": [
            {"writers": 1, "bytes_per_second": [4e8, 6e8]},
            {"writers": 2, "bytes_per_second": [8e8, 8e8]},
        ],
        "open": [{"ranks": 1, "seconds": [1e-5]}, {"ranks": 2, "seconds": [2e-5]}],
        "agreement": [{"ranks": 1, "seconds": [1e-7]}, {"ranks": 2, "seconds": [3e-6]}],
        "burst": {"writers": 2, "block_bytes": 32 << 20, "bytes_per_second": [8e8] * 30},
        "targets": {"targets": 0, "stripe_bytes": 1 << 20, "how": "not looked for"},
    }  # fmt: skip


def test_the_table_has_units_and_ends(measured):
    lines = tables.text(measured).replace("\u202f", " ").splitlines()
    assert len(lines) == 4
    assert "one writer" in lines[1] and "500 MB/s  400 MB/s to 600 MB/s" in lines[1]
    assert "1 MiB" in lines[2]
    assert lines[3].startswith("new_key_seconds") and "2.00 ms" in lines[3]


def test_the_burst_is_told(measured):
    assert tables.burst(measured).replace("\u202f", " ") == "The rate lasted for all of the 960 MiB that were written."
    measured["keys"] += [
        {"name": "burst_bytes", "unit": "bytes", "value": 640 << 20, "how": "", "samples": []},
        {"name": "sustained_bytes_per_second", "unit": RATE, "value": 1e8, "how": "", "samples": []},
    ]
    assert tables.burst(measured).replace("\u202f", " ") == "After 640 MiB the rate fell to 100 MB/s."
    measured["keys"], measured["burst"]["bytes_per_second"] = [], []
    assert tables.burst(measured) == "How long the rate lasts was not measured."


def test_curves_are_files_of_their_own(measured):
    chart = curves.burst(measured)
    assert chart and len(chart.places) <= 12 and sum(len(rounds) for rounds in chart.lines[0].rounds) == 30
    assert curves.writers(measured).lines[0].rounds == (pytest.approx([0.4, 0.6]), pytest.approx([0.8, 0.8]))
    assert [len(line.rounds) for line in curves.ranks(measured).lines] == [2, 2]
    for svg in curves.drawn(measured).values():
        assert xml.fromstring(svg).tag.endswith("svg")
    measured["burst"]["bytes_per_second"] = []
    assert set(curves.drawn(measured)) == {"writers", "ranks"}


def test_the_page_escapes_and_stands_alone(measured):
    text = probe_page(measured)
    assert "/scratch/&lt;me&gt;" in text and "<me>" not in text and "&lt;made up&gt;" in text
    assert text.count("<figure>") == 3
    assert "http://" not in text.replace("http://www.w3.org/2000/svg", "") and "https://" not in text
