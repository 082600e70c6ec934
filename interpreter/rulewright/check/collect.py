"""Declarations to symbols."""

from __future__ import annotations

from typing import Any

import msgspec

from rulewright import grids
from rulewright import tree as t
from rulewright.check.report import Report
from rulewright.check.states import declare_states
from rulewright.check.symbols import Callable, Definition, Field, Kind, Parameter, Place, Symbols, pluralised
from rulewright.diagnostics import Related, Span
from rulewright.limits import Limits
from rulewright.parse.explain import STARTS, STATEMENTS, statement_at_the_top
from rulewright.parse.habits import meant_by
from rulewright.resolve import Linked
from rulewright.types import ANY, FLAG, LOST, NUMBER, TEXT, Type, kind_type, words_of

RESERVED = frozenset(
    "a an the any all every no not and or is in of if else where to from none it self owner actor chance result true false".split()  # noqa: SIM905  # a list of words reads best as one
)
UNNAMEABLE = RESERVED | {"count", "total", "highest", "lowest", "distance"}  # at the start of an expression these are never names
BEGIN_STATEMENTS = frozenset(
    [
        "let",
        "set",
        "move",
        "draw",
        "swap",
        "shuffle",
        "show",
        "reveal",
        "log",
        "heading",
        "end",
        "give",
        "stop",
        "nothing",
        "cancel",
        "leave",
        "skip",
        "proceed",
        "advance",
        "when",
        "cite",
        "for",
        "each",
        "repeat",
        "match",
        "if",
        "unless",
        "step",
        "at",
        "until",
        "try",
        "ask",
        "offer",
        "increase",
        "decrease",
        "add",
        "remove",
        "win",
        "lose",
        "eliminate",
        "score",
    ]  # as above
)
TYPES_ELSEWHERE = {
    **dict.fromkeys(("boolean", "bool"), "write: flag"),
    **dict.fromkeys(("integer", "int"), "write: number, or a range such as 0..9"),
    **dict.fromkeys(("string", "str"), "write: text"),
}
SHAPES = ("area", "pile", "bag", "row")
DEED_EVENT = "action"


def collect(linked: Linked, report: Report, limits: Limits) -> Symbols:
    """The symbol tables of a linked ruleset."""
    symbols = Symbols()
    for change in linked.changes:
        if change.how == "removed":
            gone = Related(change.span, f"removed by the layer '{change.package}'")
            report.removed |= {change.path: gone, pluralised(change.path): gone}
    symbols.options = dict(linked.option_values)
    symbols.origins = linked.origins
    items = list(linked.items.values())
    for item in items:
        name = item.path.split(".")[-1]
        words = RESERVED if item.what in ("action", "cost", "kind") else UNNAMEABLE
        words |= BEGIN_STATEMENTS if item.what in ("effect", "phase", "value") else frozenset()
        if not _check_name(name, _head(item.declaration.span, item.what, item.path), report, words):
            symbols.used.add(item.path)
    _kinds(items, symbols, report, limits)
    _components(items, symbols, report, limits)
    for item in items:
        declaration: Any = item.declaration
        match item.what:
            case "place":
                _place(declaration, declaration.of, symbols, report)
            case "die":
                symbols.dice[item.path] = declaration
            case "words":
                symbols.words[item.path] = declaration
                if len(set(declaration.words)) < len(declaration.words):
                    report("R302", "a word stands twice in this list", declaration.span)
            case "track":
                symbols.tracks[item.path] = declaration
            case "grid":
                if declaration.kind in symbols.kinds:
                    symbols.grids[item.path] = declaration
                else:
                    symbols.lost.add(item.path)
            case "number":
                symbols.numbers[item.path] = declaration
    _members(items, symbols, report)
    types = {item.path: as_type(item.declaration.type, symbols, report) for item in items if isinstance(item.declaration, t.StateDecl)}
    declare_states(items, symbols, report, types)
    for item in items:
        collect_callable(item, symbols, report)
    for hook in linked.hooks:
        named = hook.declaration
        if isinstance(named, t.Reaction) and named.name and named.name not in symbols.actions:
            symbols.actions[named.name] = _reaction(named.name, named, hook.package, None)
    _events(symbols, linked.id)
    return symbols


def _head(span: Span, what: str, path: str) -> Span:
    """The first words of a declaration: what it is and its name."""
    if what in ("component", "kind") and span.line == span.end_line:
        return span
    return Span(span.file, span.line, span.column, span.line, span.column + len(f"{what} {path}"))


