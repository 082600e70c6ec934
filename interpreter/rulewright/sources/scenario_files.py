"""The scenario files of a ruleset, as far as they can be judged without playing them: whether each can be read and has the shape of one.

Takes packages, gives the files in their folders `scenarios` and complaints about those. Of rulesets that come with the program only the one that is asked for is looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rulewright.diagnostics import Diagnostic
from rulewright.limits import Limits
from rulewright.sources.locate import shown
from rulewright.sources.packages import Package
from rulewright.sources.yamlfile import read_text, read_yaml

FOLDER = "scenarios"
SUFFIXES = (".yaml", ".yml")


def scenario_files(packages: Sequence[Package], limits: Limits) -> list[Path]:
    """The files with scenarios that belong to what an author writes, in a fixed order."""
    own = [package for package in packages if not package.alone and (not package.shipped or package is packages[-1])]
    folders = [folder for package in own if (folder := Path(package.folder) / FOLDER).is_dir()]
    return [path for folder in folders for path in sorted(folder.glob("*"))[: limits.files] if path.suffix in SUFFIXES]


def misshapen(packages: Sequence[Package], limits: Limits, texts: dict[str, str]) -> list[Diagnostic]:
    """What is wrong with the shape of scenario files; `texts` is where their text is kept."""
    return [problem for path in scenario_files(packages, limits) for problem in read_yaml(path, shown(path), "scenario", limits, texts=texts)[1]]


def scenario_texts(packages: Sequence[Package], limits: Limits, texts: dict[str, str]) -> list[Diagnostic]:
    """Only read them."""
    return [problem for path in scenario_files(packages, limits) for problem in read_text(path, shown(path), limits, texts=texts)[1]]
