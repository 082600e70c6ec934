"""Tic-tac-toe and Connect Four in plain Python: the yardstick. Nothing of the interpreter is used here.

Written as one would write them without a framework: a board, the legal moves, a move, a test for a line through the cell that was taken.
"""

from __future__ import annotations

from collections.abc import Callable

Chance = Callable[[], float]
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
THROUGH = [[line for line in LINES if cell in line] for cell in range(9)]


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


def playout(game: TicTacToe | ConnectFour, chance: Chance) -> int:
    """Play a game at random to its end; gives the number of moves."""
    moves = 0
    while not game.over:
        legal = game.legal_moves()
        game.play(legal[int(chance() * len(legal))])
        moves += 1
    return moves


GAMES: dict[str, Callable[[], TicTacToe | ConnectFour]] = {"tic_tac_toe": TicTacToe, "connect_four": ConnectFour}