def _check_name(name: str, span: Span, report: Report, words: frozenset[str] = RESERVED) -> bool:
    """Whether something may have that name; complains if not."""
    if name in words:
        report("R108", f"'{name}' is a word of the language and cannot be a name", span, "choose a name that says more")
    return name not in words


def _kinds(items: list[Any], symbols: Symbols, report: Report, limits: Limits) -> None:
    """The kinds themselves: parents, links, plurals."""
    symbols.kinds["player"] = Kind("player", None, "")
    for item in items:
        if item.what == "kind":
            symbols.kinds[item.path] = Kind(item.path, item.declaration, item.package)
    for kind in symbols.kinds.values():
        declaration = kind.declaration
        plural = declaration.plural if declaration and declaration.plural else pluralised(kind.name)
        if plural != kind.name and (plural in symbols.kinds or (plural in symbols.plurals and declaration)):
            if declaration and declaration.plural:
                report("R302", f"'{plural}' already means something else", declaration.span)
        else:
            symbols.plurals[plural] = kind.name
        if declaration is None:
            continue
        if declaration.parent == "place":
            kind.is_place = True
        elif declaration.parent:
            kind.parent = declaration.parent if _known_kind(declaration.parent, declaration.span, symbols, report) else None
        if declaration.links:
            first, second = (end if end == "place" or _known_kind(end, declaration.span, symbols, report) else "place" for end in declaration.links)
            kind.links = (first, second)
    _break_cycles(symbols, report, limits)


def _known_kind(name: str, span: Span, symbols: Symbols, report: Report) -> bool:
    if name in symbols.kinds:
        return True
    if name in symbols.lost:
        return False
    report("R301", f"there is no kind '{name}'", span, guess=(name, [*symbols.kinds, "place"]))
    return False


def _break_cycles(symbols: Symbols, report: Report, limits: Limits) -> None:
    """A kind that is its own ancestor loses its parent, with a complaint."""
    for kind in symbols.kinds.values():
        seen, current = [kind.name], kind
        while current.parent is not None:
            if current.parent in seen:
                declaration = current.declaration
                if declaration is not None:
                    chain = " -> ".join([*seen, current.parent])
                    report("R307", f"the kind '{current.name}' is its own ancestor ({chain})", declaration.span, "leave out one 'is'")
                symbols.used |= set(seen)
                current.parent = None
                break
            seen.append(current.parent)
            if len(seen) > limits.ancestors and kind.declaration is not None:
                report("R603", f"the kind '{kind.name}' has more than {limits.ancestors} ancestors", kind.declaration.span)
                current.parent = None
                break
            current = symbols.kinds[current.parent]
    for kind in symbols.kinds.values():
        ancestor = kind
        while ancestor.parent is not None:
            ancestor = symbols.kinds[ancestor.parent]
            kind.is_place = kind.is_place or ancestor.is_place
            kind.links = kind.links or ancestor.links


def _components(items: list[Any], symbols: Symbols, report: Report, limits: Limits) -> None:
    _amounts(items, report, limits)
    for item in items:
        if item.what == "grid":
            _grid(item.declaration, symbols, report)
        if item.what != "component":
            continue
        declaration = item.declaration
        copies = 1 if declaration.copies is None else declaration.copies
        if declaration.kind not in symbols.kinds and declaration.kind in STATEMENTS:
            report.add(statement_at_the_top(declaration.kind, declaration.span))
            continue
        if declaration.kind not in symbols.kinds:
            known = [*symbols.kinds, *STARTS - STATEMENTS]
            message = f"'{declaration.kind}' is neither a kind nor a word that begins a declaration"
            declare = meant_by(declaration.kind) or f"declare it: kind {declaration.kind}"
            report("R301", message, declaration.span, declare, guess=(declaration.kind, known))
            symbols.lost |= {item.path, pluralised(item.path)}
            continue
        symbols.definitions[item.path] = Definition(item.path, declaration.kind, copies, declaration, item.package)
        plural = declaration.plural or pluralised(item.path)
        if declaration.plural and plural != item.path and (plural in symbols.kinds or symbols.plurals.get(plural, item.path) != item.path):
            report("R302", f"'{plural}' already means something else", declaration.span)
        symbols.plurals.setdefault(plural, item.path)


