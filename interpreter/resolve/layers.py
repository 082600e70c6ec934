"""Adding packages one after another: plain declarations add, and the words of a layer change what is there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from interpreter import tree as t
from interpreter.diagnostics import Diagnostic, Related, Span, complain, did_you_mean
from interpreter.resolve.board import board_declarations
from interpreter.resolve.cites import check_cites, cites_of, rulebook_of
from interpreter.resolve.linked import ChangeRecord, HookItem, Item, Linked, fingerprint, key_of, member_name, named_as
from interpreter.resolve.steps import find_step, replace_step, step_paths
from interpreter.types import with_article

CHANGES = (t.Replace, t.Remove, t.Insert, t.Change, t.AddTo, t.AddWords)
HOOKS = (t.HookDecl, t.RunsOut, t.Reaches, t.ChangeDecl, t.CostChange, t.Reaction)


def resolve(sources: Any, trees: dict[str, t.RulesTree]) -> tuple[Linked, list[Diagnostic]]:
    """The linked ruleset of some packages and the trees of their rules files."""
    linker = _Linker(sources.packages)
    for package in sources.packages:
        linker.begin(package)
        for file in package.files:
            for number, declaration in enumerate(trees[file.name].declarations if file.name in trees else ()):
                linker.take(declaration, number == 0)
        if package.board is not None:
            for declaration in board_declarations(package.board):
                linker.take(declaration, False)
    last = sources.packages[-1]
    declared = next((package.players for package in reversed(sources.packages) if package.players), None)
    book = rulebook_of(sources.packages)
    linker.diagnostics += check_cites(linker.items, linker.hooks, book)
    linked = Linked(
        last.id, last.title, last.version, tuple((package.id, package.version) for package in sources.packages), declared or (1, 8), declared is not None,
        dict(sources.options),
        {name: tuple(option.values) for package in sources.packages for name, option in package.options.items()},
        linker.items, tuple(linker.hooks), book, tuple(linker.changes),
        tuple(file.name for package in sources.packages for file in package.files), last.span,
    )  # fmt: skip
    return linked, linker.diagnostics


class _Linker:
    """What has been linked so far."""

    def __init__(self, packages: tuple[Any, ...]) -> None:
        self.packages = {package.id: package for package in packages}
        self.items: dict[str, Item] = {}
        self.hooks: list[HookItem] = []
        self.changes: list[ChangeRecord] = []
        self.settled: dict[str, ChangeRecord] = {}
        self.removed: dict[str, ChangeRecord] = {}
        self.diagnostics: list[Diagnostic] = []

    def begin(self, package: Any) -> None:
        self.package = package

    def complain(self, code: str, message: str, span: Span, hint: str | None = None, related: tuple[Related, ...] = ()) -> None:
        self.diagnostics.append(complain(code, message, span, hint=hint, related=related))

    def take(self, declaration: Any, first: bool) -> None:
        """Let one declaration have its effect."""
        if isinstance(declaration, t.Header):
            if not first:
                self.complain("R110", f"'{declaration.what}' can only be the first line of a file", declaration.span)
        elif isinstance(declaration, CHANGES):
            if not self.package.is_layer:
                hint = "name the parents in ruleset.yaml, or begin a lone file with 'layer NAME over PARENT'"
                self.complain("R310", f"'{self.package.id}' changes something, but it is not a layer over any ruleset", declaration.span, hint)
            else:
                APPLY[type(declaration)](self, declaration)
        elif isinstance(declaration, HOOKS):
            self.hooks.append(HookItem(declaration, self.package.id))
        else:
            self.add(declaration)

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
        if key in self.items:
            item = self.items[key]
            advice = f"to change it write 'replace {item.what} {path} ...', or 'add to {path}: ...'" if self.package.is_layer else None
            related = (Related(item.declaration.span, "first declared here"),)
            self.complain("R302", f"'{path}' is declared twice", declaration.span, advice, related)
            return
        self.items[key] = Item(path, what, declaration, self.package.id)

    # -- finding what a layer speaks of

    def missing(self, path: str, span: Span, what: str = "") -> None:
        """Complain that there is nothing of that name, and guess."""
        if path in self.removed:
            related = (Related(self.removed[path].span, "removed by this layer"),)
            self.complain("R304", f"'{path}' has been removed by the layer '{self.removed[path].package}'", span, None, related)
            return
        known = [item.path for item in self.items.values()]
        for item in self.items.values():
            known += [f"{item.path}.{part}" for member in getattr(item.declaration, "members", ()) if (part := member_name(member))]
            known += step_paths(item.path, getattr(item.declaration, "body", None))
        label = f"{what} " if what else ""
        self.complain("R303", f"there is no {label}'{path}' to change", span, did_you_mean(path, known))

    def member(self, path: str) -> tuple[Item, int] | None:
        """The owner of a member path and the member's position."""
        owner, _, name = path.rpartition(".")
        item = self.items.get(owner)
        for number, member in enumerate(getattr(item.declaration, "members", ()) if item else ()):
            if member_name(member) == name and not isinstance(member, t.Cite):
                return item, number  # type: ignore[return-value]  # item is set when it has members
        return None

    def step(self, path: str) -> Item | None:
        """The effect that holds the step of that path."""
        words = path.split(".")
        for cut in range(len(words) - 1, 0, -1):
            item = self.items.get(".".join(words[:cut]) + "()")
            if item is not None and find_step(getattr(item.declaration, "body", None), words[cut:]) is not None:
                return item
        return None

    # -- recording changes

    def settle(self, path: str, how: str, span: Span, cites: tuple[str, ...] = ()) -> bool:
        """Note an exclusive change; False, with a complaint, if another layer made one and no order is declared."""
        record = ChangeRecord(self.package.id, how, path, span, cites)
        earlier = self.settled.get(path)
        if earlier is not None and not self.comes_after(earlier.package):
            what = "changed twice by" if earlier.package == self.package.id else f"changed by '{earlier.package}' and by"
            hint = None if earlier.package == self.package.id else f"say in one manifest that it comes after the other: 'after: [{earlier.package}]'"
            self.complain("R304", f"'{path}' is {what} '{self.package.id}'", span, hint, (Related(earlier.span, f"{earlier.how} here too"),))
            return False
        self.settled[path] = record
        self.changes.append(record)
        return True

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

    def update(self, item: Item, declaration: Any, record: ChangeRecord | None = None) -> None:
        """Put a changed declaration in place of the old one."""
        added = (record or self.changes[-1],)
        self.items[key_of(item.what, item.path)] = replace(item, declaration=declaration, changes=item.changes + added)


