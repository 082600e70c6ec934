"""What a ruleset that several games share leaves to each of them: `effect shed(cards: set of card), each game says its own`.

Such a line declares nothing; it says that every game does, and how that looks. Takes the lines as they come, and when all packages are linked holds them against what is
declared. What a game does not say is told once, and stands in for itself, so that no use of the name is told too. Without any of the games all of it stands in, which
is how a shared ruleset is checked alone. Whether what a game says looks as announced is looked at where types are known, in `check`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from rulewright import tree as t
from rulewright.diagnostics import Related
from rulewright.resolve.linked import Item, key_of, named_as
from rulewright.resolve.linker import Linker

ENDS = {"number": " = N", "kind": ": ...", "component": ": ..."}


def leave_open(linker: Linker, node: t.LeftOpen) -> None:
    """Take note of what each game has to say."""
    what, path = named_as(node.declaration) or ("", "")
    package = linker.package
    if not package.shared_by:
        hint = "say it here; a ruleset that several games share names them in its ruleset.yaml: shared_by: [GAME, GAME]"
        linker.complain("R110", f"'{package.id}' is shared by no games, so it can leave '{path}' to none", node.span, hint)
    key = key_of(what, path)
    earlier = linker.items.get(key) or linker.left_open.get(key)
    if "." in path:
        linker.complain(
            "R110", f"'{path}': a new name has no dots", node.span, "what a kind leaves open each component says: effect NAME(...) in the kind"
        )
    elif earlier is not None:
        related = (Related(earlier.declaration.span, "first declared here"),)
        linker.complain("R302", f"'{path}' is declared twice", node.span, "leave one of them out", related)
    else:
        linker.left_open[key] = Item(path, what, node.declaration, package.id)


def fill_in(linker: Linker, game: Any, texts: Mapping[str, str]) -> None:
    """What no package has said stands in for itself; `game` is the last one, None if there is none."""
    for key, item in linker.left_open.items():
        if key in linker.items:
            _as_announced(linker, key, linker.items[key], item)
            continue
        linker.items[key] = item
        if game is not None:
            gone = linker.removed.get(key) or linker.removed.get(item.path)
            related = (Related(item.declaration.span, "it is left to each game here"), *((Related(gone.span, "removed here"),) if gone else ()))
            message = f"'{game.id}' does not say its own '{item.path}', which '{item.package}' leaves to each game"
            linker.complain("R315", message, game.span, f"write: {_written(item, texts)}", related)


def _as_announced(linker: Linker, key: str, said: Item, announced: Item) -> None:
    """A value that does not say what it gives gives what was announced, so that the shared rules mean the same in every game."""
    own, declared = said.declaration, announced.declaration
    if isinstance(own, t.ValueDecl) and isinstance(declared, t.ValueDecl) and own.gives is None:
        linker.items[key] = replace(said, declaration=replace(own, gives=declared.gives))


def _written(item: Item, texts: Mapping[str, str]) -> str:
    """How a game begins to say it."""
    span = item.declaration.span
    lines = texts.get(span.file, "").split("\n")
    line = lines[span.line - 1] if span.line <= len(lines) else f"{item.what} {item.path}"
    return line.partition(", each game")[0].strip() + ENDS.get(item.what, ": ...")
