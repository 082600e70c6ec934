"""Verdicts that are kept between runs: rulesets in which `validate` found nothing at all to complain of, as they were then.

Takes what `validate` takes. Everything that it would read is read here, too: as it is played, with each part that is off, with what only scenarios use, the files that no manifest names, and scenarios.
If all of that is what it was when nothing was wrong with it, nothing is. Of rulesets with any complaint nothing is kept: what is wrong is found anew each time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

import msgspec

from rulewright import cache, collection, session
from rulewright.data import schema_text
from rulewright.diagnostics import Diagnostic
from rulewright.limits import DEFAULT_LIMITS
from rulewright.sources import Sources
from rulewright.sources.reading import Reading
from rulewright.sources.scenario_files import scenario_texts
from rulewright.sources.strays import unlisted
from rulewright.sources.variants import switched_on

KIND = "verdict"
FORMAT = "rulewright verdict 1"
FLAWLESS = b"nothing"


class Verdict(msgspec.Struct):
    """What is known of a ruleset before it is checked: its sources, every text that belongs to it, and where it is kept that nothing is wrong with them."""

    sources: Sources
    texts: dict[str, str]
    path: Path | None

    diagnostics: list[Diagnostic] = []

    @property
    def flawless(self) -> bool:
        """Whether nothing was wrong with the same texts before."""
        return self.path is not None and cache.read(self.path) == FLAWLESS

    def keep(self, texts: Mapping[str, str]) -> None:
        """Nothing is wrong with these texts; that is kept if they are what was read here, and have not been changed meanwhile."""
        if self.path is not None and texts == self.texts:
            cache.write(self.path, FLAWLESS)


@collection.put_off()
@session.used_here()
def verdict(read: Reading, options: Mapping[str, object] | None = None) -> Verdict:
    """Read all that `validate` would."""
    options = options or {}
    sources, found = read(options)
    complaints = list(found)
    ways_read = [sources]
    texts = dict(sources.texts)
    ways = [(chosen, False) for _, chosen in switched_on(sources, options)]
    if any(package.staging or package.seat for package in sources.packages):
        ways.append((dict(options), True))
    for chosen, staging in ways:
        more, problems = read(chosen, staging)
        ways_read.append(more)
        texts |= more.texts
        complaints += problems
    for package in sources.packages:
        files, problems = unlisted(package, DEFAULT_LIMITS, texts)
        if files or problems:
            return Verdict(sources, texts, None)
    scenarios: dict[str, str] = {}
    complaints += scenario_texts(sources.packages, DEFAULT_LIMITS, scenarios)
    texts |= scenarios
    if complaints or not sources.packages:
        return Verdict(sources, texts, None)
    mark = hashlib.sha256(repr([*(each.mark for each in ways_read), *sorted(scenarios.items())]).encode()).hexdigest()
    return Verdict(sources, texts, cache.entry_path(KIND, FORMAT, mark, schema_text("locale"), schema_text("scenario"), cache.program_mark()))