def _check_was(linker: _Linker, new: Any, old: Any, path: str) -> None:
    """A replacement may say what it believes it replaces."""
    for line in _lines(new):
        if isinstance(line, t.Was):
            believed = line.value.parts[0] if isinstance(line.value, t.Text) and line.value.parts else ""
            found = fingerprint(old)
            if believed != found:
                related = (Related(old.span, "it now says this"),)
                hint = f'read it again, then write: was "{found}"'
                linker.complain("R305", f"'{path}' has changed since this replacement was written", line.span, hint, related)


def _lines(declaration: Any) -> tuple[Any, ...]:
    body = getattr(declaration, "body", None)
    return (*getattr(declaration, "members", ()), *getattr(declaration, "lines", ()), *(body.statements if body else ()))


def apply_replace(linker: _Linker, change: t.Replace) -> None:
    """`replace`: a top-level thing, a member, or a step."""
    new: Any = change.declaration
    what, path = named_as(new) or ("", "")
    cites = cites_of(new)
    item = linker.items.get(key_of(what, path)) or linker.items.get(path) or linker.items.get(f"{path}()")
    if item is not None and what != "step":
        if item.what != what:
            related = (Related(item.declaration.span, "declared here"),)
            linker.complain(
                "R303",
                f"'{path}' is {with_article(item.what)}, not {with_article(what)}",
                change.span,
                f"write 'replace {item.what} {path} ...'",
                related,
            )
        elif linker.settle(path, "replaced", change.span, cites):
            _check_was(linker, new, item.declaration, path)
            linker.update(replace(item, package=linker.package.id), new)
        return
    if (found := linker.member(path)) is not None and what != "step":
        owner, number = found
        members = list(owner.declaration.members)  # type: ignore[union-attr]  # only owners of members are found
        if linker.settle(path, "replaced", change.span, cites):
            _check_was(linker, new, members[number], path)
            members[number] = replace(new, name=path.rpartition(".")[2])
            linker.update(owner, replace(owner.declaration, members=tuple(members)))
        return
    if (effect := linker.step(path)) is not None:
        rest = path[len(effect.path) + 1 :].split(".")
        if linker.settle(path, "replaced", change.span, cites):
            _check_was(linker, new, find_step(effect.declaration.body, rest), path)  # type: ignore[union-attr]  # a step was found in it
            step = replace(new, name=rest[-1])
            _edit_steps(linker, effect, rest, lambda old: (step,))
        return
    linker.missing(path, change.span, what)


