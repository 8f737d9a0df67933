"""Requests, lists, attributes, steps, series, servers, levels and the summary."""

import datetime
import json
from pathlib import Path

import numpy as np
import pytest

import sverdrup


def test_requests(io, file, grid, mine, field):
    names = ["a", "b", "c", "d"]
    var = {name: file.def_var(name, "f8", ["time", "lat", "lon"]) for name in names}
    file.enddef()
    var["a"].iput(np.asfortranarray(mine), grid, 0)  # an array that only the file holds
    copied = mine.copy()
    var["b"].bput(copied, grid, 0)
    copied[...] = 0
    one = var["c"].iput(mine + 1, grid, 0)
    other = var["d"].iput(mine, grid, 0)
    assert file.pending == 4
    file.wait([one])
    file.cancel([other])
    assert file.pending == 2
    file.wait()
    io.end_step()
    _, back = var["c"].iget(grid, 0)
    file.wait()
    assert file.pending == 0 and not file._kept
    np.testing.assert_array_equal(back[grid.interior], mine[grid.interior] + 1)
    with pytest.raises(sverdrup.ArgumentError) as caught:
        file.wait([one])
    assert caught.value.statuses == [1]
    with pytest.raises(sverdrup.ArgumentError) as caught:
        file.mput([(var["a"], mine[1:] if io.rank == 0 else mine, grid, 0)])
    assert (caught.value.rank, caught.value.file) == (0, file.path) and "where (" in caught.value.cause
    start = [0, grid.start[0], 0]
    file.mput(zip([var["d"], var["c"]], [mine - 3, mine], [grid, grid], [0, 1]))
    file.mput_vara([(var["a"], [1, *start[1:]], mine[grid.interior])])
    io.end_step()
    both = file.mget(iter([(var["d"], grid, 0), (var["a"], grid, 1)]))
    np.testing.assert_array_equal(both[0][grid.interior], mine[grid.interior] - 3)
    np.testing.assert_array_equal(both[1][grid.interior], mine[grid.interior])
    (part,) = file.mget_vara([(var["b"], [0, 0, 0], [1, 7, 10])])
    np.testing.assert_array_equal(part[0], field)
    file.attach_buffer(4096)
    assert file.buffer == (4096, 0)
    file.detach_buffer()
    file.close()


def test_attributes(io, file, read):
    sst = file.def_var("sst", "f4", ["lat"], fill=-1, units="°C", valid_range=np.array([0, 40], "f4"))
    given = {"title": "An ocean", "one": 1, "large": 2**40, "half": 0.5, "several": [1, 2, 3], "gone": "x", "old": 1.5}
    file.attributes.update(given)
    del file.attributes["gone"]
    file.attributes.rename("old", "new")
    sst.attributes.copy_from(file.attributes, "half")
    with pytest.raises(sverdrup.TypesError):
        file.attributes["bad"] = [1j]
    file.rename_dim("lon", "x")
    sst.rename("temperature")
    file.enddef()
    file.redef()
    file.attributes["later"] = np.int16(4)
    file.enddef()
    file.close()
    with io.open("test_attributes.nc", "a") as again:
        at = again.attributes
        assert list(at) == ["title", "one", "large", "half", "several", "new", "later"]
        assert (
            at["title"] == "An ocean" and at["large"] == 2**40 and at["half"] == 0.5 and at["later"].dtype == np.int16
        )
        assert at["one"].dtype == np.int32 and at["several"].tolist() == [1, 2, 3]
        assert dict(again.dimensions) == {"time": 0, "lat": 7, "x": 10}
        sst = again["temperature"]
        assert sst.attributes["units"] == "°C" and sst.fill_value() == -1 and sst.dimensions == ("lat",)
        assert list(again.variables) == ["temperature"] and "none" not in again.variables
        assert (sst.get_var() == -1).all()


def test_a_growing_file_and_levels(comm):
    with sverdrup.Context(comm, durability="on_disk", writers=1) as io, io.create("growing.nc", kind="growing") as file:
        file.def_dim("time", None)
        time = file.def_var("time", "f8", ["time"])
        file.enddef()
        for n in range(2):
            with io.communication():
                comm.barrier()
            time.put_var(float(n), record=n)
            io.end_step()
        io.flush(sverdrup.Level.ON_DISK)
        assert io.durable_step == 2
        with io.open("growing.nc") as reader:
            assert reader["time"].get_vara([0], [2]).tolist() == [0, 1]
        io.request_stop()
        assert not io.stopping
        io.end_step()
        assert io.stopping
        io.write_summary("growing.json")
    comm.barrier()
    with open("growing.json", encoding="utf-8") as text:
        assert any("growing.nc" in json.dumps(each) for each in json.load(text)["files"])


def test_a_series(comm, io, read):
    if comm.rank == 0:
        for left in Path().glob("month_*.nc"):
            left.unlink()
    with io.create("month_%Y%m.nc", kind="series") as file:
        file.def_dim("time", None)
        file.def_var("time", "f8", ["time"], units="days since 2000-01-01", calendar="standard")
        v = file.def_var("v", "i4", ["time"])
        file.enddef()
        day = datetime.datetime(2000, 1, 30)
        for n in range(4):
            record, wants_fixed = file.select_record(day + datetime.timedelta(days=n), 29.0 + n)
            assert wants_fixed == (n in (0, 2))  # a new file
            v.put_var(n, record)
            io.end_step()
    assert read("month_200001.nc", "v").tolist() == [0, 1]
    assert read("month_200002.nc", "v").tolist() == [2, 3]


def test_servers(comm, read):
    """The last rank serves, where there are several."""
    cells = 12
    with sverdrup.Context(comm, async_="servers:1" if comm.size > 1 else "none") as io:
        if io.is_model:
            assert io.servers == (comm.size > 1) and io.size == comm.size - io.servers
            start, count = sverdrup.block(cells, io.size, io.rank)
            grid = io.decomp((cells,), (start,), (count,))
            with io.create("served.nc") as file:
                file.def_dim("x", cells)
                v = file.def_var("v", "f8", ["x"])
                file.enddef()
                v.put(np.arange(start, start + count), grid)
                io.end_step()
    comm.barrier()
    assert read("served.nc", "v").tolist() == list(range(cells))
