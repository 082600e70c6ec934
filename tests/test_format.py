"""The one layout: what it does to each kind of line, that it changes no meaning, loses no comment, and settles at once."""

from __future__ import annotations

from itertools import accumulate
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.format import format_text
from rulewright.limits import Limits
from rulewright.parse import lex, parse_rules

ROOT = Path(__file__).parents[1]
FILES = sorted(file for folder in ("rulesets", "tests") for file in (ROOT / folder).glob("**/*.rules"))

# Laid out already; with a bit of everything that the layout has to tell apart.
SAMPLE = """\
# ---- kinds ----

kind room is place:
    colour: red | yellow | none
    items: 0..4 = 2
    strength: 0..9 = -3
    #no space, and "quotes" (

kind corridor links room, room

token noise x30 "Noise # not a comment"
token fire plural fire x8 "Fire"

room armory "Armory": strength -1

room nest "Nest":
    cite base.nest.1-3, 5, 7-9, base.room.2
    strength -1, -2
    while actor.colour is red: cost of escape is (2 + actor.items) cards more

place hand of player: a list of card, seen by owner, holds up to 4

die noise_die: 1 x2, 2, silence x3

number ranks, each game says its own

value goal(who: player) gives set of room, each game says its own

effect promote(man: room, who: 1..4), each game says its own

value spare(who: character, step: 0..4) gives 0..9: (who.items - 1) * -step(who)(2) + -(step)
value cheap: no room is in (all room where not (strength > -1 and -strength <= 3))

action move "Move {self}" as basic, fast:
    by character
    cost (actor.items) cards, 1 ammo(weapon)
    choose destination: a room next to actor.room through way(actor, -1).first where (door = open)

    do:
        enter(actor, destination)

effect enter(who: character, destination: room):
    let empty = no character is in destination
    set who.friends to who, (-1), (who, hero)
    set who.items to roll noise_die + -roll noise_die * (roll noise_die)
    move who to destination  # first
    if (empty) and not (who is hidden):
        draw exactly (2) cards from who.hand as drawn
        # about what else
    else if who.items != 3: log "{who} ( is  here )"
    else if who is a hero as best and best.items > -1: log "{best}"
    else:
        who pays (3) cards, 2 ammo(who.weapon(1), spare(
                who,
                # the last one
                -1
                ))
    match who.items:
        -1, 2: stop
        else: nothing

instead of enter(who, destination) when (who is hidden): proceed with who = (destination), destination = who

after enter: increase fire_level by (2)
"""