def _edit_steps(linker: _Linker, effect: Item, rest: list[str], edit: Callable[[t.Step], tuple[t.Statement, ...]]) -> None:
    declaration: Any = effect.declaration
    linker.update(effect, replace(declaration, body=replace_step(declaration.body, rest, edit)))


def apply_remove(linker: _Linker, change: t.Remove) -> None:
    """`remove`: things, members, steps, or everything of a kind."""
    if change.what == "all":
        kind = change.paths[0]
        doomed = [item.path for item in linker.items.values() if isinstance(item.declaration, t.ComponentDecl) and item.declaration.kind == kind]
        if not doomed:
            kinds = {item.declaration.kind for item in linker.items.values() if isinstance(item.declaration, t.ComponentDecl)}
            linker.complain("R303", f"there are no components of the kind '{kind}' to remove", change.span, did_you_mean(kind, kinds))
        for path in doomed:
            _remove(linker, path, path, change.span)
    for path in change.paths if change.what != "all" else ():
        _remove_one(linker, change, path)


def _remove_one(linker: _Linker, change: t.Remove, path: str) -> None:
    item = linker.items.get(key_of(change.what, path)) or linker.items.get(path) or linker.items.get(f"{path}()")
    if item is not None:
        kind = item.declaration.kind if isinstance(item.declaration, t.ComponentDecl) else item.what
        if change.what not in (kind, item.what):
            linker.complain(
                "R303", f"'{path}' is {with_article(kind)}, not {with_article(change.what)}", change.span, f"write 'remove {kind} {path}'"
            )
        else:
            _remove(linker, key_of(item.what, path), path, change.span)
    elif (found := linker.member(path)) is not None:
        owner, number = found
        declaration: Any = owner.declaration
        if linker.settle(path, "removed", change.span):
            linker.removed[path] = linker.changes[-1]
            linker.update(owner, replace(declaration, members=declaration.members[:number] + declaration.members[number + 1 :]))
    elif (effect := linker.step(path)) is not None:
        if linker.settle(path, "removed", change.span):
            linker.removed[path] = linker.changes[-1]
            _edit_steps(linker, effect, path[len(effect.path) + 1 :].split("."), lambda old: ())
    else:
        linker.missing(path, change.span, change.what)


def _remove(linker: _Linker, key: str, path: str, span: Span) -> None:
    if linker.settle(path, "removed", span):
        linker.removed[path] = linker.changes[-1]
        del linker.items[key]


def apply_insert(linker: _Linker, change: t.Insert) -> None:
    """`insert step`: before or after another step."""
    effect = linker.step(change.path)
    if effect is None:
        linker.missing(change.path, change.span, "step")
        return
    rest = change.path[len(effect.path) + 1 :].split(".")
    new = ".".join([effect.path, *rest[:-1], change.step.name])
    if find_step(getattr(effect.declaration, "body", None), [*rest[:-1], change.step.name]) is not None:
        linker.complain("R302", f"there is already a step '{new}'", change.span, f"write 'replace step {new}: ...' to change it")
        return
    record = ChangeRecord(linker.package.id, "inserted", new, change.span, cites_of(change.step))
    linker.changes.append(record)
    step = change.step
    _edit_steps(linker, effect, rest, lambda old: (step, old) if change.where == "before" else (old, step))


def apply_change(linker: _Linker, change: t.Change) -> None:
    """`set path to value`: a number, a field of a component, the default of a kind's field, or the copies of a component."""
    item = linker.items.get(change.path)
    if item is not None and isinstance(item.declaration, t.NumberDecl):
        value = change.values[0]
        if len(change.values) != 1 or not isinstance(value, t.Number):
            linker.complain("R401", f"'{change.path}' is a number; it cannot be set to that", change.span)
        elif _settle_value(linker, change, (t.Number(item.declaration.span, item.declaration.value),), item.declaration.span):
            linker.update(item, replace(item.declaration, value=value.value))
        return
    owner_path, _, name = change.path.rpartition(".")
    owner = linker.items.get(owner_path)
    declaration: Any = owner.declaration if owner else None
    if owner is not None and isinstance(declaration, t.ComponentDecl):
        _set_in_component(linker, change, owner, name)
        return
    if owner is not None and isinstance(declaration, t.KindDecl) and (found := linker.member(change.path)) is not None:
        field = declaration.members[found[1]]
        if isinstance(field, t.FieldDecl) and _settle_value(linker, change, field.default, field.span):
            members = list(declaration.members)
            members[found[1]] = replace(field, default=change.values)
            linker.update(owner, replace(declaration, members=tuple(members)))
            return
    linker.missing(change.path, change.span, "number or field")


