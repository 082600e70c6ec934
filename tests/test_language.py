"""The language by feature: small files, with the complaint that must appear written on its line.

`tests/language/<feature>/good` holds what must give no complaint at all, `bad` what must give exactly the complaints it announces. A case is a rules
file, or a folder with a `ruleset.yaml` or a `main.rules`. A complaint is announced by a comment at the end of its line:

    move ann to halll  ### R301 "nothing is called 'halll' (did you mean 'hall'?)"

a code, a part of the message and hint as `--format line` shows them, or both; several one after the other. Every file of the build counts.
"""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from rulewright.build import Built, build
from rulewright.codes import CODES
from rulewright.diagnostics import Diagnostic, in_order
from rulewright.format import format_text
from rulewright.limits import DEFAULT_LIMITS
from rulewright.parse import parse_rules
from rulewright.render import as_text
from rulewright.tree import KindDecl

LANGUAGE = Path(__file__).parent / "language"
ANNOUNCED = re.compile(r"###\s+(?P<list>.*)$")
ONE = re.compile(r'(?P<code>R\d{3})(?:\s+"(?P<part>[^"]*)")?|"(?P<alone>[^"]*)"')


def cases(verdict: str) -> list[Path]:
    """All cases of one verdict: rules files, and folders that are one ruleset."""
    found = [path for path in LANGUAGE.glob(f"*/{verdict}/*") if path.suffix == ".rules" or path.is_dir()]
    return sorted(found)


def name(path: Path) -> str:
    return path.relative_to(LANGUAGE).as_posix()


def entry(case: Path) -> Path:
    """The file or folder that is loaded."""
    return case / "main.rules" if (case / "main.rules").exists() else case


def built(case: Path) -> Built:
    """What comes of a case."""
    return build(entry(case))


def told(one: Diagnostic) -> str:
    return f"{one.message} ({one.hint})" if one.hint else one.message


def announced(texts: dict[str, str]) -> list[tuple[str, int, str, str]]:
    """File, line, code and part of the message of every complaint that the files announce."""
    found = []
    for file, text in texts.items():
        for number, line in enumerate(text.split("\n"), start=1):
            if (comment := ANNOUNCED.search(line)) is not None:
                pieces = list(ONE.finditer(comment["list"]))
                assert pieces, f"{file}:{number}: an announcement that announces nothing"
                found += [(file, number, piece["code"] or "", piece["part"] or piece["alone"] or "") for piece in pieces]
    return found


@pytest.mark.parametrize("case", cases("good"), ids=name)
def test_a_good_file_gives_a_graph_and_no_complaint(case: Path) -> None:
    """A good file gives no complaint, and a graph comes of it."""
    result = built(case)
    assert [f"{one.span.file}:{one.span.line} {one.code} {told(one)}" for one in result.diagnostics] == []
    assert result.graph is not None


@pytest.mark.parametrize("case", cases("bad"), ids=name)
def test_a_bad_file_gives_the_complaints_it_announces(case: Path) -> None:
    """A bad file gives the complaints it announces, each on its line, and no other."""
    result = built(case)
    wanted = announced(result.texts)
    assert wanted, "the file announces nothing"
    unexpected = []
    for one in result.diagnostics:
        for entry in wanted:
            file, line, code, part = entry
            if (file, line) == (one.span.file, one.span.line) and code in ("", one.code) and part in told(one):
                wanted.remove(entry)
                break
        else:
            unexpected.append(f"{one.span.file}:{one.span.line} {one.code} {told(one)}")
    missing = [f"{file}:{line} {code} {part}" for file, line, code, part in wanted]
    assert (missing, unexpected) == ([], [])


def test_every_feature_has_both() -> None:
    """A feature shows what is right and what is wrong."""
    for feature in sorted(path for path in LANGUAGE.iterdir() if path.is_dir()):
        assert {path.parent.name for path in cases("good") + cases("bad") if path.parents[1] == feature} == {"good", "bad"}, feature.name


def test_shipped_rules_are_laid_out() -> None:
    """Every rules file that people read is in the one layout."""
    root = Path(__file__).parents[1]
    files = sorted([*root.glob("rulesets/**/*.rules"), *root.glob("tests/passages/**/*.rules")])
    assert files
    assert [str(file.relative_to(root)) for file in files if format_text(file.read_text(), file.name)[0] != file.read_text()] == []


