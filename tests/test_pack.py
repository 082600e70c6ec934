"""Packs: a ruleset as one file is taken like its folder; a stranger's file can do no harm."""

from __future__ import annotations

import hashlib
import io
import json
import random
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rulewright import RulesetError, load
from rulewright.sources import pack as packs
from rulewright.sources.pack import MOST_BYTES, MOST_FILES, PackError, pack, read
from rulewright_tools.cli import rulewright

GAME = 'ruleset tiny "Tiny"\nphase play:\n    for each player in players:\n        player chooses one:\n            "Go": win player\n    end game\n'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def command(*words: str) -> Result:
    return CliRunner().invoke(rulewright, list(words))


def test_a_pack_is_taken_like_the_folder_it_was_made_of(folder: Path) -> None:
    """Validated, tested, played, explained and replayed in another place, with the game of one's own that it stands over."""
    command("new", "game", "stones")
    command("new", "house", "more", "--over", "stones")
    made = command("pack", "more")
    assert made.exit_code == 0, made.output
    assert "with 'stones', which it stands over" in made.output
    there = folder / "elsewhere"
    there.mkdir()
    (folder / "more.rulewright").rename(there / "more.rulewright")
    for name in ("more", "stones"):
        (folder / name).rename(folder / f"old_{name}")
    path = str(there / "more.rulewright")
    assert "no problems" in command("validate", path).output
    assert "1 scenario, all passed" in command("test", path).output
    assert command("run", path, "--seed", "3", "--log", "game.json").exit_code == 0
    assert command("replay", "game.json", "--verify").exit_code == 0
    told = command("explain", path, "gather").output
    assert "effect gather" in told
    assert "stones.rulewright/" in told.splitlines()[0]  # not where it was unpacked
    assert load(path).id == "more"


def test_a_lone_file_can_be_packed_and_layers_can_be_packs(folder: Path) -> None:
    """Over a ruleset that comes with the program nothing else is packed."""
    (folder / "shy.rules").write_text('layer shy over tic_tac_toe "Shy"\n\nafter setup: log "Shy."\n')
    assert command("pack", "shy.rules").exit_code == 0
    assert set(read((folder / "shy.rulewright").read_bytes())[1]) == {"shy.rules"}
    (folder / "shy.rules").unlink()
    assert "no problems" in command("validate", "tic_tac_toe", "--layer", "shy.rulewright").output
    assert command("diff", "tic_tac_toe", "shy.rulewright").output == "Hooked (1)\n  after setup  shy.rulewright/shy.rules:3\n"


def test_a_pack_is_told_from_what_it_is_taken_for(folder: Path) -> None:
    """Named without its ending it is pointed at; it is no file of scenarios."""
    command("new", "game", "stones")
    command("pack", "stones", "-o", "sent.rulewright")
    told = command("validate", "sent")
    assert told.exit_code == 2
    assert "there is a pack of that name: write sent.rulewright" in told.output
    told = command("play", "sent.rulewright", "--from", "sent.rulewright", "--plain")
    assert told.exit_code == 2
    assert "'sent.rulewright' is a ruleset, and --from takes a file of scenarios; to play it, write: rulewright play sent.rulewright" in told.output


def test_the_same_files_make_the_same_pack(folder: Path) -> None:
    """And nothing is written over unless that is said, but a pack of the same ruleset."""
    command("new", "game", "stones")
    command("pack", "stones", "-o", "one.rulewright")
    command("pack", "stones", "-o", "two.rulewright")
    assert (folder / "one.rulewright").read_bytes() == (folder / "two.rulewright").read_bytes()
    before = (folder / "one.rulewright").read_bytes()
    assert command("pack", "stones", "-o", "one.rulewright").exit_code == 0
    command("new", "game", "pebbles")
    for content in (b"", b"mine", before[:-9]):
        (folder / "two.rulewright").write_bytes(content)
        again = command("pack", "stones", "-o", "two.rulewright")
        assert again.exit_code == 2
        assert "is there already, and no pack of 'stones'; nothing was written" in again.output
        assert (folder / "two.rulewright").read_bytes() == content
    assert command("pack", "pebbles", "-o", "one.rulewright").exit_code == 2
    assert (folder / "one.rulewright").read_bytes() == before
    assert command("pack", "pebbles", "-o", "one.rulewright", "--force").exit_code == 0
    assert (folder / "one.rulewright").read_bytes() != before
    assert "comes with the program" in command("pack", "base").output
    assert "a pack is called something" in command("pack", "stones", "-o", "stones.zip").output


def zipped(files: dict[str, bytes], index: object = None) -> bytes:
    """A zip file that somebody has made by hand."""
    sums = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    made = {"format": "rulewright-pack", "version": 1, "root": "tiny.rules", "files": sums} if index is None else index
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("pack.json", json.dumps(made))
        for name, data in files.items():
            archive.writestr(name, data)
    return stream.getvalue()


