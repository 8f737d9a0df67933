"""How good the search is where the truth is known; plays are the same every time."""

import math

import numpy as np
import pytest
from scipy.stats import binom
from sverdrup.tune import recorded, space, surrogate
from sverdrup.tune.budget import Budget, Plan
from sverdrup.tune.journal import Run
from sverdrup.tune.procedure import Tuning
from sverdrup.tune.race import compare, race
from sverdrup.tune.surrogate import Belief
from worlds import ALL, SPACE, drawn, source, table

BUDGET = 20  # runs, of 132 configurations


def test_screening_finds_what_matters():
    seconds = table({"route": {"row": 0.5, "shared": 1.8}, "combine": {"step": 0.8}})
    found = recorded.play(source(seconds, 0.02, 3), 40, None, 3).found
    by_name = {effect.name: effect for effect in found.effects}
    assert [effect.name for effect in found.effects][:2] == ["route", "combine"]
    assert by_name["route"].share[0] > 0.8 and by_name["route"].ratio[1] < 3.6 < by_name["route"].ratio[2] * 1.1
    window = by_name["transport.window"]
    assert window.share[2] < 0.03 and window.ratio[0] < 1.03 and window.name in found.dropped
    low, high = by_name["combine"].ratio[1:]
    assert low < 1.25 < high  # 1 / 0.8


def test_screening_tries_every_parameter():
    """Also one whose other value goes with few values of the others, and is predicted to be slow."""
    parameters = {
        "async": ["none", "servers:1"],
        "route": ["auto", "row", "column", "domains"],
        "writers": {"values": ["auto", 1, 2, 4], "only": {"route": ["row", "column", "domains"]}},
        "transport.window": [1, 2, 3, 4],
        "file_system.stripe": [1, 2, 3, 4],
    }
    never = [{"async": "servers:1", "route": ["row", "column", "domains"]}]
    listed = space.from_entries({"parameters": parameters, "never": never}, "here")
    keys = [listed.key(one) for one in listed.configurations(np.random.default_rng(0))]
    predicted = {key: 9.0 if "async=servers:1" in key else 1 + 0.01 * number for number, key in enumerate(keys)}
    source = recorded.Recorded(listed, dict.fromkeys(keys, 1.0), 0.02, np.random.default_rng(1))
    game = recorded.play(source, 24, predicted, 1)
    tried = [game.found.configurations[number] for number, _ in game.found.runs[: Plan.of(24, len(keys)).screen]]
    assert all(len({one.get(name) for one in tried}) > 1 for name in parameters), tried


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


SMALL = space.from_entries(
    {"parameters": {"route": ["auto", "row"], "combine": ["off", "step"], "a": [1, 2, 3]}}, "small"
)


def small(parts):
    """Seconds by key in a small space: a second, times what these parts of a key (route=row) take."""
    keys = [SMALL.key(one) for one in SMALL.configurations(np.random.default_rng(0))]
    return {key: math.prod(factor for part, factor in parts.items() if part in key) for key in keys}


def claimed(seconds, noise, runs, plays):
    """In how many plays a gain is claimed."""
    games = [
        recorded.play(recorded.Recorded(SMALL, seconds, noise, np.random.default_rng(1000 + seed)), runs, None, seed)
        for seed in range(plays)
    ]
    return sum(game.choice != SMALL.default for game in games)


def may_be(count, of):
    """Whether so many of all may well be 5 % of them, or less."""
    return count <= binom.ppf(0.95, of, 0.05)


@pytest.mark.parametrize("noise", [0.03, 0.1])
def test_noise_is_no_gain(noise, monkeypatch):
    """All configurations take equally long. The estimates before the race may be rough, which is quicker."""
    monkeypatch.setattr(surrogate, "_ROUNDS", 3)
    plays = {14: 30, 19: 20, 60: 3}
    assert may_be(sum(claimed(small({}), noise, runs, count) for runs, count in plays.items()), sum(plays.values()))


@pytest.mark.parametrize("noise", [0.03, 0.1])
@pytest.mark.parametrize("runs", [14, 19, 60])
def test_a_race_of_equals_has_no_winner(runs, noise):
    plan, random = Plan.of(runs, 132), np.random.default_rng(runs)
    entrants = [{"a": str(number)} for number in range(plan.entrants + 1)]
    claims = 0
    for _ in range(800):
        made = race(entrants, plan.rounds, lambda one: Run("", one, math.exp(noise * random.standard_normal())), random)
        claims += any(gain.proven for gain in made.gains)
    assert may_be(claims, 800)


