"""Turns the page's style sheet into one with plain colours, for charts that stand alone: programs that draw SVG but are
no browsers know neither var() nor color-mix()."""

import re
from collections.abc import Callable

_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_VARIABLE = re.compile(r"(--[\w-]+)\s*:\s*([^;]+)")
_USE = re.compile(r"var\((--[\w-]+)\)")
_MIX = re.compile(r"color-mix\(in srgb, (#\w+) (\d+)%, (#\w+|transparent)\)")


def _channels(colour: str) -> list[int]:
    """Red, green and blue of #rgb or #rrggbb."""
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    return [int(digits[at : at + 2], 16) for at in (0, 2, 4)]


def _mixer(paper: str) -> Callable[[re.Match], str]:
    """color-mix() of two colours as one colour, on white paper where they are transparent."""

    def mixed(match: re.Match) -> str:
        part = int(match[2]) / 100
        other = paper if match[3] == "transparent" else match[3]
        pairs = zip(_channels(match[1]), _channels(other), strict=True)
        return "#" + "".join(f"{round(part * one + (1 - part) * two):02x}" for one, two in pairs)

    return mixed


def _below(outer: str, selectors: str) -> str:
    """The selectors where the element, or one above the outermost of them, has the class `outer`."""
    alone = [one.removeprefix("svg ") for one in selectors.split(", ")]
    return ", ".join(f"svg {outer}{one}, svg {outer} {one}" for one in alone)


def plain(style: str) -> str:
    """`style` in the light scheme, its variables replaced by their values. A variable that classes set is
    replaced in a copy of the rule for each of these classes. Raises KeyError for one that nothing sets."""
    style = re.sub(r"/\*.*?\*/", "", style, flags=re.S)
    style = re.sub(r"@media[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}", "", style)
    rules = [(" ".join(selector.split()), " ".join(body.split())) for selector, body in _RULE.findall(style)]
    root = {name: value for selector, body in rules if selector == ":root" for name, value in _VARIABLE.findall(body)}
    classes: dict[str, dict[str, str]] = {}
    for selector, body in rules:
        if selector != ":root" and (found := dict(_VARIABLE.findall(body))):
            classes[selector] = found

    def replaced(text: str, own: dict[str, str]) -> str:
        while _USE.search(text):
            text = _USE.sub(lambda use: (own.get(use[1]) or root[use[1]]).strip(), text)
        return _MIX.sub(_mixer(root["--paper"]), text)

    made = []
    for selector, body in rules:
        if selector == ":root" or selector in classes:
            continue
        if {use for use in _USE.findall(body)} <= root.keys():
            made.append(f"{selector} {{ {replaced(body, {})} }}")
        else:
            made += [f"{_below(outer, selector)} {{ {replaced(body, own)} }}" for outer, own in classes.items()]
    return "\n".join(made)
