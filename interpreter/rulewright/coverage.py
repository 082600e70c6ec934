"""Coverage: for every statement of a rulebook, which declarations cite it, and which scenarios show it.

Takes a ruleset, the layers that its rulebook names as carrying out some of the rules, and the scenarios of all of them; gives a `Report` with the standing of
every rule. A rule is tested if a declaration cites it and a scenario that passes cites it too and gets to one of those declarations; a scenario that cites
a rule and never gets there is suspicious. Nothing is refused here: what cannot be built is told by the stages before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from rulewright import tree as t
from rulewright.build import Built
from rulewright.diagnostics import Span
from rulewright.reached import Reached
from rulewright.resolve.linked import Linked
from rulewright.scenario import Scenario
from rulewright.scenario.reach import Played, Watching

Standing = Literal["tested", "implemented", "not applicable", "missing"]
State = Literal["shown", "not reached", "fails"]
STANDINGS: tuple[Standing, ...] = ("tested", "implemented", "not applicable", "missing")
# What a citation speaks for: the smallest of these that it stands in.
SCOPES = (
    t.KindDecl, t.ComponentDecl, t.PlaceDecl, t.DieDecl, t.NumberDecl, t.StateDecl, t.WordsDecl, t.EffectDecl, t.ValueDecl, t.MemberDef, t.ActionDecl, t.CostDecl, t.HookDecl,
    t.RunsOut, t.Reaches, t.ChangeDecl, t.CostChange, t.Reaction, t.RuleDecl, t.Step, t.While,
)  # fmt: skip
THINGS = (t.KindDecl, t.ComponentDecl, t.PlaceDecl, t.DieDecl, t.NumberDecl, t.StateDecl, t.WordsDecl)


class Citing(msgspec.Struct, frozen=True):
    """A citation in the rules: the rule, its place, and the declaration, or part of one, that it speaks for."""

    id: str
    span: Span
    scope: Span
    name: str | None


class Shown(msgspec.Struct, frozen=True):
    """A citation in a scenario: its place, that of the whole scenario, and whether that passes and gets to what cites the same rule."""

    id: str
    scenario: str
    span: Span
    whole: Span
    state: State

    @property
    def reached(self) -> bool:
        """Whether it shows the rule."""
        return self.state == "shown"


class Rule(msgspec.Struct, frozen=True):
    """A statement of the rulebook and how it stands."""

    id: str
    statement: str
    page: str
    standing: Standing
    reason: str | None
    citing: tuple[Citing, ...]
    shown: tuple[Shown, ...]

    @property
    def cited(self) -> tuple[Span, ...]:
        """Where it is cited."""
        return tuple(dict.fromkeys(citing.span for citing in self.citing))

    @property
    def topic(self) -> str:
        """The second part of the id."""
        return self.id.split(".")[1]


class Report(msgspec.Struct, frozen=True):
    """Every rule of the ruleset's own rulebook, in the order of the book, and what seems wrong."""

    ruleset: str
    rules: tuple[Rule, ...]
    warnings: tuple[tuple[Span, str], ...]
    failed: tuple[str, ...]
    title: str
    texts: dict[str, str]  # of all files that it speaks of

    def count(self, standing: Standing, topic: str | None = None) -> int:
        """How many rules, of a topic or of all, stand so."""
        return sum(rule.standing == standing and topic in (None, rule.topic) for rule in self.rules)

    def topics(self) -> list[str]:
        """The topics in the order of the book."""
        return list(dict.fromkeys(rule.topic for rule in self.rules))


def citings(linked: Linked) -> Iterator[Citing]:
    """Every citation in the declarations of a linked ruleset, and on what was removed: a scenario gets to that by speaking of what is left of the kind."""
    for declaration in (*(item.declaration for item in linked.items.values()), *(hook.declaration for hook in linked.hooks)):
        yield from _citings(declaration, declaration, None)
    for record in linked.changes:
        if record.how == "removed":
            yield from (Citing(cite, record.span, record.span, record.kind) for cite in record.cites)


def _citings(node: Any, scope: Any, parent: Any) -> Iterator[Citing]:
    if isinstance(node, tuple):
        for part in node:
            yield from _citings(part, scope, parent)
    elif isinstance(node, t.Citation):
        yield Citing(node.id, node.span, scope.span, _name(scope))
    elif isinstance(node, t.Node):
        # A block of a statement (a branch, a case) is a scope; the body of a declaration is not, since the declaration is.
        inner = isinstance(node, SCOPES) or (isinstance(node, t.Block) and not isinstance(parent, (*SCOPES, t.Do)))
        for name in node.__struct_fields__:
            yield from _citings(getattr(node, name), node if inner else scope, node)


def _name(scope: Any) -> str | None:
    """The name by which a scenario gets to something that does not run: a thing, or an action that it says is offered or not."""
    if isinstance(scope, THINGS):
        return scope.name
    return f"action {scope.name}" if isinstance(scope, t.ActionDecl) else None


