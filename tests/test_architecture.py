"""What holds for the code as a whole: imports go in one direction only, and no word of a game stands in it.

Neither can be seen in a test that runs code, and both are easily broken by one convenient line.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from rulewright.sources import known_rulesets
from tests.playing import ROOT

INTERPRETER = ROOT / "interpreter"
TOOLS = ROOT / "tools"

# -- the direction of imports

# The modules and folders of the interpreter: each may use what stands before it, and nothing that stands after it.
ORDER = (
    *("codes", "guessing", "limits", "files", "collection", "cache", "data", "shape", "session"),  # what everybody needs
    *("diagnostics", "render", "types", "tree", "grids", "kept_texts"),  # the forms, and complaints about them
    *("sources", "kept_verdicts", "catalog", "parse", "format", "resolve", "check", "lower", "build", "table_names", "fingerprint"),  # text to graph
    *("source", "changes", "final_text", "comparison", "index", "explain"),  # about a ruleset as a whole
    *("told", "errors", "decision", "core", "step", "game", "wasm", "kept_rules", "rules"),  # graph to game
    *("translatable", "validate", "localize"),  # for authors and translators
    *("trace", "fragment", "scenario", "reached", "coverage", "mutants", "mutation", "bots"),  # beside and on top of games
)


def modules(home: Path) -> dict[str, Path]:
    """The modules below a source root, by the name they are imported by."""
    found = {}
    for path in home.rglob("*.py"):
        parts = path.relative_to(home).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def importing(text: str) -> list[ast.Import | ast.ImportFrom]:
    """Everything in a text that imports, wherever in it that stands, in functions and for type checkers too."""
    return [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import | ast.ImportFrom)]


def imports(path: Path, known: dict[str, Path]) -> Iterator[tuple[int, str]]:
    """What a file imports: line and module."""
    for node in importing(path.read_text(encoding="utf-8")):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        else:
            assert not node.level, f"{path}:{node.lineno}: imports are written whole"
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield node.lineno, inner if inner in known else str(node.module)


def stage(module: str) -> str:
    """The module or folder at the top that something belongs to; empty for the package itself."""
    return f"{module}.".split(".")[1]


def against_the_direction(home: Path) -> list[str]:
    """Every import that leads from a stage to a later one, or to the package as a whole, which knows all of them."""
    known = modules(home)
    wrong = []
    for name, path in sorted(known.items()):
        for line, wanted in imports(path, known):
            if wanted.split(".")[0] != "rulewright" or stage(name) in ("", stage(wanted)):
                continue
            if stage(wanted) == "" or ORDER.index(stage(wanted)) > ORDER.index(stage(name)):
                wrong.append(f"{path.relative_to(home)}:{line}: {name} imports {wanted}")
    return wrong


def test_imports_go_in_one_direction() -> None:
    """Each stage knows those before it, none those after it."""
    assert against_the_direction(INTERPRETER) == []


def test_every_stage_has_its_place() -> None:
    """In the order above, and on the page that describes the interpreter."""
    there = {stage(name) for name in modules(INTERPRETER)} - {""}
    assert there == set(ORDER)
    page = (INTERPRETER / "README.md").read_text(encoding="utf-8")
    assert [name for name in ORDER if not re.search(rf"`{name}(\.py|/)?`", page)] == []


@pytest.mark.parametrize(
    "text",
    [
        "from rulewright.game.game import Game",
        "import rulewright.game.game",
        "from rulewright import game",
        "from rulewright import load",
        "def f() -> None:\n    from rulewright.rules import Rules",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from rulewright.game import game",
    ],
)
def test_an_import_against_the_direction_is_seen(tmp_path: Path, text: str) -> None:
    """In whatever way it is written."""
    for name in ("__init__", "build", "game/__init__", "game/game", "rules"):
        (tmp_path / "rulewright" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "rulewright" / f"{name}.py").write_text("")
    (tmp_path / "rulewright" / "build.py").write_text(text)
    assert len(against_the_direction(tmp_path)) == 1
    (tmp_path / "rulewright" / "build.py").write_text("from rulewright.check import x\nfrom rulewright.parse import parser\nimport json")
    assert against_the_direction(tmp_path) == []


def test_the_interpreter_does_not_know_its_tools() -> None:
    """Commands are built on it; it never asks for one, not even by a name in a text. Neither asks for tests."""
    assert [
        path
        for path in INTERPRETER.rglob("*.py")
        if re.search(r"[\"']rulewright_tools|import rulewright_tools|from rulewright_tools", path.read_text(encoding="utf-8"))
    ] == []
    both = modules(INTERPRETER) | modules(TOOLS)
    assert [(name, line) for name, path in both.items() for line, wanted in imports(path, both) if wanted.split(".")[0] == "tests"] == []


# -- words of games

# Words in the names of things that are ordinary English, or the engine's own. A word that is not among them and stands both in a game and in the code is either
# one of a game, and has nothing to do there, or it belongs into this list.
ORDINARY = frozenset((Path(__file__).parent / "ordinary_words.txt").read_text(encoding="utf-8").split())
CODE = ("*.py", "*.lark", "*.c", "*.h", "*.js", "*.css")


# `kind room`, `room_tile armory "Armory"`, and in a manifest `title: A game`
NAMED = re.compile(r"^(?:kind (?P<kind>\w+)|(?P<of>[a-z_]+) (?P<name>\w+) (?:x\d+ )?\"(?P<label>[^\"]*)\"|title: (?P<title>.*)$)", re.MULTILINE)
NO_COMPONENTS = ("action", "ruleset", "layer", "reaction", "cost", "option")


@cache
def words_of_games() -> dict[str, str]:
    """Every word in the ids and titles of rulesets and in the names and labels of their kinds and components, and where it comes from."""
    found: dict[str, str] = {}
    for name, home in known_rulesets().items():
        if home.parent.name == "examples":  # they are too small to have words of their own
            continue
        files = [home] if home.is_file() else [*home.rglob("*.rules"), home / "ruleset.yaml"]
        names = [match for path in files for match in NAMED.finditer(path.read_text(encoding="utf-8")) if match["of"] not in NO_COMPONENTS]
        for said in (name, *(part for match in names for part in (match["kind"], match["name"], match["label"], match["title"]) if part)):
            for word in re.findall(r"[a-z]{2,}", said.lower()):
                found.setdefault(word, f"'{said}' in {name}")
    return found


def words_of(text: str) -> Iterator[tuple[int, str]]:
    """The words of a piece of code, in names of several words too, and the line each stands on; also without an s at the end."""
    for number, line in enumerate(text.splitlines(), start=1):
        for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", line):
            yield number, word.lower()
            if word.endswith("s"):
                yield number, word[:-1].lower()


def of_a_game(text: str) -> list[str]:
    """What a piece of code has of games."""
    known = words_of_games()
    found = {(line, word) for line, word in words_of(text) if word in known and not {word, word.removesuffix("s")} & ORDINARY}
    return [f"{line}: '{word}', as in {known[word]}" for line, word in sorted(found)]


def test_no_word_of_a_game_stands_in_the_code() -> None:
    """Neither in what it does nor in what is said about it."""
    found = []
    for home in (INTERPRETER, TOOLS):
        for path in sorted(path for form in CODE for path in home.rglob(form)):
            found += [f"{path.relative_to(ROOT)}:{said}" for said in of_a_game(path.read_text(encoding="utf-8"))]
    assert found == []


@pytest.mark.parametrize(
    "text",
    [
        "intruders = 3",
        "if kind == 'larva':",
        "# the noise in a corridor",
        "class NoiseRoll:",
        "def gain_contamination():",
        "CORPSE = 1",
        "carnomorphs",
    ],
)
def test_a_word_of_a_game_is_seen(text: str) -> None:
    """In names, in texts, in comments."""
    assert of_a_game(text) != []
