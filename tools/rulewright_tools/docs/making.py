"""What every entry of a page is made with: names, comments, colours, the rulebook, and what hooks on what.

Takes a build; gives what the other parts ask for, and the words for types, places and parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from rulewright import tree as t
from rulewright.build import Built
from rulewright.resolve.linked import Item, member_name
from rulewright_tools.docs.comments import Comments
from rulewright_tools.docs.history import History
from rulewright_tools.docs.hooks import HOOKS, hook
from rulewright_tools.docs.lexicon import Lexicon, anchor_of, spaced
from rulewright_tools.docs.phrases import joined
from rulewright_tools.docs.sentences import Tell
from rulewright_tools.page import anchor, escape
from rulewright_tools.table.style import Style, read_style

SHAPES = {"area": "an area", "pile": "a pile", "bag": "a bag", "row": "a row", "stack": "a stack"}


class Making:
    """What every entry is made with."""

    def __init__(self, built: Built, lexicon: Lexicon, history: History) -> None:
        assert built.linked is not None
        self.lexicon, self.history, self.built = lexicon, history, built
        self.comments = Comments(built.texts)
        self.style: Style = read_style(built.sources.packages)
        books = [package.rulebook.data["rules"] for package in built.sources.packages if package.rulebook is not None]
        self.rulebook: Mapping[str, tuple[str, str]] = {
            rule["id"]: (str(rule.get("page") or rule.get("source") or ""), str(rule["statement"])) for book in books for rule in book
        }
        self.hooks = self._hooks()

    def _hooks(self) -> dict[str, list[str]]:
        """Links to the named rules that change a rule, by its path."""
        assert self.built.linked is not None
        found: dict[str, list[str]] = {}
        for key, item in self.built.linked.items.items():
            if isinstance(item.declaration, t.RuleDecl):
                target = _target(item.declaration.hook)
                found.setdefault(target, []).append(self.lexicon.link(key, spaced(item.path)))
        for declared in self.lexicon.graph["components"]:
            component = self.built.linked.items.get(declared)
            for inner in _hooks_in(component.declaration) if component is not None else ():
                link = self.lexicon.link(declared, self.lexicon.label(declared))
                if link not in found.setdefault(_target(inner), []):
                    found[_target(inner)].append(link)
        return found

    def tell(self, item: Item, this: str = "") -> Tell:
        """What says the statements of an item; lines of a layer in a rule of the game are marked."""
        own = self.history.layer_of(item.declaration.span.file)

        def foreign(node: Any) -> str:
            layer = self.history.layer_of(node.span.file)
            return layer if layer != own else ""

        return Tell(self.lexicon, this, foreign, hook)


def _target(declared: Any) -> str:
    return str(getattr(declared, "event", None) or getattr(declared, "target", None) or getattr(declared, "track", None) or "")


def _hooks_in(node: Any) -> Iterator[Any]:
    for member in getattr(node, "members", ()):
        if isinstance(member, t.While):
            yield from _hooks_in(member)
        elif isinstance(member, t.RuleDecl):
            yield member.hook
        elif type(member) in HOOKS:
            yield member


def parameters(tell: Tell, given: Sequence[t.Parameter]) -> str:
    """What a rule is about, below its title."""
    told = [tell.variable(each.name) + (f" ({type_words(tell.lexicon, each.type)})" if each.type is not None else "") for each in given]
    return f'<p class="about">{escape(tell.lexicon.say("about"))} {joined(told)}</p>' if told else ""


def type_words(lexicon: Lexicon, of: t.TypeRef) -> str:
    """What sort of value it is."""
    inner = type_words(lexicon, of.of) if of.of is not None else ""
    forms: dict[str, Callable[[], str]] = {
        "flag": lambda: "yes or no",
        "range": lambda: f"{of.low} to {of.high}",
        "words": lambda: joined([escape(lexicon.word(each)) for each in of.words], "or"),
        "set": lambda: f"several: {inner}",
        "list": lambda: f"a list: {inner}",
        "sort": lambda: f"a sort of {escape(lexicon.label(of.name))}",
    }
    made = forms.get(of.how, lambda: escape(lexicon.label(of.name)) if of.name else of.how)()
    return f"{made} or nothing" if of.optional else made


def place_words(making: Making, declared: t.PlaceDecl) -> str:
    """What a place is like."""
    told = escape(SHAPES.get(declared.shape, declared.shape))
    told += f" of {escape(making.lexicon.plural(declared.holds))}" if declared.holds is not None else ""
    told += f", holds up to {declared.capacity}" if declared.capacity is not None else ""
    return told + (f", seen by {Tell(making.lexicon)(declared.seen_by)}" if declared.seen_by is not None else "")


def member_anchor(item: Item, member: Any) -> str:
    """Where a member of something stands."""
    return anchor(f"{anchor_of(item)}.{member_name(member)}")
