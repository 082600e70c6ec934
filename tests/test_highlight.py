"""Colours of rules files: what is made from the grammar is what the grammar gives now, and reads every rules file there is."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Error, Keyword, Name, Number, String

from rulewright.parse import keywords
from rulewright_tools.cli import main
from rulewright_tools.highlight import coloured, generate
from rulewright_tools.highlight.lexer import RulesLexer
from rulewright_tools.highlight.words import vocabulary
from rulewright_tools.lsp import vsix
from tests.playing import ROOT

RULES = [*sorted((ROOT / "rulesets").rglob("*.rules")), *sorted((ROOT / "tests" / "language").rglob("*.rules"))]


@pytest.mark.parametrize(("made", "kept"), [(generate.textmate, generate.TEXTMATE), (generate.pygments, generate.PYGMENTS)])
def test_colours_are_those_of_the_grammar(made: Any, kept: Path) -> None:
    """If not: python -m rulewright_tools.highlight.generate."""
    assert kept.read_text(encoding="utf-8") == made()


def test_every_word_of_the_grammar_is_in_one_list() -> None:
    """None is forgotten, none stands twice."""
    listed = [word for words in vocabulary() for word in words]
    assert sorted(listed) == sorted(keywords())


def test_the_lexer_reads_every_file() -> None:
    """Good and bad ones: nothing is lost, nothing is an error, and it ends."""
    for path in RULES:
        text = path.read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n").replace("\r", "\n")
        found = list(RulesLexer(stripnl=False, ensurenl=False).get_tokens(text))
        assert "".join(value for _, value in found) == text
        assert all(kind is not Error for kind, _ in found), path


def test_what_is_what() -> None:
    """Pygments finds the lexer by its name, and tells words apart."""
    lexer = get_lexer_by_name("rules")
    found = {
        value: kind for kind, value in lexer.get_tokens('effect earn(who: player): # more\n    move a coin to who.purse\n    log "x {who}" x3\n')
    }
    assert [found[word] for word in ("effect", "earn", "move", "purse", "# more", "{who}")] == [
        Keyword.Declaration,
        Name.Function,
        Keyword,
        Name.Attribute,
        Comment.Single,
        String.Interpol,
    ]
    assert found["x3"] is Number.Integer
    assert "\x1b[" in coloured("effect earn(): nothing")


def patterns(node: Any) -> Iterator[str]:
    """The expressions of a TextMate grammar."""
    if isinstance(node, dict):
        yield from (node[key] for key in ("match", "begin", "end") if key in node)
        for part in node.values():
            yield from patterns(part)
    elif isinstance(node, list):
        for part in node:
            yield from patterns(part)


def test_the_textmate_grammar_is_sound() -> None:
    """Its expressions are some, and every word of the language is found by one of them."""
    said = [re.compile(each) for each in patterns(json.loads(generate.textmate()))]
    assert all(any(found.search(f"x: {word} ") or found.match(f"{word} ") for found in said) for word in keywords())


# -- the extension


def test_the_extension_has_what_the_editor_needs() -> None:
    """A manifest that names the package, types for all files, and every file that the package speaks of."""
    package = json.loads((vsix.FOLDER / "package.json").read_text(encoding="utf-8"))
    files = {f"extension/{path.relative_to(vsix.FOLDER).as_posix()}": path.read_bytes() for path in vsix.FOLDER.rglob("*") if path.is_file()}
    with zipfile.ZipFile(BytesIO(vsix.packed({**package, "version": "1.2.3"}, {**files, "extension/LICENSE": b""}))) as archive:
        names = set(archive.namelist())
        manifest = ElementTree.fromstring(archive.read("extension.vsixmanifest"))
        types = ElementTree.fromstring(archive.read("[Content_Types].xml"))
    assert {"extension/package.json", "extension/extension.js", "extension/LICENSE"} <= names
    for path in (
        package["main"],
        *(each["path"] for each in package["contributes"]["grammars"]),
        *(each["configuration"] for each in package["contributes"]["languages"]),
    ):
        assert f"extension/{path.removeprefix('./')}" in names
    identity = manifest.find(".//{*}Identity")
    assert identity is not None
    assert (identity.get("Id"), identity.get("Version"), identity.get("Publisher")) == ("rulewright", "1.2.3", "rulewright")
    assert {asset.get("Path") for asset in manifest.iterfind(".//{*}Asset")} <= names
    known = {each.get("Extension") for each in types} | {each.get("PartName") for each in types}
    assert {f".{name.rpartition('.')[2]}" if "." in name.rpartition("/")[2] else f"/{name}" for name in names - {"[Content_Types].xml"}} <= known


def test_without_npm_there_is_no_extension(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """It is said what is missing, and nothing is written."""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["lsp", "--vsix", str(tmp_path / "x.vsix")]) == 2
    assert "install Node.js" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


STARTED = """
const Module = require("node:module");
const seen = { started: [], commands: [] };
const anything = new Proxy(class {}, { get: (of, name) => (name === "prototype" ? of.prototype : name === Symbol.toPrimitive ? () => 0 : anything), apply: () => anything });
const open = (known) => new Proxy(known, { get: (of, name) => of[name] ?? (() => ({ dispose() {} })) });
const vscode = new Proxy({
  workspace: open({ getConfiguration: () => ({ get: () => JSON.parse(process.argv[3]) }), workspaceFolders: [], textDocuments: [], notebookDocuments: [] }),
  commands: open({ registerCommand: (name) => (seen.commands.push(name), {}) }),
  EventEmitter: class { constructor() { this.event = () => ({ dispose() {} }); } },
  window: open({ showErrorMessage: (said) => { seen.error = said; } }),
  languages: open({}),
  version: "1.90.0",
}, { get: (of, name) => of[name] ?? anything });
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));
const node = require(process.argv[2] + "/node_modules/vscode-languageclient/node");
node.LanguageClient.prototype.start = function () { seen.started.push(this._serverOptions.run); return Promise.resolve(); };
node.LanguageClient.prototype.stop = () => Promise.resolve();
const extension = require(process.argv[2] + "/extension.js");
extension.activate({ subscriptions: [] }).then(() => extension.deactivate()).then(() => console.log(JSON.stringify(seen)));
"""


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("npm") is None, reason="needs npm, and a registry")
def test_the_extension_starts_the_server(tmp_path: Path) -> None:
    """Unpacked, with the client that npm fetched, it loads in Node and asks for the command that the settings name."""
    try:
        made = vsix.vsix()
    except vsix.NoExtension as reason:
        pytest.skip(str(reason))
    with zipfile.ZipFile(BytesIO(made)) as archive:
        archive.extractall(tmp_path)
    (tmp_path / "started.js").write_text(STARTED)
    command = ["node", str(tmp_path / "started.js"), str(tmp_path / "extension"), '["/opt/rulewright", "lsp"]']
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert [(each["command"], each["args"]) for each in seen["started"]] == [("/opt/rulewright", ["lsp"])]
    assert seen["commands"] == ["rulewright.restart"]
