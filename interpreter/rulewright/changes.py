"""What layers change: every change that some packages of a ruleset make to what comes before them, with its place, its citations, what was and what is.

Takes the build of a ruleset and the build of what it is compared with; gives `Change` records in the order of a change list: removed, replaced, rewritten, added, added
to, inserted, set, hooked. Nothing is refused: a ruleset that could be linked can be compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from rulewright import tree as t
from rulewright.build import Built
from rulewright.diagnostics import Span
from rulewright.resolve.cites import cites_of
from rulewright.resolve.linked import ChangeRecord, Item, Linked, hook_words, key_of
from rulewright.resolve.provenance import said_by, split_path
from rulewright.resolve.steps import find_step
from rulewright.source import excerpt

ORDER = ("removed", "replaced", "rewritten", "added", "added to", "inserted", "set", "hooked")


class Change(msgspec.Struct, frozen=True):
    """One change. `cites` are the rules that the change cites, `was` those that what it changes cited."""

    how: str
    what: str
    path: str
    package: str
    span: Span
    cites: tuple[str, ...] = ()
    was: tuple[str, ...] = ()
    old: str | None = None
    new: str | None = None
    source: str | None = None  # where the text of something new comes from


def changes(before: Built, after: Built) -> list[Change]:
    """What the packages that only the second build has change."""
    assert before.linked is not None
    assert after.linked is not None
    own = {package.id for package in after.sources.packages} - {package.id for package in before.sources.packages}
    found = [*_recorded(before.linked, after, own), *_added(after.linked, own), *_hooked(after.linked, own)]
    place = {package.id: number for number, package in enumerate(after.sources.packages)}
    return sorted(found, key=lambda change: (ORDER.index(change.how), place[change.package]))


def _recorded(before: Linked, after: Built, own: set[str]) -> Iterator[Change]:
    """What the words of a layer did."""
    assert after.linked is not None
    for record in after.linked.changes:
        if record.package in own:
            declared = declared_as(before, record.path)
            what = what_of(declared if declared is not None else declared_as(after.linked, record.path))
            was = cites_of(declared) if declared is not None and record.how in ("removed", "replaced") else ()
            old, new = _values(declared, record, after) if record.how in ("set", "rewritten", "inserted", "added to") else (None, None)
            yield Change(record.how, what, record.path, record.package, record.span, record.cites, was, old, new)


def _values(declared: Any, record: ChangeRecord, after: Built) -> tuple[str | None, str | None]:
    """A value before it was set, and after, as they are written; for a step, where it is inserted; for more copies, how many."""
    written = next((node for tree in after.trees.values() for node in tree.declarations if node.span == record.span), None)
    if isinstance(written, t.Insert):
        return None, f"{written.where} {written.path}"
    if isinstance(written, t.ReplaceIn):
        return _as_line(after, written.was), _as_line(after, written.now)
    if isinstance(written, t.More):
        return None, f"{written.copies} more"
    if record.how == "added to":
        return None, None
    new = ", ".join(excerpt(after.texts, value.span) for value in written.values) if isinstance(written, t.Change) else None
    if isinstance(declared, t.NumberDecl):
        return str(declared.value), new
    if (source := split_path(record.path)) is not None:
        said = said_by(declared)
        return said.source if source[1] is None else said.of(source[1]), new
    if isinstance(declared, t.ComponentDecl):
        old = {"copies": str(declared.copies or 1), "label": f'"{declared.label or declared.name}"'}
        return old[record.path.rpartition(".")[2]], new
    values: tuple[t.Expr, ...] = getattr(declared, "values", ()) or getattr(declared, "default", ())
    return ", ".join(excerpt(after.texts, value.span) for value in values) or None, new


def _as_line(built: Built, lines: tuple[t.Node, ...]) -> str:
    """Some lines as they are written, on one."""
    return "; ".join(" ".join(excerpt(built.texts, line.span).split()) for line in lines)


def declared_as(linked: Linked, path: str) -> Any:
    """The declaration, member or step of that path, if there is one; for a source, what it speaks of."""
    if (source := split_path(path)) is not None:
        return declared_as(linked, source[0])
    for key in (path, f"{path}()", f"cost {path}", f"rule {path}"):
        if key in linked.items:
            return linked.items[key].declaration
    owner, _, name = path.rpartition(".")
    item = linked.items.get(owner)
    if item is not None:
        member = next((member for member in getattr(item.declaration, "members", ()) if getattr(member, "name", None) == name), None)
        return member if member is not None or name not in ("copies", "label") else item.declaration
    words = path.split(".")
    for cut in range(len(words) - 1, 0, -1):
        effect = linked.items.get(".".join(words[:cut]) + "()")
        if effect is not None:
            return find_step(getattr(effect.declaration, "body", None), words[cut:])
    return None


def what_of(declaration: Any) -> str:
    """What sort of thing a declaration is, in a word of the ruleset where it has one."""
    if isinstance(declaration, t.ComponentDecl):
        return declaration.kind
    if isinstance(declaration, t.EffectDecl | t.DieDecl):
        return declaration.what
    return WORDS.get(type(declaration), "")


WORDS: dict[type, str] = {
    t.KindDecl: "kind", t.PlaceDecl: "place", t.GridDecl: "grid", t.NumberDecl: "number", t.ValueDecl: "value", t.ActionDecl: "action", t.CostDecl: "cost",
    t.Step: "step", t.RuleDecl: "rule", t.WordsDecl: "words", t.StateDecl: "state", t.FieldDecl: "field", t.FieldLine: "field", t.MemberDef: "member",
}  # fmt: skip


def _added(linked: Linked, own: set[str]) -> Iterator[Change]:
    """What is new; rules with a name are told with the hooks they are."""
    told = {record.path for record in linked.changes if record.how == "replaced"}
    told |= {record.path for record in linked.changes if record.how == "added to" and _is(linked, record)}
    for key, item in linked.items.items():
        new = item.package in own and item.path not in told and key == key_of(item.what, item.path)
        if new and not isinstance(item.declaration, t.RuleDecl):
            declaration = item.declaration
            source = str(said_by(declaration)) or None
            yield Change("added", what_of(declaration), item.path, item.package, declaration.span, cites_of(declaration), source=source)


def _is(linked: Linked, record: ChangeRecord) -> bool:
    """Whether a declaration is nothing but what was added: players are there without one."""
    item = linked.items.get(record.path)
    return item is not None and item.declaration.span == record.span


def _hooked(linked: Linked, own: set[str]) -> Iterator[Change]:
    named = [(item.path, item.declaration.hook, item) for item in linked.items.values() if isinstance(item.declaration, t.RuleDecl)]
    found: list[tuple[str | None, Any, Any]] = [*named, *((None, hook.declaration, hook) for hook in linked.hooks)]
    for name, hook, holder in found:
        if holder.package in own:
            timing, event = hook_words(hook)
            span = holder.declaration.span if isinstance(holder, Item) else hook.span
            yield Change("hooked", timing, event, holder.package, span, cites_of(holder.declaration), new=name)
