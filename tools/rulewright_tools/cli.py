"""The command line: a group of commands, each loaded when it is called, and the door every failure leaves by.

Takes the arguments of the process and gives an exit code: what the command says (0, 1 for a mistake in a ruleset, 2 for
a mistake of the person), 130 when interrupted, 141 when the reader of a pipe has gone, 70 for a bug of ours. No
traceback is shown unless RULEWRIGHT_DEBUG is set. Nothing heavy is imported here, so that `--help` answers at once.
"""

from __future__ import annotations

import errno
import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper
from typing import TextIO

import click

# name: (module that has the click command as `command`, what `--help` says of it)
COMMANDS: dict[str, tuple[str, str]] = {
    "new": ("rulewright_tools.new.command", "Begin a house rule, an expansion, a game, or a component of one."),
    "validate": ("rulewright_tools.validate", "Check rulesets and show what is wrong, and where."),
    "fmt": ("rulewright_tools.fmt", "Lay out rules files in the one standard way."),
    "graph": ("rulewright_tools.graph", "Draw the effect graph of a ruleset."),
    "run": ("rulewright_tools.run", "Play a whole game by bots and print what happens."),
    "play": ("rulewright_tools.play.command", "Play a game at this terminal: alone, with bots, or in turn with others."),
    "try": ("rulewright_tools.sandbox.command", "Try rules by hand: place things, call effects, and save it as a scenario."),
    "serve": ("rulewright_tools.serve.command", "Let people play in their browsers."),
    "replay": ("rulewright_tools.replay", "Play a recorded game again, or verify it."),
    "trace": ("rulewright_tools.trace", "Show why something happened in a recorded game."),
    "test": ("rulewright_tools.scenarios", "Play scenarios and show what is not as it must be."),
    "coverage": ("rulewright_tools.coverage", "Show which rules of its rulebook a ruleset carries out, and which its scenarios show."),
    "diff": ("rulewright_tools.diff", "Show what a layer changes."),
    "docs": ("rulewright_tools.docs.command", "Write the rulebook of a ruleset as a page."),
    "locale": ("rulewright_tools.locale", "Write or update the translation of a ruleset."),
    "bench": ("rulewright_tools.bench.command", "Measure how fast games are played."),
    "check": ("rulewright_tools.check", "Say with which rulesets and house rules a layer fits, and why not."),
    "pack": ("rulewright_tools.pack", "Put a ruleset or layer into one file, to be sent to somebody."),
    "lsp": ("rulewright_tools.lsp.command", "Help an editor to write rules (a language server)."),
    "names": ("rulewright_tools.names", "List what rules can name, by subject or by a part of a word."),
    "explain": ("rulewright_tools.explain", "Show what a rule finally says, who changed it, and where it comes from."),
}

BUG = 70
INTERRUPTED = 130
BROKEN_PIPE = 141


class LazyGroup(click.Group):
    """A group that imports a command's module only when that command is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, imported now, or None."""
        if cmd_name not in COMMANDS:
            return None
        command = import_module(COMMANDS[cmd_name][0]).command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list in `--help`, from the table alone."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, told) for name, (_, told) in COMMANDS.items()])

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the arguments name; a near miss is told."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            from rulewright.diagnostics import did_you_mean

            ctx.fail(f"there is no command '{name}'; {did_you_mean(name, COMMANDS) or 'see rulewright --help'}")
        return super().resolve_command(ctx, args)


def _show_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted:
        return
    from rulewright import __version__

    click.echo(f"rulewright {__version__}")
    ctx.exit()


@click.group(cls=LazyGroup, name="rulewright", context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit.",
)
def rulewright() -> None:
    """Board games written as text: check them, lay them out, look at them, play them."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command line and gives the exit code; the console entry point."""
    if isinstance(sys.stdout, TextIOWrapper):
        # A message may hold characters that the console's encoding does not have.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        code = _run(sys.argv[1:] if arguments is None else arguments)
        if arguments is None:
            gc.freeze()  # the process ends now: nobody has to look through all that there is once more
        if sys.stdout is not None:
            sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _drop_output()
        return BROKEN_PIPE
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EIO):
            return _bug(error)
        _drop_output()
        click.echo(f"rulewright: the output cannot be written: {error.strerror}", err=True)
        return 2
    except Exception as error:
        return _bug(error)
    return code


def colour_wanted(stream: TextIO) -> bool:
    """Whether a stream is a terminal whose owner has not asked for plain text."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _run(arguments: Sequence[str]) -> int:
    """The exit code of the command; whatever is nobody's planned answer is raised."""
    try:
        # Not click's own main(), which takes a closed pipe for exit 1, and that means a mistake in a ruleset.
        with rulewright.make_context("rulewright", list(arguments)) as ctx:
            rulewright.invoke(ctx)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    return 0


def _drop_output() -> None:
    """Sends what is still buffered nowhere, so that the interpreter's own flush at exit has nothing to complain of."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno() if sys.__stdout__ else 1)
    except (OSError, ValueError):
        return


def _bug(error: Exception) -> int:
    """Tells of a failure that should not be; imports nothing, since an installation in pieces ends here too."""
    if os.environ.get("RULEWRIGHT_DEBUG"):
        import traceback

        traceback.print_exception(error)
    told = f"{type(error).__name__}: {error}"
    told = "".join(char if char.isprintable() else ascii(char)[1:-1] for char in told)
    click.echo(f"rulewright: internal error: {told}", err=True)
    click.echo("This is a bug of rulewright, not of your ruleset; RULEWRIGHT_DEBUG=1 shows where.", err=True)
    return BUG
