"""Sizes of a file's fields within one absolute error bound: bounds.py BUILD FILE [BOUND], of the floats and doubles with
two dimensions and more. Sverdrup rounds them, or encodes them by SZ3 and ZFP; the peers are the same plug-ins by h5py,
with the same chunks. `decode` is the share of decoding in SZ3's or ZFP's time, the cost of checking a chunk."""
import os
import subprocess
import sys
import time

import hdf5plugin

os.environ["HDF5_PLUGIN_PATH"] = hdf5plugin.PLUGIN_PATH  # before any HDF5 starts

import h5py  # noqa: E402
import netCDF4  # noqa: E402
import numpy  # noqa: E402

BUILD, FILE = sys.argv[1:3]
BOUND = float(sys.argv[3]) if len(sys.argv) > 3 else 0.01
WORK = os.path.join(BUILD, "bounds")


def copied(encoder):
    """Each step of the copy is one put of whole records."""
    path = os.path.join(WORK, f"{encoder or 'rounded'}.nc")
    keys = {"SV_STORE": "netcdf4", "SV_COMPRESSION": "zstd:3", "SV_CHUNKS_RECORDS": "1",
            "SV_COMPRESSION_QUANTIZE": f"absolute:{BOUND}" + (f":{encoder}" if encoder else "")}
    subprocess.run([os.path.join(BUILD, "bin/sv-copy"), "--force", "--format", "netcdf4", FILE, path], check=True,
                   env={**os.environ, **keys}, stdout=subprocess.DEVNULL)
    return h5py.File(path)


def peer(values, chunks, filters):
    """Bytes of h5py's file, seconds to write and to read it, and the largest error."""
    path, begin = os.path.join(WORK, "peer.h5"), time.perf_counter()
    with h5py.File(path, "w") as data:
        data.create_dataset("v", data=values, chunks=chunks, **filters)
    written = time.perf_counter()
    with h5py.File(path) as data:
        found, stored = data["v"][...], data["v"].id.get_storage_size()
    read = time.perf_counter()
    known = numpy.isfinite(values) & (numpy.abs(values) < 1e18)
    error = numpy.abs(found[known].astype("f8") - values[known].astype("f8")).max(initial=0)
    return stored, written - begin, read - written, error


def by_plug_in(dataset, number):
    """The share of the chunks that have passed through the filter of this number."""
    creation, handle = dataset.id.get_create_plist(), dataset.id
    numbers = [creation.get_filter(each)[0] for each in range(creation.get_nfilters())]
    masks = [handle.get_chunk_info(each).filter_mask for each in range(handle.get_num_chunks())]
    return sum(not mask >> numbers.index(number) & 1 for mask in masks) / len(masks) if number in numbers else 0


def main():
    os.makedirs(WORK, exist_ok=True)
    made = {encoder: copied(encoder) for encoder in ("", "sz3", "zfp")}
    print(f"{FILE}, bound {BOUND:g}: ratios\n{'field':12}{'MB':>8}{'rounded':>9}{'sz3':>8}{'by it':>7}{'zfp':>8}{'by it':>7}"
          f"{'h5py sz3':>10}{'h5py zfp':>10}{'sz3/best':>10}{'zfp/its':>9}{'decode sz3':>12}{'zfp':>6}")
    with netCDF4.Dataset(FILE) as data:
        data.set_auto_mask(False)
        for name, variable in data.variables.items():
            if variable.ndim < 3 or variable.dtype.kind != "f" or made["sz3"][name].chunks is None:
                continue
            values, ours = variable[...], {key: each[name] for key, each in made.items()}
            sizes = {key: each.id.get_storage_size() for key, each in ours.items()}
            peers = {"sz3": peer(values, ours["sz3"].chunks, hdf5plugin.SZ3(absolute=BOUND)),
                     "zfp": peer(values, ours["zfp"].chunks, hdf5plugin.Zfp(accuracy=BOUND))}
            plain = peer(values, ours["sz3"].chunks, {})
            decode = {key: (each[2] - plain[2]) / (each[1] - plain[1] + each[2] - plain[2]) for key, each in peers.items()}
            valid = [each[0] for each in peers.values() if each[3] <= BOUND * (1 + 1e-6)]
            cells = values.nbytes
            print(f"{name:12}{cells / 1e6:8.1f}{cells / sizes['']:9.2f}"
                  f"{cells / sizes['sz3']:8.2f}{by_plug_in(ours['sz3'], 32024):7.0%}"
                  f"{cells / sizes['zfp']:8.2f}{by_plug_in(ours['zfp'], 32013):7.0%}"
                  f"{cells / peers['sz3'][0]:10.2f}{cells / peers['zfp'][0]:10.2f}"
                  f"{sizes['sz3'] / min(valid, default=numpy.nan):10.3f}{sizes['zfp'] / peers['zfp'][0]:9.3f}"
                  f"{decode['sz3']:12.0%}{decode['zfp']:6.0%}" + "".join(
                      f"  {key} of h5py breaks the bound: {each[3]:.3g}" for key, each in peers.items()
                      if each[3] > BOUND * (1 + 1e-6)), flush=True)


main()
