"""The equations by hand-made cases and by their properties; the fits."""

import math

import pytest

from sverdrup_studies.consistency import equations, score
from sverdrup_studies.consistency.fitting import fit


def test_writes_by_hand():
    assert equations.serial_write(1200, writer_rate=10, message_rate=40) == 150
    assert equations.parallel_write(1200, 4, writer_rate=10) == 30
    assert equations.parallel_write(1200, 4, writer_rate=10, shared_rate=20) == 60
    assert equations.open_files(100, 2.0, 0.03) == 5


def test_forwarding_hides_writing_until_servers_are_too_slow():
    hidden = equations.Forwarded(size=1000, servers=2, outputs=10, compute=500, server_write_rate=5)
    assert equations.forwarding(hidden, forward_rate=50, client_rate=100) == 10 + 10 + 20
    bound = equations.Forwarded(size=1000, servers=2, outputs=10, compute=100, server_write_rate=5)
    assert equations.forwarding(bound, forward_rate=50, client_rate=100) == 10 + 10 + 200 - 100


def test_forwarding_costs_no_more_with_more_servers():
    costs = [
        equations.forwarding(equations.Forwarded(1e9, servers, 10, 100.0, 1e8), 1e7, 1e9)
        for servers in (1, 2, 5, 64, 1000)
    ]
    assert costs == sorted(costs, reverse=True)


def test_clients_wait_as_in_a_walk_through_by_hand():
    """Period 1, writing 4: output 1 is taken up at 1, output 2 at 5, when that is written, output 3 at 9, and so on.
    Output 3, due at 3, waits 2 for the buffer of output 2; output 4, due at 6, 3 until 9; output 5, due at 10, 3."""
    assert [equations.waiting(1, 4, outputs) for outputs in (1, 2, 3, 4, 5)] == [0, 0, 2, 5, 8]


def test_clients_wait_less_the_longer_they_compute():
    waits = [equations.waiting(period, 4.0, 84) for period in (0.5, 1.0, 2.0, 3.9, 4.0, 10.0)]
    assert waits == sorted(waits, reverse=True) and waits[-2:] == [0, 0]
    assert equations.waiting(0.5, 4.0, 84) <= 84 * 4.0


def test_fewest_steps_are_the_fewest():
    steps = equations.fewest_steps(0.3, 4.0, 5, 0.1)
    assert equations.waiting(0.3 * steps, 4.0, 5) <= 0.1 < equations.waiting(0.3 * (steps - 1), 4.0, 5)


def test_fit_finds_what_made_the_figures():
    sizes, writers = [1e9, 8e9, 3e10, 1e9], [1, 4, 64, 128]
    made = [equations.parallel_write(size, count, 2e8, 3e9) for size, count in zip(sizes, writers)]

    def residuals(parameters):
        return [
            equations.parallel_write(size, count, **parameters) / seconds - 1
            for size, count, seconds in zip(sizes, writers, made)
        ]

    found = fit(["writer_rate", "shared_rate"], residuals)
    assert found["writer_rate"] == pytest.approx(2e8) and found["shared_rate"] == pytest.approx(3e9)


def test_fit_minimises_where_figures_disagree():
    found = fit(["writer_rate"], lambda p: [1e9 / p["writer_rate"] / seconds - 1 for seconds in (9.0, 11.0)])
    best = (1 / 9 + 1 / 11) / (1 / 81 + 1 / 121)  # the seconds t that minimise (t/9 - 1)^2 + (t/11 - 1)^2
    assert 1e9 / found["writer_rate"] == pytest.approx(best, rel=1e-6)


def test_fit_refuses_what_figures_do_not_determine():
    with pytest.raises(ValueError, match="cannot be fitted to 1"):
        fit(["writer_rate", "shared_rate"], lambda p: [1e9 / p["writer_rate"] - 1])
    with pytest.raises(ValueError, match="do not determine"):
        fit(["writer_rate", "shared_rate"], lambda p: [1e9 / p["writer_rate"] - 1, 2e9 / p["writer_rate"] - 2])


def test_fits_are_reproducible_and_match_arithmetic(sets):
    assert sets == score.score()
    sets = {one.id: one for one in sets}
    rate = sets["mom5.serial.netcdf3"].parameters["writer_rate"]
    size = 5 * 1440 * 1080 * 50 * 4 * 48 + 12e9
    assert rate == pytest.approx(size / (545.50 - size / 7e9))
    by_server = 1 / (315e9 * (1 / 32 - 1 / 64) / (471 - 413))
    assert sets["cfio.forwarding"].parameters["forward_rate"] == pytest.approx(1 / by_server, rel=1e-9)
    assert sets["mom5.parallel.netcdf4"].outcomes[0].predicted == pytest.approx(705 / 2)
    assert all(abs(error) < 1e-9 for one in sets.values() for _, error in one.fitted)


def test_every_set_is_listed_and_nothing_is_both_fitted_and_predicted(sets):
    for wanted, scored in zip(score.plan()["set"], sets, strict=True):
        assert [outcome.name for outcome in scored.outcomes] == [case["name"] for case in wanted["predict"]]
        assert not {case["seconds"] for case in wanted["fit"]} & {case["seconds"] for case in wanted["predict"]}
        assert sorted(scored.parameters) == sorted(wanted["parameters"])


def test_hits_are_by_the_seconds_of_output_and_not_by_the_total(sets):
    outcomes = [outcome for one in sets for outcome in one.outcomes]
    assert all(outcome.hit == (abs(outcome.error) <= 0.2) for outcome in outcomes)
    flattering = [o for o in outcomes if o.error_of_total is not None and abs(o.error_of_total) < 0.05 and not o.hit]
    assert len(flattering) >= 5 and all(math.isfinite(o.error) for o in outcomes)
