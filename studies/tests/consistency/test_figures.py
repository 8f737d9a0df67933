"""The papers' figures are complete, and add up where the papers claim it."""

import pytest

from sverdrup_studies.consistency import score
from sverdrup_studies.consistency.figures import Arithmetic, figures
from sverdrup_studies.consistency.consistency_page import contradictions

TABLE4 = ["netcdf3.240", "netcdf4.240", "netcdf3.960", "netcdf4.960"]
FINISHED5 = [
    "netcdf4.sio.720",
    "netcdf4.pio.720",
    "netcdf4.pio.1440",
    "netcdf3.sio.720",
    "netcdf3.pio.720",
    "netcdf3.pio.1440",
]
TABLE6 = ["netcdf4.sio.1d", "netcdf4.sio.4d", "netcdf4.pio.1d", "netcdf4.pio.4d", "netcdf3.pio.1d", "netcdf3.pio.4d"]


@pytest.fixture(scope="module")
def number():
    numbers = score.arithmetic()
    return numbers.value


def test_tables_of_yang_are_whole():
    found = figures()
    sizes = {
        table: sum(key.startswith(f"yang2020.{table}.") for key in found) for table in ("t4", "t5", "t6", "t6share")
    }
    assert sizes == {"t4": 6 * 4, "t5": 6 * 8 - 2 * 5, "t6": 6 * 6, "t6share": 2 * 6}
    assert all(figure.unit and figure.where for figure in found.values())


@pytest.mark.parametrize("column", TABLE4)
def test_table_4_leaves_time_to_compute(number, column):
    parts = sum(number(f"yang2020.t4.{row}.{column}") for row in ("open", "read_meta", "read", "write", "close"))
    assert 20 < number(f"yang2020.t4.total.{column}") - parts < 80


@pytest.mark.parametrize("column", FINISHED5)
def test_table_5_adds_up(number, column):
    """Serial runs to 6 s of 20,000 (the parts are maxima over PEs), parallel ones to the second."""
    parts = sum(number(f"yang2020.t5.{row}.{column}") for row in ("open", "read", "write", "close", "other"))
    assert number(f"yang2020.t5.total.{column}") == pytest.approx(parts, abs=6 if "sio" in column else 0)


def test_table_5_prints_no_number_for_runs_that_were_stopped(number):
    with pytest.raises(ValueError, match="> 18 000"):
        number("yang2020.t5.total.netcdf4.sio.1440")


@pytest.mark.parametrize("column", TABLE6)
@pytest.mark.parametrize("ranks", [720, 1440])
def test_table_6_shares_are_io_over_total(number, column, ranks):
    seconds, total = number(f"yang2020.t6.io{ranks}.{column}"), number(f"yang2020.t6.total{ranks}.{column}")
    share = number(f"yang2020.t6share.share{ranks}.{column}") / 100
    assert abs(share * total - seconds) <= 0.5 + 0.005 / 100 * total + 0.5 * share
    assert number(f"yang2020.t6.write{ranks}.{column}") < seconds


def test_huang_s_ratios_are_of_its_seconds(number):
    def ratio(top, bottom):
        return number(f"huang2013.{top}") / number(f"huang2013.{bottom}")

    assert ratio("pop.run.default", "pop.run.cfio.32") == pytest.approx(6.9, abs=0.05)
    assert ratio("pop.run.default", "pop.run.cfio.64") == pytest.approx(7.9, abs=0.05)
    assert ratio("cice.run.default", "cice.run.cfio.64") == pytest.approx(4.6, abs=0.06)  # 4.549
    assert ratio("licom.run.default", "licom.run.cfio.50") == pytest.approx(2.0, abs=0.05)
    assert ratio("cice.run.default", "cice.run.without") == pytest.approx(5.2, abs=0.05)
    overhead = number("(huang2013.loop.run.pnetcdf - 300) / (huang2013.loop.run.cfio.128 - 300)")
    assert overhead == pytest.approx(5.1, abs=0.05)


def test_pang_s_hidden_part_is_of_its_seconds(number):
    assert number("1 - pang2023.output.seconds.wait / pang2023.output.seconds.write") == pytest.approx(0.9909, abs=5e-5)
    assert number("assumed.macom_compute + assumed.macom_io - pang2023.saved.run.1024") < 7200  # "less than 2 h"


def test_contradictions_are_arithmetic():
    shown = " ".join(point["shows"] for point in contradictions())
    for figure in (
        "69.5 GiB",
        "2.80 TB or 2.55 TiB",
        "138 MB/s",
        "310 MB/s",
        "19 % less",
        "1371 GiB",
        "1.472 TB",
        "1.076",
        "33.55 GB or 31.25 GiB",
        "99 s (720 PE), 160 s (1440 PE)",
        "only one restart file",
    ):
        assert figure in shown
    assert 5 * 1440 * 1080 * 50 * 4 * 48 / 2**30 == pytest.approx(69.5, abs=0.05)
    assert 84 * (6 + 5 * 75) * 5749313 * 8 / 2**30 == pytest.approx(1371, abs=0.5)


def test_rounding_moves_what_depends_on_it(number):
    numbers = score.arithmetic()
    assert numbers.rounding("huang2013.cice.run.cfio.32 - huang2013.cice.run.without") == pytest.approx(1.0)
    assert numbers.rounding("2 * yang2020.t4.write.netcdf3.240") == pytest.approx(0.01)
    assert numbers.rounding("assumed.macom_compute") > 5  # 38.8 % and 40.6 % are known to a tenth


@pytest.mark.parametrize("text", ["yang2020.t4.write.netcdf3.241", "volume.nothing + 1"])
def test_unknown_names_are_refused(text):
    with pytest.raises(KeyError, match="neither a figure"):
        Arithmetic({}).value(text)


@pytest.mark.parametrize("text", ["print(1)", "__import__", "1 if 2 else 3", "[1]"])
def test_only_arithmetic_is_evaluated(text):
    with pytest.raises(ValueError, match="not arithmetic"):
        Arithmetic({}).value(text)
