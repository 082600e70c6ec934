"""Limits: how large a ruleset may be, and how much it may do. A ruleset is untrusted text: what exceeds a limit gets a clear error, quickly."""

from __future__ import annotations

import msgspec

GREATEST = 999_999_999  # the largest number of the language; its negative is the smallest


class Limits(msgspec.Struct, frozen=True):
    """The bounds of one load; the defaults are far above what any game in print needs."""

    file_bytes: int = 1_000_000
    line_characters: int = 1_000
    file_lines: int = 30_000
    brackets: int = 40
    indentation: int = 24
    line_tokens: int = 200
    yaml_depth: int = 30
    ancestors: int = 30
    value_ways: int = 1_000
    value_lines: int = 200
    value_depth: int = 50
    components: int = 20_000
    faces: int = 1_000
    else_ifs: int = 100
    files: int = 400
    shown_diagnostics: int = 200


DEFAULT_LIMITS = Limits()


class Budget(msgspec.Struct, frozen=True):
    """Bounds of a running game between two decisions, and of its log; what exceeds one is an error that names the effect."""

    steps: int = 200_000
    looks: int = 2_000_000
    depth: int = 150
    options: int = 2_000
    log: int = 500_000