def test_layer_over_something_else(tmp_path: Path) -> None:
    """A layer on top of a ruleset that it is not over costs one report, not one for every name."""
    layer = tmp_path / "big.rules"
    layer.write_text("layer big over connect_four\n\nreplace grid board of cell: 8 by 9\n")
    assert build(layer).diagnostics == []
    told_of = [(one.code, one.message) for one in build("tic_tac_toe", [layer]).diagnostics]
    assert told_of == [("R303", "'big' is a layer over 'connect_four', not over 'tic_tac_toe'")]


def test_folder_without_manifest(tmp_path: Path) -> None:
    """A folder that is no ruleset names the rules files that lie in it."""
    (tmp_path / "river.rules").write_text("phase play: end game\n")
    assert [(one.code, "river.rules" in (one.hint or "")) for one in build(tmp_path).diagnostics] == [("R201", True)]


def test_announced_codes_are_in_the_catalogue() -> None:
    """Announced codes are in the catalogue."""
    for case in cases("bad"):
        files = [case] if case.is_file() else sorted(case.glob("*.rules"))
        for _, _, code, _ in announced({str(file): file.read_text() for file in files}):
            assert code == "" or code in CODES


BROKEN = {
    "a line that is no rule": "effect one():\n    move move move\n",
    "an open bracket": "effect one():\n    two((1\n",
    "a text without its end": 'effect one():\n    log "ends here\n',
    "a foreign character": "effect one():\n    let x = 1 ; let y = 2\n",
    "a tab": "effect one():\n\tstop\n",
    "a line between two blocks": "effect one():\n        stop\n    stop\n",
    "a capital": "effect one():\n    Stop\n",
    "a block that nothing opens": "number one = 1\n    stop\n",
    "an empty block": "effect one():\n",
    "a brace in a text": 'effect one():\n    log "{who"\n',
    "half a word": "eff\n",
    "only a colon": ":\n",
    "an indented start": "    stop\n",
}


@pytest.mark.parametrize("second", BROKEN, ids=str)
@pytest.mark.parametrize("first", BROKEN, ids=str)
def test_a_mistake_hides_nothing(first: str, second: str) -> None:
    """Whatever is wrong in one declaration, it costs one report and the next one is still read."""
    text = f"kind above\n{BROKEN[first]}kind between\n{BROKEN[second]}kind below\n"
    found, complaints = parse_rules(text, "a.rules")
    border = text.split("\n").index("kind between") + 1
    assert [one.span.line > border for one in in_order(complaints)] == [False, True], complaints
    assert all(f"kind {declaration.name}\n" in text for declaration in found.declarations if isinstance(declaration, KindDecl))


def test_two_thousand_errors(tmp_path: Path) -> None:
    """Two thousand mistakes of all sorts are all reported, in order; the text form shows the first and counts the rest."""
    sorts = ("    move {0} to nowhere_{0}\n", '    log "{{missing_{0}}}"\n', "    set who.field_{0} to 1\n", "    effect_{0}(who)\n")
    body = "".join(sorts[number % len(sorts)].format(number) for number in range(2_000))
    path = tmp_path / "many.rules"
    path.write_text(f"effect everything(who: player):\n{body}phase play: for each player in players: everything(player)\n")
    started = time.process_time()
    result = build(path)
    text = as_text(result.diagnostics, result.texts, colour=False, shown=DEFAULT_LIMITS.shown_diagnostics)
    assert time.process_time() - started < 5
    assert sorted({one.span.line for one in result.diagnostics}) == list(range(2, 2_002))
    assert [one.span.line for one in result.diagnostics] == sorted(one.span.line for one in result.diagnostics)
    assert text.count("error[") == DEFAULT_LIMITS.shown_diagnostics
    assert f"and {len(result.diagnostics) - DEFAULT_LIMITS.shown_diagnostics} more problems" in text


@pytest.mark.parametrize("mistake", ["effect e{0}(:\n    stop\n", "effect e{0}():\n    mvoe a to b{0}\n", "kind k{0}:\n    size number\n"])
def test_two_thousand_unreadable_declarations(mistake: str, tmp_path: Path) -> None:
    """Mistakes of syntax are reported in order too, one for each declaration."""
    path = tmp_path / "many.rules"
    path.write_text("".join(mistake.format(number) for number in range(2_000)))
    started = time.process_time()
    result = build(path)
    assert time.process_time() - started < 5
    lines = [one.span.line for one in result.diagnostics]
    assert lines == list(range(lines[0], 4_001, 2))
