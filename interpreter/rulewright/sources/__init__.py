"""What a ruleset is read from: manifests, rules files, boards, rulebooks and locales, found by name or path and kept inside their folders.

`read_sources` gives the packages of a ruleset, parents first; `yamlfile` is the one door for YAML, with a line and column for every complaint.
"""

from __future__ import annotations

from rulewright.sources.packages import Option, Package, Part, RulesFile, Sources, known_rulesets, read_sources

__all__ = ["Option", "Package", "Part", "RulesFile", "Sources", "known_rulesets", "read_sources"]
