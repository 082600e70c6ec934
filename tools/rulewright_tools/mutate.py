"""`rulewright test --mutate`: changes one rule at a time and shows which changes no scenario notices.

Takes what `rulewright test` takes, and is called by it. Exit 0 whatever survives, 1 when there is nothing to try because no scenario passes.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from rulewright_tools.progress import progress

if TYPE_CHECKING:
    from rulewright.mutation import Verdict
    from rulewright.scenario import Scenario
    from rulewright.scenario.reach import Watching

STATUSES = ("killed", "survived", "not covered")
TOLD = {"survived": "survived (every scenario that gets there passes all the same)", "not covered": "not covered (no scenario gets there)"}


def mutate(scenarios: Sequence[Scenario], stage: Watching, jobs: int, limit: int | None, seed: int, as_json: bool) -> int:
    """Try the scenarios on mutants, print what came of it, and give the exit code."""
    from rulewright.mutation import Bench, judge_all

    with progress("mutants tried") as tell:
        tell.now(f"playing {len(scenarios)} scenarios")
        bench = Bench(scenarios, stage)
        wanted = bench.mutants()
        random.Random(seed).shuffle(wanted)
        verdicts = judge_all(bench, wanted[:limit], jobs, tell)
    verdicts.sort(key=lambda verdict: (verdict.file, verdict.line, verdict.unit, verdict.what))
    failed = [f"{scenario.file}:{scenario.span.line}: {scenario.name}" for scenario in bench.failed]
    click.echo(_json(verdicts, failed, len(wanted)) if as_json else _text(verdicts, failed, len(wanted)))
    return 0 if bench.trials else 1


def _count(verdicts: Sequence[Verdict], status: str) -> int:
    return sum(verdict.status == status for verdict in verdicts)


def _shares(verdicts: Sequence[Verdict]) -> tuple[float, float]:
    """How many are not killed: of those that a scenario gets to, and of all; in percent."""
    survived, covered = _count(verdicts, "survived"), len(verdicts) - _count(verdicts, "not covered")
    return 100 * survived / max(covered, 1), 100 * (len(verdicts) - _count(verdicts, "killed")) / max(len(verdicts), 1)


def _text(verdicts: Sequence[Verdict], failed: Sequence[str], total: int) -> str:
    from rulewright.render import printable

    blocks = []
    for status, head in TOLD.items():
        lines = [f"  {verdict.file}:{verdict.line}: {verdict.unit}: {verdict.what}" for verdict in verdicts if verdict.status == status]
        if lines:
            blocks.append("\n".join([f"{head}:", *map(printable, lines)]))
    if failed:
        blocks.append("\n".join(["left out, since they do not pass:", *(f"  {printable(each)}" for each in failed)]))
    counts = ", ".join(f"{_count(verdicts, status)} {status}" for status in STATUSES)
    of = f" of {total}" if len(verdicts) < total else ""
    covered, every = _shares(verdicts)
    return "\n\n".join([*blocks, f"{len(verdicts)}{of} mutants: {counts}\nsurvival: {covered:.1f}% of those covered, {every:.1f}% of all not killed"])


def _json(verdicts: Sequence[Verdict], failed: Sequence[str], total: int) -> str:
    import msgspec

    covered, every = _shares(verdicts)
    content = {
        "mutants": [msgspec.to_builtins(verdict) for verdict in verdicts],
        "counts": {status: _count(verdicts, status) for status in STATUSES},
        "total": total,
        "survival_of_covered": round(covered, 2),
        "not_killed_of_all": round(every, 2),
        "left_out": list(failed),
    }
    return json.dumps(content, indent=2, ensure_ascii=False)
