"""`rulewright test`: plays scenarios and shows what is not as it must be.

Takes names or folders of rulesets (then the files in their `scenarios/` are meant), folders with scenario files, or the files themselves. Exit 0 when all
pass, 1 when a scenario fails or has mistakes (with --strict also for warnings), 2 when a target cannot be found or has no scenarios or the command line makes no sense, 70 when a scenario
found a bug of ours.
"""

from __future__ import annotations

import fnmatch
import gc
import json
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from rulewright_tools.cli import BUG, colour_wanted
from rulewright_tools.progress import progress

if TYPE_CHECKING:
    from rulewright.diagnostics import Diagnostic
    from rulewright.scenario import Failure, Outcome, Scenario, Stage
    from rulewright.scenario.reach import Watching

FOLDER = "scenarios"
SUFFIXES = (".yaml", ".yml")
FEW = 5  # files


@click.command("test")
@click.argument("targets", nargs=-1, required=True, metavar="NAME|FILE...")
@click.option("--layer", "layers", multiple=True, metavar="PATH|NAME", help="A layer to put on top, whose scenarios are played too; may be repeated.")
@click.option("-k", "pattern", metavar="PATTERN", help="Only scenarios whose name or file has this in it (* and ? stand for anything).")
@click.option("--json", "as_json", is_flag=True, help="Show the outcome as JSON.")
@click.option("--verbose", "-v", is_flag=True, help="Name every scenario, also those that pass.")
@click.option("--strict", is_flag=True, help="Take warnings for failures, such as a move in 'given' that moves nothing.")
@click.option("--mutate", "mutated", is_flag=True, help="Change one rule at a time and show which changes no scenario notices.")
@click.option("--jobs", default=1, show_default=True, type=click.IntRange(1, 64), help="With --mutate: how many processes work at it.")
@click.option("--limit", type=click.IntRange(1), help="With --mutate: try only so many changes, picked at random.")
@click.option("--seed", default=0, show_default=True, help="With --limit: which are picked.")
@click.option("--watch", is_flag=True, help="Play again whenever a file changes: those in it, or all if it is one of the rules.")
@click.pass_context
def command(
    ctx: click.Context, targets: tuple[str, ...], layers: tuple[str, ...], pattern: str | None, as_json: bool, verbose: bool, strict: bool,
    mutated: bool, jobs: int, limit: int | None, seed: int, watch: bool,
) -> None:  # fmt: skip
    """Play scenarios and show what is not as it must be.

    A ruleset's scenarios are the files in its folder `scenarios`; a scenario file may also be given by its path.
    """
    if watch:
        if mutated:
            raise click.UsageError("--watch and --mutate do not go together.")
        _watch(targets, layers, pattern, lambda session: session.json() if as_json else session.text(verbose))
        return
    session = _Session(pattern, playing=not mutated)
    gc.disable()  # most of what is made stays until the end; where many scenarios are played, what is left of them goes
    try:
        found = [session.gather(target, layers) for target in dict.fromkeys(targets)]
    finally:
        gc.enable()
    if not all(found):
        ctx.exit(2)
    if not session.scenarios and not session.broken:
        click.echo(f"rulewright: no scenario has '{pattern}' in its name or in that of its file", err=True)
        ctx.exit(2)
    if mutated:
        from rulewright_tools.mutate import mutate

        ctx.exit(mutate(session.scenarios, session.watching(targets, layers), jobs, limit, seed, as_json))
    click.echo(session.json() if as_json else session.text(verbose), nl=False)
    ctx.exit(session.code(strict))


def _watch(targets: Sequence[str], layers: Sequence[str], pattern: str | None, shown: Callable[[_Session], str]) -> None:
    """Play again whenever a file changes, until somebody interrupts it."""
    from rulewright_tools.watching import again, places

    last = _Session(pattern)

    def play(changed: frozenset[str]) -> set[Path]:
        nonlocal last
        session = _Session(pattern, after=last if last.only_scenarios(changed) else None)
        found = [session.gather(target, layers) for target in dict.fromkeys(targets)]
        if all(found):
            click.echo(shown(session), nl=False)
        last = session
        return places((*targets, *layers)) | session.folders()

    again(play)


class _Played(NamedTuple):
    """What came of one file."""

    problems: list[Diagnostic]
    scenarios: list[Scenario]
    outcomes: list[tuple[str, Outcome]]
    bugs: list[str]