def _grid(grid: t.GridDecl, symbols: Symbols, report: Report) -> None:
    _known_kind(grid.kind, grid.span, symbols, report)
    if grid.shape not in grids.SHAPES:
        known = "'sides' (cells that share a side are next to each other), 'diagonals' (or a corner; so it is if nothing is said) or 'hexagonal'"
        meant = grids.SAID_ELSEWHERE.get(grid.shape)
        hint = f"write: {grid.rows} by {grid.columns}, {meant}" if meant else f"write {known}"
        report("R301", f"there is no grid that is '{grid.shape}'", grid.span, hint, guess=None if meant else (grid.shape, [*grids.SHAPES]))


def _amounts(items: list[Any], report: Report, limits: Limits) -> None:
    """Refuse more components, cells of grids, faces and spaces than can be meant."""
    total = 0
    for item in items:
        declaration = item.declaration
        if isinstance(declaration, t.DieDecl) and sum(face.copies for face in declaration.faces) > limits.faces:
            report("R604", f"'{item.path}' has more than {limits.faces:,} {'faces' if item.what == 'die' else 'spaces'}", declaration.span)
        amount, hint = 0, "fewer copies, or a number on one component, will do"
        if isinstance(declaration, t.ComponentDecl):
            amount = 1 if declaration.copies is None else declaration.copies
        elif isinstance(declaration, t.GridDecl):
            amount, hint = declaration.rows * declaration.columns, "make the grid smaller"
        if total <= limits.components < total + amount:
            report("R604", f"the ruleset declares more than {limits.components:,} components", declaration.span, hint)
        total += amount


def as_type(ref: t.TypeRef, symbols: Symbols, report: Report) -> Type:
    """The type that is written somewhere."""
    made = _base_type(ref, symbols, report)
    return made if not ref.optional else Type(made.how, made.name, made.low, made.high, made.words, made.of, True)


def _base_type(ref: t.TypeRef, symbols: Symbols, report: Report) -> Type:
    match ref.how:
        case "flag":
            return FLAG
        case "number":
            return NUMBER
        case "text":
            return TEXT
        case "range":
            if ref.low > ref.high:
                report("R402", f"the range {ref.low}..{ref.high} is empty", ref.span, f"write {ref.high}..{ref.low}")
            return Type("number", low=ref.low, high=ref.high)
        case "words":
            if twice := [word for at, word in enumerate(ref.words) if word in ref.words[:at]]:
                report("R302", f"the word '{twice[0]}' stands twice in this list", ref.span)
            return words_of(*ref.words)
        case "set" | "list":
            return Type(ref.how, of=as_type(ref.of, symbols, report) if ref.of else ANY)
    if ref.how == "sort":
        return symbols.sorts(ref.name) if _known_kind(ref.name, ref.span, symbols, report) else LOST
    if ref.name == "place":
        return Type("place")
    if ref.name == "deed":
        return Type("deed")
    if ref.name in symbols.kinds:
        symbols.used.add(ref.name)
        return kind_type(ref.name)
    if ref.name in symbols.definitions:
        return kind_type(ref.name)
    if ref.name in symbols.words:
        symbols.used.add(ref.name)
        return words_of(*symbols.words[ref.name].words)
    if ref.name in symbols.dice:
        return words_of(*(face.value for face in symbols.dice[ref.name].faces))
    known = [*symbols.kinds, *symbols.definitions, *symbols.dice, *symbols.words, "flag", "number", "text", "place"]
    if ref.name in symbols.lost:
        return LOST
    report("R301", f"there is no kind or type '{ref.name}'", ref.span, TYPES_ELSEWHERE.get(ref.name), guess=(ref.name, known))
    return LOST


def _place(declaration: t.PlaceDecl, of: str | None, symbols: Symbols, report: Report) -> None:
    identity = f"{of}.{declaration.name}" if of else declaration.name
    if of and not _known_kind(of, declaration.span, symbols, report):
        symbols.lost.add(declaration.name)
        return
    if declaration.shape not in SHAPES:
        report("R301", f"a place is {', '.join(SHAPES[:-1])} or {SHAPES[-1]}, not '{declaration.shape}'", declaration.span,
               guess=(declaration.shape, SHAPES))  # fmt: skip
    if declaration.holds and symbols.noun(declaration.holds) is None and declaration.holds not in symbols.lost:
        known = [*symbols.kinds, *symbols.definitions, *symbols.plurals]
        report("R301", f"there is no kind '{declaration.holds}'", declaration.span, guess=(declaration.holds, known))
    place = Place(identity, declaration.name, of, declaration.shape, declaration.holds, declaration)
    symbols.places[identity] = place
    if of:
        symbols.kinds[of].places[declaration.name] = place


