"""Other searches, which tune-check plays against recorded times as it plays the tuner: with as many runs and
the same noise. Each is a function of the times, the number of runs and a seed, and gives what it recommends."""

import numpy as np
from sverdrup.tune import TuneError
from sverdrup.tune.recorded import Recorded
from sverdrup.tune.space import Configuration, Space


def random_search(source: Recorded, runs: int, seed: int) -> Configuration:
    """The default, and others at random, each once: the fastest run."""
    draw = np.random.default_rng(seed)
    default, *others = source.space.configurations(draw)
    tried = [default, *(others[number] for number in draw.permutation(len(others))[: runs - 1])]
    seconds = [source.measure("random", one).seconds for one in tried]
    return tried[np.nanargmin(np.array(seconds, dtype=float))]


def _suggested(space: Space, trial) -> Configuration:
    made: Configuration = {}
    for each in space.parameters:
        if each.counts(made):
            made[each.name] = trial.suggest_categorical(each.name, each.values)
    return made


def optuna_search(source: Recorded, runs: int, seed: int) -> Configuration:
    """Optuna's TPE, which begins with the default: its best trial. Incompatible values are pruned, without a run."""
    try:
        import optuna
    except ImportError as error:
        raise TuneError("--against optuna: it is not installed. Install it: pip install optuna") from error
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    sampler = optuna.samplers.TPESampler(seed=seed, n_startup_trials=max(4, runs // 4))
    study = optuna.create_study(sampler=sampler)
    study.enqueue_trial(source.space.default)
    while source.made < runs:
        trial = study.ask()
        one = _suggested(source.space, trial)
        if not source.space.allowed(one):
            study.tell(trial, state=optuna.trial.TrialState.PRUNED)
            continue
        run = source.measure("optuna", one)
        if run.seconds is None:
            study.tell(trial, state=optuna.trial.TrialState.FAIL)
        else:
            study.tell(trial, run.seconds)
    return source.space.completed(study.best_params)


RIVALS = {"random": random_search, "optuna": optuna_search}
