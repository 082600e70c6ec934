"""Occurrences: every word of a rules file that names something, with what it names.

Takes a tree, the words of its text and what the check understood; gives an `Occurrence` for each word. What the check did not get to, because something around it is wrong, is understood by
its place alone, or left out.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from rulewright import tree as t
from rulewright.diagnostics import Span
from rulewright.resolve.cites import PLAIN
from rulewright.types import Type, kind_type
from rulewright_tools.lsp.meanings import Declared, Meanings, key_in
from rulewright_tools.lsp.words import Word, Words

UNITS = (t.EffectDecl, t.ValueDecl, t.ActionDecl, t.CostDecl, t.HookDecl, t.RunsOut, t.Reaches, t.ChangeDecl, t.CostChange, t.Reaction, t.MemberDef)  # fmt: skip


class Occurrence(NamedTuple):
    """A word that names something. A local name is one inside `unit`."""

    span: Span
    key: str
    declares: bool = False
    unit: Span | None = None


class Around(NamedTuple):
    """What a node stands in: the kind or component, what has local names, and the path of what has steps."""

    owner: str | None = None
    unit: Span | None = None
    path: str = ""


Found = Iterator[tuple[Word, str, bool]]


def occurrences(tree: t.RulesTree, words: Words, meanings: Meanings, declared: Mapping[str, Declared]) -> list[Occurrence]:
    """All of a file, in their order."""
    reader = _Reader(tree.file, words, meanings, declared)
    for declaration in tree.declarations:
        reader.visit(declaration, Around())
    made = {(each.key, each.unit) for each in reader.found.values() if each.declares}
    found = [_by_its_noun(each, made, meanings) for each in reader.found.values()]
    return sorted(found, key=lambda each: (each.span.line, each.span.column))


def _by_its_noun(each: Occurrence, made: set[tuple[str, Span | None]], meanings: Meanings) -> Occurrence:
    """A local name that nobody gave is that of the noun before it: `for each card in hand: discard(card)`."""
    noun = meanings.symbols.noun(each.key.removeprefix("local ")) if each.key.startswith("local ") else None
    return each if noun is None or (each.key, each.unit) in made else each._replace(key=noun, unit=None)


class _Reader:
    """Goes through one tree."""

    def __init__(self, file: str, words: Words, meanings: Meanings, declared: Mapping[str, Declared]) -> None:
        self.file = file
        self.words = words
        self.meanings = meanings
        self.symbols = meanings.symbols
        self.declared = declared
        self.found: dict[Span, Occurrence] = {}

    def visit(self, node: Any, around: Around) -> None:
        """A node and everything in it."""
        if type(node) is tuple:
            for part in node:
                self.visit(part, around)
            return
        if not isinstance(node, t.Node):
            return
        inner = self.inside(node, around)
        reads = TABLE.get(type(node))
        for word, key, declares in reads(self, node, inner) if reads is not None else ():
            span = word.span(self.file)
            unit = inner.unit if key.startswith("local ") else None
            if span not in self.found or declares:
                self.found[span] = Occurrence(span, key, declares, unit)
        for name in node.__struct_fields__:
            if type(part := getattr(node, name)) not in PLAIN:
                self.visit(part, inner)

    def inside(self, node: Any, around: Around) -> Around:
        """What the parts of a node stand in."""
        if isinstance(node, t.KindDecl | t.ComponentDecl):
            return Around(node.name, None, node.name)
        if isinstance(node, t.AddTo | t.More):
            return Around(node.path, None, node.path)
        if isinstance(node, UNITS):
            name = getattr(node, "name", None)
            return Around(around.owner, node.span, f"{around.path}.{name}" if around.path and name else str(name or ""))
        if isinstance(node, t.Insert):
            return Around(around.owner, node.span, node.path.rpartition(".")[0])
        if isinstance(node, t.Step):
            return around._replace(path=f"{around.path}.{node.name}" if around.path else node.name)
        return around

    # -- finding words

    def word(self, span: Span, text: str, skip: int = 0) -> Word | None:
        """The first word in a stretch that reads so, some left out."""
        return next((word for number, word in enumerate(self.words.inside(span)) if number >= skip and word.text == text), None)

    def local(self, span: Span, name: str | None, skip: int = 0, declares: bool = True) -> Found:
        if name is not None and (word := self.word(span, name, skip)) is not None:
            yield word, f"local {name}", declares

    def one(self, span: Span, text: str | None, key: str | None, declares: bool = False, skip: int = 0) -> Found:
        if text is not None and key is not None and (word := self.word(span, text, skip)) is not None:
            yield word, key, declares

    def path(self, span: Span, path: str, sorts: tuple[str, ...], declares: bool = False, skip: int = 1) -> Found:
        """A path of names behind each other: each beginning of it names something, too."""
        names = path.split(".")
        inside = list(self.words.inside(span))
        for at in range(skip, len(inside) - 2 * len(names) + 2):
            if [word.text for word in inside[at : at + 2 * len(names) - 1 : 2]] == names and all(
                word.text == "." for word in inside[at + 1 : at + 2 * len(names) - 2 : 2]
            ):
                for number in range(len(names)):
                    last = number == len(names) - 1
                    key = self.key(".".join(names[: number + 1]), sorts if last else ("", "effect"), whole=last)
                    if key is not None:
                        yield inside[at + 2 * number], key, declares and last
                return

    def key(self, path: str, sorts: tuple[str, ...], whole: bool = True) -> str | None:
        """What a path leads to, as the first of some sorts for which there is something."""
        if (found := next((key for sort in sorts if (key := key_in(sort, path)) in self.declared), None)) is not None:
            return found
        owner, _, name = path.rpartition(".")
        if owner and (member := self.meanings.member(kind_type(owner), name)) is not None:
            return member
        if path in self.symbols.plurals:
            return self.symbols.plurals[path]
        return next((key for sort in ("", "effect", "cost", "rule") if (key := key_in(sort, path)) in self.declared), None) if whole else None

    def noun(self, span: Span, word: str | None, skip: int = 0) -> Found:
        """A kind or component, or a list of words."""
        if word is not None:
            yield from self.one(span, word, self.symbols.noun(word) or (word if word in self.declared else None), skip=skip)

    # -- expressions

    def name(self, node: t.Name, around: Around) -> Found:
        key = self.meanings.names.get(node.span)
        yield from self.one(node.span, node.word, key or self.meanings.everywhere(node.word) or f"word {node.word}")

    def dot(self, node: t.Dot, around: Around) -> Found:
        base = node.base.span
        behind = Span(node.span.file, base.end_line, base.end_column, node.span.end_line, node.span.end_column)
        yield from self.one(behind, node.word, self.meanings.member(self.type_of(node.base, around), node.word))

    def type_of(self, node: Any, around: Around) -> Type | None:
        if isinstance(node, t.Name) and node.word == "self" and around.owner is not None:
            return self.meanings.types.get(node.span) or kind_type(around.owner)
        return self.meanings.types.get(node.span)

    def compare(self, node: t.Compare, around: Around) -> Found:
        """`X is WORD`: what a word says of a thing."""
        if node.op in ("is", "is not") and isinstance(node.right, t.Name) and node.right.span not in self.meanings.names:
            yield from self.one(node.right.span, node.right.word, self.adjective(node.right.word, self.type_of(node.left, around)))

    def call(self, node: t.Call, around: Around) -> Found:
        if isinstance(node.target, t.Name):
            word = node.target.word
            key = next((key for key in (f"{word}()", word) if key in self.declared), None)
            if key is None and around.owner is not None:
                key = self.meanings.member(kind_type(around.owner), word)
            yield from self.one(node.target.span, word, key or f"word {word}")

    def query(self, node: t.Query, around: Around) -> Found:
        if not node.words:
            return
        one, outside = self.meanings.queries.get(node.span, (None, frozenset[str]()))
        if one is None and (noun := self.symbols.noun(node.words[-1])) is not None:
            one = kind_type(noun)
        behind = itertools.dropwhile(lambda word: word.text != node.words[0], self.words.inside(node.span))  # an article
        inside = [word for word, text in zip(behind, node.words, strict=False) if word.text == text]
        for number, word in enumerate(inside):
            last = number == len(node.words) - 1
            key = self.noun_key(node, word.text, one, outside) if last else self.adjective(word.text, one)
            if key is not None:
                yield word, key, last and key.startswith("local ") and word.text not in outside

    def noun_key(self, node: t.Query, word: str, one: Type | None, outside: frozenset[str]) -> str | None:
        clause = node.clauses[0] if node.clauses else None
        if len(node.words) == 1 and clause is not None and clause.how == "of" and clause.operand is not None:
            key = self.meanings.member(self.meanings.types.get(clause.operand.span), word)
            if key is not None:
                return key
        if word not in outside and (noun := self.symbols.noun(word)) is not None:
            return noun
        if word in outside or one is not None:
            return self.meanings.everywhere(word) if word not in outside and self.meanings.everywhere(word) else f"local {word}"
        return self.meanings.everywhere(word)

    def adjective(self, word: str, one: Type | None) -> str | None:
        return self.meanings.member(one, word) or self.meanings.everywhere(word) or f"word {word}"

    # -- declarations

    def declares(self, node: Any, around: Around) -> Found:
        """The name of a declaration, behind the word that begins it."""
        what = getattr(node, "what", None) or WHAT.get(type(node), "")
        owner = around.owner if not isinstance(node, t.KindDecl | t.ComponentDecl) else None
        name, prefix = node.name, f"{owner}." if owner else ""
        if isinstance(node, t.PlaceDecl) and node.of:
            prefix = f"{node.of}."
        elif isinstance(node, t.Step):
            prefix = around.path.removesuffix(node.name)
        key = key_in(what, prefix + name)
        if "." in name or key not in self.declared:
            yield from self.path(node.span, name, (what,), declares=key in self.declared)
        else:
            yield from self.one(node.span, name, key, True, skip=1)

    def kind(self, node: t.KindDecl, around: Around) -> Found:
        yield from self.declares(node, around)
        for other in (node.parent, *(node.links or ())):
            yield from self.noun(node.span, other, skip=2)
        yield from self.one(node.span, node.plural, node.name, skip=2)

    def component(self, node: t.ComponentDecl, around: Around) -> Found:
        yield from self.declares(node, around)
        yield from self.noun(node.span, node.kind)
        yield from self.one(node.span, node.plural, node.name, skip=2)

    def field(self, node: t.FieldDecl, around: Around) -> Found:
        yield from self.one(node.span, node.name, f"{around.owner}.{node.name}", True)

    def said(self, node: t.FieldLine | t.EachOf | t.MemberDef, around: Around) -> Found:
        """What a component says of a member of its kind."""
        yield from self.one(node.span, node.name, self.meanings.member(kind_type(around.owner or ""), node.name))

    def place(self, node: t.PlaceDecl, around: Around) -> Found:
        yield from self.declares(node, around)
        for other in (node.of, node.holds):
            yield from self.noun(node.span, other, skip=2)

    def action(self, node: t.ActionDecl, around: Around) -> Found:
        yield from self.declares(node, around)
        yield from self.groups(node, node.groups)

    def groups(self, node: Any, groups: Iterable[str]) -> Found:
        for group in groups:
            yield from self.one(node.span, group, f"group {group}", skip=1)

    def hook(self, node: Any, around: Around) -> Found:
        path = node.target if isinstance(node, t.ChangeDecl | t.CostChange) else node.event
        yield from self.path(node.span, path, ("",) if isinstance(node, t.ChangeDecl) else ("effect", ""))
        if isinstance(node, t.Reaction) and node.name is not None:
            yield from self.one(node.span, node.name, f"{around.owner}.{node.name}" if around.owner else node.name, True, skip=1)
        if once := getattr(node, "once", None):
            yield from self.path(node.span, once, ("effect",), skip=2)

    def event(self, node: Any, around: Around) -> Found:
        """A statement that names something which happens."""
        path = node.until if isinstance(node, t.Set) else node.event
        if path is not None:
            yield from self.path(node.span, path, ("effect",))

    def changed(self, node: Any, around: Around) -> Found:
        """What a layer speaks of."""
        what = getattr(node, "what", "")
        sorts = (what, "") if what else ("", "effect")
        if isinstance(node, t.Remove):
            yield from self.noun(node.span, what, skip=1)
        for path in getattr(node, "paths", None) or (node.path,):
            yield from self.path(node.span, path, ("effect",) if isinstance(node, t.Insert) else sorts, skip=1)

    def cost_item(self, node: t.CostItem, around: Around) -> Found:
        cost = self.symbols.cost(node.name)
        yield from self.one(node.span, node.name, f"cost {cost.path}" if cost is not None else None)

    def citation(self, node: t.Citation, around: Around) -> Found:
        """All of a rule's id counts as one word."""
        if node.span.line == node.span.end_line:
            yield Word("name", node.id, node.span.line, node.span.column, node.span.end_column), f"cite {node.id}", False


