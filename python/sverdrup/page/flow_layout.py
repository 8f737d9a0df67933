"""Places the nodes and edges of the call-path chart (flow.py): columns by layer, and within a column an order with few
crossings.

The method is that of Sugiyama, Tagawa and Toda (1981): edges that pass a column get a waypoint in it, so that they go
around its nodes; sweeps to and fro order each column by the mean place of its neighbours; each edge gets a port of its
own."""

from dataclasses import dataclass, field

LAYERS = ("sverdrup", "step", "netcdf", "pnetcdf", "mpi_io", "mpi", "posix")
GAP, PORT, NODE_HEIGHT, SPACE, TOP = 112, 17, 38, 16, 30
CHARACTERS, CHARACTER, LEAST_WIDTH, SIDES = 28, 6.95, 128, 20  # of a name: at most so many, each so wide (pixels)
PASSING_HEIGHT = 10
SWEEPS = 12


@dataclass
class Box:
    """A node, or the waypoint of an edge in a column it passes (node is None)."""

    node: dict | None
    column: int
    height: float
    y: float = 0  # of its upper side
    incoming: list = field(default_factory=list)
    outgoing: list = field(default_factory=list)

    @property
    def middle(self) -> float:
        """Its centre, in pixels from the top."""
        return self.y + self.height / 2


@dataclass
class Wire:
    """An edge, from box to box through its waypoints; back: it calls a function that stands further left."""

    edge: dict
    boxes: list
    back: bool = False


@dataclass
class Layout:
    """Boxes with their places, wires, the columns' first layer names, and the size in pixels."""

    boxes: list
    wires: list
    headings: list  # (column, layer or "program")
    width: float
    height: float
    widths: list  # of the columns

    def left(self, column: int) -> float:
        """The left side of a column's nodes."""
        return sum(self.widths[:column]) + column * GAP

    def right(self, column: int) -> float:
        """Their right side."""
        return self.left(column) + self.widths[column]


def _forward(nodes: dict, edges: list) -> list:
    """The edges without those that close a cycle or go back to an upper layer."""
    level = {
        key: LAYERS.index(node["layer"]) if node["layer"] in LAYERS else len(LAYERS) for key, node in nodes.items()
    }
    after = {key: [] for key in nodes}
    kept = []

    def reaches(start: object, goal: object) -> bool:
        seen, waiting = set(), [start]
        while waiting:
            at = waiting.pop()
            if at == goal:
                return True
            if at not in seen:
                seen.add(at)
                waiting.extend(after[at])
        return False

    for edge in sorted(edges, key=lambda e: -(e["max_seconds"] or 0)):
        source, target = edge["from"], edge["to"]
        if level[source] > level[target] or source == target:
            continue
        if level[source] == level[target]:
            if reaches(target, source):
                continue
            after[source].append(target)
        kept.append(edge)
    return kept


def _columns(nodes: dict, forward: list) -> dict:
    """The column of each node: layers follow one another; within a layer, who calls stands left of who is called."""
    columns, first = {}, 1
    layers = [*LAYERS, *sorted({node["layer"] for node in nodes.values()} - set(LAYERS))]
    for layer in layers:
        members = [key for key, node in nodes.items() if node["layer"] == layer]
        depth = dict.fromkeys(members, 0)
        inner = [edge for edge in forward if edge["from"] in depth and edge["to"] in depth]
        for _ in members:
            changed = False
            for edge in inner:
                if depth[edge["to"]] <= depth[edge["from"]]:
                    depth[edge["to"]] = depth[edge["from"]] + 1
                    changed = True
            if not changed:
                break
        columns.update({key: first + deep for key, deep in depth.items()})
        first += 1 + max(depth.values()) if members else 0
    return columns


