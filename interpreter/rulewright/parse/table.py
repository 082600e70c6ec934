"""The parse table: what Lark makes of the grammar, kept between runs.

Making it takes most of a second, reading it a few thousandths, and Lark itself is loaded only to make it. It is kept as plain data of one shape; what is
damaged, or was made of another grammar or for another machine, is made anew.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from rulewright import cache, collection
from rulewright.parse.machine import Rule, Table

GRAMMAR = Path(__file__).with_name("grammar.lark")
KIND = "grammar"
FORMAT = "rulewright grammar 2"
START = ["declaration", "expression", "statements"]


@collection.put_off()
def read_table() -> Table:
    """The table of the grammar."""
    grammar = GRAMMAR.read_text(encoding="utf-8")
    path = cache.entry_path(KIND, FORMAT, grammar)
    kept = cache.read(path) if path is not None else None
    table = _decoded(kept) if kept is not None else None
    if table is None:
        table = make_table(grammar)
        if path is not None:
            cache.write(path, msgspec.msgpack.encode(table))
    return table


def make_table(grammar: str) -> Table:
    """What Lark makes of a grammar, as far as the machine needs it."""
    from lark import Lark
    from lark.parsers.lalr_analysis import Shift

    made = Lark(grammar, parser="lalr", lexer="basic", start=START, keep_all_tokens=True, maybe_placeholders=False)
    found = made.parser.parser._parse_table
    words = {str(terminal.pattern.value): str(terminal.name) for terminal in made.terminals if terminal.pattern.type == "str"}
    rules: dict[object, int] = {}
    ways: list[Rule] = []
    for rule in made.rules:
        rules[rule] = len(ways)
        spliced = tuple(at for at, part in enumerate(rule.expansion) if not part.is_term and part.name.startswith("_"))
        ways.append(
            Rule(
                str(rule.origin.name),
                len(rule.expansion),
                str(rule.alias or rule.origin.name),
                spliced,
                bool(rule.options.expand1 and not rule.alias),
            )
        )
    states = [
        {str(symbol): argument if how is Shift else -1 - rules[argument] for symbol, (how, argument) in found.states[number].items()}
        for number in range(len(found.states))
    ]
    return Table(words, ways, states, dict(found.start_states), dict(found.end_states))


def _decoded(kept: bytes) -> Table | None:
    """The table again; None if that is not what was kept."""
    try:
        table = msgspec.msgpack.decode(kept, type=Table)
    except (msgspec.DecodeError, RecursionError):
        return None
    return table if set(table.starts) == set(table.ends) == set(START) and table.states and table.rules else None
