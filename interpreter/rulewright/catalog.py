"""Catalogs: what the words of rules, and those of the program itself, are in another language. The one place where texts are looked up.

Takes locales as data, a later one over an earlier one, and gives the translation of a name, a word or a text, or what was asked for where there is none. A text
is found by its shape, the words around what stands in braces; a translation may have those values in another order, or leave one out. Nothing is declined:
a name stands in a text as it is.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

PROGRAM = Path(__file__).with_name("locale")
PIECE = re.compile(r"\\([{}\\])|\{([^{}]*)\}")
Pieces = tuple[str | int, ...]  # words, and the numbers of values


class Catalog:
    """The translations of one language; without any it gives everything as it is."""

    def __init__(self, language: str | None = None, locales: Iterable[Mapping[str, Any]] = ()) -> None:
        self.language = language
        self.names: dict[str, str] = {}
        self.words: dict[str, str] = {}
        self.texts: dict[str, Pieces] = {}
        for locale in locales:
            self.names.update(locale.get("names") or {})
            self.words.update(locale.get("words") or {})
            self.texts.update(translation(text, said) for text, said in (locale.get("texts") or {}).items())

    @property
    def is_empty(self) -> bool:
        """Whether everything is said as it is."""
        return not (self.names or self.words or self.texts)

    def text(self, parts: Sequence[Any]) -> Pieces | None:
        """The translation of a text, made of words and of values, whatever those are."""
        return self.texts.get(shape(parts)) if self.texts else None

    def plain(self, text: str) -> str:
        """A text without values."""
        found = self.text((text,))
        return text if found is None else "".join(map(str, found))

    def say(self, sentence: str, /, **values: object) -> str:
        """A sentence of the program with its values, which stand in braces in it."""
        parts, holes = template(sentence)
        found = self.texts.get(shape(parts), parts) if self.texts else parts
        return "".join([part if isinstance(part, str) else str(values[holes[part]]) for part in found])


@functools.cache
def template(text: str) -> tuple[Pieces, tuple[str, ...]]:
    """A text taken apart: its words, with the numbers of what stands in braces between them, and that."""
    pieces: list[str | int] = [""]
    holes: list[str] = []
    position = 0
    for found in PIECE.finditer(text):
        pieces[-1] += text[position : found.start()]  # type: ignore[operator]  # what stands last is always words
        position = found.end()
        if found.group(1) is not None:
            pieces[-1] += found.group(1)  # type: ignore[operator]
        else:
            pieces += [len(holes), ""]
            holes.append(" ".join(found.group(2).split()))
    pieces[-1] += text[position:]  # type: ignore[operator]
    return tuple(each for each in pieces if each != ""), tuple(holes)


def shape(parts: Sequence[Any]) -> str:
    """What texts have in common that differ only in what stands in braces."""
    return "".join([re.sub(r"([{}\\])", r"\\\1", part) if isinstance(part, str) else "{}" for part in parts])


def translation(text: str, said: str) -> tuple[str, Pieces]:
    """The shape of a text, and its translation with the numbers of its values; what stands in braces there alone is kept as it is written."""
    parts, holes = template(text)
    pieces, named = template(said)
    return shape(parts), tuple(
        each if isinstance(each, str) else holes.index(named[each]) if named[each] in holes else f"{{{named[each]}}}" for each in pieces
    )


def strange_holes(text: str, said: str) -> list[str]:
    """What stands in braces in a translation, and not in the text that it translates."""
    own = template(text)[1]
    return [hole for hole in template(said)[1] if hole not in own]


@functools.cache
def program_locale(language: str) -> Mapping[str, Any]:
    """What the program's own sentences are in a language; empty if nobody has translated them."""
    path = PROGRAM / f"{language}.yaml"
    if language not in program_locales():
        return {}
    from rulewright.limits import DEFAULT_LIMITS
    from rulewright.sources.yamlfile import read_yaml

    document, problems = read_yaml(path, path.name, "locale", DEFAULT_LIMITS)
    assert document is not None, problems
    found: Mapping[str, Any] = document.data
    return found


@functools.cache
def program_locales() -> tuple[str, ...]:
    """The languages into which the program's own sentences have been translated."""
    return tuple(sorted(path.stem for path in PROGRAM.glob("*.yaml")))


def nearest(language: str, known: Iterable[str]) -> str | None:
    """The language that is meant by a tag: itself, or the same without region or script (`cs` for `cs-CZ`); None if there is none."""
    by_tag = {each.lower(): each for each in known}
    parts = language.lower().replace("_", "-").split("-")
    tags = ("-".join(parts[:length]) for length in range(len(parts), 0, -1))
    return next((by_tag[tag] for tag in tags if tag in by_tag), None)
