"""Declarations: the title and the text of each sort, as markup.

Every sort of declaration that has a name has its function in `TOLD`; a test holds that table against the tree.
"""

from __future__ import annotations

from collections.abc import Callable

from rulewright import tree as t
from rulewright.resolve.linked import Item
from rulewright_tools.docs.cards import card_text
from rulewright_tools.docs.hooks import HOOKS, hook, lines
from rulewright_tools.docs.kinds import kind_text
from rulewright_tools.docs.lexicon import capital, spaced
from rulewright_tools.docs.making import Making, parameters, place_words, type_words
from rulewright_tools.docs.phrases import joined
from rulewright_tools.docs.sentences import Tell
from rulewright_tools.page import escape
from rulewright_tools.table.style import PALETTE


def told(making: Making, item: Item) -> tuple[str, str]:
    """The title and the text of a declaration."""
    title, text = TOLD[type(item.declaration)](making, item)
    return title, text


def name_of(making: Making, item: Item) -> str:
    """What an item is called."""
    return escape(capital(making.lexicon.label(item.path)))


def _effect(making: Making, item: Item) -> tuple[str, str]:
    declared = item.declaration
    assert isinstance(declared, t.EffectDecl)
    tell = making.tell(item)
    tell.gives = "the result is"
    about = parameters(tell, declared.parameters)
    return name_of(making, item), about + (tell.block(declared.body.statements) if declared.body is not None else "")


def _value(making: Making, item: Item) -> tuple[str, str]:
    assert isinstance(item.declaration, t.ValueDecl)
    tell = making.tell(item)
    return name_of(making, item), value_text(tell, item.declaration)


def value_text(tell: Tell, declared: t.ValueDecl) -> str:
    """What a value is."""
    about = parameters(tell, declared.parameters)
    if declared.value is not None:
        return f'{about}<p class="is">{tell.test(declared.value)}</p>'
    return about + (tell.block(declared.body.statements) if declared.body is not None else "")


def _action(making: Making, item: Item) -> tuple[str, str]:
    assert isinstance(item.declaration, t.ActionDecl | t.CostDecl)
    tell = making.tell(item)
    about = parameters(tell, item.declaration.parameters) if isinstance(item.declaration, t.CostDecl) else ""
    return name_of(making, item), about + lines(tell, item.declaration.lines)


def _rule(making: Making, item: Item) -> tuple[str, str]:
    assert isinstance(item.declaration, t.RuleDecl)
    tell = making.tell(item)
    return name_of(making, item), f'<div class="hook">{hook(tell, item.declaration.hook)}</div>'


def _kind(making: Making, item: Item) -> tuple[str, str]:
    return name_of(making, item), kind_text(making, item)


def _place(making: Making, item: Item) -> tuple[str, str]:
    assert isinstance(item.declaration, t.PlaceDecl)
    of = f' <span class="with">({escape(making.lexicon.label(item.declaration.of))})</span>' if item.declaration.of else ""
    return name_of(making, item) + of, f'<p class="is">{place_words(making, item.declaration)}</p>'


def _die(making: Making, item: Item) -> tuple[str, str]:
    assert isinstance(item.declaration, t.DieDecl)
    faces = [face.value for face in item.declaration.faces for _ in range(min(face.copies, 200))]
    shape = "faces" if item.declaration.what == "die" else "spaces"
    row = "".join(f"<li{colour(face)}>{escape(making.lexicon.word(face))}</li>" for face in faces)
    return name_of(making, item), f'<ol class="{shape}">{row}</ol>'


def colour(word: object) -> str:
    """The class of something that is called as a colour is."""
    return f' class="c-{word}"' if word in PALETTE else ""


def _grid(making: Making, item: Item) -> tuple[str, str]:
    declared = item.declaration
    assert isinstance(declared, t.GridDecl)
    return name_of(making, item), f'<p class="is">{declared.rows} × {declared.columns}, {escape(making.lexicon.plural(declared.kind))}</p>'


def _number(making: Making, item: Item) -> tuple[str, str]:
    assert isinstance(item.declaration, t.NumberDecl)
    return name_of(making, item), f'<p class="is"><b>{item.declaration.value}</b></p>'


def _words(making: Making, item: Item) -> tuple[str, str]:
    assert isinstance(item.declaration, t.WordsDecl)
    return name_of(making, item), f'<p class="is">{joined([escape(making.lexicon.word(word)) for word in item.declaration.words], "or")}</p>'


def _state(making: Making, item: Item) -> tuple[str, str]:
    declared = item.declaration
    assert isinstance(declared, t.StateDecl)
    tell = making.tell(item)
    begins = f", at first {joined([tell(value) for value in declared.default])}" if declared.default else ""
    return name_of(making, item), f'<p class="is">{type_words(making.lexicon, declared.type)}{begins}</p>'


def _component(making: Making, item: Item) -> tuple[str, str]:
    return name_of(making, item), card_text(making, item)


def _free_hook(making: Making, item: Item) -> tuple[str, str]:
    return escape(capital(spaced(item.path))), f'<div class="hook">{hook(making.tell(item), item.declaration)}</div>'


TOLD: dict[type, Callable[[Making, Item], tuple[str, str]]] = {
    t.EffectDecl: _effect,
    t.ValueDecl: _value,
    t.ActionDecl: _action,
    t.CostDecl: _action,
    t.RuleDecl: _rule,
    t.KindDecl: _kind,
    t.ComponentDecl: _component,
    t.PlaceDecl: _place,
    t.DieDecl: _die,
    t.GridDecl: _grid,
    t.NumberDecl: _number,
    t.WordsDecl: _words,
    t.StateDecl: _state,
    **{each: _free_hook for each in HOOKS if each is not t.RuleDecl},
}