TINY = {"tiny.rules": GAME.encode()}
SUMS = {"tiny.rules": hashlib.sha256(GAME.encode()).hexdigest()}


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "no pack of rulewright"),
        (b"PK\x03\x04 and so on", "no pack of rulewright"),
        (zipped({**TINY, "../outside.rules": b"x"}), "no name that can be unpacked everywhere"),
        (zipped({**TINY, "/etc/outside.rules": b"x"}), "no name that can be unpacked everywhere"),
        (zipped({**TINY, "a\\..\\b.rules": b"x"}), "can be unpacked everywhere"),
        (zipped({**TINY, ".hidden.rules": b"x"}), "no name that can be unpacked everywhere"),
        (zipped({**TINY, "run.py": b"print()"}), "'run.py' is no file of a ruleset"),
        (zipped({**TINY, "large.rules": b"#" * (MOST_BYTES + 1)}), "'large.rules' is larger than"),
        (zipped({**TINY, **{f"f{n}.rules": b"#" for n in range(MOST_FILES + 1)}}), "more than 400 files"),
        (zipped(TINY, {"format": "rulewright-pack", "version": 1, "root": "tiny.rules", "files": {"tiny.rules": "0" * 64}}), "not as it was"),
        (zipped(TINY, {"format": "rulewright-pack", "version": 1, "root": "tiny.rules", "files": {}}), "not those that its 'pack.json' names"),
        (zipped(TINY, {"format": "rulewright-pack", "version": 1, "root": "..", "files": SUMS}), "there is no '..' in it"),
        (zipped(TINY, {"format": "rulewright-pack", "version": 2, "root": "tiny.rules", "files": SUMS}), "of this version of rulewright"),
        (zipped(TINY, ["nothing"]), "of this version of rulewright"),
        (zipped(TINY, {"format": "rulewright-pack", "version": 1, "root": 7, "files": SUMS}), "of this version of rulewright"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_pack_that_cannot_be_used_is_told(data: bytes, why: str, folder: Path) -> None:
    """At the file, without a traceback; nothing leaves its folder."""
    (folder / "strange.rulewright").write_bytes(data)
    told = command("validate", "strange.rulewright")
    assert told.exit_code in (1, 2), told.output
    assert "the pack 'strange.rulewright' cannot be used" in told.output
    assert why in told.output
    assert not list(folder.parent.glob("outside*"))
    with pytest.raises(RulesetError):
        load("strange.rulewright")


def test_damaged_packs_are_refused_or_mean_the_same(folder: Path) -> None:
    """Whatever byte is another: no crash; and what is taken is what was packed."""
    data = pack("tiny.rules", TINY, {})
    assert read(data) == ("tiny.rules", TINY)
    dice, refused = random.Random(5), 0
    for _ in range(300):
        damaged = bytearray(data)
        for _ in range(dice.choice((1, 1, 3))):
            damaged[dice.randrange(len(damaged))] = dice.randrange(256)
        try:
            assert read(bytes(damaged[: dice.choice((len(damaged), dice.randrange(len(damaged)))) or None])) == ("tiny.rules", TINY)
        except PackError:
            refused += 1
    assert refused > 200


def test_what_was_unpacked_is_held_against_the_pack(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody who has changed what lies in the cache is told."""
    from rulewright.sources import pack as module

    monkeypatch.setattr(module, "_place", lambda: folder / "unpacked")
    (folder / "tiny.rulewright").write_bytes(pack("tiny.rules", TINY, {}))
    lying = module.unpacked("tiny.rulewright")
    lying.write_text(GAME + "# changed\n")
    module._unpacked.cache_clear()
    with pytest.raises(PackError, match="has been changed"):
        module.unpacked("tiny.rulewright")


def test_a_pack_that_swells_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few kilobytes can stand for very much."""
    usual, opened = packs._read, []
    monkeypatch.setattr(packs, "_read", lambda archive, entry: (opened.append(entry.filename), usual(archive, entry))[-1])  # type: ignore[func-returns-value]
    with pytest.raises(PackError, match="bytes together"):
        read(zipped({f"f{number}.rules": b"#" * MOST_BYTES for number in range(30)}))
    assert len(opened) <= 23


def test_a_pack_is_not_packed_again(folder: Path) -> None:
    """Nor is a layer over one without a word: there is a file to send already."""
    command("new", "game", "stones")
    assert command("pack", "stones").exit_code == 0
    told = command("pack", "stones.rulewright", "-o", "again.rulewright")
    assert told.exit_code == 2
    assert "'stones' is a pack already: send that file" in told.output
    assert not (folder / "again.rulewright").exists()