WHAT: dict[type, str] = {
    t.KindDecl: "kind", t.ComponentDecl: "component", t.PlaceDecl: "place", t.GridDecl: "grid", t.NumberDecl: "number", t.StateDecl: "state", t.ValueDecl: "value",
    t.ActionDecl: "action", t.CostDecl: "cost", t.Step: "step", t.RuleDecl: "rule", t.WordsDecl: "words",
}  # fmt: skip
Reading = Callable[[_Reader, Any, Around], Found]
TABLE: dict[type, Reading] = {
    t.Name: _Reader.name, t.Dot: _Reader.dot, t.Call: _Reader.call, t.Compare: _Reader.compare, t.Query: _Reader.query,
    t.Roll: lambda self, node, around: self.one(node.span, node.die, self.meanings.everywhere(node.die), skip=1),
    t.Let: lambda self, node, around: self.local(node.span, node.name, 1),
    t.Choose: lambda self, node, around: self.local(node.span, node.name, 1),
    t.Draw: lambda self, node, around: self.local(node.span, node.name, 1),
    t.Narrow: lambda self, node, around: self.local(node.span, node.name, 1),
    t.Parameter: lambda self, node, around: self.local(node.span, node.name),
    t.Proceed: lambda self, node, around: (each for name in node.names for each in self.local(node.span, name, 1, declares=False)),
    t.TypeRef: lambda self, node, around: self.noun(node.span, node.name or None),
    t.Face: lambda self, node, around: self.one(node.span, node.named, node.named),
    t.By: lambda self, node, around: self.noun(node.span, node.kind, 1),
    t.Once: _Reader.event, t.Until: _Reader.event, t.Set: _Reader.event,
    t.CostItem: _Reader.cost_item, t.Citation: _Reader.citation,
    t.SourcePart: lambda self, node, around: self.one(node.span, node.field, self.meanings.member(kind_type(around.owner or ""), node.field or "")),
    t.Offer: lambda self, node, around: self.groups(node, node.groups),
    t.KindDecl: _Reader.kind, t.ComponentDecl: _Reader.component, t.FieldDecl: _Reader.field, t.PlaceDecl: _Reader.place, t.ActionDecl: _Reader.action,
    t.FieldLine: _Reader.said, t.EachOf: _Reader.said, t.MemberDef: _Reader.said,
    t.EffectDecl: _Reader.declares, t.ValueDecl: _Reader.declares, t.CostDecl: _Reader.declares, t.DieDecl: _Reader.declares, t.NumberDecl: _Reader.declares,
    t.StateDecl: _Reader.declares, t.WordsDecl: _Reader.declares, t.RuleDecl: _Reader.declares, t.Step: _Reader.declares,
    t.GridDecl: lambda self, node, around: (each for found in (self.declares(node, around), self.noun(node.span, node.kind, 2)) for each in found),
    t.HookDecl: _Reader.hook, t.ChangeDecl: _Reader.hook, t.CostChange: _Reader.hook, t.Reaction: _Reader.hook,
    t.Reaches: lambda self, node, around: self.path(node.span, node.track, ("",)),
    t.ReplaceIn: _Reader.changed, t.Remove: _Reader.changed, t.Insert: _Reader.changed, t.Change: _Reader.changed, t.AddTo: _Reader.changed,
    t.AddWords: _Reader.changed, t.More: _Reader.changed,
}  # fmt: skip
