"""The parameters, and compatible values."""

import numpy as np
import pytest
import yaml
from sverdrup.tune import TuneError, space
from sverdrup.tune.layers import Circumstances, layers, square
from worlds import ALL, SPACE


def test_a_parameter_counts_only_where_its_condition_holds():
    assert SPACE.key(SPACE.default) == "default" and "writers" not in SPACE.default
    assert len(ALL) == (3 + 2 * 4) * 3 * 2 * 2
    assert len({SPACE.key(one) for one in ALL}) == len(ALL)
    assert all(("writers" in one) == (one["route"] in ("ranges", "row")) for one in ALL)
    given = {"route": "row", "writers": "auto", "file_system.stripe": "4MiB"}
    assert SPACE.settings(given) == {"route": "row", "file_system.stripe": "4MiB"}


def test_values_that_do_not_go_together_are_left_out():
    entries = {
        "parameters": {"async": ["none", "servers:1", "servers:2"], "route": ["auto", "row"]},
        "never": [{"async": ["servers:1", "servers:2"], "route": ["row"]}],
    }
    made = space.from_entries(entries, "here")
    keys = {made.key(one) for one in made.configurations(np.random.default_rng(0))}
    assert keys == {"default", "async=servers:1", "async=servers:2", "route=row"}


def test_all_layers_are_there_and_hints_only_with_libraries():
    about = Circumstances(16, square(16), 2, 2, 4, reads=True, allowed=frozenset({"netcdf4", "deflate"}))
    made = layers(about)
    names = {each.name for each in made.parameters}
    assert {
        "route",
        "io_layout",
        "writers",
        "async",
        "async.memory",
        "transport.window",
        "file_system.stripe",
        "store",
        "chunks.layout",
    } <= names
    assert {"mpi_io.cb_nodes", "mpi_io.cb_buffer_size", "file_system.stripe_count"} <= names
    assert {"compression", "combine", "stripes", "async.forwarding"} <= names
    assert "1 per node" in made.parameter("writers").values and "2,2" in made.parameter("io_layout").values
    # nothing is set for a first value: it has to be what Sverdrup does by itself
    assert made.parameter("io_layout").default == "none" and made.parameter("file_system.stripe").default == "0"
    drawn = made.configurations(np.random.default_rng(1), 500)
    assert len(drawn) <= 500 and drawn[0] == made.default
    assert all(("mpi_io.cb_nodes" in one) == (one["store"] == "pnetcdf") for one in drawn)
    assert all(("compression" in one) == (one["store"] == "netcdf4") for one in drawn)
    assert {"deflate:4", "zstd:3"} <= {one.get("compression") for one in drawn}
    without = {each.name for each in layers(Circumstances(16, (4, 4))).parameters}
    assert not without & {"async", "chunks.layout", "compression", "stripes", "reading", "async.forwarding"}


def test_a_space_is_read_as_it_is_printed():
    made = layers(Circumstances(8, (2, 4), servers=2, targets=4, computes=True))
    assert space.from_entries(yaml.safe_load(made.text()), "printed") == made


def test_threads_take_no_ranks_and_ready_ranks_as_many_on_each_node():
    made = layers(Circumstances(8, (2, 4), nodes=2, servers=4, computes=True))
    values = (
        "none", "servers:1", "servers:2", "servers:4", "auto:1 per node", "auto:2 per node", "threads", "auto"
    )
    assert made.parameter("async").values == values
    assert [made.extra_ranks({"async": value}) for value in values] == [0, 1, 2, 4, 2, 4, 0, 0]
    drawn = made.configurations(np.random.default_rng(1), 4000)
    assert all(("async.forwarding" in one) == (one["async"] not in ("none", "threads", "auto")) for one in drawn)
    assert {one["async"] for one in drawn if one["store"] == "pnetcdf"} == set(values) - {"threads", "auto"}
    alone = layers(Circumstances(8, (2, 4), computes=True)).parameter("async").values
    assert alone == ("none", "threads", "auto"), "no rank is asked for"
    values = layers(Circumstances(8, (2, 4), servers=1)).parameter("async").values
    assert values == ("none", "servers:1", "auto:1 per node")


@pytest.mark.parametrize(
    "text, said",
    [
        ("route: [a", "not YAML"),
        ("a: 1", "give 'parameters:'"),
        ("parameters: {route: {value: [a]}}", "route: give 'values'"),
        ("parameters: {route: {values: []}}", "no values"),
        ("parameters: {writers: {values: [1], only: {route: [a]}}, route: [a]}", "writers depends on route"),
        ("parameters: {a: [1, 2]}\nnever: [{a: [1]}]", "'never' bars the first values"),
        ("parameters: {a: [{b: 1}]}", "is no value"),
        ("parameters: {async: [none, 'servers:1/8']}", "async: servers:1/8 is not tried"),
    ],
)
def test_what_is_wrong_with_a_space_is_told(tmp_path, text, said):
    path = tmp_path / "space.yaml"
    path.write_text(text)
    with pytest.raises(TuneError, match=said) as error:
        space.read(path)
    assert str(path) in str(error.value)
