"""The board as text: grids as grids, other spots as boxes at their positions with ways between them.

Takes a table and, by the id of what they are about, the keys of the options; gives rows. On a spot stand its label, what lies there by its symbols, what can be read
on it, and the key with which it is chosen; on a way its numbers, and what lies on it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from rulewright_tools.play.canvas import Canvas, Row, Run, fit, width_of
from rulewright_tools.table import Board, Grid, Link, Look, Spot, Table, Thing

Keys = Mapping[str, str]
BOX, ACROSS, DOWN = 15, 6, 2  # how wide a spot is; the room between two of them
TALL = 3


def draw_board(table: Table, keys: Keys) -> list[Row]:
    """Everything on the board."""
    rows: list[Row] = []
    for grid in table.board.grids.values():
        rows += [*_grid(table, grid, keys), []]
    if any(not spot.grid for spot in table.board.spots.values()):
        rows += _map(table, keys).rows()
    while rows and not any(run.text.strip() for run in rows[-1]):
        rows.pop()
    return rows


def symbol_of(label: str, look: Look) -> str:
    """The few letters that stand for something: those it was given, or the first ones of its words."""
    if look.symbol:
        return look.symbol
    words = [word for word in label.replace("-", " ").split() if word[0].isalnum()]
    return "".join(word[0] for word in words[:3]) if len(words) > 1 else label[:3]


def things_in(table: Table, place: str) -> list[Thing]:
    """What lies in a place."""
    found = table.places.get(place)
    return [table.things[member] for member in found.members if member in table.things] if found is not None else []


def _symbols(table: Table, place: str, cover: str = "") -> list[Run]:
    """What lies in a place as symbols; several of one sort with their number."""
    found: dict[tuple[str, str], list[Thing]] = {}
    for thing in things_in(table, place):
        if thing.id != cover:
            symbol = "?" if thing.hidden else symbol_of(thing.label, thing.look)
            found.setdefault((symbol, thing.look.colour), []).append(thing)
    runs: list[Run] = []
    for (symbol, colour), things in found.items():
        text = symbol if len(things) == 1 else f"{len(things)}{symbol}"
        runs += [Run(" ")] if runs else []
        runs.append(Run(text, colour, not things[0].hidden, things[0].hidden, things[0].id))
    return runs


# -- grids


def _grid(table: Table, grid: Grid, keys: Keys) -> list[Row]:
    """A grid with the numbers of rows and columns."""
    contents = {spot: _symbols(table, spot) for row in grid.spots for spot in row}
    longest = max([1, *(sum(width_of(run.text) for run in runs) for runs in contents.values())])
    key = max([0, *(len(keys.get(spot, "")) for spot in contents)])
    wide = max(3, longest + key + (3 if key else 2))
    if grid.hexagonal:
        return _comb(grid, contents, keys, wide)
    margin = len(str(grid.rows)) + 2
    canvas = Canvas(margin + (wide + 1) * grid.columns + 1, 2 * grid.rows + 2)
    colour = table.board.spots[grid.spots[0][0]].look.colour or "grey"
    for column in range(grid.columns):
        canvas.put(margin + 1 + column * (wide + 1) + wide // 2, 0, str(column + 1), dim=True)
    for row, spots in enumerate(grid.spots):
        top = 2 * row + 2
        canvas.put(margin, top - 1, _border(grid, row, wide), colour)
        canvas.put(0, top, str(row + 1).rjust(margin - 2), dim=True)
        for column, spot in enumerate(spots):
            x = margin + column * (wide + 1)
            canvas.put(x, top, "│", colour)
            shade = "░" if grid.chequered and (row + column) % 2 else " "
            canvas.put(x + 1, top, shade * wide, colour, dim=True, target=spot)
            _cell(canvas, x + 1, top, wide, contents[spot], keys.get(spot, ""), spot)
        canvas.put(margin + grid.columns * (wide + 1), top, "│", colour)
    canvas.put(margin, 2 * grid.rows + 1, _border(grid, grid.rows, wide), colour)
    return canvas.rows()


def _comb(grid: Grid, contents: Mapping[str, list[Run]], keys: Keys, wide: int) -> list[Row]:
    """A grid of hexagons: every row half a cell further to the right, so that the six nearest are the neighbours."""
    wide += wide % 2
    margin = len(str(grid.rows)) + 2
    canvas = Canvas(margin + wide * grid.columns + wide * grid.rows // 2 + 2, 2 * grid.rows)
    for column in range(grid.columns):
        canvas.put(margin + column * wide + wide // 2 - 1, 0, str(column + 1), dim=True)
    for row, spots in enumerate(grid.spots):
        left, y = margin + wide // 2 * row, 2 * row + 1
        canvas.put(max(left - margin, 0), y, str(row + 1).rjust(margin - 2), dim=True)
        for column, spot in enumerate(spots):
            inside = contents[spot] or ([] if spot in keys else [Run("·", dim=True)])
            canvas.put(left + column * wide, y, " " * wide, target=spot)
            _cell(canvas, left + column * wide, y, wide - 1, inside, keys.get(spot, ""), spot)
    return canvas.rows()


def _cell(canvas: Canvas, x: int, y: int, wide: int, contents: list[Run], key: str, spot: str) -> None:
    """What lies in a cell, with the key that chooses it."""
    runs = [run._replace(target=run.target or spot) for run in contents]
    if key:
        runs += [*([Run(" ", target=spot)] if runs else []), Run(key, "teal", True, False, spot)]
    size = sum(width_of(run.text) for run in runs)
    canvas.runs(x + (wide - size) // 2, y, runs)


def _border(grid: Grid, row: int, wide: int) -> str:
    first, between, last = ("┌┬┐") if row == 0 else ("└┴┘") if row == grid.rows else ("├┼┤")
    return first + between.join(["─" * wide] * grid.columns) + last


# -- maps


def _map(table: Table, keys: Keys) -> Canvas:
    """Spots as boxes, with ways between them."""
    board = table.board
    spots = {identity: spot for identity, spot in board.spots.items() if not spot.grid}
    left, top = min(spot.x for spot in spots.values()), min(spot.y for spot in spots.values())
    corners = {identity: (round((spot.x - left) * (BOX + ACROSS)), round((spot.y - top) * (TALL + DOWN))) for identity, spot in spots.items()}
    canvas = Canvas(max(x for x, _ in corners.values()) + BOX, max(y for _, y in corners.values()) + TALL)
    beside: dict[tuple[str, ...], int] = {}
    labels = []
    for link in board.links.values():
        if not link.port and all(end in corners for end in link.ends):
            pair = tuple(sorted(link.ends))
            number = beside.get(pair, 0)
            beside[pair] = number + 1
            labels.append((_way(canvas, corners[link.ends[0]], corners[link.ends[1]], link, number), link))
    for identity, spot in spots.items():
        _box(canvas, *corners[identity], table, spot, keys)
    for (x, y), link in labels:
        runs = _on_the_way(table, link, keys)
        canvas.runs(x - sum(width_of(run.text) for run in runs) // 2, y, runs)
    return canvas


def _way(canvas: Canvas, one: tuple[int, int], other: tuple[int, int], link: Link, number: int) -> tuple[int, int]:
    """A line between the middles of two boxes, which are drawn over its ends; gives the middle of the part that is seen."""
    aside = number * 2
    ax, ay, bx, by = one[0] + BOX // 2, one[1] + TALL // 2, other[0] + BOX // 2, other[1] + TALL // 2
    if ax == bx or abs(ay - by) > abs(ax - bx) // 4:
        ax, bx = ax + 2 * aside, bx + 2 * aside
    else:
        ay, by = ay + aside // 2, by + aside // 2
    steps = max(abs(bx - ax), abs(by - ay), 1)
    last = None
    seen = []
    for step in range(steps + 1):
        point = round(ax + (bx - ax) * step / steps), round(ay + (by - ay) * step / steps)
        if last is not None and not (_inside(point, one) or _inside(point, other)):
            canvas.put(*point, _stroke(last, point, ax, ay, bx, by), link.look.colour or "grey", dim=True, target=link.id)
            seen.append(point)
        last = point
    return seen[len(seen) // 2] if seen else ((ax + bx) // 2, (ay + by) // 2)


def _inside(point: tuple[int, int], corner: tuple[int, int]) -> bool:
    return corner[0] <= point[0] < corner[0] + BOX and corner[1] <= point[1] < corner[1] + TALL


def _stroke(last: tuple[int, int], point: tuple[int, int], ax: int, ay: int, bx: int, by: int) -> str:
    """The character for a step of a line."""
    if ay == by:
        return "─"
    if ax == bx:
        return "│"
    if last[1] == point[1]:
        return "─"
    return "╲" if (bx - ax) * (by - ay) > 0 else "╱"


def _on_the_way(table: Table, link: Link, keys: Keys) -> list[Run]:
    """What stands on a way: its fields, its marks, what lies in its places, and its key."""
    values = sorted(
        (_value(value) for value in link.fields.values()), key=str.isalpha
    )  # numbers come first; words are short, since there is little room
    runs = [Run(text[:3] if text.isalpha() else text, "", False, False, link.id) for text in [*values, *link.marks]]
    for place in link.places:
        runs += _symbols(table, place)
    if link.one_way:
        runs.append(Run("→", target=link.id))
    if link.id in keys:
        runs.append(Run(f"[{keys[link.id]}]", "teal", True, False, link.id))
    found: list[Run] = []
    for run in runs:
        found += [Run(" ")] if found else []
        found.append(run)
    return found


def _value(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def _box(canvas: Canvas, x: int, y: int, table: Table, spot: Spot, keys: Keys) -> None:
    """A spot: its label in the upper edge, what lies there, what can be read on it and the key in the lower edge."""
    colour, dim = spot.look.colour, bool(spot.cover) and table.things[spot.cover].hidden
    key = next((keys[name] for name in (spot.id, spot.cover) if name in keys), "")
    edge = "double" if key else "single"
    upper, lower, side, line = ("╔╗", "╚╝", "║", "═") if edge == "double" else ("┌┐", "└┘", "│", "─")
    ink = "teal" if key else colour
    canvas.put(x, y, upper[0] + line * (BOX - 2) + upper[1], ink, dim=dim, target=spot.id)
    canvas.put(x, y + 1, side + " " * (BOX - 2) + side, ink, dim=dim, target=spot.id)
    canvas.put(x, y + 2, lower[0] + line * (BOX - 2) + lower[1], ink, dim=dim, target=spot.id)
    canvas.put(x + 1, y, fit(spot.label, BOX - 2), colour, bold=not dim, dim=dim, target=spot.id)
    inside = _cut(_symbols(table, spot.id, spot.cover), BOX - 2)
    canvas.runs(x + 1, y + 1, [run._replace(target=run.target or spot.id) for run in inside])
    ports = [_port(link) for link in table.board.links.values() if link.port and link.ends[0] == spot.id]
    words = [*(f"{name} {_value(value)}" for name, value in spot.fields.items()), *spot.marks]
    room = BOX - 2 - (len(key) + 2 if key else 0)
    canvas.put(x + 1, y + 2, fit(" ".join([*ports, *words]), room), colour, dim=not key, target=spot.id)
    if key:
        canvas.put(x + BOX - 1 - len(key) - 2, y + 2, f"[{key}]", "teal", bold=True, target=spot.id)


def _port(link: Link) -> str:
    """A way that is a mark."""
    return (link.look.symbol or symbol_of(link.label, link.look)) + "".join(_value(value) for value in link.fields.values())


def _cut(runs: list[Run], width: int) -> list[Run]:
    """Runs up to some columns."""
    found, used = list[Run](), 0
    for run in runs:
        size = width_of(run.text)
        if used + size > width:
            return [*found[:-1], Run("…")] if used == width else [*found, Run("…")]
        found.append(run)
        used += size
    return found


def board_size(board: Board) -> tuple[int, int]:
    """About how many columns and rows a map takes."""
    return math.ceil(board.width * (BOX + ACROSS) + BOX), math.ceil(board.height * (TALL + DOWN) + TALL)
