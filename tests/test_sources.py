"""Rulesets as sets of files: what is found, in which order, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.diagnostics import Diagnostic
from rulewright.limits import DEFAULT_LIMITS, Limits
from rulewright.sources import Sources, known_rulesets, locate, read_sources


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test runs in an empty folder, and finds the program's own rulesets in `rulesets/` there."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(locate, "rulesets_folder", lambda: tmp_path / "rulesets")
    return tmp_path


def make(name: str, more: str = "", *, files: str = "a.rules", text: str = "kind a\n") -> Path:
    """Writes a small ruleset."""
    folder = Path(name)
    folder.mkdir(parents=True, exist_ok=True)
    listed = f"files: [{files}]\n" if files else ""
    manifest = f"id: {folder.name}\ntitle: T\nversion: '1'\n{listed}{more}"
    (folder / "ruleset.yaml").write_text(manifest)
    (folder / "a.rules").write_text(text)
    return folder


def ids(sources: Sources) -> list[str]:
    return [package.id for package in sources.packages]


def told(complaints: list[Diagnostic]) -> list[str]:
    return [f"{one.span.file}:{one.span.line}:{one.span.column} {one.code} {one.message}" for one in complaints]


def only(complaints: list[Diagnostic], code: str) -> Diagnostic:
    """The one complaint there is, which has this code."""
    assert [one.code for one in complaints] == [code], told(complaints)
    return complaints[0]


def test_every_way_to_name_a_ruleset() -> None:
    """A folder, a manifest, a rules file, an id, a folder's name and a path below rulesets/ all lead to the ruleset."""
    make("rulesets/examples/tiny")
    make("rulesets/big")
    Path("rulesets/house").mkdir()
    Path("rulesets/house/calm.rules").write_text('# A house rule.\n\nlayer quiet over big "Quiet"\n')
    ways: list[str | Path] = [
        "rulesets/examples/tiny",
        "rulesets/examples/tiny/ruleset.yaml",
        "examples/tiny",
        "tiny",
        Path("tiny"),
    ]
    for way in ways:
        sources, complaints = read_sources(way)
        assert (ids(sources), complaints) == (["tiny"], []), way
    for way in ("quiet", "calm.rules", "house/calm", "rulesets/house/calm.rules"):
        sources, complaints = read_sources(way)
        assert (ids(sources), complaints) == (["big", "quiet"], []), way
    assert sorted(known_rulesets()) == ["big", "quiet", "tiny"]
    assert sources.packages[0].files[0].name == "rulesets/big/a.rules"
    assert sources.texts["rulesets/big/a.rules"] == "kind a\n"


def test_a_rules_file_is_found_by_its_name() -> None:
    """Without its ending, in the folder one is in or by a path, as a layer and as a parent; what lies here comes before what comes with the program."""
    make("rulesets/big")
    make("rulesets/more_ammo")
    Path("more_ammo.rules").write_text('layer more_ammo over big "More"\n')
    Path("mine").mkdir()
    Path("mine/still_more.rules").write_text('layer still_more over more_ammo "Still more"\n')
    for way in ("more_ammo", "./more_ammo", Path("more_ammo"), Path.cwd() / "more_ammo", "more_ammo.rules"):
        sources, complaints = read_sources(way)
        assert (ids(sources), complaints) == (["big", "more_ammo"], []), way
        sources, complaints = read_sources("big", layers=[way])
        assert (ids(sources), complaints) == (["big", "more_ammo"], []), way
    sources, complaints = read_sources("mine/still_more")
    assert (ids(sources), complaints) == (["big", "more_ammo", "still_more"], [])
    assert only(read_sources("more_amo")[1], "R210").hint == "did you mean 'more_ammo'?"


def test_a_file_of_a_ruleset_does_not_stand_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder's name that one of its files has too means the folder, from inside it and for what lies there."""
    make("rulesets/big")
    folder = make("rulesets/house/bright", "parents: [big]\n", files="bright.rules")
    (folder / "bright.rules").write_text("kind b\n")
    (folder / "scenarios").mkdir()
    assert locate.find_parent("bright", folder / "scenarios", {}) is None
    assert locate.find_parent("bright", folder / "scenarios", known_rulesets()) == folder.absolute() / "ruleset.yaml"
    monkeypatch.chdir(folder)
    assert ids(read_sources("bright")[0]) == ["big", "bright"]


