"""The sessions of docs/python.md ("The same session with other libraries") run, and write the same."""

import re
from pathlib import Path

import numpy as np
import pytest
import sverdrup

PAGE = Path(__file__).resolve().parents[2] / "docs/python.md"
TITLE = "## The same session with other libraries"
SECTION = re.search(rf"^{TITLE}$(.*?)(^## |\Z)", PAGE.read_text(encoding="utf-8"), re.M | re.S)
SESSIONS = re.findall(r"^\*\*([\w-]+)\*\*.*?^```python\n(.*?)^```", SECTION[1], re.M | re.S) if SECTION else []
FIELD = np.arange(72, dtype="f4").reshape(3, 4, 6)


def test_the_page_has_its_sessions():
    assert [name for name, _ in SESSIONS] == ["Sverdrup", "netCDF4-python", "zarr-python", "xarray"]


@pytest.mark.parametrize(("name", "code"), SESSIONS, ids=[name for name, _ in SESSIONS])
def test_sessions_do_the_same(comm, name, code):
    if name == "zarr-python":
        pytest.importorskip("zarr", "3")
    if name == "xarray":
        pytest.importorskip("xarray")
    found = {}
    if name == "Sverdrup" or comm.rank == 0:
        exec(compile(code, f"{PAGE} ({name})", "exec"), found)
        rows = slice(found.get("js", 0), found.get("js", 0) + found.get("nj", 4))
        assert found["shape"] == (3, 4, 6) and found["units"] == "K"
        np.testing.assert_array_equal(found["rows"], FIELD[:, rows])
    path = re.search(r'"(\w+\.(?:nc|zarr))"', code)[1]
    with sverdrup.Context(comm, summary={"table": False}) as io, io.open(path) as file:
        assert file.title == "an example"
        if not path.endswith("zarr"):  # whose fill value is no attribute
            assert file["t"].fill_value() == -1
        assert file["t"].dimensions == ("time", "lat", "lon")
        np.testing.assert_array_equal(file["t"][0], FIELD[0])
