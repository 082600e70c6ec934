"""Kinds: what all of one kind have (fields, places), what holds for each of them, and what can be done with it.

Takes a kind of the linked ruleset, gives markup; members have anchors of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright import tree as t
from rulewright.resolve.linked import Item, member_name
from rulewright_tools.docs.hooks import HOOKS, hook, lines
from rulewright_tools.docs.lexicon import spaced
from rulewright_tools.docs.making import Making, member_anchor, parameters, place_words, type_words
from rulewright_tools.docs.phrases import Say, article, joined
from rulewright_tools.docs.sentences import Tell
from rulewright_tools.page import escape

LINES = {
    "starts": "starts in",
    "decided": "decided by",
    "hidden": "hidden while",
    "described": "called",
    "actions": "its actions are for",
    "holds": "holds up to",
}


def kind_text(making: Making, item: Item) -> str:
    """A kind with all its members."""
    declared = item.declaration
    assert isinstance(declared, t.KindDecl)
    lexicon = making.lexicon
    facts = []
    if declared.parent is not None and declared.parent != "place":
        facts.append(f"is {article(lexicon.link(lexicon.thing(declared.parent), lexicon.label(declared.parent)))}")
    if declared.links is not None:
        facts.append(f"joins {joined([escape(lexicon.label(end)) for end in declared.links])}")
    tell = making.tell(item, f"this {escape(lexicon.label(item.path))}")
    head = f'<p class="is">{", ".join(facts)}</p>' if facts else ""
    fields = [member for member in declared.members if isinstance(member, t.FieldDecl | t.PlaceDecl | t.KindLine)]
    rows = "".join(_row(making, tell, item, member) for member in fields)
    return head + (f'<dl class="fields">{rows}</dl>' if rows else "") + members(making, tell, item, declared.members)


def _row(making: Making, tell: Tell, item: Item, member: Any) -> str:
    note = making.comments.behind(member.span)
    said = f' <span class="with">{making.lexicon.prose(note)}</span>' if note else ""
    match member:
        case t.FieldDecl():
            default = f", at first {joined([tell(value) for value in member.default])}" if member.default else ""
            seen = f", seen by {tell(member.seen_by)}" if member.seen_by is not None else ""
            label = making.lexicon.catalog.names.get(f"{item.path}.{member.name}") or spaced(member.name)
            return f"<dt>{escape(label)}</dt><dd>{type_words(making.lexicon, member.type)}{default}{seen}{said}</dd>"
        case t.PlaceDecl():
            return f"<dt>{escape(making.lexicon.label(f'{item.path}.{member.name}'))}</dt><dd>{place_words(making, member)}{said}</dd>"
    amount = f"{member.amount} " if member.amount is not None else ""
    return f"<dt>{LINES.get(member.how, spaced(member.how))}</dt><dd>{amount}{tell(member.value)}{said}</dd>"


# -- what holds for each, and what can be done with it


def members(making: Making, tell: Tell, item: Item, given: tuple[Any, ...]) -> str:
    """Effects, values, actions and hooks of a kind or a component."""
    return "".join(MEMBERS[type(member)](making, tell, item, member) for member in given if type(member) in MEMBERS)


def _part(making: Making, tell: Tell, item: Item, member: Any, title: str, text: str) -> str:
    layer = tell.foreign(member)
    mark = f' <span class="mark changed">{escape(layer)}</span>' if layer else ""
    note = making.comments.before(member.span)
    said = f'<p class="note">{making.lexicon.prose(note)}</p>' if note else ""
    named = member_name(member) is not None
    address = f' id="{escape(member_anchor(item, member))}"' if named else ""
    return f'<div class="part"{address}><p class="part-name">{title}{mark}</p>{said}{text}</div>'


def _scoped(tell: Tell) -> Tell:
    """The same with names of its own."""
    return Tell(tell.lexicon, tell.this, tell.foreign, tell.hook)


def _effect(making: Making, tell: Tell, item: Item, member: t.EffectDecl) -> str:
    own = _scoped(tell)
    about = parameters(own, member.parameters)
    text = own.block(member.body.statements) if member.body is not None else '<p class="is">each says its own</p>'
    return _part(making, tell, item, member, escape(spaced(member.name)), about + text)


def _value(making: Making, tell: Tell, item: Item, member: t.ValueDecl) -> str:
    own = _scoped(tell)
    about = parameters(own, member.parameters)
    if member.value is not None:
        text = f'<p class="is">{own.test(member.value)}</p>'
    else:
        text = own.block(member.body.statements) if member.body is not None else '<p class="is">each says its own</p>'
    return _part(making, tell, item, member, escape(spaced(member.name)), about + text)


def _action(making: Making, tell: Tell, item: Item, member: t.ActionDecl) -> str:
    label = making.lexicon.catalog.names.get(f"{item.path}.{member.name}") or member.label or spaced(member.name)
    return _part(making, tell, item, member, f'<span class="sort">action</span> {escape(label)}', lines(_scoped(tell), member.lines))


def _own(making: Making, tell: Tell, item: Item, member: t.MemberDef) -> str:
    """What a component says for itself."""
    own = _scoped(tell)
    own.known |= _names_given(making, item, member.name)
    if member.value is not None:
        return _part(making, tell, item, member, escape(spaced(member.name)), f'<p class="is">{own.test(member.value)}</p>')
    return _part(making, tell, item, member, escape(spaced(member.name)), own.block(member.body.statements if member.body is not None else ()))


def _names_given(making: Making, item: Item, name: str) -> set[str]:
    """The names of what an effect or value of a kind is given, wherever among its kinds that is declared."""
    kind = getattr(item.declaration, "kind", None)
    for table in ("effects", "values"):
        while kind is not None:
            if (declared := making.lexicon.graph[table].get(f"{kind}.{name}")) is not None:
                return {parameter["name"] for parameter in declared["parameters"]}
            kind = making.lexicon.graph["kinds"].get(kind, {}).get("parent")
        kind = getattr(item.declaration, "kind", None)
    return set()


def _hook(making: Making, tell: Tell, item: Item, member: Any) -> str:
    title = escape(spaced(member.name)) if isinstance(member, t.RuleDecl) else ""
    text = f'<div class="hook">{hook(_scoped(tell), member)}</div>'
    return _part(making, tell, item, member, title, text) if title else f'<div class="part">{text}</div>'


def _while(making: Making, tell: Tell, item: Item, member: t.While) -> str:
    say: Say = _scoped(tell)
    return f'<div class="part"><p class="while"><b>while</b> {say.test(member.test)}:</p>{members(making, tell, item, member.members)}</div>'


MEMBERS: dict[type, Callable[[Making, Tell, Item, Any], str]] = {
    t.EffectDecl: _effect,
    t.ValueDecl: _value,
    t.ActionDecl: _action,
    t.MemberDef: _own,
    t.While: _while,
    **dict.fromkeys(HOOKS, _hook),
}
