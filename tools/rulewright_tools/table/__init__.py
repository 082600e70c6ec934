"""The table: what a person at one seat sees of a game, as plain data that the terminal and the browser draw.

    layout = Layout(rules, players)          once for a ruleset and a number of players
    table = look(game, seat, layout)         a `Table`; seat None looks on
    plain(table)                             the same as JSON: objects, lists, texts, numbers, true and false; nothing is null
    difference(old, new), apply(old, change) between two tables; a JSON merge patch (RFC 7396)
    Memory(seat)                             for who looks at a game again and again: look(game, seat, layout, memory=...)
    Telling(game, seat).news(game)           what is new in the story since it was asked last
    board_svg(layout, title=...)             the empty board as a drawing
    rule_of(rules, name), why_not(game, seat, thing), refusals(game, seat)

Everything comes from `game.view(seat)`, `game.decision`, `game.story(seat)` and what never changes about a ruleset, so nothing that a seat may not know is in its
table. Nothing here knows a game: what a table looks like beyond that is said in `table.yaml` (schemas/table.schema.json).
"""

from rulewright_tools.table.difference import apply, difference
from rulewright_tools.table.drawing import board_svg
from rulewright_tools.table.layout import Layout
from rulewright_tools.table.look import Memory, look
from rulewright_tools.table.model import Board, Choice, Decision, Grid, Group, Line, Link, Look, Place, Seat, Spot, Table, Thing, Track, Value, plain
from rulewright_tools.table.rule_text import Reason, Refusal, Rule, action_refusals, no_rule, nothing_refused, refusals, rule_of, why_not
from rulewright_tools.table.telling import Telling, story_of

__all__ = [
    "Board",
    "Choice",
    "Decision",
    "Grid",
    "Group",
    "Layout",
    "Line",
    "Link",
    "Look",
    "Memory",
    "Place",
    "Reason",
    "Refusal",
    "Rule",
    "Seat",
    "Spot",
    "Table",
    "Telling",
    "Thing",
    "Track",
    "Value",
    "action_refusals",
    "apply",
    "board_svg",
    "difference",
    "look",
    "no_rule",
    "nothing_refused",
    "plain",
    "refusals",
    "rule_of",
    "story_of",
    "why_not",
]
