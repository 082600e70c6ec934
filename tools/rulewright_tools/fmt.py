"""`rulewright fmt`: lays out rules files in the one standard way.

Takes rules files, folders (every *.rules below), names of rulesets, or `-` for the standard input. Rewrites what is not
laid out yet, or only tells of it (--check, --diff). A file that does not read as rules is shown with its mistakes and
left alone: exit 1. A path that is none of these stops everything before a file is touched: exit 2. A file is replaced
in one step, so that nobody ever sees half of one, and keeps its mode; a link stays a link and its target is rewritten.
"""

from __future__ import annotations

import difflib
import io
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from rulewright_tools.cli import colour_wanted

if TYPE_CHECKING:
    from rulewright.diagnostics import Diagnostic

Mode = Literal["write", "check", "diff"]
Outcome = Literal["same", "changed", "unreadable", "refused"]
_STDIN = "<stdin>"
_CODES: dict[Outcome, int] = {"same": 0, "changed": 1, "refused": 1, "unreadable": 2}


@click.command("fmt")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--check", is_flag=True, help="Write nothing; list the files that would change, exit 1 if there are any.")
@click.option("--diff", is_flag=True, help="Write nothing; show the changes as a diff, exit 1 if there are any.")
@click.pass_context
def command(ctx: click.Context, paths: tuple[str, ...], check: bool, diff: bool) -> None:
    """Lay out rules files in the one standard way.

    PATH is a .rules file, a folder (all .rules files below it), the name of a ruleset, or - for the standard input.
    """
    mode: Mode = "diff" if diff else "check" if check else "write"
    if "-" in paths:
        if len(paths) > 1:
            raise click.UsageError("'-' (the standard input) stands alone.")
        outcomes = [_format_stdin(mode)]
    else:
        outcomes = [_format_file(file, mode) for file in _find(paths)]
        _sum_up(outcomes, mode)
    # A change that was asked for and made is no problem.
    ctx.exit(max((0 if mode == "write" and one == "changed" else _CODES[one] for one in outcomes), default=0))


def _find(paths: tuple[str, ...]) -> list[Path]:
    """All files that the paths stand for, each once; raises a usage error that names every bad path."""
    found: dict[str, Path] = {}
    bad = []
    for path in paths:
        here = Path(path)
        try:
            if os.path.isdir(here):
                files = _below(here)
            elif os.path.isfile(here):
                files = [here]
                if here.suffix != ".rules":
                    bad.append(f"'{path}' is not a .rules file.")
            elif (named := _named(path)) is not None:
                files = named
            else:
                bad.append(f"'{path}' is no file, folder or ruleset{_near(path) or '.'}")
                continue
        except OSError as error:
            bad.append(f"'{error.filename}' cannot be read: {error.strerror}.")
            continue
        for file in files:
            found.setdefault(os.path.realpath(file), file)
    if bad:
        raise click.UsageError("\n".join(bad))
    return list(found.values())


def _below(folder: Path) -> list[Path]:
    """Every rules file in a folder, in order; not in hidden folders, and not where a link leads out of the folder."""
    found = []
    inside = os.path.realpath(folder)
    for place, folders, files in os.walk(folder, onerror=_raise):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for file in (Path(place, name) for name in sorted(files) if name.endswith(".rules")):
            if not Path(os.path.realpath(file)).is_relative_to(inside):
                click.echo(f"{_shown(file)}: left alone, since it is a link out of the folder", err=True)
            elif os.path.isfile(file):
                found.append(file)
    return found


def _raise(error: OSError) -> None:
    raise error


def _named(name: str) -> list[Path] | None:
    """The files of a ruleset, by the name that other commands know it by; None if there is none."""
    from rulewright.sources.locate import MANIFEST, find, known_rulesets

    entry = find(name, known_rulesets())
    if entry is None:
        return None
    return _below(entry.parent) if entry.name == MANIFEST else [entry]


def _near(path: str) -> str:
    """What a path that leads nowhere probably meant: a file beside it, or a ruleset."""
    from rulewright.diagnostics import near_miss
    from rulewright.sources.locate import known_rulesets

    here = Path(path)
    beside = [file.name for file in here.parent.glob("*") if file.suffix == ".rules" or file.is_dir()] if here.parent.is_dir() else []
    best = near_miss(here.name, [*beside, *known_rulesets()])
    return f"; did you mean '{_shown(here.parent / best) if best in beside else best}'?" if best else ""


