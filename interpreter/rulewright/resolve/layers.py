"""Adding packages one after another: plain declarations add, and the words of a layer change what is there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from rulewright import tree as t
from rulewright.diagnostics import Diagnostic, Related, Span
from rulewright.parse.habits import WRITTEN_OUT
from rulewright.resolve.board import board_declarations
from rulewright.resolve.cites import check_cites, check_kept, cites_of, foreign_prefixes, rulebook_of, walk_lines, without_cites
from rulewright.resolve.copies import apply_more, count_faces
from rulewright.resolve.left_open import fill_in, leave_open
from rulewright.resolve.lines import apply_replace_in
from rulewright.resolve.linked import HookItem, Item, Linked, fingerprint, member_name, named_as
from rulewright.resolve.linker import Linker, Target
from rulewright.resolve.locales import check_locales
from rulewright.resolve.parts import find_part
from rulewright.resolve.products import write_out
from rulewright.resolve.provenance import check_sources, said_by, said_in, source_of, split_path, with_source
from rulewright.types import with_article

CHANGES = (t.Replace, t.ReplaceIn, t.Remove, t.Insert, t.Change, t.AddTo, t.AddWords, t.More)
HOOKS = (t.HookDecl, t.RunsOut, t.Reaches, t.ChangeDecl, t.CostChange, t.Reaction)


def resolve(sources: Any, trees: dict[str, t.RulesTree]) -> tuple[Linked, list[Diagnostic]]:
    """The linked ruleset of some packages and the trees of their rules files."""
    linker = Linker(sources.packages)
    for package in sources.packages:
        linker.begin(package)
        foreign = foreign_prefixes(package, sources.packages)
        for file in package.files:
            for number, declaration in enumerate(trees[file.name].declarations if file.name in trees else ()):
                take(linker, without_cites(declaration, foreign) if foreign else declaration, number == 0)
        if package.board is not None:
            for declaration in board_declarations(package.board, linker.fields):
                take(linker, declaration, False)
        check_locales(linker)
        if (
            package.alone and len(package.parents) == 1 and len(_lines_of(package.files[0].text)) == 1
        ):  # over several, that they are together says something
            hint = f'write below it what is different, for example: after setup: log "{package.title}"'
            linker.complain("R112", f"the layer '{package.id}' says nothing", package.span, hint)
    fill_in(linker, None if sources.games_wanted else _game(sources.packages), sources.texts)
    write_out(linker)
    count_faces(linker)
    last = sources.packages[-1]
    declared, usual = next(((package.players, package.usual_players) for package in reversed(sources.packages) if package.players), (None, None))
    book = rulebook_of(sources.packages)
    declarations = [*(item.declaration for item in linker.items.values()), *(hook.declaration for hook in linker.hooks), *linker.lines]
    lines = [tuple(walk_lines(declaration)) for declaration in declarations]
    linker.diagnostics += [*check_cites(lines, book, linker.guesser), *check_kept(sources.packages, book, linker.guesser)]
    linker.diagnostics += check_sources(lines, linker.fields, linker.guesser)
    _check_replacing(linker, lines)
    linked = Linked(
        last.id, last.title, last.version, tuple((package.id, package.version) for package in sources.packages), declared or (1, 8), declared is not None,
        dict(sources.options),
        {name: tuple(option.values) for package in sources.packages for name, option in package.options.items()},
        linker.items, tuple(linker.hooks), book, tuple(linker.changes),
        tuple(file.name for package in sources.packages for file in package.files), last.span, last.alone and not last.is_layer,
        {file.name: package.id for package in sources.packages for file in package.files}, linker.left_open, usual,
        linker.reshaped,
    )  # fmt: skip
    return linked, linker.diagnostics


def _check_replacing(linker: Linker, lines: Sequence[Sequence[t.Node]]) -> None:
    """`was` says what is replaced, so it stands in what replaces something."""
    replaced = [change.span for change in linker.changes if change.how == "replaced"]
    for node in (node for walked in lines for node in walked if isinstance(node, t.Was)):
        if not any(node.span.file == span.file and span.line <= node.span.line and node.span.end_line <= span.end_line for span in replaced):
            linker.complain("R110", "'was' has a meaning only in what replaces something", node.span, "leave it out, or write: replace ...")


def _game(packages: Sequence[Any]) -> Any:
    """The game that is built on a shared ruleset: the first package that is for players."""
    return next((package for package in packages if package.players is not None), packages[-1])


def _lines_of(text: str) -> list[str]:
    """The lines of a text on which something stands."""
    return [line for line in text.split("\n") if line.strip() and not line.lstrip().startswith("#")]


def how_to_be_a_layer(package: Any) -> str:
    """What makes a ruleset a layer over another one."""
    return (
        f"begin the file with: layer {package.id} over GAME" if package.alone else f"name the game it changes in {package.span.file}: parents: [GAME]"
    )


def take(linker: Linker, declaration: Any, first: bool) -> None:
    """Let one declaration have its effect."""
    if isinstance(declaration, t.Header):
        if not first:
            linker.complain("R110", f"'{declaration.what}' can only be the first line of a file", declaration.span)
    elif isinstance(declaration, CHANGES):
        if not linker.package.is_layer:
            hint = how_to_be_a_layer(linker.package)
            linker.complain("R310", f"'{linker.package.id}' changes something, but it is not a layer over any ruleset", declaration.span, hint)
        said = len(linker.diagnostics)
        linker.lines += [declaration] if isinstance(declaration, t.Remove) else []
        APPLY[type(declaration)](linker, declaration)
        if not linker.package.is_layer:
            del linker.diagnostics[said:]  # once is enough; what it changes is wanted by what follows
    elif isinstance(declaration, t.LeftOpen):
        leave_open(linker, declaration)
    elif isinstance(declaration, HOOKS):
        linker.hooks.append(HookItem(declaration, linker.package.id))
    else:
        linker.add(declaration)


def _check_was(linker: Linker, new: Any, old: Any, path: str) -> None:
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


def apply_replace(linker: Linker, change: t.Replace) -> None:
    """`replace`: a top-level thing, a member, or a step."""
    new: Any = change.declaration
    what, path = named_as(new) or ("", "")
    target = linker.target(what, path, change.span, "replace")
    if target is not None and isinstance(new, t.ComponentDecl) and new.kind == "component" and isinstance(target.part, t.ComponentDecl):
        linker.complain("R303", f"'{path}' is {with_article(target.part.kind)}", change.span, f"write 'replace {target.part.kind} {path} ...'")
        return
    if target is None or not linker.settle(target.key, path, "replaced", change.span, cites_of(new)):
        return
    _check_was(linker, new, target.part, path)
    if target.names:
        linker.exchange(target, _fitting(new, target))
        return
    linker.reshaped.pop(target.key[0], None)
    if isinstance(new, t.EffectDecl | t.ValueDecl) and len(new.parameters) != len(getattr(target.part, "parameters", new.parameters)):
        linker.reshaped[target.key[0]] = target.part
    had = {member_name(member) for member in getattr(target.part, "members", ())}
    linker.new_members(target.item, tuple(member for member in getattr(new, "members", ()) if member_name(member) not in had))
    linker.update(replace(target.item, package=linker.package.id), new)


def _fitting(new: Any, target: Target) -> Any:
    """A replacement as it stands in a declaration: under its last name, and a component's own version of something as one."""
    if isinstance(target.part, t.MemberDef):
        return t.MemberDef(new.span, target.names[-1], getattr(new, "value", None), new.body)
    return replace(new, name=target.names[-1])


