"""Before and after: every declaration that some packages of a ruleset change, add, remove or hook, as it was and as it finally is.

Takes two builds, of which the second is built on the first; gives `Compared` records by subject, in the order of the files. Where `changes` lists what the words of a
layer did, this shows what came of them. Nothing is refused: a ruleset that could be linked can be compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePath
from typing import Any, Literal

import msgspec

from rulewright import tree as t
from rulewright.build import Built
from rulewright.changes import Change, changes, what_of
from rulewright.diagnostics import Span
from rulewright.final_text import FinalTexts
from rulewright.resolve.cites import cites_of
from rulewright.resolve.linked import Item, Linked, hook_words

How = Literal["changed", "added", "removed", "hooked"]
HOWS: tuple[How, ...] = ("changed", "added", "removed", "hooked")


class Compared(msgspec.Struct, frozen=True):
    """A declaration before and after; of a hook, what it is on is told too."""

    how: How
    what: str
    path: str
    label: str | None
    subject: str  # the file it stands in, as a word
    packages: tuple[str, ...]  # who changed it
    old: str
    new: str
    span: Span  # where it stands, or stood
    beside: Span  # where one would look for it: of a hook, where that stands which it is on
    cites: tuple[str, ...]  # rules that it now cites, and did not before
    was: tuple[str, ...]  # rules that it cited, and does no longer
    changes: tuple[Change, ...] = ()
    on: str | None = None  # what a hook is on, as it finally is

    @property
    def place(self) -> str:
        """Where it stands, for people."""
        return f"{self.span.file}:{self.span.line}"


def compare(before: Built, after: Built) -> list[Compared]:
    """All that is different, by subject."""
    assert before.linked is not None
    assert after.linked is not None
    found = list(_Comparison(before, after).all())
    files = {file: number for number, file in enumerate(dict.fromkeys((*before.linked.files, *after.linked.files)))}
    subjects = {name: number for number, name in reversed(list(enumerate(map(subject_of, files))))}
    last = len(files)

    def order(one: Compared) -> tuple[int, bool, int, int]:
        return subjects.get(one.subject, last), one.how == "added", files.get(one.beside.file, last), one.beside.line

    return sorted(found, key=order)


def subject_of(file: str) -> str:
    """What the name of a file says that it is about."""
    return PurePath(file).stem.replace("_", " ")


class _Comparison:
    """Two builds, and the texts of both."""

    def __init__(self, before: Built, after: Built) -> None:
        assert before.linked is not None
        assert after.linked is not None
        self.before, self.after = before.linked, after.linked
        self.old, self.new = FinalTexts(before), FinalTexts(after)
        self.changes = changes(before, after)

    def all(self) -> Iterator[Compared]:
        for key in dict.fromkeys((*self.before.items, *self.after.items)):
            yield from self._item(self.before.items.get(key), self.after.items.get(key))
        there = {hook.declaration.span for hook in self.before.hooks}
        for hook in self.after.hooks:
            if hook.declaration.span not in there:
                yield self._hook(hook.declaration, hook.package, self.new.of(hook.declaration))

    def _item(self, was: Item | None, now: Item | None) -> Iterator[Compared]:
        old = self.old.of(was.declaration) if was is not None else ""
        new = self.new.of(now.declaration) if now is not None else ""
        if old == new and was is not None and now is not None:
            old, new = self._values(was, old), self._values(was, new, after=True)
        if old == new:
            return
        if was is None and now is not None and isinstance(now.declaration, t.RuleDecl):
            yield self._hook(now.declaration, now.package, new)
            return
        item = was or now
        assert item is not None
        kept: Any = (now or item).declaration
        how: How = "changed" if was and now else "removed" if was else "added"
        own = self._changes(item, kept)
        packages = dict.fromkeys(change.package for change in own) or {item.package: None}
        cited, cites = _cites(was), _cites(now)
        yield Compared(
            how,
            what_of(kept),
            item.path,
            getattr(kept, "label", None),
            subject_of(item.declaration.span.file),
            tuple(packages),
            old,
            new,
            item.declaration.span,
            item.declaration.span,
            tuple(rule for rule in cites if rule not in cited),
            tuple(rule for rule in cited if rule not in cites),
            own,
        )

    def _values(self, item: Item, text: str, after: bool = False) -> str:
        """What was not written in a rules file, with the values of it that a layer set, one to a line."""
        lines = [
            f"{change.path.removeprefix(item.path).lstrip('.')}: {(change.new if after else change.old) or 'nothing'}"
            for change in self._changes(item, item.declaration)
            if change.how == "set"
        ]
        return "\n".join([text, *lines])

    def _changes(self, item: Item, declaration: Any) -> tuple[Change, ...]:
        """What layers did to it, or in it."""
        inside = f"{item.path}."
        return tuple(
            change
            for change in self.changes
            if (
                change.span == declaration.span
                if change.how == "hooked"
                else change.path.startswith(inside) or (change.path == item.path and change.what == what_of(declaration))
            )
        )

    def _hook(self, declaration: Any, package: str, text: str) -> Compared:
        """A hook stands where what it is on does."""
        hook = declaration.hook if isinstance(declaration, t.RuleDecl) else declaration
        timing, event = hook_words(hook)
        on = _event(self.after, event)
        name = declaration.name if isinstance(declaration, t.RuleDecl) else None
        there = _event(self.before, event)
        beside = (there.declaration if there is not None else declaration).span
        return Compared(
            "hooked",
            timing,
            event,
            name,
            subject_of(beside.file),
            (package,),
            "",
            text,
            declaration.span,
            beside,
            tuple(cites_of(declaration)),
            (),
            tuple(change for change in self.changes if change.how == "hooked" and change.span == declaration.span),
            self.new.of(on.declaration) if on is not None else None,
        )


def _event(linked: Linked, path: str) -> Item | None:
    """What a hook is on: an effect or action, a value, a place, a track, or what these belong to."""
    words = path.split(".")
    keys = (key for cut in range(len(words), 0, -1) for key in _keys(".".join(words[:cut])))
    return next((linked.items[key] for key in keys if key in linked.items), None)


def _keys(path: str) -> Sequence[str]:
    return f"{path}()", path


def _cites(item: Item | None) -> Iterable[str]:
    return cites_of(item.declaration) if item is not None else ()