def _format_file(file: Path, mode: Mode) -> Outcome:
    try:
        with open(file, "rb") as stream:
            raw = stream.read(_limit() + 1)
    except OSError as error:
        return _unreadable(file, error)
    formatted = _formatted(raw, str(file))
    if formatted is None:
        return "refused"
    if formatted == raw:
        return "same"
    if mode == "diff":
        _show_diff(raw, formatted, str(file))
    elif mode == "check":
        click.echo(f"would change {_shown(file)}")
    else:
        try:
            _replace(file, formatted.decode())
        except OSError as error:
            return _unreadable(file, error)
        click.echo(f"changed {_shown(file)}")
    return "changed"


def _format_stdin(mode: Mode) -> Outcome:
    raw = sys.stdin.buffer.read(_limit() + 1)
    formatted = _formatted(raw, _STDIN)
    if formatted is None:
        return "refused"
    if mode == "write":
        sys.stdout.buffer.write(formatted)
        sys.stdout.buffer.flush()
    elif formatted != raw and mode == "diff":
        _show_diff(raw, formatted, _STDIN)
    elif formatted != raw:
        click.echo(f"would change {_STDIN}")
    return "same" if formatted == raw else "changed"


def _formatted(raw: bytes, file: str) -> bytes | None:
    """The standard layout of a file's bytes; None, with its mistakes shown, if they do not read as rules."""
    from rulewright.diagnostics import complain, whole_file
    from rulewright.format import format_text

    if len(raw) > _limit():
        _show([complain("R601", f"the file has more than {_limit():,} bytes", whole_file(file))], {})
        return None
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        message = f"not a text file in UTF-8: the byte at position {error.start} does not fit"
        _show([complain("R107", message, whole_file(file))], {})
        return None
    formatted, diagnostics = format_text(text, file)
    if formatted is None or any(diagnostic.severity == "error" for diagnostic in diagnostics):
        _show(diagnostics, {file: text})
        return None
    return formatted.encode()


def _show(diagnostics: list[Diagnostic], texts: dict[str, str]) -> None:
    from rulewright.limits import DEFAULT_LIMITS
    from rulewright.render import as_text

    shown = as_text(diagnostics, texts, colour_wanted(sys.stderr), DEFAULT_LIMITS.shown_diagnostics)
    click.echo(shown, err=True)


def _show_diff(raw: bytes, formatted: bytes, file: str) -> None:
    from rulewright.render import printable

    # Lines end at line feeds only; splitlines() would also split at form feeds and other oddities.
    old, new = (list(io.StringIO(side.decode(), newline="\n")) for side in (raw, formatted))
    for line in difflib.unified_diff(old, new, printable(file), printable(file)):
        body = line.removesuffix("\n")
        # A patch must stay exact; on a terminal it must not steer the terminal.
        click.echo(printable(body) if sys.stdout.isatty() else body)
        if not line.endswith("\n"):
            click.echo("\\ No newline at end of file")


def _replace(file: Path, text: str) -> None:
    """Puts the text in place of the file, or of what the link leads to, in one step."""
    from rulewright.files import write_text

    if not os.access(file, os.W_OK):
        raise PermissionError(None, "the file is read-only")
    write_text(file, text)


def _sum_up(outcomes: list[Outcome], mode: Mode) -> None:
    changed, same = outcomes.count("changed"), outcomes.count("same")
    verb = "changed" if mode == "write" else "would change"
    files = "file" if changed == 1 else "files"
    click.echo(f"{changed} {files} {verb}, {same} already laid out", err=True)


def _unreadable(file: Path, error: OSError) -> Outcome:
    click.echo(f"rulewright: {_shown(file)}: {error.strerror or error}", err=True)
    return "unreadable"


def _shown(file: Path) -> str:
    from rulewright.render import printable

    return printable(str(file))


def _limit() -> int:
    from rulewright.limits import DEFAULT_LIMITS

    return DEFAULT_LIMITS.file_bytes