def apply_remove(linker: Linker, change: t.Remove) -> None:
    """`remove`: things, members, steps, or everything of a kind."""
    if change.what != "all":
        for path in change.paths:
            if (target := linker.target(change.what, path, change.span, "remove")) is not None:
                _remove(linker, target, path, change)
        return
    kind = change.paths[0]
    components = [item for item in linker.items.values() if isinstance(item.declaration, t.ComponentDecl)]
    doomed = [item for item in components if getattr(item.declaration, "kind", None) == kind]
    if not doomed:
        kinds = {item.declaration.kind for item in components if isinstance(item.declaration, t.ComponentDecl)}
        linker.complain("R303", f"there are no components of the kind '{kind}' to remove", change.span, linker.guesser.hint(kind, kinds))
    for item in doomed:
        _remove(linker, Target(item, (), item.declaration), item.path, change)


def _remove(linker: Linker, target: Target, path: str, change: t.Remove) -> None:
    if linker.settle(target.key, path, "removed", change.span, cites_of(change), getattr(target.part, "kind", None)):
        linker.removed[path] = linker.changes[-1]
        if target.names:
            linker.exchange(target, *change.cites)
        else:
            del linker.items[target.key[0]]


def apply_insert(linker: Linker, change: t.Insert) -> None:
    """`insert step`: before or after another step."""
    target = linker.target("step", change.path, change.span, "insert")
    if target is None:
        return
    names = (*target.names[:-1], change.step.name)
    new = ".".join((target.item.path, *names))
    if find_part(target.item.declaration, names) is not None:
        linker.complain("R302", f"there is already a step '{new}'", change.span, f"write 'replace step {new}: ...' to change it")
    elif linker.settle((target.key[0], *names), new, "inserted", change.span, cites_of(change.step)):
        linker.exchange(target, *((change.step, target.part) if change.where == "before" else (target.part, change.step)))


