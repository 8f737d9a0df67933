"""How variables are stored, in netCDF4-python's words: netCDF4 and zarr find the requested storage in the file."""

import os
import warnings

import netCDF4
import numpy as np
import pytest
import xarray

import sverdrup

NY, NX = 48, 60
SHAPE = (2, NY, NX)


def values():
    return np.arange(np.prod(SHAPE), dtype="f8").reshape(SHAPE) / 8


def written(comm, path, store, define, **options):
    """A file with one variable, which `define` makes; every rank puts its rows."""
    with sverdrup.Context(comm, store=store, **options) as io, io.create(path) as file:
        for name, length in (("time", None), ("y", NY), ("x", NX)):
            file.def_dim(name, length)
        v = define(file)
        file.enddef()
        start, count = sverdrup.block(NY, io.size, io.rank)
        for record in range(SHAPE[0]):
            v.put_vara((record, start, 0), values()[record : record + 1, start : start + count])
        kept = v.chunks, v.filters(), v.quantization(), v.endian()
    comm.Barrier()
    return kept


def test_words_of_netcdf4(comm):
    def define(file):
        return file.def_var(
            "v",
            "f8",
            ["time", "y", "x"],
            zlib=True,
            complevel=5,
            shuffle=False,
            fletcher32=True,
            chunksizes=[1, 12, 30],
            significant_digits=9,
            quantize_mode="GranularBitRound",
            endian="big",
            units="m",
        )

    chunks, filters, quantization, endian = written(comm, "words.nc", "netcdf4", define)
    assert chunks == (1, 12, 30)
    assert (filters["zlib"], filters["complevel"], filters["shuffle"], filters["fletcher32"]) == (True, 5, False, True)
    assert quantization == (9, "GranularBitRound")
    assert endian == "big"
    if comm.rank == 0:
        with netCDF4.Dataset("words.nc") as data:
            v = data["v"]
            assert v.chunking() == [1, 12, 30]
            assert {key: v.filters()[key] for key in ("zlib", "complevel", "shuffle", "fletcher32")} == {
                "zlib": True,
                "complevel": 5,
                "shuffle": False,
                "fletcher32": True,
            }
            assert v.quantization() == (9, "GranularBitRound")
            assert v.endian() == "big"
            assert v.units == "m"
            assert "complevel" not in v.ncattrs()
            np.testing.assert_allclose(v[:], values(), rtol=1e-8)


@pytest.mark.parametrize("store", ["netcdf4", "zarr"])
def test_error_bounds(comm, store):
    path = f"bounds.{store}"

    def define(file):
        return file.def_var("v", "f8", ["time", "y", "x"], compression="zlib", complevel=1, absolute_error=0.2)

    written(comm, path, store, define)
    with sverdrup.Context(comm) as io, io.open(path) as file:
        kind, bound, largest = file["v"].error_bound()
        error = np.abs(file["v"][:] - values()).max()
    assert (kind, bound) == ("absolute", 0.2)
    assert 0 < error == largest <= bound


