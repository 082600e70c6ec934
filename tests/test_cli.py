"""The command line: exit codes, forms of output, and what a person sees when something goes wrong."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner, Result

from rulewright.diagnostics import Diagnostic, Span, complain, whole_file
from rulewright_tools.cli import COMMANDS, colour_wanted, main, rulewright

ROOT = Path(__file__).parent.parent
ERROR = complain("R301", "no such name", Span("b.rules", 2, 1, 2, 3))
WARNING = complain("R308", "unused", Span("b.rules", 1, 1, 1, 2))
FOUND: dict[str, list[Diagnostic]] = {
    "clean": [],
    "warned": [WARNING],
    "wrong": [ERROR, WARNING],
    "nowhere": [complain("R210", "no ruleset 'nowhere'", whole_file("nowhere"))],
    "broken": [complain("R201", "cannot read it", whole_file("broken/missing.rules"))],
}
Calls = list[tuple[str, tuple[str, ...], dict[str, object]]]
Module = Callable[..., None]


def invoke(*arguments: str, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(rulewright, list(arguments), input=stdin)


def process(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "rulewright_tools", *arguments],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> Module:
    """Puts a made-up module in the place of a real one."""

    def put(name: str, **members: object) -> None:
        made = ModuleType(name)
        vars(made).update(members)
        monkeypatch.setitem(sys.modules, name, made)

    return put


@pytest.fixture
def built(module: Module) -> Calls:
    """A `build` that finds what `FOUND` says; gives the calls it had."""
    calls: Calls = []

    def build(target: str, layers: Sequence[str], options: Mapping[str, object]) -> SimpleNamespace:
        calls.append((target, tuple(layers), dict(options)))
        dump = {"made": [1]} if target == "clean" else None
        texts = {"b.rules": "x\nfoo\n"}
        sources = SimpleNamespace(games_wanted=())
        return SimpleNamespace(sources=sources, diagnostics=FOUND[target], texts=texts, dump=lambda stage: {stage: dump} if dump else None)

    def read_already(read: Any, options: Mapping[str, object]) -> SimpleNamespace:
        target, layers = read.given
        return build(target, layers, options)

    module("rulewright.validate", validate=build, validate_read=read_already)
    return calls


@pytest.fixture
def formatter(module: Module) -> None:
    """A formatter that strips spaces at line ends and refuses whatever holds `???`."""

    def format_text(text: str, file: str) -> tuple[str | None, list[Diagnostic]]:
        if "???" in text:
            return None, [complain("R102", "a foreign character", Span(file, 1, 1, 1, 4))]
        return "".join(line.rstrip() + "\n" for line in text.splitlines()), []

    module("rulewright.format", format_text=format_text)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["clean"], 0),
        (["clean", "--strict"], 0),
        (["warned"], 0),
        (["warned", "--strict"], 1),
        (["wrong"], 1),
        (["nowhere"], 2),
        (["wrong", "nowhere"], 2),
        (["broken"], 1),
        ([], 2),
        (["clean", "--format", "xml"], 2),
        (["clean", "--option", "novalue"], 2),
        (["clean", "--option", "a=1", "--option", "a=2"], 2),
        (["clean", "wrong", "--dump", "tree"], 2),
    ],
)
@pytest.mark.usefixtures("built")
def test_validate_exit_codes(arguments: list[str], code: int) -> None:
    """0 clean, 1 problems in the ruleset, 2 a target that is not there or a command line that makes no sense."""
    result = invoke("validate", *arguments)
    assert result.exit_code == code
    assert not result.exception or isinstance(result.exception, SystemExit)


@pytest.mark.usefixtures("built")
def test_validate_names_clean_rulesets_and_tells_problems_once() -> None:
    """Clean rulesets are named, the others' problems follow once each and in order."""
    assert invoke("validate", "clean").stdout == "clean: no problems\n"
    shown = invoke("validate", "wrong", "clean", "warned").stdout
    assert shown.startswith("clean: no problems\n\nwarning[R308]")
    assert shown.count("R308") == 1
    assert shown.endswith("\n1 error, 1 warning\n")
    assert "\x1b" not in shown


@pytest.mark.usefixtures("built")
def test_validate_other_forms() -> None:
    """The forms for programs are complete documents, also when there is nothing to tell."""
    assert invoke("validate", "clean", "--format", "line").stdout == ""
    assert invoke("validate", "wrong", "--format", "line").stdout.splitlines()[1] == "b.rules:2:1: R301 no such name"
    assert json.loads(invoke("validate", "clean", "--format", "json").stdout)["diagnostics"] == []
    assert json.loads(invoke("validate", "wrong", "--format", "json").stdout)["errors"] == 1
    assert json.loads(invoke("validate", "clean", "--format", "sarif").stdout)["runs"][0]["results"] == []
    assert len(json.loads(invoke("validate", "wrong", "--format", "sarif").stdout)["runs"][0]["results"]) == 2


