"""The other ways in which a ruleset can be played: with each part that is off switched on. Takes what was read, gives the options for each way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulewright.sources.manifest import Part
from rulewright.sources.packages import Sources

SEPARATELY = 12  # so many parts are read one after another, since some exclude each other; all further ones together


def _parts_off(sources: Sources) -> dict[str, Part]:
    return {name: part for package in sources.packages for name, part in package.declared_parts.items() if not package.parts[name]}


def switched_on(sources: Sources, options: Mapping[str, object]) -> Iterator[tuple[list[str], dict[str, object]]]:
    """Options under which each part that is off is on: those that its `when` waits for, if it does."""
    off, waiting = _parts_off(sources), []
    for number, (name, part) in enumerate(off.items()):
        if number < SEPARATELY:
            when = {option: value for option, value in part.when.items() if option in sources.options}
            yield [name], {**options, **when, f"parts.{name}": "on"}
        else:
            waiting.append(name)
    if waiting:
        yield waiting, {**options, **{f"parts.{name}": "on" for name in waiting}}
