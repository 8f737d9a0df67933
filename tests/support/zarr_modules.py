"""Python modules for the tests of Zarr. Where a module is missing, or zarr-python is too old, the test is skipped."""
import importlib
import sys


def need(*names):
    """The modules of these names; ends the test as skipped if there are not all, with zarr-python 3."""
    try:
        zarr = importlib.import_module("zarr")
        if int(zarr.__version__.split(".")[0]) < 3:
            raise ImportError(f"zarr is {zarr.__version__}, and 3 is needed")
        return [importlib.import_module(name) for name in names]
    except ImportError as error:
        print(f"skipped: {error}; scripts/setup test installs what is needed")
        sys.exit(77)
