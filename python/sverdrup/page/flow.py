"""Draws the section "Call paths" of the report: which function called which, for how long at most over the ranks, and
on how many of them. flow_layout.py places what it draws."""

from markupsafe import Markup

from . import units
from .flow_layout import CHARACTERS, LAYERS, PORT, TOP, Box, Layout, Wire, arrange
from .svg import join, number, picture, tag, tip

NAMES = {
    "program": "program",
    "sverdrup": "Sverdrup",
    "step": "steps",
    "netcdf": "netCDF",
    "pnetcdf": "PnetCDF",
    "mpi_io": "MPI-IO",
    "mpi": "MPI",
    "posix": "POSIX",
}
LABEL_WIDTH = 84  # of the horizontal end of an edge, above which its label stands
LEAST = 0.85  # of its size, to which the chart shrinks where the page is narrow, before it scrolls


def layer_class(layer: str) -> str:
    """The CSS class that colours a layer."""
    return f"layer-{layer.replace('_', '-')}" if layer in LAYERS else "layer-program"


def _node(layout: Layout, box: Box, longest: float) -> Markup:
    node = box.node
    x = layout.left(box.column)
    if node["layer"] == "program":
        return tag(
            "g",
            tag("rect", x=float(x), y=box.y, width=layout.widths[0], height=box.height, rx=4, class_="node-box"),
            tag("text", node["name"], x=x + 12.0, y=box.middle + 4, class_="node-name"),
            class_="node layer-program",
        )
    share = (node["max_seconds"] or 0) / longest
    facts = f"{units.seconds(node['max_seconds'])} on rank {node['max_rank']}"
    tooltip = (
        f"{node['name']} ({NAMES.get(node['layer'], node['layer'])})\nat most {facts}, "
        f"{units.seconds(node['mean_seconds'])} on average\n{units.plural(node['calls'], 'call')} on "
        f"{units.plural(node['ranks'], 'rank')}"
    )
    rect = {"x": float(x), "y": box.y, "width": layout.widths[box.column], "height": box.height, "rx": 4}
    return tag(
        "g",
        tip(tooltip),
        tag("rect", **rect, class_="node-box"),
        tag("rect", **rect, class_="node-shade", opacity=round(0.05 + 0.4 * share, 3)),
        tag("rect", x=float(x), y=box.y, width=5, height=box.height, class_="node-mark"),
        tag("text", units.shorten(node["name"], CHARACTERS), x=x + 13.0, y=box.middle - 3, class_="node-name"),
        tag("text", facts, x=x + 13.0, y=box.middle + 12, class_="node-facts"),
        class_=f"node {layer_class(node['layer'])}",
    )


def _ports(layout: Layout) -> tuple[dict, dict]:
    """The height of each wire where it leaves its first box and where it enters its last, in the order of the other
    ends.
    """
    leaving, entering = {}, {}
    for box in layout.boxes:
        if not box.node:
            continue
        out = sorted((w for w in layout.wires if w.boxes[0] is box), key=lambda w: w.boxes[1].middle)
        step = min(PORT, (box.height - 6) / max(len(out), 1))
        for index, wire in enumerate(out):
            leaving[id(wire)] = box.middle + (index - (len(out) - 1) / 2) * step
        into = sorted((w for w in layout.wires if w.boxes[-1] is box), key=lambda w: w.boxes[-2].middle)
        for index, wire in enumerate(into):
            entering[id(wire)] = box.middle + (index - (len(into) - 1) / 2) * PORT
    return leaving, entering


def _path(layout: Layout, wire: Wire, start: float, end: float) -> str:
    """Curves through the gaps between columns, straight through the columns that it passes, and along its label."""
    x = layout.right(wire.boxes[0].column)
    target = layout.left(wire.boxes[-1].column)
    tail = target - LABEL_WIDTH
    if wire.back:
        return (
            f"M{number(x)} {number(start)}C{number(x + 70)} {number(start)} {number(x + 70)} {number(end + 40)} "
            f"{number(x)} {number(end + 40)}L{number(tail)} {number(end + 40)}C{number(tail - 40)} {number(end + 40)} "
            f"{number(tail - 40)} {number(end)} {number(tail)} {number(end)}H{number(target - 4)}"
        )
    parts, y = [f"M{number(x)} {number(start)}"], start
    for box in wire.boxes[1:]:
        left = layout.left(box.column) if not box.node else tail
        goal = box.middle if not box.node else end
        middle = (x + left) / 2
        parts.append(f"C{number(middle)} {number(y)} {number(middle)} {number(goal)} {number(left)} {number(goal)}")
        if not box.node:
            x, y = layout.right(box.column), goal
            parts.append(f"H{number(x)}")
    parts.append(f"H{number(target - 4)}")
    return "".join(parts)