@pytest.mark.parametrize("encoder", ["sz3", "zfp"])
def test_values_that_are_read_back_get_no_second_error(comm, encoder):
    """Half a record is put again: its chunk is read back, and values from a plug-in are not encoded twice."""
    path, new = f"{encoder}.nc", np.float64(1 / 3)
    if not os.environ.get("HDF5_PLUGIN_PATH"):
        pytest.skip("there are no plug-ins of HDF5")

    def define(file):
        return file.def_var("v", "f8", ["time", "y", "x"], absolute_error=0.2, error_encoder=encoder)

    written(comm, path, "netcdf4", define)
    with sverdrup.Context(comm) as io, io.open(path) as file:
        before = file["v"][0]
    comm.Barrier()
    with sverdrup.Context(comm) as io, io.open(path, "a") as file:
        start, count = sverdrup.block(NY // 2, io.size, io.rank)
        file["v"].put_vara((0, start, 0), np.full((1, count, NX), new))
    comm.Barrier()
    with sverdrup.Context(comm) as io, io.open(path) as file:
        after = file["v"][0]
        largest = file["v"].error_bound()[2]
    np.testing.assert_array_equal(after[NY // 2 :], before[NY // 2 :])
    np.testing.assert_array_equal(after[: NY // 2], new)
    assert 0 < np.abs(before - values()[0]).max() <= largest <= 0.2


@pytest.mark.parametrize("store", ["netcdf4", "zarr"])
def test_a_chunk_that_is_rewritten_keeps_its_bits(comm, store):
    """Half a record is put again, with values that need fewer bits: the other half is not rounded twice."""
    path, noise = f"information.{store}", np.random.default_rng(1).normal(0, 1, (NY // 2, NX))

    def define(file):
        chunks = (1, NY, NX)
        return file.def_var("v", "f8", ["time", "y", "x"], chunksizes=chunks, compression="zlib", information=0.99)

    written(comm, path, store, define)
    with sverdrup.Context(comm) as io, io.open(path) as file:
        before = file["v"][0]
        kind, share, largest = file["v"].error_bound()
    assert (kind, share) == ("information", 0.99)
    given = np.where(values()[0] == 0, 1, values()[0])
    assert (np.abs(before - values()[0]) / given).max() <= largest <= 0.25
    comm.Barrier()
    with sverdrup.Context(comm) as io, io.open(path, "a") as file:
        start, count = sverdrup.block(NY // 2, io.size, io.rank)
        file["v"].put_vara((0, start, 0), noise[None, start : start + count])
    comm.Barrier()
    with sverdrup.Context(comm) as io, io.open(path) as file:
        after = file["v"][0]
    np.testing.assert_array_equal(after[NY // 2 :], before[NY // 2 :])
    assert 0 < np.abs(after[: NY // 2] / noise - 1).max() <= 0.25


@pytest.mark.parametrize("compression", ["zlib", "zstd", "blosc_zlib", "blosc_zstd"])
def test_codecs_of_zarr(comm, compression):
    zarr = pytest.importorskip("zarr")
    path = f"{compression}.zarr"

    def define(file):
        return file.def_var("v", "f4", ["time", "y", "x"], compression=compression, complevel=3, chunksizes=[1, 24, 60])

    chunks, filters, _, _ = written(comm, path, "zarr", define)
    assert chunks == (1, 24, 60)
    assert filters["blosc"] == compression.startswith("blosc")
    if comm.rank == 0:
        array = zarr.open_group(path, mode="r")["v"]
        assert array.chunks == (1, 24, 60)
        assert ("Blosc" in str(array.compressors)) == compression.startswith("blosc")
        np.testing.assert_array_equal(array[:], values().astype("f4"))


def test_blosc_is_in_the_encoding_of_xarray(comm):
    """Of a group that is read; another group gets it, too, and a netCDF-4 file its codec."""

    def define(file):
        words = {"complevel": 3, "shuffle": False, "chunksizes": [1, NY, NX]}
        return file.def_var("v", "f4", ["time", "y", "x"], compression="blosc_zstd", **words)

    written(comm, "encoding.zarr", "zarr", define)
    with xarray.open_dataset("encoding.zarr", engine="sverdrup") as data:
        own = data["v"].encoding
        assert (own["compression"], own["complevel"], own["shuffle"]) == ("blosc_zstd", 3, False)
        data.load()
    for store in ("zarr", "netcdf4"):
        data.sverdrup.write(f"again.{store}", comm=comm, store=store)
        with sverdrup.Context(comm) as io, io.open(f"again.{store}") as file:
            found = file["v"].filters()
        assert (found["zstd"], found["complevel"], found["shuffle"]) == (True, 3, False)
        assert found["blosc"] == (store == "zarr")


def test_shuffle_of_zarr_is_that_of_blosc(comm):
    """A request without Blosc is a warning, and an error in an encoding that is passed. A default is neither."""
    made = []

    def define(file):
        for name, kind, words in (("v", "zlib", {"shuffle": True}), ("w", "zlib", {}), ("b", "blosc_zlib", {})):
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter("always")
                made.append(file.def_var(name, "f4", ["time", "y", "x"], compression=kind, **words))
            expected = ["variable 'v': shuffle: no effect, since in Zarr only Blosc"] if words and not comm.rank else []
            assert [text in str(each.message) for text, each in zip(expected, said, strict=True)] == [True] * len(said)
        return made[0]

    _, filters, _, _ = written(comm, "shuffled.zarr", "zarr", define)
    assert filters["zlib"] and not filters["shuffle"]
    data = xarray.Dataset({"v": ("x", np.arange(5.0))})
    with pytest.raises(ValueError, match="encoding shuffle is not possible: in Zarr only Blosc"):
        data.sverdrup.write("refused.zarr", comm=comm, encoding={"v": {"zlib": True, "shuffle": True}})


def test_unknown_words(io):
    file = io.create("unknown.nc")
    file.def_dim("x", NX)
    for words, says in (
        ({"compression": "lz4"}, "lz4"),
        ({"endian": "middle"}, "middle"),
        ({"significant_digits": 3, "quantize_mode": "Round"}, "Round"),
        ({"zlib": True, "complevel": 10}, "level"),
        ({"relative_error": 2.0}, "error bound"),
        ({"chunksizes": [NX + 1]}, "chunks"),
        ({"chunksizes": []}, "chunks"),
    ):
        with pytest.raises(ValueError, match=says):
            file.def_var(f"v{says}{len(file.variables)}", "f4", ["x"], **words)
    file.enddef()
    file.close()


@pytest.mark.parametrize("store", ["cdf", "netcdf4"])
def test_nothing_of_a_refused_variable_remains(comm, store):
    """The variable can be defined again, after any of its properties was refused."""
    path = f"refused.{store}"
    refused = (
        {"compression": "zlib", "complevel": 44},
        {"chunksizes": [NX + 1]},
        {"fill": "text"},
        {"packing": (0.0, 1.0)},
        {"first_axis": 7},
        {"units": object()},
    )
    with sverdrup.Context(comm, store=store) as io:
        with io.create(path) as file:
            file.def_dim("x", NX)
            file.def_dim("time", None)
            if store == "netcdf4":
                file.def_dim("second", None)
            file.def_var("before", "f4", ["x"])
            for words in refused:
                with pytest.raises((sverdrup.Error, TypeError)):
                    file.def_var("v", "f4", ["x"], **words)
                assert list(file.variables) == ["before"]
            if store == "netcdf4":  # a refused variable does not choose the record dimension
                with pytest.raises(ValueError, match="level"):
                    file.def_var("v", "f4", ["second", "time"], zlib=True, complevel=44)
                assert file.record_dimension == "time"
            file.def_var("v", "f4", ["time", "x"], fill=7, units="m")
            file.enddef()
            file["v"].put_var(np.arange(NX, dtype="f4"), 0)
        with io.open(path, "a") as file:
            file.redef()
            with pytest.raises(sverdrup.Error):
                file.def_var("w", "f4", ["x"], packing=(0.0, 1.0))
            file.def_var("w", "f8", ["x"])
            file.enddef()
        with io.open(path) as file:
            assert list(file.variables) == ["before", "v", "w"]
            assert file["v"].fill_value() == 7 and list(file["v"].attributes) == ["_FillValue", "units"]
            np.testing.assert_array_equal(file["v"].get_var(0), np.arange(NX))


def test_encoding_of_xarray(comm):
    start, count = sverdrup.block(NY, comm.size, comm.rank)
    data = xarray.Dataset({"v": (("y", "x"), values()[0, start : start + count])})
    data["v"].encoding = {"zlib": True, "complevel": 7, "chunksizes": (16, NX), "contiguous": False}
    data["w"] = data["v"].copy()
    data["w"].encoding = {"chunksizes": (NY + 1, NX)}  # of another array
    data.sverdrup.write("encoded.nc", {"y": (start, NY)}, comm=comm, store="netcdf4")
    comm.Barrier()
    if comm.rank == 0:
        with netCDF4.Dataset("encoded.nc") as found:
            assert found["v"].chunking() == [16, NX]
            assert found["v"].filters()["complevel"] == 7
            assert not found["w"].filters()["zlib"]
            np.testing.assert_array_equal(found["v"][:], values()[0])