def test_parents_come_before_children_and_layers_in_order() -> None:
    """Parents come before children, layers follow in the order given, each once; `after` moves a layer back."""
    make("common")
    make("base", "parents: [common]\n")
    make("one", "parents: [base]\nafter: [two, absent]\n")
    make("two", "parents: [../common, base]\n")
    make("three", "parents: [base]\n")
    sources, complaints = read_sources("base", ["one", "two", "three", "one"])
    assert ids(sources) == ["common", "base", "two", "one", "three"]
    assert [(one.code, one.severity, one.message) for one in complaints] == [
        ("R216", "warning", "'one' comes after the layer 'absent', which cannot be found")
    ]
    assert sources.packages[2].parents == ("common", "base")
    assert [package.is_layer for package in sources.packages] == [False, True, True, True, True]


def test_after_in_a_circle() -> None:
    """Layers that wait for each other are reported, and still read."""
    make("base")
    make("one", "parents: [base]\nafter: [two]\n")
    make("two", "parents: [base]\nafter: [one]\n")
    sources, complaints = read_sources("base", ["one", "two"])
    assert only(complaints, "R211").related
    assert sorted(ids(sources)) == ["base", "one", "two"]


@pytest.mark.parametrize("length", [1, 2, 5])
def test_parents_in_a_circle_are_told_once(length: int) -> None:
    """Rulesets that are each other's parents are reported once, with every step."""
    for n in range(length):
        make(f"r{n}", f"parents: [r{(n + 1) % length}]\n")
    _, complaints = read_sources("r0")
    complaint = only(complaints, "R211")
    assert len(complaint.related) == length - 1
    assert complaint.span.file == f"r{length - 1}/ruleset.yaml"
    assert complaint.message.count("→") == length


def test_long_chain_of_parents() -> None:
    """A chain of parents without end is cut off."""
    for n in range(60):
        make(f"r{n}", f"parents: [r{n + 1}]\n")
    _, complaints = read_sources("r0")
    assert "R606" in {one.code for one in complaints}


NOT_FOUND = [
    ("bse", "R210", "did you mean 'base'?"),
    ("nothing_like_it", "R210", "the rulesets are base"),
    ("./nowhere", "R201", None),
    ("empty", "R201", "ruleset.yaml"),
    ("notes.txt", "R201", ".rules file"),
    ("a\0b", "R201", None),
    ("x" * 5000, "R201", None),
    ("loop", "R201", None),
    ("", "R210", None),
    ("\udcff", "R210", None),
]


@pytest.mark.parametrize(("target", "code", "hint"), NOT_FOUND)
def test_what_leads_to_no_ruleset_gets_one_complaint(target: str, code: str, hint: str | None) -> None:
    """Whatever does not lead to a ruleset gets one complaint, as target and as layer."""
    make("rulesets/base")
    Path("empty").mkdir()
    Path("notes.txt").write_text("x")
    Path("loop").symlink_to("loop")
    sources, complaints = read_sources(target)
    complaint = only(complaints, code)
    assert sources.packages == ()
    assert hint is None or hint in (complaint.hint or "")
    sources, complaints = read_sources("base", [target])
    assert ids(sources) == ["base"]
    only(complaints, code)


def test_parent_not_found() -> None:
    """A missing parent is reported at the manifest's line, with the name that was meant."""
    make("rulesets/base")
    make("mine", "parents: [bsae]\n")
    complaint = only(read_sources("mine")[1], "R210")
    assert (complaint.span.file, complaint.span.line, complaint.span.column) == ("mine/ruleset.yaml", 5, 11)
    assert complaint.hint == "did you mean 'base'?"


PATHS = [
    ("../other/a.rules", "R208", "leads outside"),
    ("sub/../../other/a.rules", "R208", "leads outside"),
    ("/etc/a.rules", "R208", "absolute"),
    ("'C:\\a.rules'", "R208", "absolute"),
    ("'sub\\a.rules'", "R208", "backslash"),
    ("link.rules", "R208", "symbolic link to a place outside"),
    ("linked/a.rules", "R208", "symbolic link to a place outside"),
    ("loop.rules", "R208", "circle"),
    ('"a\\0.rules"', "R208", "file name"),
    (f"{'x' * 300}.rules", "R201", "too long"),
    ("none.rules", "R201", "no such file"),
    ("folder.rules", "R201", "a folder"),
    ("./a.rules", "R209", "named twice"),
    ("sub/../a.rules", "R209", "named twice"),
    ("same.rules", "R209", "named twice"),
    ("a.txt", "R205", ".rules file"),
]


