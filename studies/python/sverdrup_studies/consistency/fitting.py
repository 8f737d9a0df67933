"""Fits one or two positive parameters of an equation to figures, by least squares. score.py calls fit()."""

import itertools
from collections.abc import Callable

import numpy as np

_STARTS = {"rate": np.logspace(6, 12, 13), "seconds": np.logspace(-4, 2, 13)}  # bytes per second; seconds


def fit(names: list[str], residuals: Callable[[dict[str, float]], list[float]]) -> dict[str, float]:
    """The parameters with the least sum of squared residuals (relative errors, without a unit). Positive, hence sought
    by their logarithms: Levenberg and Marquardt's steps from the best point of a coarse grid. Raises ValueError where
    more parameters are asked for than there are residuals, or where the residuals do not determine one of them."""

    def at(logs: np.ndarray) -> np.ndarray:
        return np.array(residuals(dict(zip(names, np.exp(logs).tolist(), strict=True))))

    grids = [_STARTS["seconds" if "seconds" in name else "rate"] for name in names]
    point = min((np.log(start) for start in itertools.product(*grids)), key=lambda logs: float(np.sum(at(logs) ** 2)))
    if len(at(point)) < len(names):
        raise ValueError(f"{len(names)} parameters ({', '.join(names)}) cannot be fitted to {len(at(point))} figures")
    damping = 1e-3
    for _ in range(200):
        now, slope = at(point), _slope(at, point)
        step = np.linalg.solve(slope.T @ slope + damping * np.eye(len(names)), -slope.T @ now)
        better = np.sum(at(point + step) ** 2) < np.sum(now**2)
        point, damping = (point + step, damping / 4) if better else (point, damping * 4)
        if np.max(np.abs(step)) < 1e-13:
            break
    if np.linalg.matrix_rank(_slope(at, point), tol=1e-6) < len(names):
        raise ValueError(f"the figures do not determine {', '.join(names)}")
    return dict(zip(names, np.exp(point).tolist(), strict=True))


def _slope(at: Callable[[np.ndarray], np.ndarray], point: np.ndarray) -> np.ndarray:
    """Derivatives by central differences: residuals × parameters."""
    width = 1e-6
    columns = [(at(point + width * unit) - at(point - width * unit)) / (2 * width) for unit in np.eye(len(point))]
    return np.stack(columns, axis=1)