def cover(
    builds: Sequence[Built],
    staged: Sequence[tuple[Watching, Sequence[Scenario]]],
    own: Sequence[str],
    progress: Callable[[int, int], None] = lambda done, all: None,
) -> Report:
    """The standing of every rule in the rulebooks of some packages of the first build; the others are of layers that carry out some of them. It takes a while:
    `progress` is told how many scenarios have been played, and how many there are."""
    built = builds[0]
    assert built.linked is not None
    todo = [(stage, scenario) for stage, scenarios in staged for scenario in scenarios]
    played = []
    for number, (stage, scenario) in enumerate(todo):
        progress(number, len(todo))
        played.append((scenario, stage.watch(scenario)))
    tables = [table.rules.built for stage, _ in staged for table in stage.tables.values() if table.rules]
    cited = _cited(each.linked for each in (*builds, *tables) if each.linked)
    for entry in book(built, own):
        kept = {citing: None for rule in entry.get("keeps", ()) for citing in cited.get(rule, ())}
        cited |= {entry["id"]: {**cited.get(entry["id"], {}), **kept}} if kept else {}
    reached = Reached()
    shown: dict[str, list[Shown]] = {}
    failed = []
    for scenario, found in played:
        if found is None or found.failure is not None:
            failed.append(f"{scenario.file}:{scenario.span.line}: {scenario.name}")
            told = [Shown(rule.id, scenario.name, rule.span, scenario.whole, "fails") for rule in scenario.cites]
        else:
            told = list(_shown(found, cited, reached))
        for each in told:
            shown.setdefault(each.id, []).append(each)
    rules = tuple(_rule(entry, cited, shown) for entry in book(built, own))
    texts = {file: text for each in (*builds, *tables) for file, text in each.texts.items()}
    texts |= {file: text for scenario, _ in played for file, text in scenario.texts.items()}
    return Report(built.linked.id, rules, tuple(_warnings(rules, cited)), tuple(failed), built.linked.title, texts)


def book(built: Built, own: Sequence[str]) -> Iterator[dict[str, Any]]:
    """The statements in the rulebooks of some packages, as they are written."""
    for package in built.sources.packages:
        if package.id in own and package.rulebook is not None:
            yield from package.rulebook.data.get("rules", ())


def layers_named(built: Built, own: Sequence[str]) -> dict[str, Path]:
    """The layers that rulebooks say carry out some of their rules, each with the folder from which it is named."""
    found: dict[str, Path] = {}
    for package in built.sources.packages:
        if package.id in own and package.rulebook is not None:
            found |= {entry["layer"]: Path(package.folder) for entry in package.rulebook.data.get("rules", ()) if "layer" in entry}
    return found


def _cited(linked: Iterable[Linked]) -> dict[str, dict[Citing, None]]:
    """Citations by rule. Options may bring in files that are not read without them, so several builds are looked at."""
    found: dict[str, dict[Citing, None]] = {}
    for each in linked:
        for citing in citings(each):
            found.setdefault(citing.id, {})[citing] = None
    return found


def _shown(played: Played, cited: dict[str, dict[Citing, None]], reached: Reached) -> Iterator[Shown]:
    """What a scenario shows of the rules that it cites."""
    lines, names = reached.by(played)
    for rule in played.scenario.cites:
        scopes = cited.get(rule.id, {})
        there = any(citing.name in names or any(_within(line, citing.scope) for line in lines) for citing in scopes)
        yield Shown(rule.id, played.scenario.name, rule.span, played.scenario.whole, "shown" if there else "not reached")


def _within(line: tuple[str, int], scope: Span) -> bool:
    return line[0] == scope.file and scope.line <= line[1] <= scope.end_line


def _rule(entry: dict[str, Any], cited: dict[str, dict[Citing, None]], shown: dict[str, list[Shown]]) -> Rule:
    by = shown.get(entry["id"], [])
    standing: Standing = "missing"
    if entry["id"] in cited:
        standing = "tested" if any(each.reached for each in by) else "implemented"
    elif entry.get("applicable") == "no":
        standing = "not applicable"
    citing = tuple(cited.get(entry["id"], ()))
    return Rule(entry["id"], entry["statement"], str(entry.get("page") or entry["source"]), standing, entry.get("reason"), citing, tuple(by))


def _warnings(rules: Iterable[Rule], cited: dict[str, dict[Citing, None]]) -> Iterator[tuple[Span, str]]:
    for rule in rules:
        if rule.reason is not None and rule.cited:
            yield rule.cited[0], f"'{rule.id}' is cited, but the rulebook says that it is not applicable"
        for shown in rule.shown:
            if shown.state == "fails":
                continue
            if rule.id not in cited:
                yield shown.span, f"'{shown.scenario}' cites '{rule.id}', which no declaration cites"
            elif not shown.reached:
                yield shown.span, f"'{shown.scenario}' cites '{rule.id}', but never gets to a declaration that cites it"