class _Session:
    """What one call of the command plays, and what came of it; `after` an earlier one only what has changed in its files since is played."""

    def __init__(self, pattern: str | None, playing: bool = True, after: _Session | None = None) -> None:
        self.pattern = pattern
        self.playing = playing
        self.scenarios: list[Scenario] = []
        self.files: dict[str, list[Outcome]] = {}
        self.broken: dict[str, list[Diagnostic]] = {}
        self.texts: dict[str, str] = {}
        self.bugs: list[str] = []
        self.told: list[tuple[Diagnostic, ...]] = []
        self.stages: dict[str | None, Stage] = {} if after is None else after.stages
        self.played: dict[tuple[str | None, Path], _Played] = {}
        self.earlier = {} if after is None else after.played
        if after is not None:
            self.texts |= after.texts

    # -- finding and playing

    def gather(self, target: str, layers: Sequence[str]) -> bool:
        """Play what a target stands for; False if it cannot be found."""
        from rulewright.scenario import Stage
        from rulewright.sources.locate import known_rulesets

        known = known_rulesets()
        ruleset, files = files_of(target, known)
        if files is None:
            from rulewright.diagnostics import did_you_mean

            hint = did_you_mean(target, known)
            click.echo(f"rulewright: there is no ruleset or scenario file '{target}'" + (f"; {hint}" if hint else ""), err=True)
            return False
        for layer in layers:
            _, more = files_of(layer, known)
            if more is None:
                click.echo(f"rulewright: there is no layer '{layer}'", err=True)
                return False
            files += [file for file in more if file not in files]
        if not files:
            what = "scenario files in" if ruleset is None else f"scenarios in the folder '{FOLDER}' of"
            click.echo(f"rulewright: there are no {what} '{target}'", err=True)
            return False
        if len(files) > FEW:
            gc.enable()
        asked = ruleset if layers else None
        stage = self.stages.setdefault(asked, Stage(asked, layers))  # one for all targets: each ruleset is loaded once
        with progress(f"files of scenarios of {target} played") as tell:
            for number, file in enumerate(files):
                tell(number, len(files))
                key = asked, file.resolve()
                if key not in self.played:
                    self.played[key] = played = self.earlier.get(key) or self.play(file, stage)
                    self.take(file, played)
        return True

    def play(self, path: Path, stage: Stage) -> _Played:
        from rulewright.scenario import load_scenarios

        scenarios, problems = load_scenarios(path, texts=self.texts)
        if problems:
            return _Played(problems, [], [], [])
        played = _Played([], [scenario for scenario in scenarios if self.wants(scenario)], [], [])
        for scenario in played.scenarios if self.playing else ():
            self.play_one(scenario, stage, played)
        return played

    def take(self, path: Path, played: _Played) -> None:
        """Count what came of a file."""
        from rulewright.sources.locate import shown

        if played.problems:
            self.broken.setdefault(shown(path), []).extend(played.problems)
        self.scenarios += played.scenarios
        self.bugs += played.bugs
        for file, outcome in played.outcomes:
            self.texts |= outcome.texts
            self.files.setdefault(file, []).append(outcome)

    def only_scenarios(self, changed: frozenset[str]) -> bool:
        """Whether only files with scenarios have changed; what came of those is forgotten."""
        files = {path for _, path in self.played}
        gone = {Path(each).resolve() for each in changed}
        if not gone <= files:
            return False
        self.played = {key: played for key, played in self.played.items() if key[1] not in gone}
        return True

    def folders(self) -> set[Path]:
        """Where everything lies that was read: scenarios, rules, and what else they consist of."""
        tables = [table for stage in self.stages.values() for table in stage.tables.values()]
        return {path.parent for _, path in self.played} | {Path(os.path.abspath(name)).parent for table in tables for name in table.texts}

    def watching(self, targets: Sequence[str], layers: Sequence[str]) -> Watching:
        """A stage for all scenarios that keeps a record of what they reach."""
        from rulewright.scenario.reach import Watching
        from rulewright.sources.locate import known_rulesets

        return Watching(files_of(targets[0], known_rulesets())[0] if layers else None, layers)

    def play_one(self, scenario: Scenario, stage: Stage, played: _Played) -> None:
        from rulewright.scenario import run_scenario

        try:
            outcome = run_scenario(scenario, stage)
        except Exception as error:
            if os.environ.get("RULEWRIGHT_DEBUG"):
                raise
            place = f"{scenario.file}:{scenario.span.line}"
            played.bugs.append(f"{place}: {scenario.name}: internal error: {type(error).__name__}: {error}")
            return
        played.outcomes.append((scenario.file, outcome))

    def wants(self, scenario: Scenario) -> bool:
        if self.pattern is None:
            return True
        wild = f"*{self.pattern.lower()}*"
        return any(fnmatch.fnmatchcase(text.lower(), wild) for text in (scenario.name, scenario.file))

    # -- what came of it

    def outcomes(self) -> list[Outcome]:
        return [outcome for outcomes in self.files.values() for outcome in outcomes]

    def failed(self) -> list[Outcome]:
        return [outcome for outcome in self.outcomes() if not outcome.passed]

    def warnings(self) -> list[Diagnostic]:
        """Each once: what is given for several scenarios is the same line in each."""
        return list(dict.fromkeys(warning for outcome in self.outcomes() for warning in outcome.warnings))

    def code(self, strict: bool) -> int:
        return BUG if self.bugs else int(bool(self.failed() or self.broken or (strict and self.warnings())))

    def summary(self) -> str:
        total = len(self.outcomes()) + len(self.bugs)
        parts = [_counted(total, "scenario")]
        if failed := len(self.failed()) + len(self.bugs):
            parts.append(f"{failed} failed")
        if self.broken:
            parts.append(f"{_counted(len(self.broken), 'file')} cannot be read")
        if len(parts) == 1 and total:
            parts.append("all passed")
        if warned := len(self.warnings()):
            parts.append(_counted(warned, "warning"))
        return ", ".join(parts)

    def text(self, verbose: bool) -> str:
        """A line a file, reports of what failed, the summary."""
        blocks = []
        lines = []
        for file, outcomes in self.files.items():
            failed = sum(not outcome.passed for outcome in outcomes)
            lines.append(f"{_plain(file)}: {_counted(len(outcomes), 'scenario')}, {f'{failed} failed' if failed else 'passed'}")
            if verbose:
                lines += [f"  {'pass' if outcome.passed else 'FAIL'}  {_plain(outcome.name)}" for outcome in outcomes]
        if lines:
            blocks.append("\n".join(lines))
        blocks += [self.diagnostics(problems) for problems in self.broken.values()]
        blocks += [self.report(outcome) for outcome in self.failed()]
        if warnings := self.warnings():
            blocks.append(self.diagnostics(warnings))
        if self.bugs:
            blocks.append("\n".join(_plain(bug) for bug in self.bugs))
            blocks.append("This is a bug of rulewright, not of your ruleset; RULEWRIGHT_DEBUG=1 shows where.")
        return "\n\n".join([*blocks, self.summary()]) + "\n"

    def report(self, outcome: Outcome) -> str:
        """One scenario that did not pass."""
        head = f"FAIL  {_plain(outcome.name)}"
        if outcome.failure is None:
            if outcome.diagnostics in self.told:  # mistakes of a ruleset, which all its scenarios have
                return f"{head}\n  has the mistakes that are shown above"
            self.told.append(outcome.diagnostics)
            return f"{head}\n{self.diagnostics(outcome.diagnostics)}"
        return "\n".join([head, *self.excerpt(outcome.failure), *_details(outcome.failure)])

    def excerpt(self, failure: Failure) -> list[str]:
        span = failure.span
        lines = self.texts.get(span.file, "").split("\n")
        source = lines[span.line - 1].strip() if 0 < span.line <= len(lines) else failure.text
        return [f"  {_plain(f'{span.file}:{span.line}:{span.column}')}: {failure.step}", f"    {_plain(source)}", f"  {_plain(failure.message)}"]

    def diagnostics(self, problems: Iterable[Diagnostic]) -> str:
        from rulewright import render
        from rulewright.limits import DEFAULT_LIMITS

        return render.as_text(list(problems), self.texts, colour_wanted(sys.stdout), DEFAULT_LIMITS.shown_diagnostics).rstrip("\n")

    def json(self) -> str:
        import msgspec

        def plain(outcome: Outcome) -> dict[str, Any]:
            made = msgspec.structs.asdict(outcome) | {"passed": outcome.passed}
            del made["texts"]
            return made

        content = {
            "scenarios": [plain(outcome) for outcome in self.outcomes()],
            "unreadable": [{"file": file, "diagnostics": problems} for file, problems in self.broken.items()],
            "bugs": self.bugs,
            "total": len(self.outcomes()) + len(self.bugs),
            "failed": len(self.failed()) + len(self.bugs),
            "warnings": len(self.warnings()),
        }
        return json.dumps(_named_spans(msgspec.to_builtins(content)), indent=2) + "\n"


