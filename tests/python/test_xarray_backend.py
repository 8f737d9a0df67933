"""xarray's own tests of backends, of the accessor and the engine, in three formats, and with dask. Each that is left
out has its reason here."""

import contextlib

import numpy as np
import pytest
from mpi4py import MPI

if MPI.COMM_WORLD.size != 1:
    pytest.skip("they are tried on one rank", allow_module_level=True)
pytest.importorskip("cftime")
xr = pytest.importorskip("xarray")
backends = pytest.importorskip("xarray.tests.test_backends", reason="this package of xarray has no tests")

import sverdrup.xarray  # noqa: E402


@pytest.fixture(params=["s", "ms", "us", "ns"])
def time_unit(request):
    return request.param


@pytest.fixture(params=[False, True], ids=["numpy", "dask"])
def use_dask(request):
    return request.param


class Sverdrup(backends.CFEncodedBase):
    """`format`: of the files."""

    format = "cdf5"
    engine = "sverdrup"

    def save(self, dataset, path, **words):
        if "unlimited_dims" in words:
            words["unlimited"] = words.pop("unlimited_dims")
        dataset.sverdrup.write(path, comm=MPI.COMM_SELF, **{"format": self.format, **words})

    @contextlib.contextmanager
    def create_store(self):
        pytest.skip("the accessor has no store of its own")
        yield

    @pytest.mark.skip(reason="the engine, as those of netCDF, does not read asynchronously")
    def test_load_async(self):
        pass

    def test_roundtrip_empty_vlen_string_array(self):
        """No format that the library writes has an empty dimension."""
        with pytest.raises(sverdrup.LimitError, match="dimension 'a': its length is 0"):
            super().test_roundtrip_empty_vlen_string_array()

    def test_encoding_unlimited_dims(self):
        """The keyword has another name in the text."""
        with pytest.raises(AssertionError, match="'unlimited'"):
            super().test_encoding_unlimited_dims()


class TestCdf(Sverdrup):
    test_refresh_from_disk = backends.NetCDFBase.test_refresh_from_disk


class TestNetcdf4(Sverdrup):
    format = "netcdf4"
    test_refresh_from_disk = backends.NetCDFBase.test_refresh_from_disk


class TestZarr(Sverdrup):
    format = "zarr"

    def test_roundtrip_None_variable(self):
        """Zarr reserves xarray's name for such a variable."""
        with pytest.raises(sverdrup.DefinitionError, match="variable '__values__'.*no array of a Zarr group"):
            super().test_roundtrip_None_variable()


class TestDask(Sverdrup):
    """Reads and writes use dask's arrays."""

    @contextlib.contextmanager
    def roundtrip(self, data, save_kwargs=None, open_kwargs=None, allow_cleanup_failure=False):
        open_kwargs = {"chunks": -1, **(open_kwargs or {})}
        with super().roundtrip(data, save_kwargs, open_kwargs, allow_cleanup_failure) as read:
            yield read

    def save(self, dataset, path, **words):
        super().save(dataset.chunk(3), path, **words)

    @pytest.mark.skip(reason="dask does not cache")
    def test_dataset_caching(self):
        pass

    @pytest.mark.skip(reason="dask has no text of objects without their values")
    def test_string_object_warning(self):
        pass


def test_decoding_is_left_out():
    dataset = xr.Dataset({"v": ("x", np.array([1.5, np.nan]))})
    dataset["v"].encoding = {"dtype": "i2", "scale_factor": 0.5, "_FillValue": -1}
    dataset.sverdrup.write("decoded.nc", comm=MPI.COMM_SELF)
    engines, words = ("sverdrup", sverdrup.xarray.Backend), ("decode_cf", "mask_and_scale")
    for engine, word in ((engine, word) for engine in engines for word in words):
        with xr.open_dataset("decoded.nc", engine=engine, **{word: False}) as read:
            assert read["v"].values.tolist() == [3, -1] and read["v"].attrs["scale_factor"] == 0.5
