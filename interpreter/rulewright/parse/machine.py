"""The parser itself: an LALR machine that reads tokens by a table and builds the tree on the way.

Takes a table (see `table.py`) and the functions that make nodes; gives what the tokens of one declaration, expression or list of statements are. Whether a word is a keyword is
decided by what may stand where it does. Raises `Unfit` at the first token that nothing can be made of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from rulewright.parse import lex

ALWAYS_KEYWORDS = frozenset(["a", "an", "the", "any", "all", "every", "no", "not", "and", "or", "is", "if", "else", "where"])
BEHIND_A_NAME = ALWAYS_KEYWORDS - {"a", "an", "the"} | frozenset(
    "at as because by cost descending from holds in mod next of ordered over pays times to until when with".split()  # noqa: SIM905  # a list of words
)
LAYOUT = {"NL": "_NL", "INDENT": "_INDENT", "DEDENT": "_DEDENT"}
CARRIED = frozenset({"NAME", "INTEGER", "STRING", "COPIES"})
END = "$END"
Make = Callable[[list[Any]], Any]


class Rule(msgspec.Struct, frozen=True, array_like=True):
    """A rule of the grammar: what it is a way to write, of how many parts it is, and the function that makes something of them."""

    origin: str
    length: int
    function: str
    spliced: tuple[int, ...]  # parts that are lists, whose members count as parts
    through: bool  # a single part is what it makes


class Table(msgspec.Struct, frozen=True, array_like=True):
    """What the machine does in each state at each symbol: go to a state (0 and up), or end a rule (-1 - its number)."""

    words: dict[str, str]  # what is written for a keyword or sign, and its name in the grammar
    rules: list[Rule]
    states: list[dict[str, int]]
    starts: dict[str, int]
    ends: dict[str, int]


class Leaf(NamedTuple):
    """A token as the machine reads it."""

    type: str
    text: str
    file: str
    line: int
    column: int
    end_column: int

    def __str__(self) -> str:
        return self.text


class Unfit(Exception):
    """A token does not fit; these symbols would."""

    def __init__(self, token: Leaf, expected: frozenset[str]) -> None:
        super().__init__(token.text)
        self.token = token
        self.expected = expected


class Machine:
    """Reads by one table."""

    def __init__(self, table: Table, functions: Mapping[str, Make]) -> None:
        self.table = table
        self.makers = [functions.get(rule.function, list) for rule in table.rules]

    def parse(self, tokens: Sequence[lex.Token], file: str, start: str) -> Any:
        """What is made of tokens."""
        reading = Reading(self, tokens, file, start)
        for _ in reading.leaves():
            pass
        return reading.end()


class Reading:
    """The machine on its way through some tokens."""

    def __init__(self, machine: Machine, tokens: Sequence[lex.Token], file: str, start: str) -> None:
        self.machine = machine
        self.tokens = tokens
        self.file = file
        self.stop = machine.table.ends[start]
        self.stack = [machine.table.starts[start]]
        self.made: list[Any] = []

    @property
    def accepted(self) -> Mapping[str, int]:
        """The symbols that do something in this state; for some of them it may turn out that they do not fit."""
        return self.machine.table.states[self.stack[-1]]

    def leaves(self) -> Iterator[Leaf]:
        """The tokens one after another, each told apart before it is read."""
        for at in range(len(self.tokens)):
            leaf = self._leaf(at)
            yield leaf
            self._read(leaf)

    def end(self) -> Any:
        """What all tokens together are."""
        last = self.tokens[-1]
        self._read(Leaf(END, "", self.file, last.line, last.column, last.end_column))
        return self.made[-1]

    def expected(self) -> frozenset[str]:
        """The terminals that fit here."""
        return frozenset(symbol for symbol in self.accepted if symbol.isupper() and self._fits(symbol))

    def _leaf(self, at: int) -> Leaf:
        kind, value, line, column, end = self.tokens[at]
        words = self.machine.table.words
        if kind == "WORD":
            keyword = words.get(value) if value != "roll" or self._rolled(at) else None
            accepted = self.accepted
            if keyword is not None and (keyword in accepted or value in ALWAYS_KEYWORDS):
                kind = keyword
            elif "COPIES" in accepted and value[0] == "x" and value[1:].isdigit():
                kind = "COPIES"
            else:
                kind = "NAME"
        elif kind in LAYOUT:
            kind = LAYOUT[kind]
        elif kind not in CARRIED:
            kind = words[value]
        return Leaf(kind, value, self.file, line, column, end)

    def _rolled(self, at: int) -> bool:
        """Whether the word `roll` is followed by a die: anything else may be called so."""
        after = self.tokens[at + 1] if at + 1 < len(self.tokens) else None
        return after is not None and after.type == "WORD" and after.value not in BEHIND_A_NAME

    def _read(self, leaf: Leaf) -> None:
        table, stack, made = self.machine.table, self.stack, self.made
        while True:
            action = table.states[stack[-1]].get(leaf.type)
            if action is None:
                if leaf.type == END and stack[-1] == self.stop:
                    return
                raise Unfit(leaf, self.expected() or frozenset(symbol for symbol in self.accepted if symbol.isupper()))
            if action >= 0:
                stack.append(action)
                made.append(leaf)
                return
            rule = table.rules[-1 - action]
            parts: list[Any] = []
            if rule.length:
                parts = made[-rule.length :]
                del stack[-rule.length :], made[-rule.length :]
            for at in reversed(rule.spliced):
                parts[at : at + 1] = parts[at]
            stack.append(table.states[stack[-1]][rule.origin])
            made.append(parts[0] if rule.through and len(parts) == 1 else self.machine.makers[-1 - action](parts))

    def _fits(self, terminal: str) -> bool:
        """Whether a terminal could be read; it is not, so that nothing is built."""
        table, stack = self.machine.table, list(self.stack)
        while True:
            action = table.states[stack[-1]].get(terminal)
            if action is None:
                return terminal == END and stack[-1] == self.stop
            if action >= 0:
                return True
            rule = table.rules[-1 - action]
            if rule.length:
                del stack[-rule.length :]
            stack.append(table.states[stack[-1]][rule.origin])
