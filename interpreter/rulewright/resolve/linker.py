"""What has been linked so far: everything by its name, what layers did to it, and how a layer's words find what they speak of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from rulewright import tree as t
from rulewright.diagnostics import Diagnostic, Related, Span, complain, did_you_mean
from rulewright.guessing import Guesser
from rulewright.resolve.linked import ChangeRecord, HookItem, Item, key_of, named_as
from rulewright.resolve.parts import find_part, part_paths, sort_of, with_part
from rulewright.types import pluralised, with_article

NAMESPACES = ("{}", "{}()", "cost {}", "rule {}")
WHOLE = frozenset({"replaced", "removed"})  # changes that leave nothing of what was there
SETTING = frozenset({*WHOLE, "set"})  # changes of which the later one wins


Key = tuple[str, ...]


class Target(msgspec.Struct, frozen=True):
    """What a change speaks of: an item, or the part of it that a path of names leads to."""

    item: Item
    names: tuple[str, ...]
    part: Any

    @property
    def sort(self) -> str:
        """What it is, in the word a layer uses for it; for a component that is its kind."""
        if self.names:
            return sort_of(self.part)
        return self.part.kind if isinstance(self.part, t.ComponentDecl) else self.item.what

    @property
    def key(self) -> tuple[str, ...]:
        """Where changes to it are kept."""
        return (key_of(self.item.what, self.item.path), *self.names)


class Linker:
    """What has been linked so far."""

    def __init__(self, packages: tuple[Any, ...]) -> None:
        self.packages = {package.id: package for package in packages}
        self.items: dict[str, Item] = {}
        self.hooks: list[HookItem] = []
        self.lines: list[Any] = []  # changes that leave no declaration behind
        self.changes: list[ChangeRecord] = []
        self.plurals: dict[str, Item] = {}
        self.left_open: dict[str, Item] = {}  # what each game has to say
        self.reshaped: dict[str, t.Declaration] = {}  # what was replaced by something that takes another number of things
        self.settled: dict[tuple[str, ...], ChangeRecord] = {}
        self.inside: dict[tuple[str, ...], list[ChangeRecord]] = {}
        self.removed: dict[str, ChangeRecord] = {}
        self.alike: dict[tuple[str, str], tuple[t.FieldLine, t.Expr | None]] = {}  # lists that `more` made of a field, and what it was for all before
        self.guesser = Guesser()
        self.known: list[str] = []
        self.diagnostics: list[Diagnostic] = []

    def begin(self, package: Any) -> None:
        self.package = package
        self.known = []

    def complain(self, code: str, message: str, span: Span, hint: str | None = None, related: tuple[Related, ...] = ()) -> None:
        self.diagnostics.append(complain(code, message, span, hint=hint, related=related))

    def add(self, declaration: Any) -> None:
        """A new name."""
        named = named_as(declaration)
        if named is None:
            return
        what, path = named
        if "." in path and not (what == "place" and getattr(declaration, "of", None)):
            hint = f"to change a part of something write 'replace {what} {path} ...' in a layer"
            self.complain("R110", f"'{path}': a new name has no dots", declaration.span, hint)
            return
        key = key_of(what, path)
        left = self.left_open.get(key)
        if key in self.items or (left is not None and left.package == self.package.id):
            item = self.items.get(key) or self.left_open[key]
            advice = f"to change it write {_how_to_change(item, declaration)}, or take another name" if self.package.is_layer else "take another name"
            related = (Related(item.declaration.span, "first declared here"),)
            self.complain("R302", f"'{path}' is declared twice", declaration.span, advice, related)
            return
        self.items[key] = item = Item(path, what, declaration, self.package.id)
        self.new_noun(item)

    def new_noun(self, item: Item) -> None:
        """A new name must not be the plural of something else, nor have its plural."""
        if item.what not in ("effect", "phase", "action", "cost", "rule", "words", "die") and "." not in item.path:
            self.other_meaning(item.path, self.plurals.get(item.path), item.declaration.span)
        if isinstance(item.declaration, t.PlaceDecl) and (owner := self.items.get(item.declaration.of or "")) is not None:
            self.new_members(owner, (item.declaration,))
        if isinstance(item.declaration, t.KindDecl | t.ComponentDecl):
            plural = getattr(item.declaration, "plural", None) or pluralised(item.path)
            if item.what == "kind":
                self.other_meaning(plural, self.plurals.get(plural), item.declaration.span)
            self.new_members(item, item.declaration.members)
            self.plurals.setdefault(plural, item)

    def new_members(self, owner: Item, members: tuple[Any, ...]) -> None:
        """In the rules below a bare word must go on meaning what it meant, and it is looked for among what a kind has first."""
        if owner.what != "kind" or (owner.package == self.package.id and owner.path != "player"):
            return
        for member in members:
            if isinstance(member, t.FieldDecl | t.PlaceDecl | t.ValueDecl):
                self.other_meaning(member.name, self.items.get(member.name) or self.plurals.get(member.name), member.span)

    def other_meaning(self, word: str, other: Item | None, span: Span) -> None:
        """Complain about a layer that gives a word of the rules below a second meaning."""
        if other is None or not self.package.is_layer or other.package == self.package.id or key_of(other.what, other.path) not in self.items:
            return
        means = f"{with_article(other.what)} of '{other.package}'" if word == other.path else f"every '{other.path}'"
        hint = f"choose another name, or the rules of '{other.package}' that say '{word}' would mean something else"
        self.complain("R410", f"'{word}' already means {means}", span, hint, (Related(other.declaration.span, "declared here"),))

    # -- finding what a layer speaks of

    def targets(self, path: str) -> Iterator[Target]:
        """Everything that a path may mean, the outermost first."""
        words = path.split(".")
        for cut in range(len(words), 0, -1):
            for space in NAMESPACES:
                item = self.items.get(space.format(".".join(words[:cut])))
                part = find_part(item.declaration, tuple(words[cut:])) if item is not None else None
                if item is not None and part is not None:
                    yield Target(item, tuple(words[cut:]), part)

    def target(self, what: str, path: str, span: Span, verb: str) -> Target | None:
        """What a change speaks of; None, with a complaint, if there is nothing of that sort and path."""
        first = None
        for target in self.targets(path):
            by_block = isinstance(target.part, t.MemberDef) and target.part.body is not None  # of an effect or, with give, of a value
            if what == target.sort or (what == target.item.what and not target.names) or (what == "value" and by_block):
                return target
            first = first or target
        if first is None:
            self.missing(path, span, what if what != "component" else "")
            return None
        hint = f"write '{verb} {first.sort} {path}{' ...' if verb == 'replace' else ''}'"
        hint = f"write 'set {path} to ...'" if (first.sort, verb) == ("field", "replace") else hint
        related = (Related(first.part.span, "declared here"),)
        self.complain("R303", f"'{path}' is {with_article(first.sort)}, not {with_article(what)}", span, hint, related)
        return None

    def fields(self, kind: str | None) -> Iterator[t.FieldDecl]:
        """The fields that a kind has or inherits."""
        seen: set[str] = set()
        while kind is not None and kind not in seen:
            seen.add(kind)
            item = self.items.get(kind)
            declaration = item.declaration if item is not None else None
            if not isinstance(declaration, t.KindDecl):
                return
            yield from (member for member in declaration.members if isinstance(member, t.FieldDecl))
            kind = declaration.parent

    def field(self, kind: str | None, name: str) -> t.FieldDecl | None:
        """The field of that name that a kind has or inherits."""
        return next((field for field in self.fields(kind) if field.name == name), None)

    def missing(self, path: str, span: Span, what: str = "") -> None:
        """Complain that there is nothing of that name, and guess."""
        words = path.split(".")
        gone = next((name for cut in range(len(words), 0, -1) if (name := ".".join(words[:cut])) in self.removed), None)
        if gone is not None:
            related = (Related(self.removed[gone].span, "removed by this layer"),)
            self.complain("R304", f"'{gone}' has been removed by the layer '{self.removed[gone].package}'", span, None, related)
            return
        label = f"{what} " if what else ""
        numbers = [item.path for item in self.items.values() if isinstance(item.declaration, t.NumberDecl)] if what == "number or field" else []
        hint = self.another_way(path) or did_you_mean(path, numbers) or self.guesser.hint(path, self.names())
        self.complain("R303", f"there is no {label}'{path}' to change", span, hint)

    def names(self) -> list[str]:
        """All paths there were when the package at hand was first found to be wrong about one."""
        for item in self.items.values() if not self.known else ():
            self.known += [item.path, *part_paths(item.path, item.declaration)]
            self.known += [f"{item.path}.copies"] if item.what == "component" else []
        return self.known

    def another_way(self, path: str) -> str | None:
        """How to change what is there, but is not changed by `set`."""
        item = self.items.get(path) or self.items.get(path.partition(".")[0])
        if item is not None and isinstance(item.declaration, t.GridDecl):
            return f"write: replace grid {item.path} of {item.declaration.kind}: ROWS by COLUMNS"
        return None

    # -- recording changes

    def settle(
        self, key: tuple[str, ...], path: str, how: str, span: Span, cites: tuple[str, ...] = (), kind: str | None = None, also: tuple[Key, ...] = ()
    ) -> bool:
        """Note a change of something and whatever else goes with it; False, with a complaint, if it and that of another layer exclude each other and no order is declared."""
        record = ChangeRecord(self.package.id, how, path, span, cites, kind)
        earlier = next((found for each in (key, *also) if (found := self.clash(each, how)) is not None), None)
        if earlier is not None:
            own = earlier.package == self.package.id
            others = "twice" if own else f"by '{earlier.package}' and"
            message = f"'{path}' is changed {others} by '{self.package.id}'"
            if earlier.path != path:
                message = f"'{path}' is {how} by '{self.package.id}', and '{earlier.path}' {earlier.how} by '{earlier.package}'"
            hint = None if own else self.in_order(earlier.package)
            self.complain("R304", message, span, hint, (Related(earlier.span, f"{earlier.how} here{' too' if earlier.path == path else ''}"),))
            return False
        for each in (key, *also):
            self.settled[each] = record
            for length in range(1, len(each)):
                self.inside.setdefault(each[:length], []).append(record)
        self.changes.append(record)
        return True

    def clash(self, key: tuple[str, ...], how: str) -> ChangeRecord | None:
        """An earlier change to the same thing, to what it is part of, or to a part of it, that this one cannot stand beside."""
        same = self.settled.get(key)
        if same is not None and (how in SETTING and same.how in SETTING if same.package == self.package.id else not self.comes_after(same.package)):
            return same
        for length in range(1, len(key)):
            around = self.settled.get(key[:length])
            if around is None or around.package == self.package.id or self.comes_after(around.package):
                continue
            if around.how in WHOLE or (how, around.how) == ("added to", "set"):
                return around
        parts = self.inside.get(key, ()) if how in SETTING else ()
        return next((part for part in parts if not self.comes_after(part.package)), None)

    def in_order(self, earlier: str) -> str:
        """How to say that one layer comes after another: in the one that its author can change, if the other comes with the program."""
        later, sooner = self.package, self.packages[earlier]
        if later.shipped and not sooner.shipped:
            later, sooner = sooner, later
        if later.alone:
            return f"take one of them, or say that one comes later: layer {later.id} over {sooner.id}"
        return f"say in {later.span.file} that '{later.id}' comes after the other: 'after: [{sooner.id}]'"

    def comes_after(self, other: str) -> bool:
        """Whether the package at hand is declared to come after another."""
        if other == self.package.id:
            return False
        seen: set[str] = set()
        todo = [*self.package.parents, *self.package.after]
        while todo:
            name = todo.pop()
            if name == other:
                return True
            if name not in seen and name in self.packages:
                seen.add(name)
                todo += [*self.packages[name].parents, *self.packages[name].after]
        return False

    def update(self, item: Item, declaration: Any) -> None:
        """Put a changed declaration in place of the old one, after the change has been noted."""
        self.items[key_of(item.what, item.path)] = replace(item, declaration=declaration, changes=(*item.changes, self.changes[-1]))

    def exchange(self, target: Target, *instead: Any) -> None:
        """Put other things in place of a part, after the change has been noted."""
        self.update(target.item, with_part(target.item.declaration, target.part, instead))


def _how_to_change(item: Item, new: Any) -> str:
    """What a layer writes to change something that is there, where it has declared it anew."""
    path = item.path
    match item.declaration:
        case t.NumberDecl():
            return f"'set {path} to {new.value if isinstance(new, t.NumberDecl) else 'N'}'"
        case t.StateDecl():
            return f"'set {path} to ...' for what it begins with, or 'replace state {path}: ...'"
        case t.KindDecl():
            return f"'replace kind {path} ...' or 'add to kind {path}: ...'"
        case t.ComponentDecl():
            return f"'replace {item.declaration.kind} {path} ...' or 'add to {path}: ...'"
        case t.WordsDecl():
            return f"'replace words {path}: ...' or 'add to words {path}: ...'"
    return f"'replace {item.what} {path} ...'"