def _wire(layout: Layout, wire: Wire, ports: tuple[dict, dict], longest: float) -> Markup:
    edge = wire.edge
    start, end = ports[0][id(wire)], ports[1][id(wire)]
    seconds = units.seconds(edge["max_seconds"])
    caller = wire.boxes[0].node["name"]
    tooltip = (
        f"{caller} \u2192 {wire.boxes[-1].node['name']}\n"
        f"at most {seconds} on one of {units.plural(edge['ranks'], 'rank')}, "
        f"{units.plural(edge['calls'], 'call')}"
    )
    target = layout.left(wire.boxes[-1].column)
    wide = 1 + 6 * (edge["max_seconds"] or 0) / longest
    arrow = f"M{number(target)} {number(end)}l-7 -3.5v7z"
    label = f"{seconds} \u00b7 {edge['ranks']:,}"
    return tag(
        "g",
        tip(tooltip),
        tag("path", d=_path(layout, wire, start, end), class_="edge", stroke_width=round(wide, 2)),
        tag("path", d=arrow, class_="arrow"),
        tag("text", label, x=target - 10.0, y=end - 2 - wide / 2, class_="edge-label"),
        class_=f"wire {layer_class(wire.boxes[-1].node['layer'])}",
    )


def draw(run: dict, key: str) -> Markup | None:
    """The chart of run["flow"], in an SVG of its own size; None without calls."""
    flow = run.get("flow") or {}
    if not flow.get("nodes"):
        return None
    layout = arrange(flow)
    longest = max((node["max_seconds"] or 0 for node in flow["nodes"]), default=0) or 1
    ports = _ports(layout)
    first_column: dict = {}
    for column, layer in layout.headings:
        first_column.setdefault(layer, column)
    top = [
        tag(
            "text",
            NAMES.get(layer, layer),
            x=float(layout.left(column)),
            y=14,
            class_=f"column-name {layer_class(layer)}",
        )
        for layer, column in first_column.items()
    ]
    wires = [
        _wire(layout, wire, ports, longest) for wire in sorted(layout.wires, key=lambda w: w.edge["max_seconds"] or 0)
    ]
    nodes = [_node(layout, box, longest) for box in layout.boxes if box.node]
    first = max(flow["nodes"], key=lambda node: node["max_seconds"] or 0)
    heading = (
        "Call paths",
        f"{len(flow['nodes'])} functions in {len(layout.headings) - 1} columns, from the program on the left to "
        f"the operating system on the right. Longest: {first['name']}, {units.seconds(first['max_seconds'])} on rank "
        f"{first['max_rank']}. The table below holds every call path.",
    )
    width = layout.width + 2
    return picture(
        key,
        heading,
        (width, layout.height + TOP / 2),
        join(wires),
        join(nodes),
        join(top),
        class_="flow",
        style=f"min-width:{number(LEAST * width)}px;max-width:{number(width)}px",
    )


def table(run: dict) -> list[list]:
    """The rows of the table beneath: caller, function, layer, seconds, ranks, calls."""
    flow = run.get("flow") or {}
    names = {node["id"]: node for node in flow.get("nodes", [])}
    rows = []
    for edge in sorted(flow.get("edges", []), key=lambda e: -(e["max_seconds"] or 0)):
        if edge["to"] in names:
            node = names[edge["to"]]
            caller = names[edge["from"]]["name"] if edge["from"] in names else "the program"
            rows.append(
                [
                    caller,
                    node["name"],
                    NAMES.get(node["layer"], node["layer"]),
                    edge["max_seconds"],
                    edge["ranks"],
                    edge["calls"],
                ]
            )
    return rows