def apply_change(linker: Linker, change: t.Change) -> None:
    """`set path to value`: a number, a field of a component, the default of a kind's field, or the copies of a component."""
    item = linker.items.get(change.path)
    if item is not None and isinstance(item.declaration, t.NumberDecl):
        value = change.values[0]
        if len(change.values) != 1 or not isinstance(value, t.Number):
            linker.complain("R401", f"'{change.path}' is a number; it cannot be set to that", change.span, _as_number(change))
        elif _settle_value(linker, change, (change.path,), (t.Number(item.declaration.span, item.declaration.value),), item.declaration.span):
            linker.update(item, replace(item.declaration, value=value.value, cites=(*item.declaration.cites, *change.cites)))
        return
    if item is not None and isinstance(item.declaration, t.StateDecl):
        if _settle_value(linker, change, (change.path,), item.declaration.default, item.declaration.span):
            linker.update(item, replace(item.declaration, default=change.values, cites=(*item.declaration.cites, *change.cites)))
        return
    if (source := split_path(change.path)) is not None:
        _set_source(linker, change, *source)
        return
    if (stray := next((value for value in (*change.values, *change.was) if isinstance(value, t.SourcePart)), None)) is not None:
        linker.complain("R401", f"'{stray.word} for {stray.field}' is a part of a source, and '{change.path}' is none", stray.span)
        return
    owner_path, _, name = change.path.rpartition(".")
    owner = linker.items.get(owner_path)
    declaration: Any = owner.declaration if owner else None
    if owner is not None and isinstance(declaration, t.ComponentDecl):
        _set_in_component(linker, change, owner, name)
        return
    field = find_part(declaration, (name,)) if isinstance(declaration, t.KindDecl) else None
    if owner is not None and isinstance(field, t.FieldDecl):
        if _settle_value(linker, change, (owner_path, name), field.default, field.span):
            linker.exchange(Target(owner, (name,), field), replace(field, default=change.values), *change.cites)
        return
    linker.missing(change.path, change.span, "number or field")


def _as_number(change: t.Change) -> str:
    """What to write where a number is set to something else."""
    word = getattr(change.values[0], "word", None)
    number = str(WRITTEN_OUT.index(word)) if word in WRITTEN_OUT else "N, with a whole number for N"
    return f"write: set {change.path} to {number}"


def _set_in_component(linker: Linker, change: t.Change, owner: Item, name: str) -> None:
    declaration: Any = owner.declaration
    members = (*declaration.members, *change.cites)
    value = change.values[0]
    if name == "copies":
        if not isinstance(value, t.Number) or value.value < 0:
            linker.complain("R401", "copies are set to a number", change.span)
        elif _settle_value(linker, change, (owner.path, name), (t.Number(declaration.span, declaration.copies or 1),), declaration.span):
            linker.update(owner, replace(declaration, copies=value.value, members=members))
        return
    if name == "label":
        if not isinstance(value, t.Text) or len(change.values) > 1:
            linker.complain("R401", "a label is set to a text", change.span)
        elif _settle_value(
            linker, change, (owner.path, name), (declaration.title or t.Text(declaration.span, (declaration.label or "",)),), declaration.span
        ):
            from rulewright.parse.tree_building import labelled

            linker.update(owner, replace(declaration, **labelled(value), members=members))
        return
    for member in members:
        if isinstance(member, t.FieldLine) and member.name == name:
            if _settle_value(linker, change, (owner.path, name), member.values, member.span):
                linker.exchange(Target(owner, (name,), member), replace(member, values=change.values), *change.cites)
            return
    field = linker.field(declaration.kind, name)
    if _settle_value(linker, change, (owner.path, name), field.default if field else (), field.span if field else declaration.span):
        line = t.FieldLine(change.span, name, tuple(value for value in change.values if not isinstance(value, t.SourcePart)))
        linker.update(owner, replace(declaration, members=(*members, line)))