def test_a_gain_is_found_with_few_runs():
    """Of 10 %, with a noise of a run of 3 %."""
    assert claimed(small({"route=row": 0.9}), 0.03, 19, 10) >= 7


def test_time_is_kept_for_the_race():
    """Also if the tried configurations take longer than the default, by which the time is planned."""
    seconds = small({"route=row": 0.7, "combine=step": 2, "a=2": 2, "a=3": 2})
    source = recorded.Recorded(SMALL, seconds, 0.01, np.random.default_rng(1))
    budget = Budget(seconds=24)
    found = Tuning(SMALL, source.measure, None, 1).carry_out(budget)
    assert found.ended is None and len(found.race.rounds) >= 3 and found.race.gains[0].proven
    assert len(found.runs) < len(found.configurations) and budget.used_seconds < 24


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


def test_what_failed_is_not_raced():
    """Alone row fails; with step it is best, and step by itself gains nothing."""
    seconds = small({"route=row": 0.5}) | {"route=row": math.nan}
    for seed in range(5):
        game = recorded.play(recorded.Recorded(SMALL, seconds, 0.01, np.random.default_rng(seed)), 24, None, seed)
        failed = [run.configuration for _, run in game.found.runs if run.seconds is None]
        assert not [one for one in game.found.leaders if one in failed]


def test_who_fails_in_a_race_is_no_gain():
    """Not even where it is interrupted in the same round."""
    entrants, turns = [{}, {"a": "1"}, {"a": "2"}], []

    def measure(one):
        turns.append(one)
        if len(turns) == 9:
            raise KeyboardInterrupt
        known = one != entrants[1] or len(turns) < 7
        return Run("race", one, 1.0 + 0.01 * len(turns) if known else None, failed="broken")

    with pytest.raises(KeyboardInterrupt) as stopped:
        race(entrants, 5, measure, np.random.default_rng(4))
    reported = stopped.value.race
    assert reported.failed == {1: "broken"} and reported.entrants == [entrants[0], entrants[2]]
    assert [gain.configuration for gain in reported.gains] == [entrants[2]]


def test_a_parameter_without_effect_has_none():
    """Of the many configurations of a large space only some go together."""
    values = {"a": 6, "b": 5, "c": 4, "without": 3}
    entries = {"parameters": {name: list(range(count)) for name, count in values.items()}}
    entries["never"] = [{"without": [2], "a": [3, 4, 5]}]
    large = space.from_entries(entries, "large")
    random = np.random.default_rng(1)
    configurations = large.configurations(random)
    levels = large.levels(configurations)
    logs = 0.3 * levels[:, 0] - 0.2 * levels[:, 1] + 0.1 * levels[:, 2] ** 2
    runs = random.choice(len(levels), 60, replace=False)
    belief = Belief(large, levels, None).fit(runs, logs[runs] + 0.01 * random.standard_normal(60))
    effects = {effect.name: effect for effect in belief.effects(random)}
    assert effects["without"].ratio[0] < 1.03 and effects["without"].share[2] < 0.01
    for name, least in {"a": 1.5, "b": 0.8, "c": 0.9}.items():
        assert effects[name].ratio[1] < math.exp(least) < effects[name].ratio[2]


@pytest.mark.parametrize("runs", [8, 9, 12, 20, 25, 60, 200])
def test_a_plan_keeps_to_its_budget(runs):
    plan = Plan.of(runs, 1000)
    assert plan.explore + plan.race <= runs and plan.rounds >= 3 and 2 <= plan.screen <= plan.explore
    source = recorded.Recorded(SMALL, small({"combine=step": 0.8, "route=row": 0.7}), 0.02, np.random.default_rng(1))
    game = recorded.play(source, runs, None, 1)
    assert game.runs <= runs and game.found.ended is None and len(game.found.race.rounds) >= 3


def test_a_tuning_is_a_function_of_what_is_measured():
    made = []
    for _ in range(2):
        play = source(drawn(4), 0.02, 4)
        tuning = Tuning(SPACE, play.measure, None, 9)
        made.append([SPACE.key(run.configuration) for _, run in tuning.carry_out(Budget(runs=14)).runs])
    assert made[0] == made[1] and len(ALL) == len(drawn(4))
