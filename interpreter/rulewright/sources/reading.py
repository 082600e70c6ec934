"""Readings: one ruleset, read in several ways by those who check it. Takes what a person names; gives what `read_sources` gives for any options, each once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from rulewright.diagnostics import Diagnostic
from rulewright.limits import DEFAULT_LIMITS, Limits
from rulewright.sources.packages import Sources, read_sources


class Reading:
    """A ruleset with layers, as its files were when they were first asked for."""

    def __init__(self, target: str | Path, layers: Sequence[str | Path] = (), limits: Limits = DEFAULT_LIMITS) -> None:
        self.given = target, layers
        self.limits = limits
        self._read: dict[str, tuple[Sources, list[Diagnostic]]] = {}

    def __call__(self, options: Mapping[str, object], staging: bool = False) -> tuple[Sources, list[Diagnostic]]:
        """What is read with some options; `staging`: with what only scenarios use."""
        key = repr((sorted(options.items()), staging))
        if key not in self._read:
            self._read[key] = read_sources(*self.given, options, self.limits, staging)
        return self._read[key]
