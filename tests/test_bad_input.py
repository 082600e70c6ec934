"""Bad input through the command line: every item gets a clear error, never a traceback, and little time."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright_tools.cli import main

MANIFEST = 'id: bad\ntitle: Bad\nversion: "1.0.0"\nfiles: [{files}]\n'
GOOD = "phase play: end game\n"


def lone(content: bytes | str) -> Callable[[Path], Path]:
    """A lone rules file."""

    def write(folder: Path) -> Path:
        path = folder / "bad.rules"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def manifest(text: str, **files: str) -> Callable[[Path], Path]:
    """A ruleset folder."""

    def write(folder: Path) -> Path:
        (folder / "ruleset.yaml").write_text(text, encoding="utf-8")
        for name, content in files.items():
            (folder / f"{name}.rules").write_text(content, encoding="utf-8")
        return folder

    return write


def link_out(folder: Path) -> Path:
    """A manifest whose file is a link that leads out of the folder."""
    inside = folder / "inside"
    inside.mkdir()
    (folder / "outside.rules").write_text(GOOD, encoding="utf-8")
    (inside / "a.rules").symlink_to(folder / "outside.rules")
    return manifest(MANIFEST.format(files="a.rules"))(inside)


def cycle(folder: Path) -> Path:
    """Two rulesets that are each other's parents."""
    for name, parent in (("one", "two"), ("two", "one")):
        (folder / name).mkdir()
        text = f'id: {name}\ntitle: T\nversion: "1"\nparents: [../{parent}]\nfiles: [a.rules]\n'
        manifest(text, a=GOOD)(folder / name)
    return folder / "one"


BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(f"{b}: &{b} [{', '.join(['*' + a] * 9)}]\n" for a, b in zip("abcdefg", "bcdefgh", strict=True))
CASES: dict[str, tuple[Callable[[Path], Path], str]] = {
    "empty file": (lone(""), "R111"),
    "binary": (lone(bytes(range(256)) * 20), "R107"),
    "wrong encoding": (lone("kind café\n".encode("latin-1")), "R107"),
    "UTF-16": (lone("kind a\n".encode("utf-16")), "R107"),
    "tabs mixed with spaces": (lone("kind a:\n    x: flag\n\ty: flag\n"), "R103"),
    "10 MB line": (lone("kind a # " + "x" * 10_000_000), "R601"),
    "a long line": (lone("kind a # " + "x" * 5_000), "R602"),
    "100,000 brackets on a line": (lone("value a_value: " + "(" * 100_000 + "1" + ")" * 100_000 + "\n"), "R602"),
    "nested brackets": (lone("value deep: " + "(" * 300 + "1" + ")" * 300 + "\n"), "R603"),
    "parent cycle": (cycle, "R211"),
    "a path that leaves the folder": (manifest(MANIFEST.format(files="../a.rules")), "R208"),
    "a link that leaves the folder": (link_out, "R208"),
    "alias bomb": (manifest(BOMB), "R207"),
    "missing file": (manifest(MANIFEST.format(files="nothing.rules")), "R201"),
    "a file named twice": (manifest(MANIFEST.format(files="a.rules, ./a.rules"), a=GOOD), "R209"),
    "two thousand errors": (lone("kind dot\n" + "".join(f"dot d{n} in nowhere{n}\n" for n in range(2_000)) + GOOD), "R301"),
    "50,000 components": (lone("kind dot\ndot d x50000\n" + GOOD), "R604"),
}


@pytest.mark.parametrize("case", CASES)
def test_bad_input_is_refused_clearly(case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The code is 1 or 2, the complaint has its code, there is no traceback, and it takes less than two seconds of work."""
    write, code = CASES[case]
    target = write(tmp_path)
    begun = time.process_time()
    exit_code = main(["validate", str(target)])
    assert time.process_time() - begun < 2
    out, err = capsys.readouterr()
    assert exit_code in (1, 2)
    assert code in out + err
    assert "Traceback" not in out + err
    if case == "two thousand errors":
        assert "nowhere0'" in out
        assert "more problem" in out
