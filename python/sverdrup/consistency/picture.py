"""The picture of docs/consistency.md: predicted against published seconds, as SVG."""

import math

from .score import Scored

_SIZE, _LEFT, _TOP, _LOW, _HIGH = 460, 60, 16, 2.0, 40000.0  # pixels; seconds at the ends of both axes
_BOTTOM = _TOP + _SIZE
_COLOURS = {"mom5": "#1f77b4", "cfio": "#d95f02", "macom": "#1b9e77"}
_NAMES = {"mom5": "MOM5", "cfio": "CFIO's models", "macom": "MaCOM"}


def _at(seconds: float) -> float:
    """Pixels from the lower end of an axis."""
    return _SIZE * math.log(seconds / _LOW) / math.log(_HIGH / _LOW)


def _line(factor: float, style: str) -> str:
    """Where predicted = factor × published."""
    low, high = max(_LOW, _LOW / factor), min(_HIGH, _HIGH / factor)
    x1, y1, x2, y2 = _LEFT + _at(low), _BOTTOM - _at(low * factor), _LEFT + _at(high), _BOTTOM - _at(high * factor)
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" {style}/>'


def _axes() -> list[str]:
    parts = [f'<rect x="{_LEFT}" y="{_TOP}" width="{_SIZE}" height="{_SIZE}" fill="none" stroke="#888"/>']
    for mark in (10, 100, 1000, 10000):
        x, y = _LEFT + _at(mark), _BOTTOM - _at(mark)
        parts.append(f'<path d="M{x:.1f} {_TOP}v{_SIZE}M{_LEFT} {y:.1f}h{_SIZE}" stroke="#ddd"/>')
        parts.append(f'<text x="{x:.1f}" y="{_BOTTOM + 16}" text-anchor="middle">{mark:,}</text>')
        parts.append(f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{mark:,}</text>')
    middle = _TOP + _SIZE / 2
    parts.append(
        f'<text x="{_LEFT + _SIZE / 2}" y="{_BOTTOM + 34}" text-anchor="middle">published seconds of I/O</text>'
    )
    parts.append(f'<text x="14" y="{middle}" text-anchor="middle" transform="rotate(-90 14 {middle})">predicted</text>')
    return parts


def picture(sets: list[Scored], threshold: float) -> str:
    """All outcomes of all sets; the lines are equality and the bounds of a hit (threshold: a part). Hits are filled."""
    width, height = _LEFT + _SIZE + 130, _BOTTOM + 44
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"',
        '     font-family="sans-serif" font-size="12" fill="#333">',
        "<title>Predicted against published seconds of I/O</title>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        *_axes(),
        _line(1, 'stroke="#444"'),
    ]
    parts += [_line(factor, 'stroke="#444" stroke-dasharray="4 3"') for factor in (1 - threshold, 1 + threshold)]
    for one in sets:
        colour = _COLOURS[one.id.split(".")[0]]
        for outcome in one.outcomes:
            x, y = _LEFT + _at(outcome.published), _BOTTOM - _at(outcome.predicted)
            fill = colour if outcome.hit else "#fff"
            parts.append(
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{fill}" stroke="{colour}" stroke-width="1.5">'
                f"<title>{one.title}: {outcome.name}</title></circle>"
            )
    for row, (key, name) in enumerate(_NAMES.items()):
        y = _TOP + 14 + 20 * row
        parts.append(f'<circle cx="{_LEFT + _SIZE + 18}" cy="{y}" r="4" fill="{_COLOURS[key]}"/>')
        parts.append(f'<text x="{_LEFT + _SIZE + 28}" y="{y + 4}">{name}</text>')
    parts.append(f'<text x="{_LEFT + _SIZE + 12}" y="{_TOP + 82}">open: missed</text>')
    return "\n".join([*parts, "</svg>", ""])
