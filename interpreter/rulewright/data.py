"""Where the files that travel with the program lie: JSON schemas and rulesets.

In a clone `schemas/` and `rulesets/` lie at the top; in an installed wheel both are inside it, under `_data/`.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any


def _home() -> Path:
    package = Path(__file__).resolve().parent
    packed = package / "_data"
    return packed if packed.is_dir() else package.parents[1]


@functools.cache
def schema(name: str) -> dict[str, Any]:
    """The JSON schema of a kind of file: `ruleset`, `rulebook`, `board`, `locale`, `scenario`, `save`, `replay` ..."""
    loaded: dict[str, Any] = json.loads(schema_text(name))
    return loaded


@functools.cache
def schema_text(name: str) -> str:
    """A JSON schema as it is written."""
    return (_home() / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8")


def rulesets_folder() -> Path:
    """The folder with the rulesets that come with the program."""
    return _home() / "rulesets"
