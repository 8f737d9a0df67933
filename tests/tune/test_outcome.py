"""The recommendation from the measurements."""

import re
from dataclasses import replace

import numpy as np
import pytest
import yaml
from sverdrup.tune import configuration
from sverdrup.tune.journal import Run
from sverdrup.tune.outcome import decide, document, headline, percent
from sverdrup.tune.predict import quality, quality_text
from sverdrup.tune.procedure import Found
from sverdrup.tune.race import Gain, Race, compare
from sverdrup.tune.space import from_entries

SPACE = from_entries({"parameters": {"async": ["none", "servers:1", "servers:2"], "route": ["auto", "row"]}}, "here")
DEFAULT, ROW = SPACE.default, SPACE.completed({"route": "row"})
ONE, TWO = SPACE.completed({"async": "servers:1"}), SPACE.completed({"async": "servers:2"})


def raced(entrants, seconds):
    """A race of these entrants, the default first, with these mean seconds and a little noise."""
    random = np.random.default_rng(1)
    rounds = [[mean * (1 + 0.002 * random.standard_normal()) for mean in seconds] for _ in range(4)]
    return Race(entrants, rounds, {}, seconds[0], compare(entrants, rounds))


def found(race, ended=None):
    return Found(SPACE, [DEFAULT], None, race=race, ended=ended)


def test_the_best_is_recommended_but_not_for_next_to_nothing_in_cores():
    assert decide(found(raced([DEFAULT, ROW, TWO], [1, 0.8, 0.7])), None, False).configuration == TWO
    assert decide(found(raced([DEFAULT, TWO, ONE], [1, 0.70, 0.71])), None, False).configuration == ONE


@pytest.mark.parametrize(
    "mode, said",
    [
        ("servers:1", "Start 1 ranks more than the model has"),
        ("threads", "no rank is given up; the model has to ask MPI for MPI_THREAD_FUNNELED"),
        ("auto", "by the cost of its own steps"),
        ("auto:2 per node", "Start 4 ranks more .* kept ready, and write files that begin where that costs less"),
    ],
)
def test_who_writes_has_a_reason_in_the_configuration(mode, said):
    space = replace(from_entries({"parameters": {"async": ["none", mode]}}, "here"), nodes=2)
    both = space.configurations(np.random.default_rng(0))
    race = raced(both, [1, 0.5])
    runs = [(n % 2, Run("screen", both[n % 2], [1.0, 0.5][n % 2])) for n in range(8)]
    reported = Found(space, both, None, runs=runs, race=race)
    text = configuration.text(reported, decide(reported, None, False), "a model")
    reason = " ".join(line.removeprefix("# ") for line in text.splitlines() if line.startswith("#"))
    assert re.search(rf"the default, none, takes [12]\.\d\d times as long .*{said}", reason)
    assert yaml.safe_load(text) == {"async": mode}


def test_no_gain_is_told_as_that():
    reported = decide(found(raced([DEFAULT, ROW], [1, 1.0])), None, False)
    assert reported.configuration == DEFAULT
    assert reported.sentence.startswith("Within the noise, nothing is better than the default")
    reported = decide(found(None, "interrupted"), None, False)
    assert reported.configuration == DEFAULT and "interrupted before any" in reported.sentence


@pytest.mark.parametrize(
    "seconds, chosen, said",
    [
        ([2, 1.6, 1.9], ROW, "Confirmed at the larger scale"),
        ([2, 1.6, 1.599], ROW, "Confirmed"),  # the runner-up is not surely better
        ([2, 1.6, 1.2], TWO, "async=servers:2 is better and is recommended"),
        ([2, 2.1, 1.2], TWO, "async=servers:2 is better"),
        ([2, 2.1, 2.0], DEFAULT, "This does not hold"),
    ],
)
def test_only_what_is_confirmed_is_recommended(seconds, chosen, said):
    small = found(raced([DEFAULT, ROW, TWO], [1, 0.7, 0.8]))
    reported = decide(small, raced([DEFAULT, ROW, TWO], seconds), True)
    assert reported.configuration == chosen and said in reported.sentence
    assert decide(small, None, True).configuration == DEFAULT


def test_changes_are_in_words_without_signs():
    def said(ratio, low, high):
        return percent(Gain(ROW, ratio, low, high, 1.0))

    assert said(0.877, 0.846, 0.91) == "12.3 % less time (9.0 to 15.4 % less, 95 % confidence)"
    assert said(2.308, 1.018, 5.23) == "130.8 % more time (1.8 to 423.0 % more, 95 % confidence)"
    assert said(1.02, 0.95, 1.1) == "2.0 % more time (5.0 % less to 10.0 % more, 95 % confidence)"


def test_what_was_not_confirmed_says_so():
    reported = decide(found(raced([DEFAULT, ROW], [1, 0.8])), None, False)
    assert reported.configuration == ROW and "not confirmed at a larger scale; use --confirm" in reported.sentence


def test_a_runner_up_that_did_not_race_is_told_as_a_gain():
    small = found(raced([DEFAULT, ROW], [1, 0.7]))
    reported = decide(small, raced([DEFAULT, ROW, TWO], [2, 1.6, 1.2]), True)
    assert reported.configuration == TWO and headline(reported) == "40 % less time than with the defaults"


@pytest.mark.parametrize("who, said", [(ROW, r"route=row failed there \(no memory\)"), (DEFAULT, "default failed")])
def test_who_fails_at_the_larger_scale_is_told(who, said):
    small = found(raced([DEFAULT, ROW, TWO], [1, 0.7, 0.8]))
    began = [DEFAULT, ROW, TWO]
    race = raced([one for one in began if one != who], [2, 2.1])
    race.began, race.failed = began, {began.index(who): "no memory"}
    race.gains = race.gains if who != DEFAULT else []
    reported = decide(small, race, True)
    assert reported.configuration == DEFAULT and re.search(said, reported.sentence) and reported.confirmed is None
    assert headline(reported).startswith("The defaults")
    whole = document(small, reported, race, {})
    assert whole["confirmation"]["failed"] == [{"entrant": SPACE.key(who), "why": "no memory"}]


def test_how_good_a_prediction_was():
    reported = quality(np.array([1.0, 2.0, 4.0, np.nan, 4.0]), np.array([1.0, 2.5, 5.0, 1.0, 6.0]))
    assert reported["configurations"] == 4 and reported["median_error"] == pytest.approx(0.2)
    assert reported["rank_correlation"] == pytest.approx(0.9487, abs=1e-4)  # with two equal ones
    assert quality(np.array([1.0]), np.array([1.0]))["rank_correlation"] is None
    assert quality(np.ones(4), np.arange(1.0, 5))["rank_correlation"] is None, "all alike"


def test_noise_hides_how_good_a_prediction_is():
    """One without a fault correlates with runs that vary as much as the configurations differ by about 0.7."""
    random = np.random.default_rng(1)
    true = np.exp(0.05 * random.standard_normal(2000))
    reported = quality(true, true * np.exp(0.05 * random.standard_normal(2000)), 0.05)
    assert reported["rank_correlation"] == pytest.approx(reported["attainable_correlation"], abs=0.04)
    assert reported["attainable_correlation"] == pytest.approx(0.71, abs=0.03)
    words = quality_text(reported)
    assert re.search(r"2000 configurations, rank correlation 0\.\d\d \(about 0\.7\d at most, .*error", words)
    assert quality(true, true, 1.0)["attainable_correlation"] == 0, "noise that is more than all that was measured"
