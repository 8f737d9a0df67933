"""Arguments that are no integers, names that C would cut, and objects that have ended: errors with a text, on every
rank of a collective call."""

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest

import sverdrup
from conftest import NX, NY


@pytest.fixture
def field_of_time(file):
    made = file.def_var("sst", "f8", ["time", "lat", "lon"])
    file.enddef()
    return made


NO_INTEGERS = [1.0, 1.9, np.float32(1.0), np.float64(1.9), "1", np.array([1.0])]


@pytest.mark.parametrize("bad", NO_INTEGERS, ids=repr)
def test_a_record_is_an_integer(io, file, field_of_time, grid, mine, field, bad):
    """On one rank it is not: the call fails on every rank, and leaves the records as they are."""
    sst, wrong = field_of_time, io.rank == io.size - 1
    for n in range(3):
        sst.put(mine + n, grid, n)
    io.end_step()
    record = bad if wrong else 1
    for call in (
        lambda: sst.put(mine - 9, grid, record),
        lambda: sst.put(list(mine - 9), grid, record),
        lambda: sst.put_var(field - 9, record),
        lambda: sst.get(grid, record),
        lambda: sst.get_var(record),
        lambda: sst.copy_to(sst, 0, record),
        lambda: file.mput([(sst, mine - 9, grid, record)]),
        lambda: file.mget([(sst, grid, record)]),
        lambda: sst.put_vara([record, 0, 0], field[None] - 9),
        lambda: sst.put_vara([1, 0, 0], field[None] - 9, [record, 1, 1]),
        lambda: sst.get_vara([record, 0, 0], [1, NY, NX]),
        lambda: sst.get_vara([1, 0, 0], [record, NY, NX]),
        lambda: sst.put_varn([[record, 0, 0]], [[1, NY, NX]], field - 9),
        lambda: sst.get_varn([[1, 0, 0]], [[record, NY, NX]]),
        lambda: file.mput_vara([(sst, [record, 0, 0], field[None] - 9)]),
        lambda: file.mget_vara([(sst, [record, 0, 0], [1, NY, NX])]),
        lambda: file.wait([record]),
        lambda: io.decomp((record, NY), (0, 0), (1, 1)),
        lambda: io.decomp((NY, NX), (0, 0), (NY, NX), halo=[record, 0]),
        lambda: io.points(record, []),
    ):
        with pytest.raises(TypeError, match="where .* expected") as caught:
            call()
        assert isinstance(caught.value, sverdrup.TypesError) and caught.value.collective
    if wrong:
        for here in (
            lambda: sst.iput(mine, grid, bad),
            lambda: sst.iput_vara([bad, 0, 0], field[None]),
            lambda: sst.iget_var(bad),
            lambda: file.attach_buffer(bad),
            lambda: file.cancel([bad]),
            lambda: io.stop_on_signal(bad),
            lambda: sverdrup.block(bad, 1, 0),
        ):
            with pytest.raises(TypeError, match="where an integer is expected"):
                here()
    for n in range(3):
        np.testing.assert_array_equal(sst.get_var(n), field + n)
    file.close()


def test_integers_of_every_kind(io, file, field_of_time, grid, mine, field):
    for n, record in enumerate([0, np.int8(1), np.uint64(2), np.int64(3), np.array(4)]):
        field_of_time.put(mine + n, grid, record)
        io.end_step()
        np.testing.assert_array_equal(field_of_time.get_var(record), field + n)
    for wrong in (-1, 2**63, -(2**70)):
        with pytest.raises(ValueError, match="record"):
            field_of_time.put(mine, grid, wrong)
    file.close()


def test_cells_are_integers(io):
    share = np.arange(io.rank, 12, io.size)
    points = io.points(12, share)
    for bad in (share.astype("f8"), share + 0.5, share.astype(bool), np.array([2**63 + 1], "u8")):
        with pytest.raises((TypeError, ValueError)):
            io.points(12, bad)
        with pytest.raises((TypeError, ValueError)):
            points.ordered(bad)
    with pytest.raises(ValueError, match="points"):
        points.ordered(share[:-1] if io.rank == 0 else share)


def test_definitions_are_exact(file):
    with pytest.raises(TypeError, match="dimension 'short': its length is 4.7"):
        file.def_dim("short", 4.7)
    for dtype, fill in (("i4", 1.9), ("i1", 300), ("S1", "ab"), ("u1", -1), ("f4", 1e300)):
        with pytest.raises(ValueError, match=f"variable 'v_{dtype}': its fill value"):
            file.def_var(f"v_{dtype}", dtype, ["lat"], fill=fill)
    assert np.isinf(file.def_var("infinite", "f4", ["lat"], fill=np.inf).fill_value())
    foreign = file.def_var("foreign", ">f4", ["lat"], fill=1.5)
    file.enddef()
    assert foreign.fill_value() == 1.5 and (foreign.get_var() == 1.5).all()
    file.close()


