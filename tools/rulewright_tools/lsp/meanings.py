"""What words mean: the observer of a check, which notes the type of every expression and what every bare name was understood as.

Something that has a name is known by a key: its path, with `()` behind it for what happens (an effect, a phase, an action, a step), `cost ` or `rule ` before it for those, since each may share a
name with something else. A local name has the key `local NAME`, a value of a field `word NAME`; both mean something only where they stand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from rulewright import tree as t
from rulewright.check.scope import Scope
from rulewright.check.symbols import Symbols
from rulewright.diagnostics import Span
from rulewright.resolve.linked import Linked, key_of, named_as
from rulewright.resolve.parts import parts_of, sort_of
from rulewright.types import Type, element

HAPPENING = frozenset({"effect", "phase", "action", "step"})


class Declared(NamedTuple):
    """Something with a name, as it finally is: what it is, its path, its declaration and the package that it is of."""

    what: str
    path: str
    node: Any
    package: str


class Meanings:
    """What a check understood; empty if none was made."""

    def __init__(self) -> None:
        self.symbols = Symbols()
        self.types: dict[Span, Type] = {}
        self.names: dict[Span, str] = {}
        self.queries: dict[Span, tuple[Type, frozenset[str]]] = {}  # of each: the type of one thing, and the local names outside

    # -- as an observer

    def begin(self, symbols: Symbols) -> None:
        """The symbols of the ruleset."""
        self.symbols = symbols

    def expression(self, node: Any, scope: Scope, core: dict[str, Any], of: Type) -> None:
        """The type of an expression, and what a name is."""
        self.types[node.span] = of
        if type(node) is t.Name and (key := self._name(node.word, scope, core)) is not None:
            self.names[node.span] = key

    def query(self, node: t.Query, scope: Scope, one: Type) -> None:
        """What a noun speaks of."""
        if node.words:
            self.queries[node.span] = one, frozenset(scope.names)

    def _name(self, word: str, scope: Scope, core: dict[str, Any]) -> str | None:
        if core.get("op") == "var":
            return f"local {word}"
        if word not in scope.names:
            for each in reversed(scope.elements):
                if (key := self.member(each.type, word)) is not None:
                    return key
        if core.get("op") == "const" and core.get("value") == word:
            return f"word {word}"
        return self.everywhere(word)

    # -- keys

    def member(self, of: Type | None, word: str) -> str | None:
        """A field, place, value or effect of a kind of things."""
        one = element(of) if of is not None else None
        kind = self.symbols.kind_of(one.name) if one is not None and one.how == "kind" else None
        if kind is None:
            return None
        if word in kind.fields:
            return f"{kind.fields[word].kind}.{word}"
        if word in kind.places:
            return kind.places[word].id
        if word in kind.values:
            return kind.values[word].path
        return f"{kind.effects[word].path}()" if word in kind.effects else None

    def everywhere(self, word: str) -> str | None:
        """What a name means wherever nothing nearer has it."""
        symbols = self.symbols
        if any(word in table for table in (symbols.numbers, symbols.states, symbols.grids, symbols.tracks, symbols.dice, symbols.definitions)):
            return word
        if (word in symbols.places and symbols.places[word].of is None) or (word in symbols.values and symbols.values[word].of is None):
            return word
        return symbols.noun(word) or (word if word in symbols.words else None)


def written(trees: Iterable[tuple[t.RulesTree, str]]) -> dict[str, list[Declared]]:
    """Everything that some trees, each of a package, give a name, by its key, in the order in which they say so: what is replaced or removed later, too."""
    found: dict[str, list[Declared]] = {}
    for tree, package in trees:
        for declaration in tree.declarations:
            node = declaration.declaration if isinstance(declaration, t.Replace) else declaration
            if (named := named_as(node)) is None:
                continue
            found.setdefault(key_of(*named), []).append(Declared(*named, node, package))
            for path, what, part in _parts(named[1], node):
                found.setdefault(key_in(what, path), []).append(Declared(what, path, part, package))
    return found


def declarations(linked: Linked, earlier: Mapping[str, Sequence[Declared]]) -> dict[str, Declared]:
    """Everything that has a name, by its key: what is declared, and what has a name inside it; besides, what was there before a layer took it away."""
    found: dict[str, Declared] = {}
    for item in linked.items.values():
        found[key_of(item.what, item.path)] = Declared(item.what, item.path, item.declaration, item.package)
        for path, what, part in _parts(item.path, item.declaration):
            found.setdefault(key_in(what, path), Declared(what, path, part, item.package))
    for hook in linked.hooks:
        for path, what, part in _parts("", hook.declaration) if not isinstance(hook.declaration, t.RuleDecl) else ():
            found.setdefault(key_in(what, path), Declared(what, path, part, hook.package))
    for key, there in earlier.items():
        found.setdefault(key, there[-1])
    return found


def key_in(what: str, path: str) -> str:
    """The key of a part of something."""
    if what in HAPPENING:
        return f"{path}()"
    return f"{what} {path}" if what in ("cost", "rule") else path


def _parts(prefix: str, node: Any) -> Iterator[tuple[str, str, Any]]:
    """The parts of a declaration that are declared there, with their paths: not what a component says of a field or effect of its kind."""
    for part in parts_of(node):
        path = f"{prefix}.{part.name}" if prefix else part.name
        if not isinstance(part, t.FieldLine | t.MemberDef):
            yield path, sort_of(part), part
        yield from _parts(path, part)
