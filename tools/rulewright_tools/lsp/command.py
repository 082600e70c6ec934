"""`rulewright lsp`: the language server, which an editor starts and speaks to.

Takes requests on the standard input and answers on the standard output, until the editor ends it. With --measure it measures how quickly it answers instead, and with --vsix it writes the extension for Visual Studio
Code. Exit 2 when what it needs is not installed, or a file cannot be written.
"""

from __future__ import annotations

import contextlib
import gc
import logging
import os
import sys
from importlib.util import find_spec
from pathlib import Path

import click

from rulewright_tools.loading import refuse


@click.command("lsp")
@click.option("--stdio", is_flag=True, hidden=True, help="Speak over the standard input and output, as it does anyway.")
@click.option("--log", "log_file", metavar="FILE", type=click.Path(dir_okay=False), help="Write what goes wrong into a file.")
@click.option(
    "--vsix", "extension", metavar="FILE", type=click.Path(dir_okay=False), help="Write the extension for Visual Studio Code, and end; needs npm."
)
@click.option("--measure", is_flag=True, help="Measure how quickly it answers, in rules files of base and of a layer over it or in FILES, and end.")
@click.argument("files", nargs=-1, metavar="[FILES]", type=click.Path(exists=True, dir_okay=False))
def command(stdio: bool, log_file: str | None, extension: str | None, measure: bool, files: tuple[str, ...]) -> None:
    """Help an editor to write rules: mistakes while typing, completion, hovering, renaming ... See EDITORS.md for how editors start it."""
    if missing := [module for module in ("pygls", "lsprotocol") if find_spec(module) is None]:
        refuse(f"'lsp' needs {', '.join(missing)}: pip install 'rulewright[lsp]' (tools/rulewright of a clone does so by itself)")
    if extension is not None:
        _write_extension(Path(extension))
        return
    if measure:
        from rulewright_tools.lsp.measure import measure as run

        click.echo(run([Path(file).resolve() for file in files] or _usual_files()))
        return
    if files:
        raise click.UsageError("files are named with --measure; an editor sends them otherwise.")
    try:
        where: logging.Handler = logging.FileHandler(log_file, encoding="utf-8") if log_file else logging.StreamHandler(sys.stderr)
    except OSError as error:
        refuse(f"cannot write '{log_file}': {error.strerror or error}")
    logging.basicConfig(level=logging.WARNING, handlers=[where], format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    logging.getLogger("pygls").setLevel(logging.CRITICAL)  # a refusal is no failure, and neither is an editor that is gone
    gc.disable()  # it is done when nobody waits for an answer
    sys.setswitchinterval(0.001)  # an answer does not wait for a build
    from rulewright_tools.lsp.server import make_server

    with contextlib.suppress(OSError, ValueError):  # the editor is gone
        make_server().start_io()
    os._exit(0)  # threads may be in the middle of a build that nobody waits for


def _write_extension(file: Path) -> None:
    """The extension as one file, and how to install it."""
    from rulewright.files import write_bytes
    from rulewright_tools.lsp.vsix import NoExtension, vsix

    try:
        content = vsix()
        write_bytes(file, content, 0o644)
    except NoExtension as reason:
        refuse(str(reason))
    except OSError as error:
        refuse(f"cannot write '{file}': {error.strerror or error}")
    click.echo(f"{file}: install it with: code --install-extension {file}")


def _usual_files() -> list[Path]:
    """The largest rules file of `base`, and of a layer over it."""
    from rulewright.data import rulesets_folder

    layers = [folder for folder in rulesets_folder().glob("*/") if "parents: [base]" in _manifest(folder)]
    largest = [max(folder.glob("*.rules"), key=lambda path: path.stat().st_size) for folder in (rulesets_folder() / "base", *layers)]
    return [largest[0], *sorted(largest[1:], key=lambda path: -path.stat().st_size)[:1]]


def _manifest(folder: Path) -> str:
    try:
        return (folder / "ruleset.yaml").read_text(encoding="utf-8")
    except OSError:
        return ""
