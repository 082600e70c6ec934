"""Tic-tac-toe, Connect Four and Breakthrough in plain Python: the yardstick. Nothing of the interpreter is used here.

Written as one would write them without a framework: a board, the legal moves, a move, a test for a line through the cell that was taken.
"""

from __future__ import annotations

from collections.abc import Callable

Chance = Callable[[], float]
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
THROUGH = [[line for line in LINES if cell in line] for cell in range(9)]
SIDE = 8
AHEAD = [
    [],
    [[cell - SIDE + across for across in (-1, 0, 1) if 0 <= cell % SIDE + across < SIDE and cell >= SIDE] for cell in range(SIDE * SIDE)],
    [[cell + SIDE + across for across in (-1, 0, 1) if 0 <= cell % SIDE + across < SIDE and cell < SIDE * (SIDE - 1)] for cell in range(SIDE * SIDE)],
]  # for each player, the cells in front of each cell


class TicTacToe:
    """Two players in turn take a cell; three in a line win."""

    def __init__(self) -> None:
        self.board = [0] * 9
        self.player = 1
        self.winner = 0
        self.over = False

    def legal_moves(self) -> list[int]:
        """The empty cells."""
        return [cell for cell in range(9) if not self.board[cell]]

    def play(self, cell: int) -> None:
        """Take a cell."""
        board, player = self.board, self.player
        board[cell] = player
        for a, b, c in THROUGH[cell]:
            if board[a] == board[b] == board[c]:
                self.winner, self.over = player, True
                return
        self.over = 0 not in board
        self.player = 3 - player


class ConnectFour:
    """Two players in turn drop a disc into a column; four in a line win."""

    ROWS, COLUMNS = 6, 7

    def __init__(self) -> None:
        self.columns: list[list[int]] = [[] for _ in range(self.COLUMNS)]
        self.player = 1
        self.winner = 0
        self.over = False
        self.discs = 0

    def legal_moves(self) -> list[int]:
        """The columns that are not full."""
        return [column for column in range(self.COLUMNS) if len(self.columns[column]) < self.ROWS]

    def play(self, column: int) -> None:
        """Drop a disc."""
        player = self.player
        self.columns[column].append(player)
        self.discs += 1
        row = len(self.columns[column]) - 1
        for across, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
            if 1 + self._run(column, row, across, up) + self._run(column, row, -across, -up) >= 4:
                self.winner, self.over = player, True
                return
        self.over = self.discs == self.ROWS * self.COLUMNS
        self.player = 3 - player

    def _run(self, column: int, row: int, across: int, up: int) -> int:
        """How many discs of the same player follow in a direction."""
        columns, player, found = self.columns, self.player, 0
        while True:
            column, row = column + across, row + up
            if not (0 <= column < self.COLUMNS and 0 <= row < len(columns[column]) and columns[column][row] == player):
                return found
            found += 1


class Breakthrough:
    """Two players in turn move a pawn forward, first naming the pawn, then where it goes; the far side or the last pawn taken wins."""

    def __init__(self) -> None:
        self.board = [2] * (2 * SIDE) + [0] * (SIDE * (SIDE - 4)) + [1] * (2 * SIDE)
        self.pawns = [
            [],
            [cell for cell in range(SIDE * SIDE) if self.board[cell] == 1],
            [cell for cell in range(SIDE * SIDE) if self.board[cell] == 2],
        ]
        self.player = 1
        self.start: int | None = None
        self.winner = 0
        self.over = False

    def legal_moves(self) -> list[int]:
        """The pawns that can go somewhere; once one is named, where it can go."""
        if self.start is not None:
            return self._steps(self.start)
        return [cell for cell in self.pawns[self.player] if self._steps(cell)]

    def _steps(self, cell: int) -> list[int]:
        """Where a pawn can go: to what is empty, and diagonally to what the other player holds."""
        board, player = self.board, self.player
        return [to for to in AHEAD[player][cell] if not board[to] or (board[to] != player and (to - cell) % SIDE)]

    def play(self, cell: int) -> None:
        """Name a pawn, or say where it goes."""
        if self.start is None:
            self.start = cell
            return
        board, player, other = self.board, self.player, 3 - self.player
        if board[cell]:
            self.pawns[other].remove(cell)
        self.pawns[player].remove(self.start)
        self.pawns[player].append(cell)
        board[self.start], board[cell] = 0, player
        self.start = None
        if not AHEAD[player][cell] or not self.pawns[other]:
            self.winner, self.over = player, True
            return
        self.player = other


Game = TicTacToe | ConnectFour | Breakthrough


def playout(game: Game, chance: Chance) -> int:
    """Play a game at random to its end; gives the number of moves."""
    moves = 0
    while not game.over:
        legal = game.legal_moves()
        game.play(legal[int(chance() * len(legal))])
        moves += 1
    return moves


GAMES: dict[str, Callable[[], Game]] = {"tic_tac_toe": TicTacToe, "connect_four": ConnectFour, "breakthrough": Breakthrough}