CUT = "a\0b"


def test_names_that_c_would_cut(io, file):
    wrong = io.rank == io.size - 1
    with io.create("there.nc") as there:
        there.enddef()
    for path in (CUT, CUT.encode(), Path("a\0b")):
        for call, good in ((io.create, "a"), (io.open, "there.nc"), (io.write_summary, "there.json")):
            with pytest.raises(ValueError, match="null character") as caught:
                call(path if wrong else good)
            assert caught.value.collective
    with pytest.raises(TypeError, match="path"):
        io.create(1.5 if wrong else "a")
    assert not Path("a").exists()
    v = file.def_var("a", "f4", ["lat"], a="text")
    for call in (
        lambda: file.def_dim(CUT, 3),
        lambda: file.def_var(CUT, "f4", ["lat"]),
        lambda: file.rename_dim("lat", CUT),
        lambda: v.rename(CUT),
        lambda: v.attributes.rename("a", CUT),
        lambda: v.attributes.update({CUT: 1}),
        lambda: v.attributes.copy_from(v.attributes, CUT),
        lambda: sverdrup.Context(io.comm, config=CUT),
        lambda: sverdrup.Context(io.comm, route=CUT),
    ):
        with pytest.raises(ValueError, match="null character"):
            call()
    for mapping in (file.variables, file.dimensions, v.attributes, file.attributes):
        assert CUT not in mapping
        with pytest.raises(KeyError):
            mapping[CUT]
    v.attributes["zeros"] = CUT  # a value may have them
    assert v.attributes["zeros"] == CUT
    file.enddef()
    file.close()


def test_paths_and_names_of_any_bytes(io, comm):
    """As Python has them: bytes that are no UTF-8 are surrogates."""
    name = b"caf\xe9"
    for path in (name + b".nc", Path("caf\udce9.nc")):
        with io.create(path) as file:
            file.def_dim("x", 2)
            file.def_var("v", "f4", ["x"], latin="\udce9")
            file.enddef()
            assert file.path == "caf\udce9.nc"
        with io.open(path) as file:
            assert file["v"].attributes["latin"] == "\udce9"
    with pytest.raises(sverdrup.NotFoundError, match="nowhere"):
        io.open(b"nowhere\xe9.nc")


def test_what_is_closed_says_so(io, comm, file, field_of_time, grid, mine):
    sst, path = field_of_time, file.path
    kept = {"attributes": sst.attributes, "dimensions": file.dimensions, "variables": file.variables, "file": file}
    sst.put(mine, grid, 0)
    file.close()
    file.close()
    for call in (
        file.sync,
        lambda: sst.put(mine, grid, 1),
        lambda: sst.get_var(0),
        lambda: sst.name,
        lambda: sst.attributes["units"],
        lambda: list(file.variables),
        lambda: file.records,
        lambda: file["sst"],
    ):
        with pytest.raises(ValueError, match=f"file '{path}', rank {io.rank}: the file is closed") as caught:
            call()
        assert caught.value.file == path and caught.value.remedy == "Open it again"
    assert file.path == path and repr(file) == f"<sverdrup.File '{path}', closed>"
    assert all(repr(each) for each in (sst, *kept.values()))
    grid.free()
    with pytest.raises(ValueError, match="the decomposition of .* was freed"):
        grid.handle
    assert repr(grid)


def test_what_ends_with_its_context(comm):
    io = sverdrup.Context(comm)
    file, grid = io.create("left.nc"), io.decomp((1,), (0,), (int(comm.rank == 0),), masked=True)
    with pytest.raises(sverdrup.OrderError):
        io.finalize()
    io.finalize()
    with pytest.raises(ValueError, match="file 'left.nc'.* was abandoned when its context was finalised"):
        file.enddef()
    with pytest.raises(ValueError, match="the context is finalised"):
        io.end_step()
    grid.free()
    assert repr(io) == "<sverdrup.Context, finalised>" and file.closed and io.finalized


def test_objects_belong_to_their_process(io, file, field_of_time, grid):
    for each in (io, file, field_of_time, grid, file.attributes, file.dimensions, file.variables):
        for way in (pickle.dumps, copy.copy, copy.deepcopy):
            with pytest.raises(TypeError, match="belongs to its process"):
                way(each)
    file.close()
    with pytest.raises(sverdrup.NotFoundError) as caught:
        io.open("nowhere.nc")
    again = pickle.loads(pickle.dumps(caught.value))
    assert isinstance(again, type(caught.value)) and str(again) == str(caught.value)
    assert (again.file, again.status, again.collective) == ("nowhere.nc", 8, True)