def _members(items: list[Any], symbols: Symbols, report: Report) -> None:
    """Fields, places, lines, values and effects of kinds, then what they inherit."""
    for kind in symbols.kinds.values():
        for member in kind.declaration.members if kind.declaration else ():
            _kind_member(kind, member, symbols, report)
    done: set[str] = set()
    for kind in symbols.kinds.values():
        _inherit(kind, symbols, report, done)


def _kind_member(kind: Kind, member: Any, symbols: Symbols, report: Report) -> None:
    name = getattr(member, "name", None)
    if name == "label" and isinstance(member, t.FieldDecl | t.PlaceDecl | t.ValueDecl):
        message = "every component has a label already: the text in quotes behind its name, by which it is told everywhere"
        report("R302", message, member.span, "take another name, such as 'title', and write it where it is meant: {card.title}")
        return
    if isinstance(name, str):
        _check_name(name, member.span, report)
        tables: tuple[dict[str, Any], ...] = (kind.fields, kind.places, kind.values, kind.effects)
        for table in tables:
            if name in table:
                related = (Related(table[name].declaration.span, "first declared here"),)
                report("R302", f"the kind '{kind.name}' has two members called '{name}'", member.span, related=related)
                return
    match member:
        case t.FieldDecl():
            kind.fields[member.name] = Field(member.name, as_type(member.type, symbols, report), kind.name, member)
        case t.PlaceDecl():
            _place(member, kind.name, symbols, report)
        case t.KindLine():
            kind.lines[member.how] = member
        case t.ValueDecl():
            made = _make(f"{kind.name}.{member.name}", "value", member, symbols.package_of(member, kind.package), symbols, report, kind.name)
            kind.values[member.name] = symbols.values[made.path] = made
        case t.EffectDecl():
            made = _make(f"{kind.name}.{member.name}", "effect", member, symbols.package_of(member, kind.package), symbols, report, kind.name)
            kind.effects[member.name] = symbols.effects[made.path] = made


def _inherit(kind: Kind, symbols: Symbols, report: Report, done: set[str]) -> None:
    if kind.name in done:
        return
    done.add(kind.name)
    if kind.parent is None:
        return
    parent = symbols.kinds[kind.parent]
    _inherit(parent, symbols, report, done)
    pairs: list[tuple[dict[str, Any], dict[str, Any]]] = [
        (parent.fields, kind.fields), (parent.places, kind.places), (parent.values, kind.values), (parent.effects, kind.effects),
        (parent.lines, kind.lines),
    ]  # fmt: skip
    for above, below in pairs:
        for name, member in above.items():
            if isinstance(member, Callable) and isinstance(below.get(name), Callable):
                _override(kind, member, below, name, symbols, report)
            elif name in below and above is not parent.lines:
                related = (Related(member.declaration.span, "declared here"),)
                report("R302", f"'{kind.name}' already has '{name}' from the kind '{parent.name}'", below[name].declaration.span, related=related)
            below.setdefault(name, member)


def _override(kind: Kind, member: Callable, below: dict[str, Any], name: str, symbols: Symbols, report: Report) -> None:
    """A kind's own version of an effect or value of its parent, which may have left it open: a method, no second declaration."""
    own: Callable = below[name]
    takes, wanted = [p.type for p in own.parameters], [p.type for p in member.parameters]
    if (takes != wanted and LOST not in (*takes, *wanted)) or own.what != member.what:
        related = (Related(member.declaration.span, "left open here" if member.open else "declared here"),)
        report("R403", f"'{own.path}' does not take what '{member.path}' does", own.declaration.span, related=related)
    for mine, theirs in zip(own.parameters, member.parameters, strict=False):
        if mine.name != theirs.name:
            related = (Related(member.declaration.span, "declared here"),)
            message = f"'{own.path}' calls '{mine.name}' what '{member.path}' calls '{theirs.name}'"
            report("R403", message, own.declaration.span, f"call it '{theirs.name}' here too", related=related)
    table = symbols.values if member.what == "value" else symbols.effects
    table.pop(own.path, None)
    if not own.open:
        symbols.methods.setdefault(member.path, {})[kind.name] = own
        below[name] = msgspec.structs.replace(member, open=False)
    elif not member.open:
        related = (Related(member.declaration.span, "declared here"),)
        report(
            "R302",
            f"'{kind.name}' already has '{name}' from the kind '{kind.parent}'",
            own.declaration.span,
            "leave it out, or say what it is here",
            related=related,
        )
        below[name] = member