# Each is (what it shows, the text, the text laid out).
CASES = [
    ("an empty file stays empty", "", ""),
    ("blanks alone are nothing", "\n  \n\n", ""),
    ("comments alone stay", "\n# one\n\n\n   # two  \n#three", "# one\n\n# two\n#three\n"),
    ("the byte order mark goes", "\ufefftoken fire", "token fire\n"),
    ("line ends become line feeds", "# a\r\ntoken fire\r\n\r\n\r\ntoken ice\r", "# a\ntoken fire\n\ntoken ice\n"),
    ("blanks behind a line go", "token fire   \n# a  \n", "token fire\n\n# a\n"),
    ("one space between words", 'token   fire  x8"Fire"\n', 'token fire x8 "Fire"\n'),
    ("texts stay as they are", 'token fire "A  ( b ,c"\n', 'token fire "A  ( b ,c"\n'),
    ("commas and colons", "die six :1 x2,2 , three\n", "die six: 1 x2, 2, three\n"),
    ("dots", "set surgery . items to 3\n", "set surgery.items to 3\n"),
    ("ranges and alternatives", "kind k:\n    a1: 0 .. 4\n    b1: x|y\n", "kind k:\n    a1: 0..4\n    b1: x | y\n"),
    ("operators", "value v: q+r*2-s/t mod 3<=u\n", "value v: q + r * 2 - s / t mod 3 <= u\n"),
    ("calls and parameters", "effect f ( who : room ) : g ( who , 2 ) . h ( )\n", "effect f(who: room): g(who, 2).h()\n"),
    ("calls of calls", "value v: f (1) (2)\n", "value v: f(1)(2)\n"),
    ("names of hooks", "instead of f ( who ): nothing\n", "instead of f(who): nothing\n"),
    ("groups", "value v: not( q )and( r or s )\n", "value v: not (q) and (r or s)\n"),
    ("a group after a sign", "value v: 2*( q )\n", "value v: 2 * (q)\n"),
    ("a quantity in brackets", "effect f(): draw exactly( n )cards\n", "effect f(): draw exactly (n) cards\n"),
    ("a group after a quantity", "effect f(): draw exactly(n)(cards in bag)\n", "effect f(): draw exactly (n) (cards in bag)\n"),
    ("costs", "action f:\n    cost( n )cards,1 ammo (w)\n", "action f:\n    cost (n) cards, 1 ammo(w)\n"),
    ("a name that is a keyword elsestep", "value v: top (q) + step (r)\n", "value v: top(q) + step(r)\n"),
    ("a minus between values", "value v: q-1-f(2)-(r)\n", "value v: q - 1 - f(2) - (r)\n"),
    ("a minus before a value", "value v: - q*- 1 - - r\n", "value v: -q * -1 - -r\n"),
    ("a minus after a keyword", "effect f(): set q to - 1\n", "effect f(): set q to -1\n"),
    ("a minus in a field", "room r:\n    cold - 1, - 2\n", "room r:\n    cold -1, -2\n"),
    ("a minus in a field on the same line", "room r: cold - 1\n", "room r: cold -1\n"),
    ("a minus in a case", "effect f():\n    match q:\n        - 1 : stop\n", "effect f():\n    match q:\n        -1: stop\n"),
    (
        "four spaces a level",
        "effect f():\n  if q:\n        stop\n  else:\n   skip\n",
        "effect f():\n    if q:\n        stop\n    else:\n        skip\n",
    ),
    (
        "broken lines stay broken",
        "effect f():\n    g(1,\n  2 ,\n              h( 3\n      ))\n    stop\n",
        "effect f():\n    g(1,\n            2,\n            h(3\n            ))\n    stop\n",
    ),
    (
        "comments between broken lines",
        "value v: (q # one\n  # two\n\n\n    and r)# three\n",
        "value v: (q  # one\n        # two\n\n        and r)  # three\n",
    ),
    (
        "at most one empty line inside",
        "effect f():\n\n\n    one()\n    two()\n\n\n\n    three()\n",
        "effect f():\n\n    one()\n    two()\n\n    three()\n",
    ),
    (
        "one empty line around long declarations",
        "kind k:\n    q: flag\nkind l\nkind m:\n    q: flag\n\n\n\nkind n:\n    q: flag\n",
        "kind k:\n    q: flag\n\nkind l\n\nkind m:\n    q: flag\n\nkind n:\n    q: flag\n",
    ),
    ("a broken line makes a long declaration", "value v: (q\n  or r)\nvalue w: q\n", "value v: (q\n        or r)\n\nvalue w: q\n"),
    (
        "short declarations of a sort stay together",
        "token fire\ntoken ice  # cold\n\n\ntoken mud\nplace bag\n",
        "token fire\ntoken ice  # cold\n\ntoken mud\n\nplace bag\n",
    ),
    (
        "an empty line before what has a comment above",
        "token fire\n# of ice\ntoken ice\n# end\n",
        "token fire\n\n# of ice\ntoken ice\n\n# end\n",
    ),
    (
        "empty lines around a ruler",
        "# head\n\n\ntoken fire\n# ---- ice ----\n\n\n# of ice\ntoken ice\ntoken mud\n",
        "# head\n\ntoken fire\n\n# ---- ice ----\n\n# of ice\ntoken ice\ntoken mud\n",
    ),
    (
        "a comment goes with the line that follows",
        "effect f():\n# one\n  one()\n# two\n      # three\n  two()\n",
        "effect f():\n    # one\n    one()\n    # two\n    # three\n    two()\n",
    ),
    (
        "a comment at the end of a block stays in it",
        "effect f():\n  if q:\n    stop\n    # deep\n  # middle\n# out\n",
        "effect f():\n    if q:\n        stop\n        # deep\n    # middle\n\n# out\n",
    ),
    (
        "a comment before 'else' is in the block it is indented for",
        "effect f():\n  if q:\n    stop\n     # of the block\n  # of else\n  else:\n    skip\n",
        "effect f():\n    if q:\n        stop\n        # of the block\n    # of else\n    else:\n        skip\n",
    ),
    (
        "after a comment outside a block none is inside",
        "effect f():\n    stop\n# out\n    # out too\n",
        "effect f():\n    stop\n\n# out\n# out too\n",
    ),
    (
        "two spaces before a comment behind code",
        "token fire# a\ntoken ice       # b\n",
        "token fire  # a\ntoken ice  # b\n",
    ),
    (
        "comments in one column stay in one",
        "effect f():          # a\n  if   q  :          # b\n    stop             # c\n  skip  # d\n",
        "effect f():   # a\n    if q:     # b\n        stop  # c\n    skip  # d\n",
    ),
    (
        "an empty line divides columns",
        "kind k:        # a\n    q: flag    # b\n\n    name: flag # c\nkind l         # d\n",
        "kind k:      # a\n    q: flag  # b\n\n    name: flag  # c\n\nkind l  # d\n",
    ),
]


