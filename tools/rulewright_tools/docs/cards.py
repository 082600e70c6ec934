"""Components as they lie on a table: what has a text as a card with its colour, what has none as a piece with how many there are of it.

Takes components of the linked ruleset, gives markup. Colours and symbols are those of table.yaml.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from rulewright import tree as t
from rulewright.resolve.linked import Item
from rulewright_tools.docs.kinds import MEMBERS, members
from rulewright_tools.docs.lexicon import spaced
from rulewright_tools.docs.making import Making
from rulewright_tools.docs.sentences import Tell
from rulewright_tools.page import escape
from rulewright_tools.table.model import Look


def is_piece(item: Item) -> bool:
    """Whether nothing is printed on it but its name."""
    declared = item.declaration
    return isinstance(declared, t.ComponentDecl) and not any(
        type(member) in MEMBERS or isinstance(member, t.FieldLine) for member in declared.members
    )


def look_of(making: Making, item: Item) -> Look:
    """How a component is drawn."""
    declared = item.declaration
    assert isinstance(declared, t.ComponentDecl)
    kinds = list[str]()
    kind: str | None = declared.kind
    while kind is not None and kind in making.lexicon.graph["kinds"]:
        kinds.insert(0, kind)
        kind = making.lexicon.graph["kinds"][kind]["parent"]
    fields = making.lexicon.graph["components"].get(item.path, {}).get("fields", {})
    first = {name: value["copies"][0] if isinstance(value, dict) and value.get("copies") else value for name, value in fields.items()}
    return making.style.look([*kinds, item.path], first)


def copies_of(making: Making, item: Item) -> int:
    """How many there are."""
    copies: int = making.lexicon.graph["components"].get(item.path, {}).get("copies") or getattr(item.declaration, "copies", None) or 1
    return copies


def card_text(making: Making, item: Item) -> str:
    """What is printed on it: facts, then what it does."""
    declared = item.declaration
    assert isinstance(declared, t.ComponentDecl)
    tell = making.tell(item, f"this {escape(making.lexicon.label(declared.kind))}")
    lines = [member for member in declared.members if isinstance(member, t.FieldLine)]
    marks = "".join(
        f'<span class="flag">{escape(making.lexicon.fields.get(line.name) or spaced(line.name))}</span>' for line in lines if not line.values
    )
    rows = "".join(_fact(making, tell, item, line) for line in lines if line.values)
    facts = (f'<p class="flags">{marks}</p>' if marks else "") + (f'<dl class="facts">{rows}</dl>' if rows else "")
    return facts + members(making, tell, item, declared.members)


def _fact(making: Making, tell: Tell, item: Item, line: t.FieldLine) -> str:
    label = making.lexicon.fields.get(line.name) or spaced(line.name)
    kind = making.lexicon.graph["kinds"].get(getattr(item.declaration, "kind", ""), {"fields": {}})
    words = kind["fields"].get(line.name, {}).get("type", {}).get("how") == "words"
    return f"<div><dt>{escape(label)}</dt><dd>{_values(tell, line.values, words)}</dd></div>"


def _values(tell: Tell, values: Sequence[Any], words: bool) -> str:
    """Values, copy by copy: what is the same several times in a row is said once."""
    said = (escape(tell.lexicon.word(value.word)) if words and isinstance(value, t.Name) else tell(value) for value in values)
    runs = [(each, len(list(group))) for each, group in groupby(said)]
    return ", ".join(f"{each} ×{count}" if count > 1 else each for each, count in runs)
