"""The language server, spoken to as an editor does: over the protocol, with a process of its own."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulewright.diagnostics import Diagnostic
from rulewright.validate import validate
from rulewright_tools.cli import main
from rulewright_tools.lsp.fixes import fixes
from rulewright_tools.lsp.measure import measure
from rulewright_tools.lsp.renaming import Edit, applied
from tests.playing import ROOT
from tests.speaking_lsp import Editor

GAME = """kind coin:
    worth: 1..9
    shiny: flag

coin penny "Penny" x3:
    worth 1

coin crown "Crown":
    worth 5
    shiny

place purse: a pile of coin

number goal = 3

effect earn(who: player, prize: coin):
    let found = prize.worth
    move prize to purse
    if found > goal and prize is shiny: win who

phase setup:
    for each coin in coins: nothing

phase play:
    for each player in players ordered by seat:
        player chooses prize: a coin in box
        earn(player, prize)
        log "{player} has {count of coins in purse} of {goal}, {prize.worth} for {prize}."
    end game
"""
LAYER = """layer rich over "game.rules" "Everything is worth more"

set goal to 7

replace effect earn(who: player, prize: coin):
    win who

after setup:
    log "Rich."
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game and a layer over it."""
    made = tmp_path_factory.mktemp("workshop")
    (made / "game.rules").write_text('ruleset game "Game" for 2 to 4 players\n\n' + GAME)
    (made / "rich.rules").write_text(LAYER)
    return made


@pytest.fixture(scope="module")
def editor(folder: Path) -> Iterator[Editor]:
    """An editor that has the folder open; several tests share it, each with documents as it opens them."""
    with Editor(folder) as made:
        yield made


def place(text: str, word: str, after: int = 0, nth: int = 1) -> tuple[int, int]:
    """Where a word stands for the nth time, as an editor counts."""
    at = -1
    for _ in range(nth):
        at = text.index(word, at + 1)
    before = text[:at]
    return before.count("\n"), at - (before.rfind("\n") + 1) + after


def game(folder: Path) -> str:
    """The text of the game."""
    return (folder / "game.rules").read_text()


# -- diagnostics


def test_mistakes_are_told_while_typing(editor: Editor, folder: Path) -> None:
    """Of a text that is not saved: syntax, then names and types; when it is right again, nothing."""
    text, uri = game(folder), editor.open(folder / "game.rules")
    editor.told(uri)
    editor.type(uri, text.replace("let found = prize.worth", "let found = prize.wroth"))
    [problem] = editor.told(uri, "R404")
    assert "did you mean 'worth'?" in problem["message"]
    assert problem["range"]["start"] == dict(zip(("line", "character"), place(text, "prize.worth"), strict=True))
    editor.type(uri, text.replace("let found = prize.worth", "let found ="))
    editor.told(uri, "R101")
    editor.type(uri, text)
    editor.told(uri)


def test_a_layer_sees_what_is_not_saved_below_it(editor: Editor, folder: Path) -> None:
    """A name that goes away in one text is missed in the other."""
    text, uri, above = game(folder), editor.open(folder / "game.rules"), editor.open(folder / "rich.rules")
    editor.told(above)
    editor.type(uri, text.replace("goal", "target"))
    editor.told(above, "R303")
    editor.type(uri, text)
    editor.told(above)


def test_a_manifest_is_looked_at_too(editor: Editor, tmp_path: Path) -> None:
    """YAML files of a ruleset have diagnostics, with the line; a rules file that the manifest forgets is told of."""
    (tmp_path / "ruleset.yaml").write_text('id: small\ntitle: Small\nversion: "1"\nplayers: {min: 2, max: 2}\nfiles: [small.rules]\n')
    (tmp_path / "small.rules").write_text(GAME)
    uri = editor.open(tmp_path / "ruleset.yaml")
    editor.told(uri)
    editor.type(uri, (tmp_path / "ruleset.yaml").read_text().replace("title: Small", "titel: Small"))
    problems = editor.told(uri, "R204", "R212")
    assert {one["range"]["start"]["line"] for one in problems} <= {0, 1}


def test_scenarios_are_looked_at(editor: Editor, tmp_path: Path) -> None:
    """As far as their shape goes."""
    (tmp_path / "ruleset.yaml").write_text('id: small\ntitle: Small\nversion: "1"\nplayers: {min: 2, max: 2}\nfiles: [small.rules]\n')
    (tmp_path / "small.rules").write_text(GAME)
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / "first.yaml").write_text("scenarios:\n  - name: First\n    thne: goal = 3\n")
    uri = editor.open(tmp_path / "scenarios" / "first.yaml")
    assert any("did you mean 'then'?" in one["message"] for one in editor.told(uri, "R204", "R212"))


# -- what there is to know


def test_hovering_shows_what_a_rule_finally_says(editor: Editor, folder: Path) -> None:
    """In the game what it says there; in the layer what replaced it, and what it was."""
    text, uri, above = game(folder), editor.open(folder / "game.rules"), editor.open(folder / "rich.rules")
    told = editor.ask("textDocument/hover", editor.at(uri, *place(text, "earn(player")))["contents"]["value"]
    assert "effect earn(who: player, prize: coin):\n    let found = prize.worth" in told
    told = editor.ask("textDocument/hover", editor.at(above, *place(LAYER, "earn")))["contents"]["value"]
    assert "replaced by rich" in told
    assert "was, in game" in told
    assert "let found = prize.worth" in told
    told = editor.ask("textDocument/hover", editor.at(above, *place(LAYER, "goal")))["contents"]["value"]
    assert "number goal = 7" in told
    assert editor.ask("textDocument/hover", editor.at(uri, *place(text, "prize is")))["contents"]["value"] == "`prize`: a coin"


@pytest.mark.parametrize(
    ("word", "nth", "line"),
    [("earn", 2, "effect earn"), ("worth", 4, "worth: 1..9"), ("shiny", 3, "shiny: flag"), ("goal", 2, "number goal"), ("purse", 2, "place purse"),
     ("prize", 2, "effect earn(who: player, prize"), ("coins", 1, "kind coin"), ("found", 2, "let found")],
)  # fmt: skip
def test_definitions(editor: Editor, folder: Path, word: str, nth: int, line: str) -> None:
    """Names lead to their declarations: of effects, fields, flags as adjectives, numbers, places, parameters, plurals, local names."""
    text, uri = game(folder), editor.open(folder / "game.rules")
    [found] = editor.ask("textDocument/definition", editor.at(uri, *place(text, word, nth=nth)))
    assert line in text.split("\n")[found["range"]["start"]["line"]]


def test_a_replacement_leads_to_what_it_replaces(editor: Editor, folder: Path) -> None:
    """From the layer into the file below it."""
    above = editor.open(folder / "rich.rules")
    [found] = editor.ask("textDocument/definition", editor.at(above, *place(LAYER, "earn")))
    assert found["uri"].endswith("game.rules")


def test_references_go_across_layers(editor: Editor, folder: Path) -> None:
    """All places of a name, in all rulesets of the folder."""
    text, uri = game(folder), editor.open(folder / "game.rules")
    found = editor.ask("textDocument/references", editor.at(uri, *place(text, "goal"), context={"includeDeclaration": True}))
    assert sorted(one["uri"].rpartition("/")[2] for one in found) == ["game.rules", "game.rules", "game.rules", "rich.rules"]


# -- changes


def edited(editor: Editor, changes: dict[str, Any]) -> dict[str, str]:
    """The files of a change, after it."""
    found = {}
    for uri, edits in changes.items():
        path = Path(uri.removeprefix("file://"))
        spans = [
            (edit["range"]["start"]["line"], edit["range"]["start"]["character"], edit["range"]["end"]["character"], edit["newText"])
            for edit in edits
        ]
        lines = path.read_text().split("\n")
        for line, start, end, new in sorted(spans, reverse=True):
            lines[line] = lines[line][:start] + new + lines[line][end:]
        found[path.name] = "\n".join(lines)
    return found


@pytest.mark.parametrize(
    ("word", "nth", "new", "then"),
    [("earn", 1, "gain", "gain(player, prize)"), ("worth", 1, "value_of", "prize.value_of"), ("coin", 1, "piece", "for each piece in pieces: nothing"),
     ("found", 1, "many", "if many > goal"), ("shiny", 1, "bright", "prize is bright"), ("goal", 1, "aim", "found > aim"), ("penny", 1, "farthing", "coin farthing")],
)  # fmt: skip
def test_renaming(editor: Editor, folder: Path, tmp_path: Path, word: str, nth: int, new: str, then: str) -> None:
    """Everything that named it does so by the new name, in the layer too, and the rules are right."""
    text, uri = game(folder), editor.open(folder / "game.rules")
    result = editor.ask("textDocument/rename", editor.at(uri, *place(text, word, nth=nth), newName=new))
    for path in folder.iterdir():
        shutil.copy(path, tmp_path)
    after = edited(editor, result["changes"])
    for name, said in after.items():
        (tmp_path / name).write_text(said)
    assert then in after["game.rules"]
    for name in ("game.rules", "rich.rules"):
        assert [one.message for one in validate(tmp_path / name).diagnostics if one.severity == "error"] == []


@pytest.mark.parametrize(
    ("word", "new", "why"),
    [("goal", "purse", "already"), ("goal", "Goal", "cannot be a name"), ("earn", "setup", "already"), ("found", "prize", "already")],
)
def test_renaming_is_refused(editor: Editor, folder: Path, word: str, new: str, why: str) -> None:
    """With the reason, where something would be called like something else."""
    text, uri = game(folder), editor.open(folder / "game.rules")
    answer = editor.answer("textDocument/rename", editor.at(uri, *place(text, word), newName=new))
    assert why in answer["error"]["message"]


def test_a_guess_is_one_click(editor: Editor, folder: Path) -> None:
    """A code action writes what was meant."""
    text, uri = game(folder), editor.open(folder / "game.rules")
    editor.type(uri, text.replace("earn(player, prize)", "eran(player, prize)"))
    [problem] = editor.told(uri, "R301")
    [action] = editor.ask("textDocument/codeAction", {"textDocument": {"uri": uri}, "range": problem["range"], "context": {"diagnostics": [problem]}})
    [edit] = action["edit"]["changes"][uri]
    assert (action["title"], edit["newText"]) == ("Change 'eran' to 'earn'", "earn")
    editor.type(uri, text)
    editor.told(uri)


def guesses() -> Iterator[tuple[Path, Diagnostic]]:
    """Every complaint with a guess that the files of tests/language and tests/mistakes get."""
    for path in sorted([*(ROOT / "tests" / "language").glob("*/bad/*.rules"), *(ROOT / "tests" / "mistakes").rglob("*.rules")]):
        if "did you mean" in path.read_text(encoding="utf-8", errors="replace"):
            yield from (
                (path, one) for one in validate(path).diagnostics if "did you mean '" in (one.hint or "") and one.span.file.endswith(path.name)
            )


def test_every_guess_can_be_taken() -> None:
    """Each guess has an edit, which changes the wrong word into the right one."""
    looked, without = 0, []
    for path, one in guesses():
        looked += 1
        text = path.read_text(encoding="utf-8")
        found = list(fixes(one, text))
        if not found or applied(text, [Edit(found[0].span, found[0].text)]) == text:
            without.append(f"{path.name}:{one.span.line}: {one.message} ({one.hint})")
    assert without == []
    assert looked > 100


def test_formatting(editor: Editor, folder: Path) -> None:
    """Only the lines that change; a text that cannot be read is left alone."""
    text, uri = game(folder), editor.open(folder / "game.rules")
    editor.type(uri, text.replace("number goal = 3", "number   goal=3"))
    [edit] = editor.ask("textDocument/formatting", {"textDocument": {"uri": uri}, "options": {"tabSize": 4, "insertSpaces": True}})
    assert edit["newText"] == "number goal = 3\n"
    editor.type(uri, text + "effect ( broken")
    assert editor.ask("textDocument/formatting", {"textDocument": {"uri": uri}, "options": {"tabSize": 4, "insertSpaces": True}}) is None
    editor.type(uri, text)


# -- completion, outline, colours, hints


@pytest.mark.parametrize(
    ("typed", "there", "missing"),
    [
        ("effect more_of(who: player):\n    ", {"earn", "move", "let", "who", "if"}, {"kind", "penny", "layer"}),
        ("effect more_of(prize: coin):\n    let x = prize.", {"worth", "shiny", "label"}, {"penny", "goal", "move"}),
        ("effect more_of(prize: coin):\n    let x = prize.w", {"worth"}, {"shiny"}),
        ("effect more_of(prize: coin):\n    move a ", {"coin"}, {"coins", "effect"}),
        ("effect more_of(prize: coin):\n    move all ", {"coins"}, {"coin", "effect"}),
        ("effect more_of(prize: coin):\n    if prize is ", {"shiny"}, {"layer"}),
        ("effect more_of(prize: coin):\n    log \"{prize.", {"worth"}, {"penny"}),
        ("effect more_of(prize: coin):\n    log \"prize ", set(), {"prize", "worth"}),
        ("# a comm", set(), {"coin"}),
        ("after ", {"earn", "setup", "play"}, {"penny", "goal"}),
        ("coin florin \"Florin\":\n    ", {"worth", "shiny", "cite"}, {"goal", "purse"}),
        ("effect more_of(x: ", {"coin", "flag"}, {"goal", "earn"}),
        ("", {"kind", "effect", "coin"}, {"earn", "move"}),
        ("effect more_of(prize: coin):\n    nonsense nonsense +\n    prize.", {"worth"}, {"goal"}),
    ],
)  # fmt: skip
def test_completion_proposes_what_fits(editor: Editor, folder: Path, typed: str, there: set[str], missing: set[str]) -> None:
    """Keywords, names and fields, by what stands before; nothing in comments and texts."""
    text, uri = game(folder), editor.open(folder / "game.rules")
    editor.told(uri)
    editor.type(uri, f"{text}\n{typed}")
    lines = f"{text}\n{typed}".split("\n")
    answer = editor.ask("textDocument/completion", editor.at(uri, len(lines) - 1, len(lines[-1])))
    labels = {item["label"] for item in answer["items"]} if answer else set()
    assert there <= labels
    assert not missing & labels
    editor.type(uri, text)
    editor.told(uri)


def test_the_outline(editor: Editor, folder: Path) -> None:
    """Declarations with their members, also of a text of which a part is broken."""
    text, uri = game(folder), editor.open(folder / "game.rules")
    editor.type(uri, text.replace("number goal = 3", "number goal ="))
    found = editor.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    assert [one["name"] for one in found] == ["game", "coin", "penny", "crown", "purse", "earn", "setup", "play"]
    assert [one["name"] for one in found[1]["children"]] == ["worth", "shiny"]
    editor.type(uri, text)


def test_colours_are_by_meaning(editor: Editor, folder: Path) -> None:
    """The same word has the colour of what it names; positions are counted in UTF-16."""
    text = game(folder).replace('penny "Penny"', 'penny "🪙 Penny"')
    uri = editor.open(folder / "game.rules", text)
    sorts = editor.capabilities["semanticTokensProvider"]["legend"]["tokenTypes"]
    data = editor.ask("textDocument/semanticTokens/full", {"textDocument": {"uri": uri}})["data"]
    line = column = 0
    said: dict[str, set[str]] = {}
    for at in range(0, len(data), 5):
        line, column = line + data[at], data[at + 1] if data[at] else column + data[at + 1]
        units = text.split("\n")[line].encode("utf-16-le")
        word = units[2 * column : 2 * (column + data[at + 2])].decode("utf-16-le")
        said.setdefault(word, set()).add(sorts[data[at + 3]])
    assert said["coin"] == {"class"}
    assert said["earn"] == {"function"}
    assert said["worth"] == {"property"}
    assert said["prize"] == {"parameter"}
    assert said["goal"] == {"variable"}
    assert said["for"] == {"keyword"}
    assert said['"🪙 Penny"'] == {"string"}
    assert said["x3"] == {"number"}
    editor.type(uri, game(folder))


def test_a_layer_shows_what_was(editor: Editor, folder: Path) -> None:
    """Behind what it replaces and sets."""
    above = editor.open(folder / "rich.rules")
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    hints = editor.ask("textDocument/inlayHint", {"textDocument": {"uri": above}, "range": whole})
    assert [(hint["position"]["line"], hint["label"]) for hint in hints] == [
        (2, "was 3"),
        (4, "was let found = prize.worth · move prize to purse …"),
    ]
    assert "if found > goal and prize is shiny: win who" in hints[1]["tooltip"]["value"]


# -- nothing crashes it


EVERYTHING = ("hover", "definition", "references", "documentHighlight", "completion", "prepareRename", "documentSymbol", "semanticTokens/full", "formatting", "inlayHint", "codeAction")  # fmt: skip


CONTEXTS: dict[str, dict[str, Any]] = {"references": {"includeDeclaration": True}, "codeAction": {"diagnostics": []}}


def asked(editor: Editor, uri: str, line: int, character: int) -> None:
    """Every request there is about a document; none of them is answered by an error of ours."""
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 9_999, "character": 0}}
    for request in EVERYTHING:
        more: dict[str, Any] = {"range": whole, "options": {"tabSize": 4, "insertSpaces": True}}
        if request in CONTEXTS:
            more["context"] = CONTEXTS[request]
        answer = editor.answer(f"textDocument/{request}", editor.at(uri, line, character, **more))
        assert answer.get("error", {"code": -32803})["code"] == -32803, (request, answer)


BROKEN = (
    "",
    "\n\n\n",
    "effect",
    "effect f(",
    "effect f(who: player):\n    if who.",
    "effect f():\n\tlog \"tab\"",
    "effect f():\n    log \"open",
    "kind Coin:\n    worth: 1..",
    "layer x over",
    "layer x over nothing_of_that_name\n\nafter setup: nothing",
    "layer x over \"broken.rules\"\n\nafter setup: nothing",
    "replace effect f(",
    "set to",
    "(((((((((((((((((((((((((((((((((((((((((((((((((((((((((((",
    "effect f():\n" + "".join(" " * (4 * level) + "if true:\n" for level in range(1, 40)),
    "“curly” – quotes × and ‘more’",
    "\ufeffkind coin",
    "kind coin\r\ncoin penny\r\n",
    "\0\0\0",
    "𝒦𝒾𝓃𝒹 🪙",
    "x" * 5_000,
    "log \"{\"\n",
    "effect f(): log \"{who.\"",
    "cite base.",
)  # fmt: skip


def test_broken_texts(editor: Editor, folder: Path) -> None:
    """Whatever is typed: every request has an answer, and the server is there for the next."""
    uri = editor.open(folder / "broken.rules", "")
    (folder / "broken.rules").write_text("")
    for text in BROKEN:
        editor.type(uri, text)
        lines = text.split("\n")
        for line, character in ((0, 0), (len(lines) - 1, len(lines[-1])), (len(lines) + 5, 900)):
            asked(editor, uri, line, character)
    editor.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
    (folder / "broken.rules").unlink()


def test_half_typed_rules(editor: Editor, folder: Path) -> None:
    """A real text cut off after every so many characters."""
    text, uri = game(folder), editor.open(folder / "game.rules")
    for end in range(0, len(text), 41):
        editor.type(uri, text[:end])
        line = text[:end].count("\n")
        answer = editor.answer("textDocument/completion", editor.at(uri, line, end - (text.rfind("\n", 0, end) + 1)))
        assert "error" not in answer
    editor.type(uri, text)
    editor.told(uri)


def test_strange_files(editor: Editor, tmp_path: Path) -> None:
    """A file that is not UTF-8, one that is gone, one that never was, a folder that is no ruleset, a text without a file, a parent that is not readable."""
    (tmp_path / "latin.rules").write_bytes('kind coin "M\xfcnze"\n'.encode("latin-1"))
    (tmp_path / "over.rules").write_text('layer over over "latin.rules"\n\nafter setup: nothing\n')
    (tmp_path / "gone.rules").write_text(GAME)
    (tmp_path / "notes.yaml").write_text("a: [1\n")
    above = editor.open(tmp_path / "over.rules")
    asked(editor, above, 0, 3)
    for name in ("latin.rules", "gone.rules", "never.rules", "notes.yaml"):
        uri = editor.open(tmp_path / name, None if (tmp_path / name).exists() else "kind coin\n")
        if name == "gone.rules":
            (tmp_path / name).unlink()
        editor.tell("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": 3}]})
        asked(editor, uri, 0, 5)
    for uri in ("untitled:Untitled-1", "file:///", f"file://{tmp_path}", "http://example.org/x.rules"):
        editor.tell("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "rules", "version": 1, "text": "kind coin\n"}})
        asked(editor, uri, 0, 5)
    editor.versions["untitled:Untitled-1"] = 1
    editor.type("untitled:Untitled-1", "kind\n")
    editor.told("untitled:Untitled-1", "R101")


def test_an_editor_that_goes_away(folder: Path) -> None:
    """The server ends with it, without a word."""
    gone = Editor(folder)
    gone.open(folder / "game.rules")
    assert gone.process.stdin is not None
    gone.process.stdin.close()
    assert gone.process.wait(60) == 0
    assert b"Traceback" not in b"".join(gone.errors)


def test_the_log_must_be_writable(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that cannot be written is refused before anything begins."""
    assert main(["lsp", "--log", str(tmp_path / "no" / "such.log")]) == 2
    assert "cannot write" in capsys.readouterr().err


@pytest.mark.slow
def test_measuring(folder: Path) -> None:
    """A line for diagnostics and one for completion, of each file."""
    lines = measure([folder / "game.rules"], rounds=1).splitlines()
    assert [line.split()[0] for line in lines[1:]] == ["diagnostics", "completion"]
    assert all(line.count(" ms") == 3 for line in lines[1:])
