"""Headers of CDF files, as the format's specification has them."""

import struct

import pytest
from sverdrup.analysis import analyse_run
from sverdrup.trace import Run
from synthetic import Synthetic


class Header:
    """Bytes of a header. `version` 1, 2 or 5: counts of 4 or 8 bytes, offsets of 4 or 8."""

    def __init__(self, version):
        self.count_form = ">q" if version == 5 else ">i"
        self.offset_form = ">i" if version == 1 else ">q"
        self.bytes = b"CDF" + bytes([version])

    def count(self, *values):
        self.bytes += b"".join(struct.pack(self.count_form, value) for value in values)

    def tag(self, value, count):
        self.bytes += struct.pack(">i", value)
        self.count(count)

    def name(self, text):
        self.count(len(text))
        self.bytes += text.encode() + bytes(-len(text) % 4)

    def text_attributes(self, **attributes):
        self.tag(12 if attributes else 0, len(attributes))
        for name, text in attributes.items():
            self.name(name)
            self.bytes += struct.pack(">i", 2)
            self.name(text)

    def variable(self, name, dims, type_number, bytes, begin):
        self.name(name)
        self.count(len(dims), *dims)
        self.text_attributes(units="degrees Celsius", axis="X")
        self.bytes += struct.pack(">i", type_number)
        self.count(bytes)
        self.bytes += struct.pack(self.offset_form, begin)


def header(version):
    """time (unlimited), x = 10; lon(x): doubles at 1000; temp, salt(time, x): floats, shorts, from 2000 on."""
    made = Header(version)
    made.count(2)
    made.tag(10, 2)
    for name, length in (("time", 0), ("x", 10)):
        made.name(name)
        made.count(length)
    made.text_attributes(title="of a sea", history="made by hand")
    made.tag(11, 3)
    made.variable("lon", [1], 6, 80, 1000)
    made.variable("temp", [0, 1], 5, 40, 2000)
    made.variable("salt", [0, 1], 3, 20, 2040)
    return made.bytes


def analysed(folder, content):
    path = folder / "a.nc"
    path.write_bytes(content + bytes(3000 - len(content)))
    process = Synthetic(folder)
    with process.within("netcdf", "nc_put_vara_float", str(path), "temp", bytes=40):
        process.call("posix", "pwrite", 0.1, file=str(path), bytes=8, offset=4)
        process.call("posix", "pwrite", 0.1, file=str(path), bytes=900, offset=0)
        process.call("posix", "pwrite", 0.1, file=str(path), bytes=40, offset=2000)
    process.save()
    return analyse_run(Run(folder))


@pytest.mark.parametrize("version", [1, 2, 5])
def test_a_header_with_attributes_is_understood(tmp_path, version):
    run = analysed(tmp_path, header(version))
    variables = {row["name"]: (row["offset"], row["bytes"]) for row in run["ranges"][0]["variables"]}
    assert variables == {"lon": (1000, 80), "temp": (2000, 40), "salt": (2040, 20)}
    file = run["files"][0]
    assert (file["format"], file["writes"], file["metadata_writes"]) == ("cdf", 3, 2)
    assert "before the data" in file["metadata_rule"]


@pytest.mark.parametrize("version", [1, 2, 5])
def test_a_header_that_is_cut_tells_nothing(tmp_path, version):
    whole = header(version)
    for length in range(4, len(whole), 7):
        run = analysed(tmp_path, whole[:length] + b"\xff" * 40)
        assert run["files"][0]["format"] == "cdf"


def test_a_header_without_an_end_is_left(tmp_path):
    """A name of -16 bytes leads back to itself, and a list is longer than the file."""
    endless = b"CDF\5" + struct.pack(">qiqq", 0, 10, 1 << 62, -16) + bytes(80)
    many = b"CDF\5" + struct.pack(">qiqiqiq", 0, 0, 0, 0, 0, 11, 1 << 62) + bytes(80)
    for content in (endless, many):
        assert analysed(tmp_path, content)["files"][0]["format"] == "cdf"


def test_hdf5_is_known_by_its_first_bytes(tmp_path):
    assert analysed(tmp_path, b"\x89HDF\r\n\x1a\n")["files"][0]["format"] == "netcdf4"