def bare(node: Any) -> Any:
    """A tree as plain data without its spans."""
    if isinstance(node, dict):
        return {key: bare(value) for key, value in node.items() if key != "span"}
    return [bare(part) for part in node] if isinstance(node, list | tuple) else node


def tree(text: str) -> Any:
    """What a text means: its tree without spans."""
    parsed, problems = parse_rules(text, "t.rules")
    assert [problem for problem in problems if problem.code != "R111"] == []
    return bare(msgspec.to_builtins(parsed))


def comments(text: str) -> list[str]:
    return [comment.text for comment in lex.lex(text, "t.rules")[0].comments]


def formatted(text: str) -> str:
    """The text laid out, after checks that nothing but the layout changed and that it has settled."""
    result, problems = format_text(text, "t.rules")
    assert problems == []
    assert result is not None
    assert tree(result) == tree(text.removeprefix("\ufeff"))
    assert comments(result) == comments(text.removeprefix("\ufeff"))
    assert format_text(result, "t.rules") == (result, [])
    return result


@pytest.mark.parametrize(("before", "after"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_each_rule_of_the_layout(before: str, after: str) -> None:
    """Each rule of the layout, by a text and what it becomes."""
    assert formatted(before) == after


@pytest.mark.parametrize("file", FILES, ids=[file.relative_to(ROOT).as_posix() for file in FILES])
def test_files_keep_their_meaning(file: Path) -> None:
    """Every rules file in the repository that can be read keeps its tree and its comments; any other is refused with what is wrong with it."""
    text = file.read_bytes().decode("utf-8-sig", errors="replace")
    problems = [problem for problem in parse_rules(text, file.name)[1] if problem.code != "R111"]
    if problems:
        assert format_text(text, file.name) == (None, parse_rules(text, file.name)[1])
    else:
        formatted(text)


@pytest.mark.parametrize(
    ("text", "code"),
    [("token Fire\n", "R109"), ('token fire "\n', "R105"), ("token fire fire fire\n", "R101"), ("kind k:\n\tq: flag\n", "R103")],
)
def test_a_text_that_cannot_be_read_is_refused(text: str, code: str) -> None:
    """A text that does not lex or parse is refused with what is wrong with it."""
    result, problems = format_text("token ice\n" + text, "t.rules")
    assert result is None
    assert [problem.code for problem in problems] == [code]


@pytest.mark.parametrize(
    ("text", "limits", "code", "line"),
    [
        ("token ice\nvalue v: q+r+s+t\n", Limits(line_characters=20), "R602", 2),
        ("kind k:\n q: flag\nkind l:\n q: flag\n", Limits(file_lines=5), "R601", 1),
        ("kind k:\n q: flag\n", Limits(file_bytes=17), "R601", 1),
    ],
)
def test_too_large_once_laid_out(text: str, limits: Limits, code: str, line: int) -> None:
    """The limits hold for the result as well: what is printed can be read again."""
    assert parse_rules(text, "t.rules", limits)[1] == []
    result, problems = format_text(text, "t.rules", limits)
    assert result is None
    assert [(problem.code, problem.span.line) for problem in problems] == [(code, line)]


def test_comments_are_no_part_of_a_statement_however_many() -> None:
    """Comments are no part of a statement, however many there are."""
    text = "# one\n" * 300 + "token fire\n"
    assert formatted(text) == text


# ---- random texts ---------------------------------------------------------------------------------------------------


def disturbed(random: Random, text: str, notes: bool) -> str:
    """The rules of a text that is laid out, with other spaces; with notes also other comments, breaks and empty lines."""
    read, _ = lex.lex(text, "t.rules")
    tokens: dict[int, list[lex.Token]] = {}
    for token in (token for chunk in read.chunks for token in chunk.tokens if token.value):
        tokens.setdefault(token.line, []).append(token)
    remarks = {comment.line: comment.text for comment in read.comments}
    columns = list(accumulate(random.choices(range(1, 7), k=9), initial=0))
    lines: list[str] = []
    brackets = 0
    for number, line in enumerate(text.split("\n"), start=1):
        if notes and random.random() < 0.2:
            lines += random.choices(["", "   ", " " * random.randrange(9) + f'# {number} ("  '], k=random.randrange(1, 4))
        depth = (len(line) - len(line.lstrip())) // 4
        column = random.randrange(1, 12) if brackets else columns[depth]
        code, brackets = respaced(random, tokens.get(number, []), brackets, notes)
        if number in remarks:
            code += " " * random.randrange(4) + remarks[number]
        elif notes and code and random.random() < 0.3:
            code += " " * random.randrange(4) + f"#{number}"
        lines.append(" " * column + code + " " * random.randrange(2))
    return random.choice(["\n", "\r\n"]).join(lines)


def respaced(random: Random, tokens: list[lex.Token], brackets: int, notes: bool) -> tuple[str, int]:
    """The tokens of a line with other spaces between them, and breaks inside brackets; how many of them are open now."""
    code, before = "", ""
    for token in tokens:
        if code and notes and brackets and random.random() < 0.1:
            code += random.choice(["\n ", " # broken\n     ", "\n\n  #alone\n  "])
        elif code:
            joined = before in ("WORD", "INTEGER") and token.type in ("WORD", "INTEGER")
            code += " " * (random.randrange(4) or joined)
        code += token.value
        before = token.type
        brackets += (token.value == "(") - (token.value == ")")
    return code, brackets


def test_sample_is_laid_out() -> None:
    """The sample of the random tests is a fixed point of the layout."""
    assert formatted(SAMPLE) == SAMPLE


@settings(deadline=None, max_examples=40)
@given(st.randoms(use_true_random=True))
def test_spaces_do_not_matter(random: Random) -> None:
    """Whatever spaces and indentation the author used, the result is the same."""
    assert formatted(disturbed(random, SAMPLE, notes=False)) == SAMPLE


@settings(deadline=None, max_examples=40)
@given(st.randoms(use_true_random=True))
def test_random_texts_keep_their_meaning(random: Random) -> None:
    """Comments, breaks and empty lines wherever they may stand: the tree stays, no comment is lost, the result settles."""
    text = disturbed(random, SAMPLE, notes=True)
    assert tree(text) == tree(SAMPLE)
    formatted(text)
