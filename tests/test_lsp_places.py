"""Places in texts as editors count them, in UTF-16: behind emoji and letters of every script, with each way to end a line, and in files that are longer than anybody writes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.speaking_lsp import Editor

GAME = """\
ruleset places "Místa 🎲" for 1 player

kind coin
coin groš "Groš"
coin penny "Penny 🪙🪙"  # 🪙 žluťoučký kůň

effect earn(prize: coin): log "🪙🪙 č {prize} 🪙 {prize} 👩‍🚀"
effect spend(prize: coin): log "𝒦𝒾𝓃𝒹 {prize}"; earn(prize)

phase play:
    earn(penny)
    end game
""".replace("coin groš", "coin gros").replace("; earn(prize)", "")


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Editor, Path]]:
    """An editor with a folder of its own."""
    folder = tmp_path_factory.mktemp("místa 🪙")
    with Editor(folder) as made:
        yield made, folder


def utf16(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def place(text: str, word: str, nth: int) -> tuple[int, int]:
    """Where a word stands for the nth time."""
    at = -1
    for _ in range(nth):
        at = text.index(word, at + 1)
    return text.count("\n", 0, at), utf16(text[text.rfind("\n", 0, at) + 1 : at])


def applied(text: str, edits: list[dict[str, Any]]) -> str:
    """A text after edits, as an editor makes them."""
    lines = text.split("\n")

    def offset(where: dict[str, int]) -> int:
        line = lines[where["line"]].encode("utf-16-le")[: 2 * where["character"]].decode("utf-16-le")
        return sum(len(each) + 1 for each in lines[: where["line"]]) + len(line)

    for edit in sorted(edits, key=lambda each: -offset(each["range"]["start"])):
        text = text[: offset(edit["range"]["start"])] + edit["newText"] + text[offset(edit["range"]["end"]) :]
    return text


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_renaming_behind_emoji(editor: tuple[Editor, Path], end: str) -> None:
    """Every place is the right one, in texts with braces too; the ends of lines stay."""
    here, folder = editor
    file = folder / f"places{len(end)}.rules"
    file.write_text(GAME.replace("\n", end), encoding="utf-8", newline="")
    text = GAME.replace("\n", end)
    uri = here.open(file, text)
    here.told(uri, "R308")  # 'spend' is not used
    line, character = place(GAME, "prize", 2)
    assert here.ask("textDocument/definition", here.at(uri, line, character + 1))
    answer = here.ask("textDocument/rename", here.at(uri, line, character + 1, newName="reward"))
    edits = answer["changes"][uri] if "changes" in answer else [edit for change in answer["documentChanges"] for edit in change["edits"]]
    changed = applied(text, edits)
    before, _, after = text.partition("effect spend")
    assert changed == before.replace("prize", "reward") + "effect spend" + after


def test_a_mistake_behind_emoji(editor: tuple[Editor, Path]) -> None:
    """It is underlined where it is."""
    here, folder = editor
    file = folder / "wrong.rules"
    text = GAME.replace("𝒦𝒾𝓃𝒹 {prize}", "𝒦𝒾𝓃𝒹 {prise}")
    file.write_text(text, encoding="utf-8")
    uri = here.open(file)
    found = next(one for one in here.told(uri, "R301", "R308") if one["code"] == "R301")
    line, character = place(text, "prise", 1)
    assert found["range"] == {"start": {"line": line, "character": character}, "end": {"line": line, "character": character + len("prise")}}


def test_typing_piece_by_piece(editor: tuple[Editor, Path]) -> None:
    """Changes of a part of a text, told in UTF-16, are made where they belong."""
    here, folder = editor
    file = folder / "pieces.rules"
    text = GAME.replace("effect spend(prize: coin)", "effect unused(prize: coin)")
    file.write_text(text, encoding="utf-8")
    uri = here.open(file)
    here.told(uri, "R308")
    line, character = place(text, "} 👩", 1)
    spot = {"line": line, "character": character}
    for new, old, codes in (("x", 0, ("R301", "R308")), ("", 1, ("R308",))):
        here.versions[uri] += 1
        change = {"range": {"start": spot, "end": {**spot, "character": character + old}}, "text": new}
        version = {"uri": uri, "version": here.versions[uri]}
        here.tell("textDocument/didChange", {"textDocument": version, "contentChanges": [change]})
        here.told(uri, *codes)


def test_a_file_that_is_too_large(editor: tuple[Editor, Path]) -> None:
    """It is told of, and the server is there for the next."""
    here, folder = editor
    (folder / "large.rules").write_text("kind coin\n", encoding="utf-8")
    uri = here.open(folder / "large.rules", "kind coin\n" + "# 🪙 much\n" * 200_000)
    for method in ("textDocument/completion", "textDocument/hover", "textDocument/definition"):
        assert "error" not in here.answer(method, here.at(uri, 0, 6))
    here.type(uri, "kind")
    here.told(uri, "R101")
