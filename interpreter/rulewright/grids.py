"""Shapes of grids: which cells are neighbours, what a straight row is, how far apart cells are, and what a line of sight crosses.

Plain records, one for each word that a grid may have. On a hexagonal grid every row lies half a cell further to the right than the one above it, so the
six neighbours of a cell are the two beside it, two above and two below. Pushed upright such a board keeps what is straight, so rows and columns are
all that is reckoned with, in whole numbers: the same on every machine.
"""

from __future__ import annotations

import msgspec

Offset = tuple[int, int]  # rows down, columns to the right
FINE = 50  # small steps from the middle of a cell to that of the next one


class Shape(msgspec.Struct, frozen=True):
    """How the cells of a grid lie.

    `steps` lead to the neighbours; `directions` are those in which rows of cells go, each to one side only. The distance of two cells is the largest of `measures`, each so many
    times the rows plus so many times the columns between them. A point is inside a cell if each of its `sides`, reckoned likewise, is less than FINE. `points` of a cell are those that see,
    and are seen; a line between two of them may touch cells `beyond` the rows and columns between these.
    """

    steps: tuple[Offset, ...]
    directions: tuple[Offset, ...]
    measures: tuple[Offset, ...]
    sides: tuple[Offset, ...]
    points: tuple[Offset, ...]
    beyond: int = 0

    def distance(self, down: int, right: int) -> int:
        """The number of steps between two cells, whatever lies between."""
        return max(abs(rows * down + columns * right) for rows, columns in self.measures)


_SIDES = ((-1, 0), (0, -1), (0, 1), (1, 0))
_CORNERS = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))
_HEXAGON = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))
_TIPS = ((1, 1), (2, -1), (1, -2), (-1, -1), (-2, 1), (-1, 2))  # of a hexagon, in thirds
_SQUARE_SIDES = ((2, 0), (0, 2))
_SQUARE_POINTS = tuple((a, b) for a in (-24, 0, 24) for b in (-24, 0, 24))
_HEXAGON_POINTS = ((0, 0), *((24 * a, 24 * b) for a, b in _HEXAGON), *((16 * a, 16 * b) for a, b in _TIPS))

USUAL = "diagonals"
SHAPES = {
    "sides": Shape(_SIDES, ((0, 1), (1, 0)), ((1, 1), (1, -1)), _SQUARE_SIDES, _SQUARE_POINTS),
    USUAL: Shape(_CORNERS, ((0, 1), (1, 0), (1, 1), (1, -1)), ((1, 0), (0, 1)), _SQUARE_SIDES, _SQUARE_POINTS),
    "hexagonal": Shape(_HEXAGON, ((0, 1), (1, 0), (1, -1)), ((1, 0), (0, 1), (1, 1)), ((1, 2), (2, 1), (1, -1)), _HEXAGON_POINTS, 1),
}
SAID_ELSEWHERE = {
    **dict.fromkeys(("orthogonal", "orthogonally", "edges", "straight", "cross"), "sides"),
    **dict.fromkeys(("diagonal", "diagonally", "square", "squares", "corners"), USUAL),
    **dict.fromkeys(("hex", "hexes", "hexagon", "hexagons", "honeycomb"), "hexagonal"),
}