def _make(path: str, what: str, declaration: Any, package: str, symbols: Symbols, report: Report, of: str | None = None) -> Callable:
    """The callable of a declaration with parameters."""
    parameters: list[Parameter] = []
    for parameter in declaration.parameters:
        _check_name(parameter.name, parameter.span, report, UNNAMEABLE)
        if any(parameter.name == other.name for other in parameters):
            report("R309", f"two parameters are called '{parameter.name}'", parameter.span)
        parameters.append(Parameter(parameter.name, as_type(parameter.type, symbols, report)))
    gives = as_type(declaration.gives, symbols, report) if getattr(declaration, "gives", None) else None
    is_open = getattr(declaration, "body", None) is None and getattr(declaration, "value", None) is None and what in ("value", "effect")
    return Callable(path, what, tuple(parameters), gives, declaration, package, of, is_open)


def collect_callable(item: Any, symbols: Symbols, report: Report) -> None:
    """What can be called, and what its parts grant."""
    declaration, path = item.declaration, item.path
    match item.what:
        case "effect" | "phase":
            symbols.effects[path] = _make(path, item.what, declaration, item.package, symbols, report)
        case "value":
            symbols.values[path] = _make(path, "value", declaration, item.package, symbols, report)
        case "cost":
            symbols.costs[path] = _make(path, "cost", declaration, item.package, symbols, report)
        case "action":
            _action(path, declaration, item.package, None, symbols, report)
        case "kind" | "component":
            for member in declaration.members if path not in symbols.lost else ():
                _member_actions(path, member, symbols.package_of(member, item.package), symbols, report)


def _member_actions(owner: str, member: Any, package: str, symbols: Symbols, report: Report) -> None:
    if isinstance(member, t.While):
        for inner in member.members:
            _member_actions(owner, inner, package, symbols, report)
    elif isinstance(member, t.ActionDecl):
        _action(f"{owner}.{member.name}", member, package, owner, symbols, report)
    elif isinstance(member, t.Reaction) and member.name:
        path = f"{owner}.{member.name}"
        symbols.actions[path] = _reaction(path, member, package, owner)


def _reaction(path: str, declaration: t.Reaction, package: str, owner: str | None) -> Callable:
    return Callable(path, "reaction", (Parameter("actor", kind_type("player")),), None, declaration, package, owner)


def _action(path: str, declaration: t.ActionDecl, package: str, of: str | None, symbols: Symbols, report: Report) -> None:
    actor = "player"
    for line in declaration.lines:
        if isinstance(line, t.By) and _known_kind(line.kind, line.span, symbols, report):
            actor = line.kind
            symbols.used.add(actor)
    if of and not any(isinstance(line, t.By) for line in declaration.lines):
        actor = _granted_to(of, symbols) or actor
    if path in symbols.actions:
        report("R302", f"'{path}' is declared twice", declaration.span)
    symbols.actions[path] = Callable(path, "action", (Parameter("actor", kind_type(actor)),), None, declaration, package, of)
    for group in declaration.groups:
        symbols.groups.setdefault(group, []).append(path)


def _granted_to(of: str, symbols: Symbols) -> str | None:
    """The kind that the actions of a component are for, by the line `actions for ...` of its kind."""
    kind = symbols.kind_of(of)
    line = kind.lines.get("actions") if kind else None
    if line is None:
        return None
    query: Any = line.value.query if isinstance(line.value, t.Quantified) else line.value
    word = query.words[-1] if isinstance(query, t.Query) and query.words else getattr(query, "word", "")
    return symbols.noun(word)


def _events(symbols: Symbols, package: str) -> None:
    """Events that nobody declares: a track advances and reaches spaces, and any action is taken."""
    number = Parameter("amount", NUMBER)
    for name, track in symbols.tracks.items():
        space = Parameter("space", words_of(*(face.value for face in track.faces)))
        symbols.effects[f"{name}.advance"] = Callable(f"{name}.advance", "event", (number,), None, track, package, name)
        symbols.effects[f"{name}.reach"] = Callable(f"{name}.reach", "event", (space,), None, track, package, name)
    if symbols.actions:
        first = next(iter(symbols.actions.values())).declaration
        parameters = (Parameter("actor", ANY), Parameter("deed", Type("deed")))
        symbols.effects.setdefault(DEED_EVENT, Callable(DEED_EVENT, "event", parameters, None, first, package))