@pytest.mark.parametrize(("path", "code", "words"), PATHS)
def test_paths_in_a_manifest(path: str, code: str, words: str) -> None:
    """A path must lead to a file in the ruleset's folder, and to each file once; the complaint is at its line."""
    make("other")
    folder = make("mine", files=f"a.rules, {path}")
    (folder / "sub").mkdir()
    (folder / "folder.rules").mkdir()
    (folder / "link.rules").symlink_to("../other/a.rules")
    (folder / "linked").symlink_to("../other")
    (folder / "loop.rules").symlink_to("loop.rules")
    (folder / "same.rules").symlink_to("a.rules")
    sources, complaints = read_sources("mine")
    complaint = only(complaints, code)
    assert words in complaint.message
    assert (complaint.span.file, complaint.span.line, complaint.span.column) == ("mine/ruleset.yaml", 4, 18)
    assert "other/a.rules" not in sources.texts
    assert bool(complaint.related) == (code == "R209")


def test_a_parent_is_never_an_absolute_path() -> None:
    """A parent is named by id or by a path from the folder, never by an absolute path."""
    make("mine", "parents: [/etc]\n")
    only(read_sources("mine")[1], "R208")


def test_files_of_every_kind() -> None:
    """Board, rulebook and locales are read and checked; rulebook.yaml is found by itself."""
    folder = make("mine", "board: board.yaml\nlocales: [cs.yaml]\nlanguages: [en, cs]\nplayers: {min: 1, max: 4}\n")
    (folder / "board.yaml").write_text("components: [{id: a, kind: room}]\n")
    (folder / "cs.yaml").write_text("language: cs\n")
    (folder / "rulebook.yaml").write_text("rules:\n- {id: a.b, statement: x, page: 1}\n- {id: a.b, statement: z, page: 1}\n")
    sources, complaints = read_sources("mine")
    complaint = only(complaints, "R213")
    assert (complaint.span.file, complaint.span.line, complaint.related[0].span.line) == ("mine/rulebook.yaml", 3, 2)
    mine = sources.packages[0]
    assert mine.board is not None
    assert mine.board.data["components"][0]["id"] == "a"
    assert mine.rulebook is not None
    assert [locale.data["language"] for locale in mine.locales] == ["cs"]
    assert (mine.players, mine.languages) == ((1, 4), ("en", "cs"))
    assert len(sources.texts) == 5


def test_rulebook_link_leaving_the_folder() -> None:
    """The rulebook that is found by itself may not be a link to a place outside either."""
    folder = make("mine")
    Path("secret.yaml").write_text("rules: []\n")
    (folder / "rulebook.yaml").symlink_to("../secret.yaml")
    only(read_sources("mine")[1], "R208")


MANIFESTS = [
    ("players: {min: 3, max: 2}\n", "R205", "min of 3 above its max of 2"),
    ("options: {mode: {values: [a, b], default: c}}\n", "R205", "must be one of a, b, found 'c'"),
    ("options: {mode: {values: [1, 2, 1], default: 1}}\n", "R205", "the option 'mode' has the value '1' twice"),
    ("parts: {p: {files: [p.rules], when: {mod: a}}}\n", "R215", "depends on the option 'mod'"),
    ("rulebook: none.yaml\n", "R201", "no such file"),
    ("colour: red\n", "R204", "has no key 'colour'"),
]


@pytest.mark.parametrize(("more", "code", "words"), MANIFESTS)
def test_manifest_without_sense(more: str, code: str, words: str) -> None:
    """What the schema cannot see in a manifest is checked as well."""
    (make("mine", more) / "p.rules").write_text("")
    assert words in only(read_sources("mine")[1], code).message


def test_ruleset_without_rules() -> None:
    """A ruleset without files and parents has nothing to play."""
    make("mine", files="")
    only(read_sources("mine")[1], "R212")


def test_rulesets_of_one_id_cannot_be_used_together() -> None:
    """Two rulesets with one id cannot be used together."""
    make("base")
    make("else/base")
    sources, complaints = read_sources("base", ["else/base"])
    assert only(complaints, "R214").related
    assert ids(sources) == ["base"]


OPTIONS = (
    "options: {mode: {values: [solo, team], default: team}, level: {values: [1, 2], default: 1}}\n"
    "parts:\n"
    "  cards: {files: [cards.rules]}\n"
    "  extra: {files: [extra.rules], default: 'off'}\n"
    "  alone: {files: [alone.rules], when: {mode: solo}}\n"
)
CHOICES: list[tuple[dict[str, object], list[str], str]] = [
    ({}, ["a", "cards"], "team"),
    ({"mode": "solo"}, ["a", "cards", "alone"], "solo"),
    ({"mode": "solo", "parts.alone": "off"}, ["a", "cards"], "solo"),
    ({"parts.cards": "off", "parts.extra": True, "level": "2"}, ["a", "extra"], "team"),
]


