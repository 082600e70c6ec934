"""Rules files that lie in a ruleset's folder and that its manifest does not name.

Takes a package, gives the files and complaints about those that cannot be read. Folders with a manifest of their own are left alone, and so are
rules files that say in their first line that they are a ruleset of their own.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from rulewright.diagnostics import Diagnostic
from rulewright.limits import Limits
from rulewright.sources.locate import MANIFEST, header, shown
from rulewright.sources.packages import Package, RulesFile
from rulewright.sources.yamlfile import read_text


def unlisted(package: Package, limits: Limits, texts: dict[str, str]) -> tuple[list[RulesFile], list[Diagnostic]]:
    """The rules files in the folder of a package that it does not consist of; `texts` is where their text is kept."""
    found: list[RulesFile] = []
    complaints: list[Diagnostic] = []
    if package.alone:
        return found, complaints
    home = Path(package.folder)
    named = {os.path.realpath(home / name) for name in package.named}
    for path in _rules_below(home, limits.files):
        if os.path.realpath(path) in named:
            continue
        text, problems = read_text(path, shown(path), limits, texts=texts)
        own = header(text) if text is not None else None
        if own is not None and own[1]["id"] != package.id:
            continue
        complaints += problems
        if text is not None:
            found.append(RulesFile(shown(path), text, None))
    return found, complaints


def _rules_below(home: Path, limit: int) -> Iterator[Path]:
    """The rules files in a folder and below it, in a fixed order, as far as one looks."""
    looked = 0
    for folder, inner, names in os.walk(home):
        inner[:] = sorted(name for name in inner if not name.startswith(".") and not os.path.isfile(os.path.join(folder, name, MANIFEST)))
        for name in sorted(names):
            if name.endswith(".rules"):
                yield Path(folder) / name
        looked += len(names) + 1
        if looked > 10 * limit:
            return
