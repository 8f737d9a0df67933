"""How good the search is where the truth is known; plays are the same every time."""

import math

import numpy as np
import pytest
from sverdrup.tune import recorded
from sverdrup.tune.procedure import Plan, Tuning
from sverdrup.tune.race import compare
from worlds import ALL, SPACE, drawn, source, table

BUDGET = 20  # runs, of 132 configurations


def test_screening_finds_what_matters():
    seconds = table({"route": {"row": 0.5, "shared": 1.8}, "combine": {"step": 0.8}})
    found = recorded.play(source(seconds, 0.02, 3), 40, None, 3).found
    by_name = {effect.name: effect for effect in found.effects}
    assert [effect.name for effect in found.effects][:2] == ["route", "combine"]
    assert by_name["route"].share[0] > 0.8 and by_name["route"].ratio[1] < 3.6 < by_name["route"].ratio[2] * 1.1
    assert by_name["window"].share[2] < 0.03 and by_name["window"].ratio[0] < 1.03 and "window" in found.dropped
    low, high = by_name["combine"].ratio[1:]
    assert low < 1.25 < high  # 1 / 0.8


def test_the_choice_is_near_the_best():
    """Over machines that are drawn, with a prediction that is right to 15 %."""
    regrets = []
    for seed in range(6):
        seconds = drawn(seed)
        random = np.random.default_rng(seed)
        predicted = {key: value * math.exp(0.15 * random.standard_normal()) for key, value in seconds.items()}
        game = recorded.play(source(seconds, 0.02, seed), BUDGET, predicted, seed)
        assert game.runs <= BUDGET
        regrets.append(game.regret)
    assert np.median(regrets) <= 0.05 and max(regrets) <= 0.25


def test_noise_is_no_gain():
    """All configurations take equally long: a gain is claimed in few of the plays (asked for: 5 %)."""
    seconds = table({})
    claims = 0
    for seed in range(12):
        game = recorded.play(source(seconds, 0.1, seed), 12, None, seed)
        claims += game.choice != SPACE.default
    assert claims <= 1


def test_a_value_that_fails_is_avoided():
    seconds = {key: math.nan if "route=shared" in key else value for key, value in drawn(1).items()}
    game = recorded.play(source(seconds, 0.02, 1), 40, None, 1)
    failed = [run for _, run in game.found.runs if run.seconds is None]
    assert 1 <= len(failed) <= 2 and all(run.failed and run.configuration["route"] == "shared" for run in failed)
    assert game.choice["route"] != "shared"


def test_a_winner_sets_nothing_that_gains_nothing():
    seconds = table({"route": {"row": 0.5}})
    game = recorded.play(source(seconds, 0.005, 2), 30, None, 2)
    assert SPACE.settings(game.choice) == {"route": "row"}


def test_the_interval_of_a_race():
    """Differences of two that go with the rounds are no noise; with a noise of a run of 2 %, the interval is right."""
    drift = [1.0, 1.5, 2.0, 1.2]
    (gain,) = compare([{}, {}], [[level, 0.8 * level] for level in drift])
    assert gain.ratio == pytest.approx(0.8) and gain.high == pytest.approx(0.8, abs=1e-6) and gain.proven
    random = np.random.default_rng(5)
    missed = 0
    for _ in range(400):
        logs = np.log([1.0, 0.9, 0.9]) + 0.02 * random.standard_normal((4, 3))
        missed += any(not (gain.low <= 0.9 <= gain.high) for gain in compare([{}, {}, {}], np.exp(logs).tolist()))
    assert missed <= 400 * 0.08


def test_one_round_proves_nothing():
    (gain,) = compare([{}, {}], [[2.0, 1.0]])
    assert gain.ratio == 0.5 and gain.low is None and not gain.proven


@pytest.mark.parametrize("runs", [8, 12, 20, 25, 60, 200])
def test_a_plan_keeps_to_its_budget(runs):
    plan = Plan.of(runs, 1000)
    for entrants in range(2, plan.entrants + 2):
        rounds = plan.rounds(plan.explore, entrants)
        assert plan.explore + rounds * entrants <= runs and rounds >= 3 and plan.explore >= 2


def test_a_tuning_is_a_function_of_what_is_measured():
    made = []
    for _ in range(2):
        play = source(drawn(4), 0.02, 4)
        tuning = Tuning(SPACE, play.measure, None, 9)
        made.append(
            [SPACE.key(run.configuration) for _, run in tuning.carry_out(lambda run, size: Plan.of(14, size)).runs]
        )
    assert made[0] == made[1] and len(ALL) == len(drawn(4))
