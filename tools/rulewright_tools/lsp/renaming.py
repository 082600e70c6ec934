"""References and renaming: every place that names the same thing, in all rulesets that somebody works on, and giving it another name there.

Takes a project and an occurrence. Something is the same where it has the same declaration, so that equal names in games that have nothing to do with each other are left alone. A new name is
refused (`Refused`, with the reason) if something has it already, or if the rules with it would have mistakes that they do not have now: they are built to see that.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from rulewright.diagnostics import Span
from rulewright.parse.machine import ALWAYS_KEYWORDS
from rulewright.types import pluralised
from rulewright_tools.lsp.meanings import Declared
from rulewright_tools.lsp.occurrences import Occurrence
from rulewright_tools.lsp.project import RULES, Analysis, Project

NAME = re.compile(r"[a-z_][a-z0-9_]*")
PROSE = re.compile(r"\s*(?:- )?(?:name|log|choose|label|title|description|prompt|because|cite|cites|rule|statement|quote):")
QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*\"|#.*")
NAMED = ("local", "word", "cite", "group")


class Refused(Exception):
    """Why something cannot be renamed."""


class Edit(NamedTuple):
    """A stretch of a file, and what to write there."""

    span: Span
    text: str


def definition(analysis: Analysis, each: Occurrence) -> list[Span]:
    """Where something is declared: as it finally is, or, if it stands there itself, where it was declared before; a rule, where its rulebook has it."""
    how, _, rest = each.key.partition(" ")
    if how == "local":
        return [one.span for one in analysis.occurrences(each.span.file) if one.key == each.key and one.unit == each.unit and one.declares][:1]
    if how == "cite":
        return list(_rule(analysis, rest))
    if how == "group":
        actions = (analysis.declared.get(f"{path}()") for path in analysis.meanings.symbols.groups.get(rest, ()))
        return [name_span(analysis, action) for action in actions if action is not None]
    declared = analysis.declared.get(each.key)
    spans = [name_span(analysis, declared)] if declared is not None else []
    earlier = [name_span(analysis, one) for one in analysis.written.get(each.key, ())]
    elsewhere = [span for span in dict.fromkeys([*spans, *reversed(earlier)]) if span != each.span]
    return elsewhere[:1] or spans


def _rule(analysis: Analysis, id: str) -> Iterator[Span]:
    for package in analysis.built.sources.packages:
        for number, rule in enumerate(package.rulebook.data.get("rules", ())) if package.rulebook is not None else ():
            if rule["id"] == id and package.rulebook is not None:
                yield package.rulebook.span("rules", number, "id")


def name_span(analysis: Analysis, declared: Declared) -> Span:
    """Where the name of a declaration stands."""
    span: Span = declared.node.span
    name = declared.path.rpartition(".")[2]
    inside = (word for word in analysis.words(span.file).inside(span) if word.text == name) if span.file.endswith(RULES) else iter(())
    found = list(inside)[:2]
    if not found:
        return span
    # The word that begins a declaration may read like its name: `card card`.
    return found[-1 if len(found) == 2 and found[0].column == span.column and found[0].line == span.line else 0].span(span.file)


def references(project: Project, analysis: Analysis, each: Occurrence) -> list[Span]:
    """Every place that names the same, the declaration too."""
    how = each.key.partition(" ")[0]
    if how == "local":
        return [one.span for one in analysis.occurrences(each.span.file) if one.key == each.key and one.unit == each.unit]
    if how == "word":
        return []
    found: dict[Span, None] = {}
    for other in _speaking_of(project, analysis, each):
        for file in other.built.trees:
            found.update((one.span, None) for one in other.occurrences(file) if one.key == each.key)
    return sorted(found, key=lambda span: (span.file, span.line, span.column))


def _speaking_of(project: Project, analysis: Analysis, each: Occurrence) -> Iterator[Analysis]:
    """The rulesets in which a key means the same thing as here; those that do not say the word need not be built."""
    name = each.key.removesuffix("()").rpartition(" ")[2].rpartition(".")[2]
    words = re.compile(rf"\b(?:{re.escape(name)}|{re.escape(analysis.meanings.symbols.plural(name))})\b")
    here = _origin(analysis, each.key)
    yield analysis
    for target in project.rulesets():
        if target != analysis.target and any(words.search(project.text(str(path)) or "") for path in _own_files(target)):
            other = project.last(target)
            if (each.key in other.declared and _origin(other, each.key) == here) or each.key.startswith(NAMED):
                yield other


def _origin(analysis: Analysis, key: str) -> tuple[str, int] | None:
    """Where a name was declared first."""
    first = next(iter(analysis.written.get(key, ())), None) or analysis.declared.get(key)
    return (os.path.abspath(first.node.span.file), first.node.span.line) if first is not None else None


def _own_files(target: str) -> list[Path]:
    """The files of a ruleset itself."""
    path = Path(target)
    return [path] if path.suffix == RULES else sorted(each for each in path.rglob("*") if each.suffix in (RULES, ".yaml", ".yml") and each.is_file())


# -- renaming


def old_name(each: Occurrence) -> str:
    """What something is called that can have another name; refused if it is no name of the rules."""
    how, _, rest = each.key.partition(" ")
    if how in ("word", "cite", "group"):
        what = {"word": "a value or a word of the language", "cite": "a rule of a rulebook", "group": "a group of actions"}[how]
        raise Refused(f"'{rest}' is {what}, and cannot be renamed here")
    name = each.key.removesuffix("()").rpartition(" ")[2].rpartition(".")[2]
    if name in ("player", "self", "it", "actor", "result", "setup", "play", "owner"):
        raise Refused(f"'{name}' is known to the language by this name")
    return name


def rename(project: Project, analysis: Analysis, each: Occurrence, new: str) -> dict[str, list[Edit]]:
    """The edits by file that give something another name; refused if the rules would not be what they were."""
    old = old_name(each)
    if not NAME.fullmatch(new) or new in ALWAYS_KEYWORDS:
        raise Refused(f"'{new}' cannot be a name: names are written with the letters a to z, digits and _")
    _free(analysis, each, new)
    others = list(_speaking_of(project, analysis, each)) if not each.key.startswith("local ") else [analysis]
    plural = _plural(analysis, old)
    edits: dict[str, dict[Span, Edit]] = {}
    spans = [span for other in others for file in other.built.trees for span in _spans(other, file, each)]
    for span in dict.fromkeys(spans):
        said = _said(project, span)
        if said in (old, plural):
            edits.setdefault(span.file, {})[span] = Edit(span, new if said == old else pluralised(new))
    if each.key in analysis.declared and analysis.declared[each.key].what != "words":  # a list of words is spoken of by rules alone
        for file, found in _in_data(project, others, each, old, new):
            edits.setdefault(file, {}).update({edit.span: edit for edit in found})
    made = {file: list(found.values()) for file, found in edits.items()}
    _check(project, others, made)
    return made


def _spans(analysis: Analysis, file: str, each: Occurrence) -> Iterator[Span]:
    for one in analysis.occurrences(file):
        if one.key == each.key and (not each.key.startswith("local ") or (one.unit == each.unit and one.span.file == each.span.file)):
            yield one.span


def _free(analysis: Analysis, each: Occurrence, new: str) -> None:
    """Refuse a name that something has: for a member, another member; for anything else, whatever could be meant where it is named."""
    owner = each.key.removesuffix("()").rpartition(" ")[2].rpartition(".")[0]
    if owner:
        taken = bool({f"{owner}.{new}", f"{owner}.{new}()"} & analysis.declared.keys())
    else:
        local = each.key.startswith("local ")
        near = analysis.occurrences(each.span.file) if local else (one for file in analysis.built.trees for one in analysis.occurrences(file))
        covered = any(one.key == f"local {new}" and (not local or one.unit == each.unit) for one in near)
        taken = covered or bool({new, f"{new}()"} & analysis.declared.keys()) or new in analysis.meanings.symbols.everything()
    if taken:
        raise Refused(f"something is called '{new}' already")


def _plural(analysis: Analysis, old: str) -> str | None:
    """What several of it are called, if that follows from its name."""
    symbols = analysis.meanings.symbols
    return pluralised(old) if symbols.plurals.get(pluralised(old)) == old else None


def _said(project: Project, span: Span) -> str:
    lines = (project.text(span.file) or "").split("\n")
    return lines[span.line - 1][span.column - 1 : span.end_column - 1] if span.line <= len(lines) else ""


def _in_data(project: Project, others: list[Analysis], each: Occurrence, old: str, new: str) -> Iterator[tuple[str, list[Edit]]]:
    """The same name in boards, tables, scenarios and translations: not in what people read."""
    word = re.compile(rf"(?<![\w\"'-]){re.escape(old)}(?![\w'\"-])")
    path = each.key.removesuffix("()").rpartition(" ")[2]
    keys = re.compile(rf"(?<=\s){re.escape(path)}(?=[.:])")
    folders = {package.folder for other in others for package in other.built.sources.packages if package.folder and not package.alone}
    for folder in sorted(folders):
        for file in sorted(Path(folder).rglob("*.yaml")):
            sort = "locale" if file.parent.name == "locale" else file.parent.name if file.parent.name == "scenarios" else file.stem
            if sort not in ("locale", "scenarios", "board", "table"):
                continue
            lines = (project.text(str(file)) or "").split("\n")
            found = [
                edit
                for number, line in enumerate(lines, 1)
                for edit in _on_line(str(file), number, line, keys if sort == "locale" else word, old, new)
            ]
            if found:
                yield str(file), found


def _on_line(file: str, number: int, line: str, pattern: re.Pattern[str], old: str, new: str) -> Iterator[Edit]:
    if PROSE.match(line):
        return
    code = QUOTED.sub(lambda found: " " * len(found[0]), line)
    for found in pattern.finditer(code):
        yield Edit(Span(file, number, found.end() - len(old) + 1, number, found.end() + 1), new)


def _check(project: Project, others: list[Analysis], edits: dict[str, list[Edit]]) -> None:
    """Refuse edits after which there are mistakes that there are not now."""
    texts = {file: applied(project.text(file) or "", found) for file, found in edits.items()}
    for other in others:
        before = sum(one.severity == "error" for one in other.built.diagnostics)
        errors = [one for one in project.tried(other.target, texts).built.diagnostics if one.severity == "error"]
        if len(errors) > before:
            first = errors[0]
            raise Refused(f"the rules would no longer be right: {first.message} ({first.span.file}:{first.span.line})")


def applied(text: str, edits: list[Edit]) -> str:
    """A text after edits that do not overlap."""
    lines = text.split("\n")
    for edit in sorted(edits, key=lambda edit: (edit.span.line, edit.span.column), reverse=True):
        line = lines[edit.span.line - 1]
        lines[edit.span.line - 1] = line[: edit.span.column - 1] + edit.text + line[edit.span.end_column - 1 :]
    return "\n".join(lines)