@pytest.mark.parametrize(("options", "files", "mode"), CHOICES)
def test_options_and_parts(options: dict[str, object], files: list[str], mode: str) -> None:
    """Options have defaults; parts are switched by the caller, else by their `when`, else by their default."""
    folder = make("mine", OPTIONS)
    for name in ("cards", "extra", "alone"):
        (folder / f"{name}.rules").write_text("")
    sources, complaints = read_sources("mine", (), options)
    assert complaints == []
    assert [Path(file.name).stem for file in sources.packages[0].files] == files
    assert [file.part for file in sources.packages[0].files] == [None, *files[1:]]
    assert sources.options["mode"] == mode
    assert sources.options["level"] == int(str(options.get("level", 1)))
    assert (sources.options["parts.extra"] == "on") == ("extra" in files)


@pytest.mark.parametrize(
    ("options", "message", "hint"),
    [
        ({"mod": "solo"}, "'mine' has no option 'mod'", "did you mean 'mode'?"),
        ({"mode": "sol"}, "'sol' is no value of 'mode': expected solo, team", "did you mean 'solo'?"),
        ({"parts.crads": "off"}, "'mine' has no option 'parts.crads'", "did you mean 'parts.cards'?"),
        ({"parts.cards": "maybe"}, "'maybe' is no value of 'parts.cards': expected on, off", None),
    ],
)
def test_options_nobody_declared(options: dict[str, object], message: str, hint: str | None) -> None:
    """An option, part or value that no manifest declares is refused, with what was meant."""
    folder = make("mine", OPTIONS)
    for name in ("cards", "extra", "alone"):
        (folder / f"{name}.rules").write_text("")
    complaint = only(read_sources("mine", (), options)[1], "R215")
    assert (complaint.message, complaint.hint) == (message, hint)


HEADERS = [
    ("kind a\n", "my_rule", "my-rule", ()),
    ("", "my_rule", "my-rule", ()),
    ("ruleset small\n", "small", "small", ()),
    ('# x\n\nruleset small "Small game"  # y\n', "small", "Small game", ()),
    ('ruleset small "Small game" for 2 to 4 players  # y\n', "small", "Small game", ()),
    ('layer quiet over base "Quiet" for 2 players\n', "quiet", "Quiet", ("base",)),
    ("layer quiet over base\n", "quiet", "quiet", ("base",)),
    ('layer quiet over base, other "Quiet"\n', "quiet", "Quiet", ("base", "other")),
]


@pytest.mark.parametrize(("text", "id", "title", "parents"), HEADERS)
def test_rules_file_that_stands_alone(text: str, id: str, title: str, parents: tuple[str, ...]) -> None:
    """A rules file may stand alone; its header is its manifest and stays in the text."""
    make("base")
    make("other")
    Path("my-rule.rules").write_text(text)
    sources, complaints = read_sources("my-rule.rules")
    last = sources.packages[-1]
    assert complaints == []
    assert (last.id, last.title, last.parents) == (id, title, parents)
    assert (last.files[0].name, last.files[0].text) == ("my-rule.rules", text)


def test_header_complaint_has_its_place() -> None:
    """A header that names an unknown parent is reported at that very word."""
    Path("x.rules").write_text("# one\nlayer x over missing\n")
    complaint = only(read_sources("x.rules")[1], "R210")
    assert (complaint.span.line, complaint.span.column, complaint.span.end_column) == (2, 14, 21)


def test_too_many_files() -> None:
    """A manifest with more files than the limit is cut off with one complaint."""
    folder = make("mine", files=", ".join(f"f{n}.rules" for n in range(9)))
    for n in range(9):
        (folder / f"f{n}.rules").write_text("")
    sources, complaints = read_sources("mine", limits=Limits(files=5))
    only(complaints, "R606")
    assert len(sources.packages[0].files) == 5


def test_broken_manifest_hides_nothing_else() -> None:
    """A manifest that cannot be used is reported, and what else was asked for is still read."""
    make("base")
    make("bad")
    Path("bad/ruleset.yaml").write_text("id: [\n")
    sources, complaints = read_sources("base", ["bad"], limits=DEFAULT_LIMITS)
    only(complaints, "R202")
    assert ids(sources) == ["base"]
    assert "bad/ruleset.yaml" in sources.texts