def _set_in_component(linker: _Linker, change: t.Change, owner: Item, name: str) -> None:
    declaration: Any = owner.declaration
    if name == "copies":
        value = change.values[0]
        if not isinstance(value, t.Number) or value.value < 0:
            linker.complain("R401", "copies are set to a number", change.span)
        elif _settle_value(linker, change, (t.Number(declaration.span, declaration.copies or 1),), declaration.span):
            linker.update(owner, replace(declaration, copies=value.value))
        return
    members = list(declaration.members)
    for number, member in enumerate(members):
        if isinstance(member, t.FieldLine) and member.name == name:
            if _settle_value(linker, change, member.values, member.span):
                members[number] = replace(member, values=change.values)
                linker.update(owner, replace(declaration, members=tuple(members)))
            return
    if _settle_value(linker, change, (), declaration.span):
        line = t.FieldLine(change.span, name, change.values)
        linker.update(owner, replace(declaration, members=(*members, line)))


def _settle_value(linker: _Linker, change: t.Change, old: tuple[t.Expr, ...], old_span: Span) -> bool:
    """Note the change of a value, after comparing it with what the layer believes the value was."""
    if change.was and [fingerprint(value) for value in change.was] != [fingerprint(value) for value in old]:
        related = (Related(old_span, "it is set here"),)
        linker.complain(
            "R305", f"'{change.path}' is no longer what this layer says it was", change.span, "look at it again and correct 'was'", related
        )
    return linker.settle(change.path, "set", change.span)


def apply_add(linker: _Linker, change: t.AddTo) -> None:
    """`add to`: more members for a kind or component."""
    item = linker.items.get(change.path)
    if item is None and change.is_kind and change.path == "player":
        linker.items["player"] = item = Item("player", "kind", t.KindDecl(change.span, "player"), linker.package.id)
    declaration: Any = item.declaration if item else None
    if item is None or not isinstance(declaration, t.KindDecl if change.is_kind else t.ComponentDecl):
        linker.missing(change.path, change.span, "kind" if change.is_kind else "component")
        return
    have = {name: member for member in declaration.members if (name := member_name(member))}
    added = []
    for member in change.members:
        name = member_name(member)
        if name in have:
            related = (Related(have[name].span, "it is here"),)
            hint = f"write 'replace ... {change.path}.{name} ...' or 'set {change.path}.{name} to ...'"
            linker.complain("R302", f"'{change.path}' already has '{name}'", member.span, hint, related)
        else:
            added.append(member)
    linker.changes.append(ChangeRecord(linker.package.id, "added to", change.path, change.span, cites_of(change)))
    linker.update(item, replace(declaration, members=(*declaration.members, *added)))


def apply_add_words(linker: _Linker, change: t.AddWords) -> None:
    """`add to words`: more words for a list that has a name."""
    item = linker.items.get(change.path)
    if item is None or not isinstance(item.declaration, t.WordsDecl):
        linker.missing(change.path, change.span, "list of words")
        return
    twice = [str(word) for word in change.words if word in item.declaration.words]
    if twice:
        linker.complain("R302", f"'{change.path}' already has {', '.join(twice)}", change.span, None, (Related(item.declaration.span, "it is here"),))
    linker.changes.append(ChangeRecord(linker.package.id, "added to", change.path, change.span))
    linker.update(item, replace(item.declaration, words=tuple(dict.fromkeys((*item.declaration.words, *change.words)))))


APPLY: dict[type, Callable[[_Linker, Any], None]] = {
    t.Replace: apply_replace,
    t.Remove: apply_remove,
    t.Insert: apply_insert,
    t.Change: apply_change,
    t.AddTo: apply_add,
    t.AddWords: apply_add_words,
}