def _set_source(linker: Linker, change: t.Change, path: str, field: str | None) -> None:
    """How well something is known, or a field of it, may be another thing in each game that has it."""
    target = next(linker.targets(path), None)
    if target is None:
        linker.missing(path, change.span)
        return
    said, believed = source_of(change.span, change.values), source_of(change.span, change.was)
    if said is None or (field is not None and [part.field for part in said.parts] != [None]):
        hint = "write: set NAME.source to facts, own for FIELD" if said is None else f"write: set {path}.source to ..."
        linker.complain("R401", "a source is set to book, facts or own", change.span, hint)
        return
    new = with_source(target.part, field, said)
    if new is None:
        owner, _, name = path.rpartition(".")
        instead = f"write: set {owner}.source.{name} to {said.parts[0].word}" if owner else None
        linker.complain("R303", f"'{path}' has no source of its own", change.span, instead)
        return
    before = said_by(target.part)
    was = (before.of(field) or "") if field is not None else str(before)
    if linker.settle((*target.key, "source", *([field] if field else [])), change.path, "set", change.span, cites_of(change)):
        if change.was and (believed is None or str(said_in(believed.parts, target.part.span)) != was):
            _stale(linker, change, was, target.part.span)
        if target.names:
            linker.exchange(target, new, *change.cites)
        else:
            linker.update(target.item, with_cites(new, change.cites))


def with_cites(declaration: Any, cites: tuple[t.Cite, ...]) -> Any:
    """A declaration that cites more."""
    if not cites:
        return declaration
    if isinstance(declaration, t.RuleDecl):
        return replace(declaration, hook=with_cites(declaration.hook, cites))
    name = next((name for name in ("members", "lines", "cites") if hasattr(declaration, name)), None)
    if name is not None:
        return replace(declaration, **{name: (*getattr(declaration, name), *cites)})
    return replace(declaration, body=replace(declaration.body, statements=(*cites, *declaration.body.statements)))


def _settle_value(linker: Linker, change: t.Change, key: tuple[str, ...], old: tuple[t.Expr, ...], old_span: Span) -> bool:
    """Note the change of a value, after comparing it with what the layer believes the value was."""
    settled = linker.settle(key, change.path, "set", change.span, cites_of(change))
    if settled and change.was and [fingerprint(value) for value in change.was] != [fingerprint(value) for value in old]:
        _stale(linker, change, ", ".join(map(_said, old)), old_span)
    return settled


def _stale(linker: Linker, change: t.Change, old: str | None, span: Span) -> None:
    """Complain that something is not what a layer believes it was."""
    hint = f"{f'it is {old}' if old else 'it has no value of its own'}; look at it again and correct 'was'"
    linker.complain("R305", f"'{change.path}' is no longer what this layer says it was", change.span, hint, (Related(span, "it is set here"),))


def _said(value: Any) -> str:
    """A literal as it is written."""
    if isinstance(value, t.Dot):
        return f"{_said(value.base)}.{value.word}"
    if isinstance(value, t.Text):
        return f'"{"".join(part for part in value.parts if isinstance(part, str))}"'
    return str(value.value if isinstance(value, t.Number) else getattr(value, "word", "something else"))


def apply_add(linker: Linker, change: t.AddTo) -> None:
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
    linker.new_members(item, tuple(added))
    if linker.settle((change.path, f"+{linker.package.id}"), change.path, "added to", change.span, cites_of(change)):
        linker.update(item, replace(declaration, members=(*declaration.members, *added)))


def apply_add_words(linker: Linker, change: t.AddWords) -> None:
    """`add to words`: more words for a list that has a name."""
    item = linker.items.get(change.path)
    if item is None or not isinstance(item.declaration, t.WordsDecl):
        linker.missing(change.path, change.span, "list of words")
        return
    twice = [str(word) for word in change.words if word in item.declaration.words]
    if twice:
        linker.complain("R302", f"'{change.path}' already has {', '.join(twice)}", change.span, None, (Related(item.declaration.span, "it is here"),))
    if linker.settle((change.path, f"+{linker.package.id}"), change.path, "added to", change.span, cites_of(change)):
        words = tuple(dict.fromkeys((*item.declaration.words, *change.words)))
        linker.update(item, replace(item.declaration, words=words, cites=(*item.declaration.cites, *change.cites)))


APPLY: dict[type, Callable[[Linker, Any], None]] = {
    t.Replace: apply_replace,
    t.ReplaceIn: apply_replace_in,
    t.Remove: apply_remove,
    t.Insert: apply_insert,
    t.Change: apply_change,
    t.AddTo: apply_add,
    t.AddWords: apply_add_words,
    t.More: apply_more,
}