def _named_spans(value: Any) -> Any:
    """Spans as mappings, as everywhere else in what the commands print."""
    if isinstance(value, dict):
        return {key: _span(part) if key == "span" else _named_spans(part) for key, part in value.items()}
    return [_named_spans(part) for part in value] if isinstance(value, list | tuple) else value


def _span(value: Any) -> Any:
    return dict(zip(("file", "line", "column", "end_line", "end_column"), value, strict=True)) if isinstance(value, list | tuple) else value


def files_of(target: str, known: dict[str, Path]) -> tuple[str | None, list[Path] | None]:
    """The ruleset that a target names, if it does, and its scenario files; None if there is no such thing."""
    from rulewright.sources.locate import MANIFEST, find

    path = Path(target)
    if path.suffix in SUFFIXES and path.name != MANIFEST and path.is_file():
        return None, [path]
    entry = find(target, known)
    if entry is not None:
        return target, _inside(entry.parent / FOLDER)
    return None, _inside(path) if path.is_dir() else None


def _inside(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("*") if path.suffix in SUFFIXES) if folder.is_dir() else []


def _details(failure: Failure) -> list[str]:
    lines = [f"    {_plain(text)}: {_plain(value)}" for text, value in failure.values]
    if failure.decision is not None:
        lines += [f"  decision: {_plain(failure.decision)}", *(f"    {_plain(option)}" for option in failure.options)]
    if failure.events:
        lines += ["  last events:", *(f"    {_plain(event)}" for event in failure.events)]
    return lines


def _plain(text: str) -> str:
    from rulewright.render import printable

    return printable(text)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