def _wires(edges: list, boxes: dict, forward: list) -> tuple[list, list]:
    """The wires and the waypoints they need."""
    wires, waypoints = [], []
    kept = {id(edge) for edge in forward}
    for edge in edges:
        source, target = boxes[edge["from"]], boxes[edge["to"]]
        back = edge["from"] is not None and id(edge) not in kept
        between = []
        if not back:
            between = [Box(None, column, PASSING_HEIGHT) for column in range(source.column + 1, target.column)]
        waypoints += between
        chain = [source, *between, target]
        wires.append(Wire(edge, chain, back))
        for one, other in zip(chain, chain[1:]):
            one.outgoing.append(other)
            other.incoming.append(one)
    return wires, waypoints


def _order(columns: list) -> None:
    """Sorts each column by the mean place of its neighbours, in sweeps to the right and to the left, and places its
    boxes.
    """

    def place(column: list, wanted: dict) -> None:
        column.sort(key=lambda box: wanted[id(box)])
        y = TOP
        for box in column:
            box.y = y
            y += box.height + SPACE

    for column in columns:
        place(column, {id(box): index for index, box in enumerate(column)})
    for sweep in range(SWEEPS):
        right = sweep % 2 == 0
        for column in columns if right else reversed(columns):
            wanted = {}
            for box in column:
                others = box.incoming if right else box.outgoing
                others = [other for other in others if (other.column < box.column) == right and other is not box]
                wanted[id(box)] = sum(other.middle for other in others) / len(others) if others else box.middle
            place(column, wanted)


def _settle(columns: list, height: float) -> None:
    """Moves boxes towards their neighbours as far as the order allows: fewer slanted edges."""
    for _ in range(6):
        for column in columns:
            for index, box in enumerate(column):
                others = [other for other in box.incoming + box.outgoing if other is not box]
                if not others:
                    continue
                low = column[index - 1].y + column[index - 1].height + SPACE if index else TOP
                high = (column[index + 1].y if index + 1 < len(column) else height) - SPACE - box.height
                goal = sum(other.middle for other in others) / len(others) - box.height / 2
                box.y = max(low, min(goal, max(high, low)))


def _width(column: list, number: int) -> float:
    """The width of the longest name in a column; the first column contains the program alone."""
    longest = max((len(box.node["name"]) for box in column if box.node), default=0)
    return max(SIDES + CHARACTER * min(longest, CHARACTERS), LEAST_WIDTH if number else 0)


def arrange(flow: dict) -> Layout:
    """Places the nodes and edges of a run's "flow" (see there); edges to unknown nodes are left out."""
    nodes = {node["id"]: node for node in flow["nodes"]}
    edges = [edge for edge in flow["edges"] if edge["to"] in nodes and (edge["from"] is None or edge["from"] in nodes)]
    inner = [edge for edge in edges if edge["from"] is not None]
    forward = _forward(nodes, inner)
    column_of = _columns(nodes, forward)
    used = {column: index + 1 for index, column in enumerate(sorted(set(column_of.values())))}
    arriving = {key: sum(edge["to"] == key for edge in edges) for key in nodes}
    boxes = {
        key: Box(node, used[column_of[key]], max(NODE_HEIGHT, PORT * arriving[key] + 6)) for key, node in nodes.items()
    }
    boxes[None] = Box({"layer": "program", "name": "program"}, 0, NODE_HEIGHT)
    wires, waypoints = _wires(edges, boxes, forward)
    everything = [*boxes.values(), *waypoints]
    columns = [[] for _ in range(max(used.values(), default=0) + 1)]
    for box in everything:
        columns[box.column].append(box)
    _order(columns)
    height = max(column[-1].y + column[-1].height for column in columns) + SPACE
    _settle(columns, height)
    headings = {}
    for box in everything:
        if box.node:
            headings.setdefault(box.column, box.node["layer"])
    widths = [_width(column, number) for number, column in enumerate(columns)]
    width = sum(widths) + (len(columns) - 1) * GAP
    return Layout(everything, wires, sorted(headings.items()), width, height, widths)
