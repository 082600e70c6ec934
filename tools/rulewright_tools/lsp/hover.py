"""Hovering: what a word says, as it finally is, what layers did to it, what hooks on it, and the rules that it cites.

Takes an analysis and an occurrence, gives Markdown; nothing for words that need none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulewright import tree as t
from rulewright.changes import what_of
from rulewright.diagnostics import Span
from rulewright.final_text import FinalTexts
from rulewright.resolve.cites import cites_of, walk
from rulewright.resolve.linked import hook_words
from rulewright.source import excerpt
from rulewright.types import shown
from rulewright_tools.lsp.meanings import Declared
from rulewright_tools.lsp.occurrences import Occurrence
from rulewright_tools.lsp.project import Analysis

LONGEST = 30  # lines of a declaration
HOOKS = (t.HookDecl, t.RunsOut, t.Reaches, t.ChangeDecl, t.CostChange, t.Reaction)
MOST = 8  # hooks and rules that are told one by one


def hover(analysis: Analysis, each: Occurrence) -> str | None:
    """What there is to know of a word."""
    how, _, rest = each.key.partition(" ")
    if how == "local":
        of = analysis.meanings.types.get(each.span)
        return f"`{rest}`: {shown(of)}" if of is not None else f"`{rest}`, a local name"
    if how == "cite":
        return rule(analysis, rest)
    if how == "group":
        actions = analysis.meanings.symbols.groups.get(rest, [])
        return f"the group of actions `{rest}`: {', '.join(actions)}" if actions else None
    declared = analysis.declared.get(each.key)
    return describe(analysis, declared) if declared is not None else None


def describe(analysis: Analysis, declared: Declared) -> str:
    """A declaration and what others say about it."""
    built, node = analysis.built, declared.node
    place = f"{node.span.file}:{node.span.line}"
    blocks = [f"**{what_of(node) or declared.what} {declared.path}** (of {declared.package}), {place}", _code(_text(analysis, declared))]
    blocks += _changes(analysis, declared)
    if hooks := _hooks(analysis).get(declared.path, []):
        blocks.append("\n".join(["hooks:", *(f"- {words} (of {package}), {file}" for words, package, file in hooks[:MOST]), *_more(hooks)]))
    book = built.linked.rulebook if built.linked is not None else {}
    if cited := [rule for rule in cites_of(node) if rule in book]:
        blocks.append("\n".join(["rules:", *(f"- **{rule}** {book[rule]}" for rule in cited[:MOST]), *_more(cited)]))
    return "\n\n".join(blocks)


def rule(analysis: Analysis, id: str) -> str | None:
    """A rule of a rulebook, with its page."""
    for package in analysis.built.sources.packages:
        for one in package.rulebook.data.get("rules", ()) if package.rulebook is not None else ():
            if one["id"] == id:
                return f"**{id}** ({one.get('page') or one.get('source')})\n\n{one['statement']}"
    return None


def _more(listed: list[Any]) -> list[str]:
    return [f"- and {len(listed) - MOST} more"] if len(listed) > MOST else []


def _text(analysis: Analysis, declared: Declared) -> str:
    """A declaration as it finally is, with what layers did to it."""
    lines = FinalTexts(analysis.built).of(declared.node).split("\n")
    return "\n".join([*lines[:LONGEST], *(["..."] if len(lines) > LONGEST else [])])


def _code(text: str) -> str:
    return f"```rules\n{text}\n```"


def _changes(analysis: Analysis, declared: Declared) -> Iterator[str]:
    """What layers did to it or in it."""
    path, linked = declared.path, analysis.built.linked
    for record in linked.changes if linked is not None else ():
        if record.path == path or record.path.startswith(f"{path}."):
            text = excerpt(analysis.built.texts, record.span)
            own = record.span.file == declared.node.span.file and record.span.line == declared.node.span.line
            yield f"{record.how} by {record.package}: {record.path}, {record.span.file}:{record.span.line}" + ("" if own else f"\n\n{_code(text)}")
    earlier = [
        each for each in analysis.written.get(_key(analysis, declared), ()) if each.node is not declared.node and each.package != declared.package
    ]
    if earlier and any(record.how == "replaced" and record.path == path for record in (linked.changes if linked is not None else ())):
        yield f"was, in {earlier[-1].package}:\n\n{_code(_text(analysis, earlier[-1]))}"


def _key(analysis: Analysis, declared: Declared) -> str:
    return next((key for key, each in analysis.declared.items() if each is declared), declared.path)


def _hooks(analysis: Analysis) -> dict[str, list[tuple[str, str, str]]]:
    """The hooks on everything, by what they are on."""
    found: dict[str, list[tuple[str, str, str]]] = {}
    packages = analysis.built.linked.origins if analysis.built.linked is not None else {}
    for tree in analysis.built.trees.values():
        for node in walk(tree.declarations):
            if isinstance(node, HOOKS):
                how, on = hook_words(node)
                found.setdefault(on, []).append((f"{how} {on}", packages.get(tree.file, ""), _place(node.span)))
    return found


def _place(span: Span) -> str:
    return f"{span.file}:{span.line}"