def test_validate_passes_layers_and_options(built: Calls) -> None:
    """Layers keep their order; option values that look like numbers or truths become such, `yes` stays a text."""
    given = ["--layer", "b", "--layer", "a", "--option", "n=-3", "--option", "t=true", "--option", "s=yes=no"]
    assert invoke("validate", "clean", *given).exit_code == 0
    assert built == [("clean", ("b", "a"), {"n": -3, "t": True, "s": "yes=no"})]


@pytest.mark.usefixtures("built")
def test_a_dump_goes_to_the_standard_output_alone() -> None:
    """The stage goes to the standard output alone; problems, and a stage that is not there, to the standard error."""
    result = invoke("validate", "clean", "--dump", "graph")
    assert json.loads(result.stdout) == {"graph": {"made": [1]}}
    assert (result.stderr, result.exit_code) == ("", 0)
    result = invoke("validate", "warned", "--dump", "tree")
    assert (result.stdout, result.exit_code) == ("", 1)
    assert "warning[R308]" in result.stderr
    assert "no tree" in result.stderr


@pytest.mark.usefixtures("formatter")
def test_fmt_writes_in_place(tmp_path: Path) -> None:
    """Only what changes is written and named; the mode stays, links stay links, nothing is left behind."""
    (tmp_path / "sub").mkdir()
    ugly, link, tidy = tmp_path / "ugly.rules", tmp_path / "sub" / "link.rules", tmp_path / "tidy.rules"
    ugly.write_bytes(b"\xef\xbb\xbfa  \r\nb")
    ugly.chmod(0o640)
    link.symlink_to(ugly)
    tidy.write_text("a\n")
    before = tidy.stat().st_mtime_ns
    result = invoke("fmt", str(link), str(tmp_path))
    assert (result.exit_code, result.stdout) == (0, f"changed {link}\n")
    assert ugly.read_bytes() == b"a\nb\n"
    assert ugly.stat().st_mode & 0o777 == 0o640
    assert link.is_symlink()
    assert tidy.stat().st_mtime_ns == before
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["link.rules", "sub", "tidy.rules", "ugly.rules"]
    assert invoke("fmt", str(tmp_path)).stdout == ""


@pytest.mark.usefixtures("formatter")
def test_fmt_check_and_diff_write_nothing(tmp_path: Path) -> None:
    """--check lists, --diff shows a patch, both together show the patch; exit 1 for changes, 0 without."""
    ugly = tmp_path / "ugly.rules"
    ugly.write_text("a  \nb")
    result = invoke("fmt", "--check", str(tmp_path))
    assert (result.exit_code, result.stdout) == (1, f"would change {ugly}\n")
    for flags in (["--diff"], ["--check", "--diff"]):
        result = invoke("fmt", *flags, str(ugly))
        assert result.exit_code == 1
        assert result.stdout == (f"--- {ugly}\n+++ {ugly}\n@@ -1,2 +1,2 @@\n-a  \n-b\n\\ No newline at end of file\n+a\n+b\n")
    assert ugly.read_text() == "a  \nb"
    ugly.write_text("a\n")
    assert invoke("fmt", "--check", str(ugly)).exit_code == 0
    assert invoke("fmt", "--diff", str(ugly)).stdout == ""


@pytest.mark.usefixtures("formatter")
@pytest.mark.parametrize("content", [b"??? a", b"\xff\xfe", b"a\n" * 600_000])
def test_fmt_leaves_bad_files_alone(tmp_path: Path, content: bytes) -> None:
    """What does not read as rules is reported and kept; the other files are still laid out."""
    bad, ugly = tmp_path / "bad.rules", tmp_path / "ugly.rules"
    bad.write_bytes(content)
    ugly.write_text("a  ")
    result = invoke("fmt", str(tmp_path))
    assert result.exit_code == 1
    assert "error[R" in result.stderr
    assert bad.read_bytes() == content
    assert ugly.read_text() == "a\n"


@pytest.mark.usefixtures("formatter")
def test_fmt_bad_paths(tmp_path: Path) -> None:
    """A path that is nothing, or not rules, is exit 2 and nothing at all is written."""
    ugly, other = tmp_path / "ugly.rules", tmp_path / "notes.txt"
    ugly.write_text("a  ")
    other.write_text("a  ")
    for path in ("nowhere.rules", "no_such_ruleset", "x" * 5000, "a\0b", str(other)):
        assert invoke("fmt", str(ugly), path).exit_code == 2, path
    assert invoke("fmt", "-", str(ugly)).exit_code == 2
    assert ugly.read_text() == "a  "


@pytest.mark.usefixtures("formatter")
def test_fmt_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A ruleset that comes with rulewright is found by its name, also one folder down; and so is a rules file in the folder one is in."""
    monkeypatch.setattr("rulewright.sources.locate.rulesets_folder", lambda: tmp_path)
    folder = tmp_path / "samples" / "made_up_game"
    folder.mkdir(parents=True)
    (folder / "ruleset.yaml").touch()
    (folder / "ugly.rules").write_text("a  ")
    for name in ("made_up_game", "samples/made_up_game"):
        assert invoke("fmt", "--check", name).stdout == f"would change {folder / 'ugly.rules'}\n"
    monkeypatch.chdir(folder)
    assert invoke("fmt", "--check", "ugly").stdout == "would change ugly.rules\n"


@pytest.mark.usefixtures("formatter")
def test_fmt_does_not_follow_links_out(tmp_path: Path) -> None:
    """A folder's link to a file elsewhere is left alone, with a word about it."""
    inside, outside = tmp_path / "inside", tmp_path / "outside.rules"
    inside.mkdir()
    outside.write_text("a  ")
    (inside / "link.rules").symlink_to(outside)
    result = invoke("fmt", str(inside))
    assert (result.exit_code, outside.read_text()) == (0, "a  ")
    assert "left alone" in result.stderr


@pytest.mark.usefixtures("formatter")
def test_fmt_is_a_filter() -> None:
    """`-` is a filter: bytes in, bytes out; nothing comes out of what does not read as rules."""
    assert invoke("fmt", "-", stdin="é  ".encode()).stdout_bytes == "é\n".encode()
    assert invoke("fmt", "-", "--check", stdin=b"a  ").exit_code == 1
    assert invoke("fmt", "-", "--check", stdin=b"a\n").exit_code == 0
    assert invoke("fmt", "-", "--diff", stdin=b"a  ").stdout.startswith("--- <stdin>\n")
    result = invoke("fmt", "-", stdin=b"???")
    assert (result.exit_code, result.stdout) == (1, "")


def test_help_is_light() -> None:
    """`--help` names every command and imports none of the heavy libraries, nor the commands themselves."""
    script = (
        "import sys; from rulewright_tools.cli import main; code = main(['--help']);"
        "heavy = {'lark', 'jsonschema', 'yaml', 'rich', 'msgspec', 'rulewright_tools.validate', 'rulewright_tools.fmt'} & set(sys.modules);"
        "print(code, sorted(heavy))"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "0 []"
    assert all(f"\n  {name} " in done.stdout for name in COMMANDS)


def test_the_command_as_a_process_never_ends_in_a_traceback() -> None:
    """As a process: version, usage mistakes with a suggestion and exit 2, never a traceback."""
    assert process("--version").stdout.startswith("rulewright ")
    misspelt = process("valdate", "base")
    assert misspelt.returncode == 2
    assert "did you mean 'validate'?" in misspelt.stderr
    assert "there is no command 'qqqq'" in process("qqqq").stderr
    assert process("validate", "--strikt", "base").returncode == 2
    assert process().returncode == 2


@pytest.mark.parametrize(("error", "code"), [(KeyboardInterrupt(), 130), (BrokenPipeError(32, "pipe"), 141), (RecursionError("deep"), 70)])
def test_an_interruption_and_a_closed_pipe_end_quietly(
    module: Module,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    error: BaseException,
    code: int,
) -> None:
    """An interruption and a closed pipe deep in a pass end quietly; each kind of end has its own exit code."""

    def build(*_: object) -> None:
        raise error

    # The real one closes the output of the process, which is the tests' own here.
    monkeypatch.setattr("rulewright_tools.cli._drop_output", lambda: None)
    module("rulewright.validate", validate_read=lambda read, options=None: build(*read.given, options))
    assert main(["validate", "base"]) == code
    shown = capsys.readouterr()
    assert "Traceback" not in shown.err
    assert bool(shown.err.strip()) == (code == 70)


def test_bug_of_ours(module: Module, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """An unexpected exception is told in one line as our bug with exit 70; the traceback only when asked for."""

    def build(*_: object) -> None:
        raise KeyError("first\nsecond\x1b[31m")

    module("rulewright.validate", validate_read=lambda read, options=None: build(*read.given, options))
    monkeypatch.delenv("RULEWRIGHT_DEBUG", raising=False)
    assert main(["validate", "base"]) == 70
    shown = capsys.readouterr().err
    assert len(shown.splitlines()) == 2
    assert "KeyError" in shown
    assert "bug of rulewright" in shown
    assert "Traceback" not in shown
    assert "\x1b" not in shown
    monkeypatch.setenv("RULEWRIGHT_DEBUG", "1")
    assert main(["validate", "base"]) == 70
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_output_that_cannot_be_written() -> None:
    """A closed pipe and a full disk are neither a ruleset's mistake nor a bug, and nothing is said at exit."""
    run = [sys.executable, "-m", "rulewright_tools", "--help"]
    with open("/dev/full", "w") as full:
        done = subprocess.run(run, cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(run, cwd=ROOT, stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")


def test_colour_comes_only_on_a_terminal_that_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Colour only on a terminal, and not where NO_COLOR asks for none."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert colour_wanted(Terminal())
    assert not colour_wanted(io.StringIO())
    monkeypatch.setenv("NO_COLOR", "1")
    assert not colour_wanted(Terminal())
